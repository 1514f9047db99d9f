#include "rows/result-files.h"

#include "rows/csv-read.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `name` in `folder`, or alone where that is NULL. */
static enum status add(struct result_files *files, const char *folder, const char *name,
                       struct error *error)
{
    size_t bytes = (folder ? strlen(folder) + 1 : 0) + strlen(name) + 1;
    char **more = realloc(files->path, (files->count + 1) * sizeof(*more));

    if (!more)
        return error_out_of_memory(error);
    files->path = more;
    char *path = malloc(bytes);
    if (!path)
        return error_out_of_memory(error);
    snprintf(path, bytes, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    files->path[files->count++] = path;
    return STATUS_OK;
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);

    return length > end && !strcmp(name + length - end, suffix);
}

static bool is_results(const char *name)
{
    return name[0] != '.' && strcmp(name, RESULT_FILES_MANIFEST) != 0 &&
           (ends_in(name, ".csv") || ends_in(name, ".csv.zst"));
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static enum status list_names(struct result_files *files, const char *folder, struct error *error)
{
    size_t first = files->count;
    DIR *names = opendir(folder);
    enum status status = STATUS_OK;

    if (!names)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", folder, strerror(errno));
    for (const struct dirent *entry; status == STATUS_OK && (entry = readdir(names));) {
        if (is_results(entry->d_name))
            status = add(files, folder, entry->d_name, error);
    }
    closedir(names);
    if (status == STATUS_OK && files->count == first)
        return error_set(error, STATUS_FAILED,
                         "cannot read %s: the folder has no results, files .csv or .csv.zst",
                         folder);
    if (status == STATUS_OK)
        qsort(files->path + first, files->count - first, sizeof(*files->path), by_name);
    return status;
}

/* The file itself or, compressed since, beside it. */
static enum status add_listed(struct result_files *files, const char *folder, const char *manifest,
                              const char *name, struct error *error)
{
    if (!name[0] || strchr(name, '/'))
        return error_set(error, STATUS_FAILED, "%s: '%.80s' is not the name of a file beside it",
                         manifest, name);
    enum status status = add(files, folder, name, error);
    if (status != STATUS_OK)
        return status;
    char **last = &files->path[files->count - 1];
    if (access(*last, F_OK) == 0)
        return STATUS_OK;
    size_t bytes = strlen(*last) + 5;
    char *packed = realloc(*last, bytes);
    if (!packed)
        return error_out_of_memory(error);
    *last = packed;
    memcpy(packed + bytes - 5, ".zst", 5);
    if (access(packed, F_OK) == 0)
        return STATUS_OK;
    packed[bytes - 5] = '\0';
    return error_set(error, STATUS_FAILED, "%s lists %s, which is not there", manifest, packed);
}

static enum status list_manifest(struct result_files *files, const char *folder,
                                 const char *manifest, struct error *error)
{
    struct csv_table table;
    enum status status = csv_read(&table, manifest, error);

    if (status != STATUS_OK)
        return status;
    size_t column = csv_table_column(&table, "file");
    if (column == SIZE_MAX)
        status = error_set(error, STATUS_FAILED, "%s:1: there is no column file", manifest);
    for (size_t i = 0; status == STATUS_OK && i < table.row_count; i++)
        status = add_listed(files, folder, manifest, csv_table_cell(&table, i, column), error);
    csv_table_free(&table);
    return status;
}

static enum status list_folder(struct result_files *files, const char *folder, struct error *error)
{
    struct result_files manifest = {0};
    enum status status = add(&manifest, folder, RESULT_FILES_MANIFEST, error);

    if (status == STATUS_OK)
        status = access(manifest.path[0], F_OK) == 0
                     ? list_manifest(files, folder, manifest.path[0], error)
                     : list_names(files, folder, error);
    result_files_free(&manifest);
    return status;
}

enum status result_files_list(struct result_files *files, const char *const *words, size_t count,
                              struct error *error)
{
    enum status status = STATUS_OK;

    *files = (struct result_files){0};
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct stat facts;
        bool is_folder = stat(words[i], &facts) == 0 && S_ISDIR(facts.st_mode);

        status =
            is_folder ? list_folder(files, words[i], error) : add(files, NULL, words[i], error);
    }
    return status;
}

void result_files_free(struct result_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->path[i]);
    free(files->path);
    *files = (struct result_files){0};
}
