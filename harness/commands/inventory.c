#include "commands/inventory.h"

#include "cli/wrap.h"
#include "families/registry.h"
#include "family/family.h"
#include "ze/counters.h"

#include <jansson.h>
#include <string.h>

static enum status dump(FILE *out, json_t *root, struct error *error)
{
    int failed = !root || json_dumpf(root, out, JSON_INDENT(2)) != 0 || fputc('\n', out) == EOF;

    json_decref(root);
    return failed ? error_set(error, STATUS_FAILED, "cannot write JSON") : STATUS_OK;
}

static json_t *device_json(const struct session *session, size_t index)
{
    const struct device *d = &session->devices.device[index];
    json_t *sizes = json_array();

    for (uint32_t i = 0; i < d->subgroup_size_count; i++)
        json_array_append_new(sizes, json_integer(d->subgroup_sizes[i]));
    return json_pack(
        "{si ss ss ss ss ss ss si sI si si si si si si si si so}", /* */
        "index", (int)index, "name", d->name, "kind", device_kind_name(session->kind), "uuid",
        d->uuid, "pci_address", d->pci_address, "driver_version", d->driver_version,
        "loader_version", session->loader_version, "device_id", (int)d->device_id, "timer_hz",
        (json_int_t)d->timer_resolution, "timestamp_valid_bits", (int)d->timestamp_valid_bits,
        "kernel_timestamp_valid_bits", (int)d->kernel_timestamp_valid_bits, "max_clock_mhz",
        (int)d->max_clock_mhz, "slices", (int)d->slices, "subslices_per_slice",
        (int)d->subslices_per_slice, "eus_per_subslice", (int)d->eus_per_subslice, "threads_per_eu",
        (int)d->threads_per_eu, "max_group_size", (int)d->max_group_size, "subgroup_sizes", sizes);
}

static json_t *counters_json(const struct counter_group *group)
{
    json_t *counters = json_array();

    for (size_t i = 0; i < group->count; i++) {
        const struct counter *c = &group->counters[i];

        json_array_append_new(
            counters, json_pack("{ss ss ss}", "name", c->name, "kind", c->kind, "unit", c->unit));
    }
    return counters;
}

/* The groups of a device or, as a text, why it has none. */
static json_t *groups_json(const struct session *session, const struct device *device)
{
    struct counter_group *groups;
    struct error error;
    size_t count;

    if (counters_list(session, device, &groups, &count, &error) != STATUS_OK)
        return json_string(error.text);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{ss ss so}", "name", groups[i].name, "description",
                                              groups[i].description, "counters",
                                              counters_json(&groups[i])));
    counters_free_list(groups, count);
    return list;
}

static void put_groups(FILE *out, const struct session *session, const struct device *device)
{
    struct counter_group *groups;
    struct error error;
    size_t count;

    if (counters_list(session, device, &groups, &count, &error) != STATUS_OK) {
        fputs("   no counters: ", out);
        wrap_put(out, error.text, 16, 6, wrap_width(out));
        return;
    }
    for (size_t i = 0; i < count; i++)
        fprintf(out, "   --counters %-32s %3zu  %s\n", groups[i].name, groups[i].count,
                groups[i].description);
    counters_free_list(groups, count);
}

static void put_device(FILE *out, const struct session *session, size_t index)
{
    const struct device *d = &session->devices.device[index];
    char sizes[80], part[24] = "";

    device_subgroup_sizes_text(d, sizes, sizeof(sizes));
    if (d->is_tile && d->tile != TILE_UNKNOWN)
        snprintf(part, sizeof(part), ", tile %u", (unsigned)d->tile);
    else if (d->tile_count > 1)
        snprintf(part, sizeof(part), ", %u tiles", (unsigned)d->tile_count);
    fprintf(out, "%zu  %s%s%s\n", index, d->name, part,
            session->kind == DEVICE_EMULATED ? "  EMULATED" : "");
    fprintf(out, "   pci %s  uuid %s  driver %s\n", d->pci_address[0] ? d->pci_address : "unknown",
            d->uuid, d->driver_version);
    fprintf(out, "   %u slices x %u x %u VEs x %u threads, at most %u MHz, timer %llu Hz\n",
            d->slices, d->subslices_per_slice, d->eus_per_subslice, d->threads_per_eu,
            d->max_clock_mhz, (unsigned long long)d->timer_resolution);
    fprintf(out, "   sub-groups of %s, work-groups up to %u, SLM %u bytes per work-group\n", sizes,
            d->max_group_size, d->max_slm_bytes);
}

