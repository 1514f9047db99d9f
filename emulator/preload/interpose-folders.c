/* The functions by which a program lists the folders of preload/sysfs.h's table. */
#include "preload/interpose.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An open folder of ours, which the program takes for a DIR. */
struct folder {
    struct folder *next;
    char path[SYSFS_PATH_MAX];
    size_t index;
    struct dirent entry;
};

static struct folder *folders;
static pthread_mutex_t folders_lock = PTHREAD_MUTEX_INITIALIZER;

/* `directory` as one of ours, or NULL. */
static struct folder *our_folder(const DIR *directory)
{
    struct folder *folder;

    pthread_mutex_lock(&folders_lock);
    for (folder = folders; folder; folder = folder->next) {
        if ((const void *)folder == (const void *)directory)
            break;
    }
    pthread_mutex_unlock(&folders_lock);
    return folder;
}

EXPORT DIR *opendir(const char *path)
{
    NEXT(opendir, DIR *, const char *)
    bool ours;
    const struct sysfs_entry *entry = interpose_find(path, &ours);

    if (!ours)
        return next(path);
    if (!entry)
        return NULL;
    if (entry->kind != SYSFS_FOLDER) {
        errno = ENOTDIR;
        return NULL;
    }
    struct folder *folder = calloc(1, sizeof(*folder));
    if (!folder)
        return NULL;
    strcpy(folder->path, entry->path);
    pthread_mutex_lock(&folders_lock);
    folder->next = folders;
    folders = folder;
    pthread_mutex_unlock(&folders_lock);
    return (DIR *)folder;
}

static struct dirent *read_folder(struct folder *folder)
{
    enum sysfs_kind kind;
    const char *name = sysfs_name(folder->path, folder->index, &kind);

    if (!name)
        return NULL;
    folder->index++;
    folder->entry = (struct dirent){.d_ino = folder->index,
                                    .d_reclen = sizeof(folder->entry),
                                    .d_type = kind == SYSFS_NODE ? DT_CHR : DT_UNKNOWN};
    snprintf(folder->entry.d_name, sizeof(folder->entry.d_name), "%s", name);
    return &folder->entry;
}

EXPORT struct dirent *readdir(DIR *directory)
{
    NEXT(readdir, struct dirent *, DIR *)
    struct folder *folder = our_folder(directory);

    return folder ? read_folder(folder) : next(directory);
}

EXPORT struct dirent64 *readdir64(DIR *directory)
{
    NEXT(readdir64, struct dirent64 *, DIR *)
    struct folder *folder = our_folder(directory);

    return folder ? (struct dirent64 *)read_folder(folder) : next(directory);
}

EXPORT int closedir(DIR *directory)
{
    NEXT(closedir, int, DIR *)
    struct folder *folder = our_folder(directory);

    if (!folder)
        return next(directory);
    pthread_mutex_lock(&folders_lock);
    for (struct folder **link = &folders; *link; link = &(*link)->next) {
        if (*link == folder) {
            *link = folder->next;
            break;
        }
    }
    pthread_mutex_unlock(&folders_lock);
    free(folder);
    return 0;
}

EXPORT void rewinddir(DIR *directory)
{
    NEXT(rewinddir, void, DIR *)
    struct folder *folder = our_folder(directory);

    if (folder)
        folder->index = 0;
    else
        next(directory);
}

/* There is no descriptor behind ours. */
EXPORT int dirfd(DIR *directory)
{
    NEXT(dirfd, int, DIR *)

    if (!our_folder(directory))
        return next(directory);
    errno = ENOTSUP;
    return -1;
}

typedef int filter_function(const struct dirent *entry);
typedef int order_function(const struct dirent **a, const struct dirent **b);

static void free_names(struct dirent **names, int count)
{
    while (count > 0)
        free(names[--count]);
    free(names);
}

/* scandir(3) on one of our folders. */
static int our_scandir(const char *path, struct dirent ***names, filter_function *filter,
                       order_function *order)
{
    struct folder *folder = (struct folder *)opendir(path);
    struct dirent **found = NULL, *entry;
    int count = 0;

    if (!folder)
        return -1;
    while ((entry = read_folder(folder))) {
        if (filter && !filter(entry))
            continue;
        struct dirent **grown = realloc(found, ((size_t)count + 1) * sizeof(struct dirent *));
        if (grown)
            found = grown;
        if (!grown || !(found[count] = malloc(sizeof(*entry)))) {
            free_names(found, count);
            closedir((DIR *)folder);
            errno = ENOMEM;
            return -1;
        }
        *found[count++] = *entry;
    }
    closedir((DIR *)folder);
    if (order && count)
        qsort(found, (size_t)count, sizeof(struct dirent *),
              (int (*)(const void *, const void *))(void (*)(void))order);
    *names = found;
    return count;
}

/* struct dirent and struct dirent64 are the same on 64-bit systems. */
_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "needs a 64-bit system");

EXPORT int scandir(const char *path, struct dirent ***names, filter_function *filter,
                   order_function *order)
{
    NEXT(scandir, int, const char *, struct dirent ***, filter_function *, order_function *)
    bool ours;

    interpose_find(path, &ours);
    return ours ? our_scandir(path, names, filter, order) : next(path, names, filter, order);
}

typedef int filter64_function(const struct dirent64 *entry);
typedef int order64_function(const struct dirent64 **a, const struct dirent64 **b);

EXPORT int scandir64(const char *path, struct dirent64 ***names, filter64_function *filter,
                     order64_function *order)
{
    NEXT(scandir64, int, const char *, struct dirent64 ***, filter64_function *, order64_function *)
    bool ours;

    interpose_find(path, &ours);
    if (!ours)
        return next(path, names, filter, order);
    return our_scandir(path, (struct dirent ***)names, (filter_function *)(void (*)(void))filter,
                       (order_function *)(void (*)(void))order);
}
