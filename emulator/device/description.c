/* The reader of device descriptions. A description is lines of
 *     name = a380                                 (header: name, title, architecture)
 *     core_clock = 2450000 kHz | Intel ARK        (figure = value unit | source)
 *     rules = bank_queue 3, line_jitter 40        (of rules.def; what tests alter, else none)
 * with `#` comments and blank lines between; the order is free, every line of figures.def must
 * occur once. Behind them, other GPUs that the description fits:
 *     [0xe20c 0xe20d] Intel Arc B570              (their PCI ids and their title)
 *     core_clock = 2750000 kHz | Intel ARK        (what differs) */
#include "vesim/vesim.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "device/family.h"

const struct vesim_figure vesim_figures[VESIM_FIGURE_COUNT] = {
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what)                                                 \
    {#name, unit, minimum, maximum, offsetof(struct vesim_device, name)},
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
};

uint64_t *vesim_device_figure(struct vesim_device *device, size_t index)
{
    return (uint64_t *)(void *)((char *)device + vesim_figures[index].offset);
}

enum header {
    HEADER_NAME,
    HEADER_TITLE,
    HEADER_ARCHITECTURE,
    HEADER_KERNEL_DRIVER,
    HEADER_RULES,
    HEADER_COUNT
};
const char *const vesim_architecture_names[VESIM_ARCHITECTURE_COUNT] = {
    [VESIM_GEN12LP] = "gen12lp",   [VESIM_XE_HPG] = "xe-hpg", [VESIM_XE_HPC] = "xe-hpc",
    [VESIM_XE2] = "xe2",           [VESIM_XE3] = "xe3",       [VESIM_XE3P] = "xe3p",
    [VESIM_XE3P_XPC] = "xe3p-xpc",
};

const char *const vesim_kernel_driver_names[VESIM_KERNEL_DRIVER_COUNT + 1] = {
    [VESIM_I915] = "i915",
    [VESIM_XE] = "xe",
};

static const char *const header_names[HEADER_COUNT] = {"name", "title", "architecture",
                                                       "kernel_driver", "rules"};

/* A rule that can be altered; `offset` is that of its member in struct vesim_rules. */
struct rule {
    const char *name;
    uint32_t most;
    size_t offset;
};

static const struct rule rules[] = {
#define RULE(name, maximum, what) {#name, maximum, offsetof(struct vesim_rules, name)},
#include "vesim/rules.def"
#undef RULE
};

struct reader {
    struct vesim_description *description;
    const char *origin;
    unsigned line;
    unsigned figure_lines[VESIM_FIGURE_COUNT]; /* where each was given; 0: not yet */
    unsigned header_lines[HEADER_COUNT];
    unsigned id;             /* of the GPU that is asked for; 0: the description's own */
    bool in_others, matches; /* behind a line of ids; that has `id` among them */
    bool found;              /* that line has been read */
    char *error;
    size_t error_size;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct reader *reader, const char *format,
                                                        ...)
{
    va_list arguments;

    int used = reader->line ? snprintf(reader->error, reader->error_size, "%s:%u: ", reader->origin,
                                       reader->line)
                            : snprintf(reader->error, reader->error_size, "%s: ", reader->origin);
    if (used < 0 || (size_t)used >= reader->error_size)
        return -1;
    va_start(arguments, format);
    vsnprintf(reader->error + used, reader->error_size - (size_t)used, format, arguments);
    va_end(arguments);
    return -1;
}

/* Cuts white space off both ends, in place. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

/* The index of `value` among `count` names, or `count`. */
static int index_of(const char *value, const char *const *names, int count)
{
    int i = 0;

    while (i < count && strcmp(value, names[i]) != 0)
        i++;
    return i;
}

static int read_architecture(struct reader *reader, const char *value)
{
    int i = index_of(value, vesim_architecture_names, VESIM_ARCHITECTURE_COUNT);

    if (i == VESIM_ARCHITECTURE_COUNT)
        return refuse(
            reader, "unknown architecture '%.40s'; use gen12lp, xe-hpg, xe-hpc, xe2 or xe3", value);
    reader->description->device.architecture = (enum vesim_architecture)i;
    return 0;
}

