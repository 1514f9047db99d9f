#include "isa/compile/kept-code.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/compile/kept-folder.h"
#include "memory/digest.h"

/* A file is this header, the key's bitcode, processor and features, and the code. */
struct header {
    char magic[16];
    uint64_t bitcode_bytes, cpu_bytes, features_bytes, code_bytes;
    uint64_t sum; /* of all that follows */
};

static const char magic[16] = "vesim code 1";

/* To look through a folder takes about as long as it takes LLVM to make a block. */
enum { WRITES_PER_TRIM = 64 };

static uint64_t sum_of_key(const struct code_key *key)
{
    uint64_t sum = digest_add(DIGEST_EMPTY, key->bitcode, key->bytes);

    sum = digest_add(sum, key->cpu, strlen(key->cpu) + 1);
    return digest_add(sum, key->features, strlen(key->features) + 1);
}

static struct header header_of(const struct code_key *key, const void *code, size_t bytes)
{
    struct header header = {.bitcode_bytes = key->bytes,
                            .cpu_bytes = strlen(key->cpu) + 1,
                            .features_bytes = strlen(key->features) + 1,
                            .code_bytes = bytes,
                            .sum = digest_add(sum_of_key(key), code, bytes)};

    memcpy(header.magic, magic, sizeof(magic));
    return header;
}

static bool set_path(char *path, const char *folder, const struct code_key *key, const char *end)
{
    return snprintf(path, PATH_MAX, "%s/%016" PRIx64 "%s", folder, sum_of_key(key), end) < PATH_MAX;
}

/* A regular file that only this user could have written; its contents, NULL if it is not. */
static uint8_t *read_own_file(const char *path, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    uint8_t *contents = NULL;
    struct stat status;

    if (file < 0)
        return NULL;
    if (!fstat(file, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        !(status.st_mode & (S_IWGRP | S_IWOTH)) && status.st_size > 0)
        contents = malloc((size_t)status.st_size);
    *bytes = contents ? (size_t)status.st_size : 0;
    if (contents && read(file, contents, *bytes) != (ssize_t)*bytes) {
        free(contents);
        contents = NULL;
    }
    if (contents)
        futimens(file, NULL); /* it has been used */
    close(file);
    return contents;
}

/* Whether the file holds what this header and key say, which `code` then is for. */
static bool is_for(const uint8_t *file, size_t bytes, const struct code_key *key,
                   const uint8_t **code, size_t *code_bytes)
{
    size_t cpu = strlen(key->cpu) + 1, features = strlen(key->features) + 1;
    size_t before = sizeof(struct header) + key->bytes + cpu + features;
    const uint8_t *at = file + sizeof(struct header);

    if (bytes <= before || memcmp(at, key->bitcode, key->bytes) != 0 ||
        memcmp(at + key->bytes, key->cpu, cpu) != 0 ||
        memcmp(at + key->bytes + cpu, key->features, features) != 0)
        return false;
    *code = file + before;
    *code_bytes = bytes - before;
    const struct header header = header_of(key, *code, *code_bytes);
    return memcmp(file, &header, sizeof(header)) == 0;
}

void *kept_code_read(const char *folder, const struct code_key *key, size_t *bytes)
{
    const uint8_t *code;
    char path[PATH_MAX];
    size_t file_bytes;

    if (!set_path(path, folder, key, ""))
        return NULL;
    uint8_t *file = read_own_file(path, &file_bytes);
    if (file && is_for(file, file_bytes, key, &code, bytes)) {
        memmove(file, code, *bytes);
        return file;
    }
    free(file);
    return NULL;
}

static bool put(int file, const void *data, size_t bytes)
{
    return write(file, data, bytes) == (ssize_t)bytes;
}

/* Under another name first: whoever reads the file finds all of it. */
void kept_code_write(const char *folder, const struct code_key *key, const void *code, size_t bytes)
{
    const struct header header = header_of(key, code, bytes);
    char path[PATH_MAX], draft[PATH_MAX];

    if (!set_path(path, folder, key, "") || !set_path(draft, folder, key, ".XXXXXX"))
        return;
    kept_folder_make(folder);
    if (header.sum % WRITES_PER_TRIM == 0)
        kept_folder_trim(folder, KEPT_FOLDER_LIMIT);
    int file = mkstemp(draft);
    if (file < 0)
        return;
    bool written = put(file, &header, sizeof(header)) && put(file, key->bitcode, key->bytes) &&
                   put(file, key->cpu, header.cpu_bytes) &&
                   put(file, key->features, header.features_bytes) && put(file, code, bytes);
    if (close(file) || !written || rename(draft, path))
        unlink(draft);
}
