#include "predict/compiler-cache.h"

#include "base/replace-file.h"

#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *folder(void)
{
    const char *path = getenv("VEBENCH_COMPILED");

    return path && *path ? path : NULL;
}

static void add_file(FILE *key, const char *path)
{
    struct stat file;

    if (stat(path, &file) == 0)
        fprintf(key, "%s %jd %jd.%09ld\n", path, (intmax_t)file.st_size,
                (intmax_t)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

/* The library, and libigc beside it. */
static void add_compiler(FILE *key, const char *library)
{
    const char *end = strrchr(library, '/');
    char pattern[PATH_MAX];
    glob_t found;

    add_file(key, library);
    snprintf(pattern, sizeof(pattern), "%.*slibigc.so*", end ? (int)(end + 1 - library) : 0,
             library);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_file(key, found.gl_pathv[i]);
        globfree(&found);
    }
}

struct compiler_cache_key compiler_cache_key(const char *library, const void *spirv, size_t bytes,
                                             const char *device, const char *options)
{
    struct compiler_cache_key key = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = folder() ? open_memstream(&text, &size) : NULL;

    if (!out)
        return key;
    add_compiler(out, library);
    fprintf(out, "%s\n%s\n", device, options ? options : "");
    fwrite(spirv, 1, bytes, out);
    if (fclose(out) == 0)
        sha256_hex(text, size, key.name);
    free(text);
    return key;
}

static bool file_path(const struct compiler_cache_key *key, char path[PATH_MAX])
{
    return key->name[0] && folder() &&
           snprintf(path, PATH_MAX, "%s/%s", folder(), key->name) < PATH_MAX;
}

bool compiler_cache_find(const struct compiler_cache_key *key, struct compiled *compiled)
{
    char path[PATH_MAX];
    FILE *in = file_path(key, path) ? fopen(path, "rbe") : NULL;
    struct stat file;
    bool found = false;

    if (!in)
        return false;
    if (fstat(fileno(in), &file) == 0 && file.st_size > 0) {
        compiled->size = (size_t)file.st_size;
        compiled->bytes = malloc(compiled->size);
        found = compiled->bytes && fread(compiled->bytes, compiled->size, 1, in) == 1;
        if (!found)
            compiled_free(compiled);
    }
    fclose(in);
    return found;
}

static void print_bytes(FILE *out, const void *context)
{
    const struct compiled *compiled = context;

    fwrite(compiled->bytes, 1, compiled->size, out);
}

void compiler_cache_keep(const struct compiler_cache_key *key, const struct compiled *compiled)
{
    char path[PATH_MAX];
    struct error error;

    if (!file_path(key, path))
        return;
    mkdir(folder(), 0777);
    replace_file(path, print_bytes, compiled, &error);
}