enum status inventory_devices(FILE *out, const struct session *session, bool counters, bool as_json,
                              struct error *error)
{
    json_t *root = as_json ? json_array() : NULL;

    for (size_t i = 0; i < session->devices.count; i++) {
        const struct device *device = &session->devices.device[i];
        json_t *object = as_json ? device_json(session, i) : NULL;

        if (as_json && counters)
            json_object_set_new(object, "counters", groups_json(session, device));
        if (as_json) {
            json_array_append_new(root, object);
            continue;
        }
        put_device(out, session, i);
        if (counters)
            put_groups(out, session, device);
    }
    return as_json ? dump(out, root, error) : STATUS_OK;
}

/* One iteration's work at a sub-group size of 16 and the first default of every other axis. */
static struct work example_work(const struct family *family, size_t variant)
{
    const struct axis_units units = {16, 8, 8 * 128, 4u << 20};
    struct configuration configuration = {.subgroup_size = 16};
    unsigned values[AXES_MAX] = {0};

    for (size_t i = 0; i < family->axis_count; i++) {
        struct axis_values parsed;
        unsigned numbers[AXIS_VALUES_MAX];
        struct error ignored;

        if (axis_parse(&family->axes[i], family->axes[i].defaults, &parsed, &ignored) ==
                STATUS_OK &&
            axis_resolve(&parsed, &units, numbers) > 0)
            values[i] = numbers[0];
    }
    configuration.workgroup_size = values[AXIS_WORKGROUP_SIZE];
    configuration.workgroup_count = values[AXIS_WORKGROUP_COUNT];
    memcpy(configuration.own, values + COMMON_AXES, sizeof(configuration.own));
    return family_work(family, &configuration, variant);
}

static json_t *variant_json(const struct family *family, size_t index)
{
    const struct variant *v = &family->variants[index];
    struct work w = example_work(family, index);
    json_t *work = json_pack("{sf sf sf sf sf sf sf}", "units", w.units, "bytes", w.bytes,
                             "messages", w.messages, "lines", w.lines, "barriers", w.barriers,
                             "exchanges", w.exchanges, "flops", w.flops);

    return json_pack("{ss ss ss ss? ss? ss ss? ss? so}", "name", v->name, "means", v->means,
                     "entry_point", v->entry_point, "baseline", v->baseline, "reference",
                     v->reference, "unit", family_unit(family, index), "instructions_xe_hpg",
                     v->instructions.xe_hpg, "instructions_gen12lp", v->instructions.gen12lp,
                     "work_per_iteration", work);
}

static json_t *family_json(const struct family *family)
{
    json_t *axes = json_array();
    json_t *variants = json_array();
    json_t *modules = json_array();

    for (size_t i = 0; i < family->axis_count; i++) {
        const struct axis *axis = &family->axes[i];

        json_array_append_new(axes, json_pack("{ss ss ss ss ss si si}", "name", axis->name, "means",
                                              axis->means, "defaults", axis->defaults, "quick",
                                              axis_preset(axis, PRESET_QUICK), "full",
                                              axis_preset(axis, PRESET_FULL), "least",
                                              (int)axis->least, "largest", (int)axis->largest));
    }
    for (size_t i = 0; i < family->variant_count; i++)
        json_array_append_new(variants, variant_json(family, i));
    for (size_t i = 0; i < spirv_module_count; i++) {
        const struct spirv_module *m = &spirv_modules[i];

        if (!strcmp(m->family, family->name)) {
            json_array_append_new(modules,
                                  json_pack("{si si ss}", "subgroup_size", (int)m->subgroup_size,
                                            "size_bytes", (int)m->size_bytes, "sha256", m->sha256));
        }
    }
    return json_pack("{ss ss ss ss so so so}", "name", family->name, "measures", family->measures,
                     "unit", family->unit, "baseline_unit", family->baseline_unit, "axes", axes,
                     "variants", variants, "modules", modules);
}