static int read_kernel_driver(struct reader *reader, const char *value)
{
    int i = index_of(value, vesim_kernel_driver_names, VESIM_KERNEL_DRIVER_COUNT);

    if (i == VESIM_KERNEL_DRIVER_COUNT)
        return refuse(reader, "unknown kernel driver '%.40s'; use i915 or xe", value);
    reader->description->device.kernel_driver = (enum vesim_kernel_driver)i;
    return 0;
}

static uint32_t *rule_of(struct vesim_device *device, const struct rule *rule)
{
    return (uint32_t *)(void *)((char *)&device->rules + rule->offset);
}

static const struct rule *rule_named(const char *name)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    }
    return NULL;
}

/* "bank_queue 3, line_jitter 40". */
static int read_rules(struct reader *reader, const char *value)
{
    while (*value) {
        char name[32];
        uint32_t number;
        int used = 0;

        if (sscanf(value, " %31[a-z0-9_] %" SCNu32 " %n", name, &number, &used) != 2 ||
            (value[used] && value[used] != ','))
            return refuse(reader, "'%.40s' is not 'rule value, rule value'; correct it", value);
        const struct rule *rule = rule_named(name);
        if (!rule)
            return refuse(reader, "there is no rule '%s'; see vesim/rules.def", name);
        if (number > rule->most)
            return refuse(reader, "the rule '%s' is %" PRIu32 "; it must not exceed %" PRIu32, name,
                          number, rule->most);
        *rule_of(&reader->description->device, rule) = number;
        value += used + (value[used] == ',');
    }
    return 0;
}

static int read_header(struct reader *reader, enum header header, const char *value)
{
    struct vesim_device *device = &reader->description->device;

    if (reader->in_others)
        return refuse(reader, "'%s' stands once, above the GPUs of other ids; remove it",
                      header_names[header]);
    if (reader->header_lines[header])
        return refuse(reader, "'%s' was given in line %u already; remove one of the two",
                      header_names[header], reader->header_lines[header]);
    reader->header_lines[header] = reader->line;
    if (!*value)
        return refuse(reader, "'%s' is empty; give it a value", header_names[header]);

    switch (header) {
    case HEADER_NAME:
        if (strlen(value) >= sizeof(device->name))
            return refuse(reader, "the name is longer than %zu bytes; shorten it",
                          sizeof(device->name) - 1);
        strcpy(device->name, value);
        return 0;
    case HEADER_TITLE:
        if (strlen(value) >= sizeof(device->title))
            return refuse(reader, "the title is longer than %zu bytes; shorten it",
                          sizeof(device->title) - 1);
        strcpy(device->title, value);
        return 0;
    case HEADER_ARCHITECTURE:
        return read_architecture(reader, value);
    case HEADER_KERNEL_DRIVER:
        return read_kernel_driver(reader, value);
    case HEADER_RULES:
        return read_rules(reader, value);
    case HEADER_COUNT:
        break;
    }
    return -1;
}

/* A figure's value, and its range if it is assumed; others have none. */
struct number {
    uint64_t value, low, high;
};

static int read_range(struct reader *reader, size_t index, const char *source,
                      struct number *number)
{
    uint64_t value = number->value;

    number->low = number->high = value;
    if (sscanf(source, "assumed %" SCNu64 " to %" SCNu64 ":", &number->low, &number->high) == 2 &&
        (value < number->low || value > number->high))
        return refuse(reader,
                      "'%s' is %" PRIu64 ", outside of its range of %" PRIu64 " to %" PRIu64
                      "; correct one of them",
                      vesim_figures[index].name, value, number->low, number->high);
    return 0;
}

static void keep_figure(struct vesim_description *description, size_t index,
                        const struct number *number, const char *source)
{
    *vesim_device_figure(&description->device, index) = number->value;
    description->low[index] = number->low;
    description->high[index] = number->high;
    strcpy(description->sources[index], source);
}

