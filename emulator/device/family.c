#include "device/family.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "device/embedded.h"

#define ID_MAX 0xffff

unsigned family_id_of(const char *name)
{
    char *end;

    if (strncmp(name, "0x", 2) != 0 || !isxdigit((unsigned char)name[2]))
        return 0;
    unsigned long id = strtoul(name, &end, 16);
    return *end || id > ID_MAX ? 0 : (unsigned)id;
}

unsigned family_next_id(const char **ids)
{
    char word[8];

    *ids += strspn(*ids, " \t");
    size_t length = strcspn(*ids, " \t");
    if (length == 0 || length >= sizeof(word))
        return 0;
    memcpy(word, *ids, length);
    word[length] = '\0';
    *ids += length;
    return family_id_of(word);
}

int family_line_read(struct family_line *family, char *line)
{
    char *end = strchr(line, ']');

    if (*line != '[' || !end)
        return -1;
    *end = '\0';
    family->ids = line + 1;
    family->title = end + 1 + strspn(end + 1, " \t");
    const char *rest = family->ids;
    if (!family_next_id(&rest) || !*family->title)
        return -1;
    while (*rest) {
        if (!family_next_id(&rest))
            return -1;
    }
    return 0;
}

bool family_line_has(const struct family_line *family, unsigned id)
{
    const char *rest = family->ids;
    unsigned next;

    while ((next = family_next_id(&rest)) && next != id)
        continue;
    return next && next == id;
}

/* Ids as they are found, in the order of the descriptions. */
struct list {
    struct vesim_id *ids; /* of which there are `capacity` */
    size_t count, capacity;
};

static void add(struct list *list, unsigned id, const char *device, const char *title)
{
    if (list->count < list->capacity) {
        struct vesim_id *added = &list->ids[list->count];

        added->id = id;
        added->device = device;
        snprintf(added->title, sizeof(added->title), "%s", title);
    }
    list->count++;
}

/* The ids of the lines that begin with a bracket. Built-in descriptions are sound, which a test
 * holds. */
static void add_others(struct list *list, const struct embedded_text *text)
{
    for (const char *at = strstr(text->text, "\n["); at; at = strstr(at + 1, "\n[")) {
        struct family_line family;
        char line[512];
        unsigned id;

        snprintf(line, sizeof(line), "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
        if (family_line_read(&family, line))
            continue;
        for (const char *rest = family.ids; (id = family_next_id(&rest));)
            add(list, id, text->name, family.title);
    }
}

size_t vesim_device_ids(struct vesim_id *ids, size_t capacity)
{
    struct vesim_description *description = malloc(sizeof(*description));
    struct list list = {.ids = ids, .capacity = capacity};
    char error[256];

    for (const struct embedded_text *text = embedded_texts; description && text->name; text++) {
        if (vesim_description_parse(description, text->text, text->name, error, sizeof(error)))
            continue;
        add(&list, (unsigned)description->device.pci_device, text->name, description->device.title);
        add_others(&list, text);
    }
    free(description);
    return list.count;
}

/* The known id nearest to `id`; one below it before one above it. */
static const struct vesim_id *nearest(const struct list *list, unsigned id)
{
    const struct vesim_id *best = NULL;
    int distance = ID_MAX;

    for (size_t i = 0; i < list->count; i++) {
        int away = abs((int)list->ids[i].id - (int)id);

        if (!best || away < distance || (away == distance && list->ids[i].id < id)) {
            best = &list->ids[i];
            distance = away;
        }
    }
    return best;
}

static const char *text_of(const char *device)
{
    const struct embedded_text *text = embedded_texts;

    while (strcmp(text->name, device) != 0)
        text++;
    return text->text;
}

static void stand_in(struct vesim_description *description, unsigned id,
                     const struct vesim_id *like)
{
    char title[sizeof(description->device.title)], source[VESIM_SOURCE_BYTES];

    snprintf(title, sizeof(title), "Intel GPU 0x%04x, as %.60s", id, like->title);
    snprintf(source, sizeof(source),
             "not among the known ids; all figures are those of the nearest, 0x%04x (%.60s)",
             like->id, like->title);
    description_take_id(description, id, title, source);
    description->is_stand_in = true;
}

int family_load(struct vesim_description *description, unsigned id, char *error, size_t error_size)
{
    struct list list = {.capacity = vesim_device_ids(NULL, 0)};

    list.ids = calloc(list.capacity, sizeof(*list.ids));
    if (list.ids)
        list.count = vesim_device_ids(list.ids, list.capacity);
    const struct vesim_id *like = nearest(&list, id);
    if (!like) {
        snprintf(error, error_size, "0x%04x: out of memory", id);
        free(list.ids);
        return -1;
    }
    int status = description_parse_id(description, text_of(like->device), like->id, like->device,
                                      error, error_size);
    if (status == 0 && like->id != id)
        stand_in(description, id, like);
    free(list.ids);
    return status;
}
