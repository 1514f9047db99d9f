#include "compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process.h"

enum { PATH_CHARS = 256 };

static int make_directory(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    fprintf(stderr, "cannot create %s: %s\n", path, strerror(errno));
    return -1;
}

static int write_module(const struct spirv_module *module, const char *path)
{
    FILE *out = fopen(path, "wb");

    if (!out) {
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
        return -1;
    }
    size_t written = fwrite(module->bytes, 1, module->size_bytes, out);
    return fclose(out) == 0 && written == module->size_bytes ? 0 : -1;
}

static int run_ocloc(char *const argv[], const char *log)
{
    int status = process_run(argv, NULL, log, log);

    if (status == 0)
        return 0;
    fprintf(stderr, "%s %s ended with %d\n", argv[0], argv[1], status);
    process_show_file(log);
    return -1;
}

int compile_binary(const struct spirv_module *module, const char *device, const char *directory)
{
    char spirv[PATH_CHARS], binary[PATH_CHARS], suffixed[PATH_CHARS], log[PATH_CHARS];
    char *ocloc = getenv("OCLOC");

    if (!ocloc) {
        fputs("the environment variable OCLOC does not name the compiler\n", stderr);
        return -1;
    }
    snprintf(spirv, sizeof(spirv), "%s/module.spv", directory);
    snprintf(binary, sizeof(binary), "%s/module.bin", directory);
    snprintf(suffixed, sizeof(suffixed), "%s/module.bin.bin", directory);
    snprintf(log, sizeof(log), "%s/ocloc.log", directory);
    if (make_directory(directory) != 0 || write_module(module, spirv) != 0)
        return -1;
    char *const compile[] = {ocloc,
                             "compile",
                             "-spirv_input",
                             "-file",
                             spirv,
                             "-device",
                             (char *)device,
                             "-out_dir",
                             (char *)directory,
                             "-output",
                             "module.bin",
                             "-output_no_suffix",
                             NULL};
    remove(suffixed);
    if (run_ocloc(compile, log) != 0)
        return -1;
    rename(suffixed, binary); /* later compilers add one after all */
    return 0;
}

int compile_listings(const struct spirv_module *module, const char *device,
                     const char *disassembly_device, const char *directory)
{
    char binary[PATH_CHARS], listings[PATH_CHARS], log[PATH_CHARS];

    if (compile_binary(module, device, directory) != 0)
        return -1;
    snprintf(binary, sizeof(binary), "%s/module.bin", directory);
    snprintf(listings, sizeof(listings), "%s/listings", directory);
    snprintf(log, sizeof(log), "%s/ocloc.log", directory);
    if (make_directory(listings) != 0)
        return -1;
    char *const disassemble[] = {getenv("OCLOC"),
                                 "disasm",
                                 "-file",
                                 binary,
                                 "-dump",
                                 listings,
                                 "-device",
                                 (char *)disassembly_device,
                                 NULL};
    return run_ocloc(disassemble, log);
}