static void print_work(FILE *out, const struct work *work)
{
    const struct {
        const char *name;
        double amount;
    } parts[] = {
        {"bytes", work->bytes},       {"messages", work->messages},   {"lines", work->lines},
        {"barriers", work->barriers}, {"exchanges", work->exchanges}, {"operations", work->flops},
    };
    const char *separator = "one iteration: ";

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!(parts[i].amount > 0.0))
            continue;
        fprintf(out, "%s%g %s", separator, parts[i].amount, parts[i].name);
        separator = ", ";
    }
    if (*separator == ',')
        fputc('\n', out);
}

static void print_variant(FILE *out, const struct family *family, size_t index)
{
    const struct variant *v = &family->variants[index];
    struct work work = example_work(family, index);

    fprintf(out, "      %-22s %s, in %s", v->name, v->means, family_unit(family, index));
    if (v->baseline)
        fprintf(out, " beyond %s", v->baseline);
    if (v->reference)
        fprintf(out, ", compared with %s", v->reference);
    fputc('\n', out);
    if (work.bytes + work.messages + work.lines + work.barriers + work.exchanges + work.flops >
        0.0) {
        fprintf(out, "      %-22s ", "");
        print_work(out, &work);
    }
}

static void print_family(FILE *out, const struct family *family)
{
    fprintf(out, "%s: %s (%s)\n", family->name, family->measures, family->unit);
    for (size_t i = 0; i < family->axis_count; i++) {
        const struct axis *axis = &family->axes[i];

        fprintf(out, "  --axis %s=%s\n      %s\n", axis->name, axis->defaults, axis->means);
        if (axis->quick)
            fprintf(out, "      preset quick: %s\n", axis->quick);
        if (axis->full)
            fprintf(out, "      preset full: %s\n", axis->full);
    }
    for (size_t i = 0; family->points && family->points[i]; i++)
        fprintf(out, "  besides, without --axis and in presets default and quick: %s\n",
                family->points[i]);
    for (size_t i = 0; family->default_points && family->default_points[i]; i++)
        fprintf(out, "  besides, without --axis in preset default: %s\n",
                family->default_points[i]);
    fprintf(out, "  variants (work at sub-groups of 16 and the first value of every axis):\n");
    for (size_t i = 0; i < family->variant_count; i++) {
        print_variant(out, family, i);
    }
    for (size_t i = 0; i < spirv_module_count; i++) {
        const struct spirv_module *m = &spirv_modules[i];

        if (!strcmp(m->family, family->name)) {
            fprintf(out,
                    "  module for sub-groups of %u: SPIR-V %u.%u, %zu bytes, sha256 %.16s...\n",
                    m->subgroup_size, m->version_major, m->version_minor, m->size_bytes, m->sha256);
        }
    }
}

/* What can be measured, one line each. */
static void print_overview(FILE *out)
{
    size_t widest = 0;

    for (size_t i = 0; i < families.count; i++) {
        size_t length = strlen(families.family[i]->name);

        widest = length > widest ? length : widest;
    }
    for (size_t i = 0; i < families.count; i++) {
        const struct family *family = families.family[i];
        int column = (int)widest + 2;

        fprintf(out, "%-*s", column, family->name);
        wrap_put(out, family->measures, (size_t)column, (size_t)column, wrap_width(out));
    }
    fputs("\nvebench list FAMILY shows the axes and variants of one.\n", out);
}

enum status inventory_families(FILE *out, const struct family *const *chosen, size_t count,
                               bool as_json, struct error *error)
{
    const struct family *const *list = count ? chosen : families.family;
    size_t all = count ? count : families.count;

    if (as_json) {
        json_t *root = json_array();

        for (size_t i = 0; i < all; i++)
            json_array_append_new(root, family_json(list[i]));
        return dump(out, root, error);
    }
    if (!count)
        print_overview(out);
    for (size_t i = 0; i < count; i++)
        print_family(out, chosen[i]);
    return STATUS_OK;
}
