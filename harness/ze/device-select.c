/* Matches device selectors. Pure text, kept apart from the driver so that it can be tested. */
#include "ze/device.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool contains_ignoring_case(const char *text, const char *part)
{
    size_t bytes = strlen(part);

    for (; strlen(text) >= bytes; text++) {
        if (!strncasecmp(text, part, bytes))
            return true;
    }
    return false;
}

/* Only a small number is an index. Longer runs of digits are parts of names: no machine has enough
 * devices for the "750" of "Arc A750" to be an index. */
static bool is_index(const char *selector, size_t *index)
{
    *index = 0;
    if (!*selector || strlen(selector) > 2)
        return false;
    for (; *selector; selector++) {
        if (!isdigit((unsigned char)*selector))
            return false;
        *index = *index * 10 + (size_t)(*selector - '0');
    }
    return true;
}

/* The domain of a PCI address may be omitted: "03:00.0". */
static bool is_address(const struct device *device, const char *selector)
{
    return device->pci_address[0] &&
           (!strcasecmp(device->pci_address, selector) ||
            (strlen(device->pci_address) > 5 && !strcasecmp(device->pci_address + 5, selector)));
}

void device_list_find_tiles(struct device_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct device *device = &list->device[i];

        for (size_t k = 0; k < list->count && device->pci_address[0]; k++)
            device->is_tile |= k != i && list->device[k].driver == device->driver &&
                               !strcmp(list->device[k].pci_address, device->pci_address);
    }
}

static void append_list(const struct device_list *list, struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct device *device = &list->device[i];

        error_append(error, "\n  %zu  %s  pci %s  uuid %s", i, device->name,
                     device->pci_address[0] ? device->pci_address : "unknown", device->uuid);
        if (device->is_tile)
            error_append(error, "  tile %u", (unsigned)device->tile);
    }
}

static enum status refuse(const struct device_list *list, const char *selector, size_t matches,
                          struct error *error)
{
    error_set(error, STATUS_USAGE,
              "--device %s matches %s; choose by index, UUID, PCI address or a part of the name:",
              selector, matches ? "more than one GPU" : "no GPU here");
    append_list(list, error);
    return STATUS_USAGE;
}

static bool is_better(const struct device *a, const struct device *b)
{
    if (a->is_integrated != b->is_integrated)
        return b->is_integrated;
    return device_xe_cores(a) > device_xe_cores(b);
}

static size_t best(const struct device_list *list)
{
    size_t chosen = 0;

    for (size_t i = 1; i < list->count; i++) {
        if (is_better(&list->device[i], &list->device[chosen]))
            chosen = i;
    }
    return chosen;
}

enum status device_select(const struct device_list *list, const char *selector, size_t *index,
                          struct error *error)
{
    size_t matches = 0;

    if (!selector) {
        *index = 0;
        if (list->count == 1)
            return STATUS_OK;
        error_set(error, STATUS_USAGE, "%zu Intel GPUs; choose one with --device:", list->count);
        append_list(list, error);
        return STATUS_USAGE;
    }
    if (!strcmp(selector, "best") && list->count > 0) {
        *index = best(list);
        return STATUS_OK;
    }
    if (is_index(selector, index)) {
        if (*index < list->count)
            return STATUS_OK;
        return refuse(list, selector, matches, error);
    }
    /* Unique identifiers take precedence over descriptions. */
    for (size_t i = 0; i < list->count; i++) {
        if (!strcasecmp(list->device[i].uuid, selector)) {
            *index = i;
            return STATUS_OK;
        }
    }
    /* The tiles of a card share its address. */
    for (size_t i = 0; i < list->count; i++) {
        if (is_address(&list->device[i], selector)) {
            *index = i;
            matches++;
        }
    }
    if (matches > 0)
        return matches == 1 ? STATUS_OK : refuse(list, selector, matches, error);
    for (size_t i = 0; *selector && i < list->count; i++) {
        if (contains_ignoring_case(list->device[i].name, selector)) {
            *index = i;
            matches++;
        }
    }
    return matches == 1 ? STATUS_OK : refuse(list, selector, matches, error);
}
