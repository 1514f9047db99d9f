#include "image/zebin.h"

#include "image/image-error.h"
#include "image/zebin-info.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* A kernel's code is in the section with this prefix and its name. */
#define CODE_PREFIX ".text."

/* The section of the compiler's own symbols. */
static const char no_kernel[] = CODE_PREFIX "Intel_Symbol_Table_Void_Program";

struct section {
    const char *name;
    const uint8_t *bytes;
    size_t size;
};

/* Section `index`; false where it does not lie in the file. */
static bool section_at(const uint8_t *binary, size_t bytes, const Elf64_Ehdr *header, size_t index,
                       struct section *section, const struct section *names)
{
    Elf64_Shdr entry;
    uint64_t at = header->e_shoff + index * sizeof(entry);

    if (header->e_shoff > bytes || at + sizeof(entry) > bytes)
        return false;
    memcpy(&entry, binary + at, sizeof(entry));
    if (entry.sh_offset > bytes || entry.sh_size > bytes - entry.sh_offset)
        return false;
    *section = (struct section){"", binary + entry.sh_offset, entry.sh_size};
    if (!names)
        return true;
    if (entry.sh_name >= names->size ||
        !memchr(names->bytes + entry.sh_name, 0, names->size - entry.sh_name))
        return false;
    section->name = (const char *)names->bytes + entry.sh_name;
    return true;
}

static bool is_elf(const uint8_t *binary, size_t bytes, Elf64_Ehdr *header)
{
    if (bytes < sizeof(*header))
        return false;
    memcpy(header, binary, sizeof(*header));
    return !memcmp(header->e_ident, ELFMAG, SELFMAG) && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_shentsize == sizeof(Elf64_Shdr);
}

/* The section of that name; false where there is none. */
static bool find_section(const uint8_t *binary, size_t bytes, const Elf64_Ehdr *header,
                         const char *name, struct section *section)
{
    struct section names;

    if (!section_at(binary, bytes, header, header->e_shstrndx, &names, NULL))
        return false;
    for (size_t i = 0; i < header->e_shnum; i++) {
        if (section_at(binary, bytes, header, i, section, &names) && !strcmp(section->name, name))
            return true;
    }
    return false;
}

int zebin_find(const uint8_t *binary, size_t bytes, const char *name, struct zebin_kernel *kernel,
               char *error, size_t error_size)
{
    char code_name[256];
    struct section info, code;
    Elf64_Ehdr header;

    memset(kernel, 0, sizeof(*kernel));
    if (!is_elf(binary, bytes, &header) || !find_section(binary, bytes, &header, ".ze_info", &info))
        return image_error(error, error_size,
                           "not a device binary with .ze_info: compile with ocloc --format zebin");
    int status =
        zebin_read_info((const char *)info.bytes, info.size, name, kernel, error, error_size);
    if (status)
        return status;
    snprintf(code_name, sizeof(code_name), CODE_PREFIX "%s", name);
    if (!find_section(binary, bytes, &header, code_name, &code))
        return image_error(error, error_size, "the device binary has no code for kernel %s", name);
    kernel->code = code.bytes;
    kernel->code_bytes = code.size;
    return 0;
}

const char *zebin_kernel_name(const uint8_t *binary, size_t bytes, size_t index)
{
    struct section names, section;
    Elf64_Ehdr header;

    if (!is_elf(binary, bytes, &header) ||
        !section_at(binary, bytes, &header, header.e_shstrndx, &names, NULL))
        return NULL;
    for (size_t i = 0; i < header.e_shnum; i++) {
        if (!section_at(binary, bytes, &header, i, &section, &names) ||
            strncmp(section.name, CODE_PREFIX, strlen(CODE_PREFIX)) != 0 ||
            !strcmp(section.name, no_kernel))
            continue;
        if (index-- == 0)
            return section.name + strlen(CODE_PREFIX);
    }
    return NULL;
}
