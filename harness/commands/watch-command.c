#include "commands/watch-command.h"

#include "base/replace-file.h"
#include "base/text.h"
#include "watch/watch.h"

#include <unistd.h>

static enum status keep_baseline(const struct watch_rows *rows, const char *path, FILE *out,
                                 struct error *error)
{
    enum status status = watch_write(rows, path, error);

    if (status == STATUS_OK)
        fprintf(out, "%zu kernels are the baseline in ", rows->count);
    if (status == STATUS_OK)
        text_put_path(out, "", path, "");
    return status;
}

static enum status write_junit(const struct watch_changes *changes, const struct watch_rows *rows,
                               const char *path, struct error *error)
{
    struct replacement replacement;
    enum status status = replacement_open(&replacement, path, error);

    if (status != STATUS_OK)
        return status;
    watch_print_junit(replacement.out, changes, rows);
    return replacement_close(&replacement, STATUS_OK, error);
}

static enum status hold_against(const struct cli *cli, const struct watch_rows *rows, FILE *out,
                                bool *worse, struct error *error)
{
    struct watch_changes changes = {NULL, 0, 0};
    struct watch_rows before;
    enum status status = watch_read(&before, cli->baseline, error);

    if (status == STATUS_OK)
        status = watch_compare(&changes, &before, rows, cli->threshold, error);
    if (status == STATUS_OK)
        status = watch_print(out, &changes, rows, (enum table_format)cli->format, error);
    if (status == STATUS_OK && cli->junit)
        status = write_junit(&changes, rows, cli->junit, error);
    *worse = changes.worse > 0;
    watch_changes_free(&changes);
    watch_free(&before);
    return status;
}

enum status command_watch(const struct cli *cli, FILE *out, bool *worse, struct error *error)
{
    struct watch_rows rows;
    enum status status = watch_survey(&rows, cli->words.word[0], cli->target, error);

    *worse = false;
    if (status == STATUS_OK)
        status = cli->update || access(cli->baseline, F_OK) != 0
                     ? keep_baseline(&rows, cli->baseline, out, error)
                     : hold_against(cli, &rows, out, worse, error);
    watch_free(&rows);
    return status;
}
