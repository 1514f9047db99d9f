#include "base/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Opens a stream on the descriptor. STATUS_FAILED if that fails or, because of `cause`, there is no
 * descriptor. */
static enum status open_stream(struct csv *csv, const char *path, int fd, int cause,
                               struct error *error)
{
    memset(csv, 0, sizeof(*csv));
    csv->path = path;
    if (fd >= 0) {
        csv->file = fdopen(fd, "w");
        cause = errno;
        if (!csv->file)
            close(fd);
    }
    if (!csv->file) {
        return error_set(error, STATUS_FAILED,
                         "cannot write to %s: %s; name a file in a folder that exists and that you "
                         "may write to",
                         path, strerror(cause));
    }
    return STATUS_OK;
}

enum status csv_create(struct csv *csv, const char *path, struct error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int cause = errno;

    if (fd < 0 && cause == EEXIST) {
        memset(csv, 0, sizeof(*csv));
        return error_set(error, STATUS_FAILED,
                         "%s exists already; results are never overwritten: name another file with "
                         "--output or --samples, move this one away, or continue it with --resume",
                         path);
    }
    return open_stream(csv, path, fd, cause, error);
}

void csv_attach(struct csv *csv, FILE *file, const char *name)
{
    memset(csv, 0, sizeof(*csv));
    csv->file = file;
    csv->path = name;
    csv->is_borrowed = true;
}

static void separate(struct csv *csv)
{
    if (csv->column++ > 0)
        fputc(',', csv->file);
}

void csv_text(struct csv *csv, const char *text)
{
    separate(csv);
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, csv->file);
        return;
    }
    fputc('"', csv->file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', csv->file);
        fputc(*text, csv->file);
    }
    fputc('"', csv->file);
}

void csv_unsigned(struct csv *csv, uint64_t number)
{
    separate(csv);
    fprintf(csv->file, "%" PRIu64, number);
}

void csv_format_real(double number, char text[CSV_REAL_BYTES])
{
    /* A library loaded into the process (the driver's compiler, say) may have called setlocale. */
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t previous = uselocale(c_locale);

    snprintf(text, CSV_REAL_BYTES, "%.10g", number);
    uselocale(previous);
    if (c_locale != (locale_t)0)
        freelocale(c_locale);
}

void csv_real(struct csv *csv, double number)
{
    char text[CSV_REAL_BYTES];

    separate(csv);
    if (isnan(number))
        return;
    csv_format_real(number, text);
    fputs(text, csv->file);
}

enum status csv_end_row(struct csv *csv, struct error *error)
{
    csv->column = 0;
    fputs("\r\n", csv->file);
    return csv_flush(csv, error);
}

enum status csv_flush(struct csv *csv, struct error *error)
{
    if (fflush(csv->file) != 0 || ferror(csv->file)) {
        return error_set(error, STATUS_FAILED, "cannot write to %s: %s", csv->path,
                         strerror(errno));
    }
    return STATUS_OK;
}

enum status csv_close(struct csv *csv, struct error *error)
{
    FILE *file = csv->file;

    csv->file = NULL;
    if (file && !csv->is_borrowed && fclose(file) != 0) {
        return error_set(error, STATUS_FAILED, "cannot write to %s: %s", csv->path,
                         strerror(errno));
    }
    return STATUS_OK;
}

enum status csv_finish(struct csv *csv, enum status status, struct error *error)
{
    struct error ignored;
    enum status closed = csv_close(csv, status == STATUS_OK ? error : &ignored);

    return status == STATUS_OK ? closed : status;
}