static int read_figure(struct reader *reader, size_t index, char *value)
{
    const struct vesim_figure *figure = &vesim_figures[index];
    char *source = strchr(value, '|'), *unit;

    if (reader->figure_lines[index])
        return refuse(reader, "'%s' was given in line %u already; remove one of the two",
                      figure->name, reader->figure_lines[index]);
    reader->figure_lines[index] = reader->line;

    if (!source)
        return refuse(reader,
                      "'%s' has no source; write '| where it comes from' after the unit, or '| "
                      "assumed'",
                      figure->name);
    *source++ = '\0';
    source = trim(source);
    if (!*source || strlen(source) >= VESIM_SOURCE_BYTES)
        return refuse(reader,
                      "the source of '%s' must have 1 to %d bytes; write 'assumed' if there is "
                      "none",
                      figure->name, VESIM_SOURCE_BYTES - 1);

    value = trim(value);
    errno = 0;
    uint64_t number = isdigit((unsigned char)*value) ? strtoull(value, &unit, 0) : 0;
    if (!isdigit((unsigned char)*value) || errno || (*unit && !isspace((unsigned char)*unit)))
        return refuse(reader,
                      "'%.40s' is not a value for '%s'; give an unsigned integer and its "
                      "unit",
                      value, figure->name);
    unit = trim(unit);
    if (strcmp(unit, figure->unit) != 0)
        return refuse(reader, "'%s' has the unit '%.40s'; give it in %s", figure->name, unit,
                      figure->unit);
    if (number < figure->minimum || number > figure->maximum)
        return refuse(reader,
                      "'%s' is %" PRIu64 " %s; it must lie between %" PRIu64 " and %" PRIu64,
                      figure->name, number, figure->unit, figure->minimum, figure->maximum);

    if ((index == VESIM_FIGURE_line_bytes || index == VESIM_FIGURE_tlb_page_bytes) &&
        number & (number - 1))
        return refuse(reader, "'%s' is %" PRIu64 " bytes; it must be a power of 2", figure->name,
                      number);

    struct number read = {.value = number};
    if (read_range(reader, index, source, &read))
        return -1;
    if (!reader->in_others || reader->matches)
        keep_figure(reader->description, index, &read, source);
    return 0;
}

/* All that a description has to give stands above the GPUs of other ids. */
static int check_complete(struct reader *reader)
{
    unsigned line = reader->line;

    reader->line = 0;
    for (int i = 0; i < HEADER_COUNT; i++) {
        if (!reader->header_lines[i] && i < HEADER_KERNEL_DRIVER) /* i915 if it is not said */
            return refuse(reader, "'%s' is missing; add a line '%s = ...'", header_names[i],
                          header_names[i]);
    }
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        if (!reader->figure_lines[i])
            return refuse(reader, "the figure '%s' is missing; add a line '%s = ... %s | source'",
                          vesim_figures[i].name, vesim_figures[i].name, vesim_figures[i].unit);
    }
    reader->line = line;
    return 0;
}

/* What a block that is there, its first figure not being 0, cannot be without: epochs are no longer
 * than the least latency. */
static const struct {
    enum vesim_figure_index block, figure;
} belongings[] = {
    {VESIM_FIGURE_l1_bytes, VESIM_FIGURE_l1_ways},
    {VESIM_FIGURE_llc_bytes, VESIM_FIGURE_llc_ways},
    {VESIM_FIGURE_llc_bytes, VESIM_FIGURE_llc_latency},
    {VESIM_FIGURE_llc_bytes, VESIM_FIGURE_llc_interval},
    {VESIM_FIGURE_host_link_bandwidth, VESIM_FIGURE_host_link_latency},
    {VESIM_FIGURE_stack_link_bandwidth, VESIM_FIGURE_stack_link_latency},
};

static int check_consistent(struct reader *reader)
{
    struct vesim_device *device = &reader->description->device;
    uint64_t grf_bytes = device->architecture >= VESIM_XE_HPC ? 64 : 32;
    if (device->grf_bytes != grf_bytes) {
        reader->line = reader->figure_lines[VESIM_FIGURE_grf_bytes];
        return refuse(reader, "'grf_bytes' is %" PRIu64 "; registers of %s have %" PRIu64,
                      device->grf_bytes, vesim_architecture_names[device->architecture], grf_bytes);
    }
    for (size_t i = 0; i < sizeof(belongings) / sizeof(belongings[0]); i++) {
        const enum vesim_figure_index block = belongings[i].block, figure = belongings[i].figure;

        if (!*vesim_device_figure(device, block) || *vesim_device_figure(device, figure))
            continue;
        reader->line = reader->figure_lines[figure];
        return refuse(reader, "'%s' is 0 but '%s' is not; give it a value, or neither",
                      vesim_figures[figure].name, vesim_figures[block].name);
    }
    return 0;
}

