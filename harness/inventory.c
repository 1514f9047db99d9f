#include "inventory.h"

#include "family.h"

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

enum status inventory_devices(FILE *out, const struct session *session, bool as_json,
                              struct error *error)
{
    json_t *root;

    if (as_json) {
        root = json_array();
        for (size_t i = 0; i < session->devices.count; i++)
            json_array_append_new(root, device_json(session, i));
        return dump(out, root, error);
    }
    for (size_t i = 0; i < session->devices.count; i++) {
        const struct device *d = &session->devices.device[i];
        char sizes[80];

        device_subgroup_sizes_text(d, sizes, sizeof sizes);
        fprintf(out, "%zu  %s%s\n", i, d->name,
                session->kind == DEVICE_EMULATED ? "  EMULATED" : "");
        fprintf(out, "   pci %s  uuid %s  driver %s\n",
                d->pci_address[0] ? d->pci_address : "unknown", d->uuid, d->driver_version);
        fprintf(out, "   %u slices x %u x %u VEs x %u threads, at most %u MHz, timer %llu Hz\n",
                d->slices, d->subslices_per_slice, d->eus_per_subslice, d->threads_per_eu,
                d->max_clock_mhz, (unsigned long long)d->timer_resolution);
        fprintf(out, "   sub-groups of %s, work-groups up to %u, SLM %u bytes per work-group\n",
                sizes, d->max_group_size, d->max_slm_bytes);
    }
    return STATUS_OK;
}

static json_t *family_json(const struct family *family)
{
    json_t *axes = json_array();
    json_t *variants = json_array();
    json_t *modules = json_array();

    for (size_t i = 0; i < family->axis_count; i++) {
        json_array_append_new(axes, json_pack("{ss ss ss}", "name", family->axes[i].name, "means",
                                              family->axes[i].means, "defaults",
                                              family->axes[i].defaults));
    }
    for (size_t i = 0; i < family->variant_count; i++) {
        json_array_append_new(variants, json_pack("{ss ss ss}", "name", family->variants[i].name,
                                                  "means", family->variants[i].means, "entry_point",
                                                  family->variants[i].entry_point));
    }
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

static void print_family(FILE *out, const struct family *family)
{
    fprintf(out, "%s: %s (%s)\n", family->name, family->measures, family->unit);
    for (size_t i = 0; i < family->axis_count; i++) {
        fprintf(out, "  --axis %s=%s\n      %s\n", family->axes[i].name, family->axes[i].defaults,
                family->axes[i].means);
    }
    fprintf(out, "  variants:\n");
    for (size_t i = 0; i < family->variant_count; i++) {
        fprintf(out, "      %-18s %s\n", family->variants[i].name, family->variants[i].means);
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

enum status inventory_families(FILE *out, bool as_json, struct error *error)
{
    json_t *root;

    if (as_json) {
        root = json_array();
        for (size_t i = 0; i < family_count; i++)
            json_array_append_new(root, family_json(families[i]));
        return dump(out, root, error);
    }
    for (size_t i = 0; i < family_count; i++)
        print_family(out, families[i]);
    return STATUS_OK;
}
