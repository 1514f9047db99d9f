#include "preload/program.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define HEADERS_MAX 128
#define SCRIPTS_MAX 4 /* interpreters of interpreters, as the kernel follows them */

static bool is_program(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

int program_find(const char *name, char *path, size_t size)
{
    const char *search_path = getenv("PATH");

    if (strchr(name, '/')) {
        snprintf(path, size, "%s", name);
        return is_program(path) ? 0 : -1;
    }
    while (search_path) {
        size_t length = strcspn(search_path, ":");
        int used = length ? snprintf(path, size, "%.*s/%s", (int)length, search_path, name)
                          : snprintf(path, size, "./%s", name);

        if (used > 0 && (size_t)used < size && is_program(path))
            return 0;
        search_path = search_path[length] ? search_path + length + 1 : NULL;
    }
    return -1;
}

/* Whether the program asks for the dynamic loader. */
static bool has_loader(int fd, const Elf64_Ehdr *header)
{
    Elf64_Phdr segments[HEADERS_MAX];
    size_t bytes = header->e_phnum * sizeof(segments[0]);

    if (header->e_phentsize != sizeof(segments[0]) || header->e_phnum > HEADERS_MAX ||
        pread(fd, segments, bytes, (off_t)header->e_phoff) != (ssize_t)bytes)
        return true; /* not ours to judge */
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_INTERP)
            return true;
    }
    return false;
}

/* The loader is in secure mode and ignores preloads that are not the system's. */
static const char *rights_refuse(int fd)
{
    struct stat status;

    if (fstat(fd, &status))
        return NULL;
    if ((status.st_mode & S_ISUID && status.st_uid != getuid()) ||
        (status.st_mode & S_ISGID && status.st_gid != getgid()))
        return "is setuid or setgid, and the loader preloads nothing into it: run a copy without "
               "that bit";
    if (getuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0)
        return "has file capabilities, and the loader preloads nothing into it: run a copy without "
               "them";
    return NULL;
}

/* The interpreter of a script's first line; false if it is none. */
static bool read_interpreter(const char *line, char *path, size_t size)
{
    if (strncmp(line, "#!", 2) != 0)
        return false;
    line += 2 + strspn(line + 2, " \t");
    size_t length = strcspn(line, " \t\n");
    if (length == 0 || length >= size)
        return false;
    memcpy(path, line, length);
    path[length] = '\0';
    return true;
}

static const char *elf_refuses(int fd, const Elf64_Ehdr *header)
{
    if (header->e_ident[EI_CLASS] != ELFCLASS64)
        return "is a 32-bit program, and Intel's driver and vesim are 64-bit libraries";
    if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
        return NULL;
    return has_loader(fd, header) ? NULL
                                  : "is statically linked, and nothing can be preloaded into it: "
                                    "run a dynamically linked build";
}

const char *program_refuses_preload(const char *path)
{
    char script[PATH_MAX];
    const char *why = NULL;

    for (unsigned depth = 0; depth < SCRIPTS_MAX && path; depth++) {
        union {
            Elf64_Ehdr elf;
            char text[PATH_MAX];
        } start = {.text = ""};
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            return NULL;
        ssize_t bytes = pread(fd, &start, sizeof(start) - 1, 0);
        path = NULL;
        if (bytes >= (ssize_t)sizeof(start.elf) &&
            memcmp(start.elf.e_ident, ELFMAG, SELFMAG) == 0) {
            why = elf_refuses(fd, &start.elf);
            if (!why)
                why = rights_refuse(fd);
        } else if (bytes > 0 && read_interpreter(start.text, script, sizeof(script))) {
            path = script;
        }
        close(fd);
    }
    return why;
}