void description_take_id(struct vesim_description *description, unsigned id, const char *title,
                         const char *source)
{
    struct vesim_device *device = &description->device;

    keep_figure(description, VESIM_FIGURE_pci_device, &(struct number){id, id, id}, source);
    snprintf(device->name, sizeof(device->name), "0x%04x", id);
    snprintf(device->title, sizeof(device->title), "%s", title);
}

/* What differs is of the GPU with the ids of `line`, "[0xe20c 0xe20d] Intel Arc B570". */
static int read_ids(struct reader *reader, char *line)
{
    struct family_line family;

    if (!reader->in_others && (check_complete(reader) || check_consistent(reader)))
        return -1;
    if (family_line_read(&family, line))
        return refuse(reader, "'%.40s' is not '[0xe20c 0xe20d] title'; correct it", line);
    if (strlen(family.title) >= sizeof(reader->description->device.title))
        return refuse(reader, "the title is longer than %zu bytes; shorten it",
                      sizeof(reader->description->device.title) - 1);
    memset(reader->figure_lines, 0, sizeof(reader->figure_lines));
    /* The id stands in the line. */
    reader->figure_lines[VESIM_FIGURE_pci_device] = reader->line;
    reader->in_others = true;
    reader->matches = family_line_has(&family, reader->id);
    if (!reader->matches)
        return 0;
    reader->found = true;
    description_take_id(reader->description, reader->id, family.title,
                        "compute-runtime devices_base.inl, pci.ids");
    return 0;
}

static int read_line(struct reader *reader, char *line)
{
    char *name = trim(line);

    if (!*name || *name == '#')
        return 0;
    if (*name == '[')
        return read_ids(reader, name);
    char *value = strchr(name, '=');
    if (!value)
        return refuse(reader, "'%.40s' is not 'name = value'; correct it or begin the line with #",
                      name);
    *value++ = '\0';
    name = trim(name);
    value = trim(value);

    for (int i = 0; i < HEADER_COUNT; i++) {
        if (strcmp(name, header_names[i]) == 0)
            return read_header(reader, (enum header)i, value);
    }
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        if (strcmp(name, vesim_figures[i].name) == 0)
            return read_figure(reader, i, value);
    }
    return refuse(reader, "there is no figure '%.40s'; see 'vesim --describe a380' for all of them",
                  name);
}

/* Nobody is to take the device for what its name says. */
static void mark_altered(struct vesim_device *device)
{
    static const struct vesim_rules usual;
    const char *const mark = ", altered rules";

    if (memcmp(&device->rules, &usual, sizeof(usual)) == 0)
        return;
    size_t name = sizeof(device->name) - strlen(mark) - 1;
    size_t title = sizeof(device->title) - strlen(mark) - 1;
    device->name[name] = device->title[title] = '\0';
    strcat(device->name, mark);
    strcat(device->title, mark);
}

int description_parse_id(struct vesim_description *description, const char *text, unsigned id,
                         const char *origin, char *error, size_t error_size)
{
    struct reader reader = {.description = description,
                            .id = id,
                            .origin = origin,
                            .error = error,
                            .error_size = error_size};
    char line[512];

    *description = (struct vesim_description){0};
    while (*text) {
        size_t length = strcspn(text, "\n");

        reader.line++;
        if (length >= sizeof(line))
            return refuse(&reader, "the line is longer than %zu bytes; shorten it",
                          sizeof(line) - 1);
        memcpy(line, text, length);
        line[length] = '\0';
        text += length + (text[length] == '\n');
        if (read_line(&reader, line))
            return -1;
    }
    if (!reader.in_others && check_complete(&reader))
        return -1;
    reader.line = 0;
    if (id && !reader.found && description->device.pci_device != id)
        return refuse(&reader, "the GPU 0x%04x is not among its ids; add them", id);
    mark_altered(&description->device);
    return check_consistent(&reader);
}

int vesim_description_parse(struct vesim_description *description, const char *text,
                            const char *origin, char *error, size_t error_size)
{
    return description_parse_id(description, text, 0, origin, error, error_size);
}
