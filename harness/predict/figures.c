#include "base/replace-file.h"
#include "predict/family-figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A published time or share is known within this: of the same device, and of another one. */
#define PUBLISHED_SHARE    0.10
#define OTHER_DEVICE_SHARE 0.25

#define INTEL              "8680" /* the vendor's PCI id in a UUID, low byte first */

/* The PCI device id, or 0. Intel's newer drivers have vendor and device at the start of the UUID;
 * older ones show devices that they have no name for by id, "... [0x56a5]". */
static unsigned long pci_device_of(const struct model *model)
{
    const char *bracket = strrchr(model->device_name, '[');
    unsigned low, high;

    if (!strncmp(model->device_uuid, INTEL, strlen(INTEL)) &&
        sscanf(model->device_uuid + strlen(INTEL), "%2x%2x", &low, &high) == 2)
        return high << 8 | low;
    return bracket ? strtoul(bracket + 1, NULL, 16) : 0;
}

static enum status no_base(const struct model *model, struct error *error)
{
    error_set(error, STATUS_FAILED,
              "there is no description of %s (%s) to take from what the model lacks; name one of",
              model->device_name, model->device_uuid);
    for (const char *const *name = vesim_device_names(); *name; name++)
        error_append(error, " %s,", *name);
    error_append(error, " or a path");
    return STATUS_FAILED;
}

static enum status load_base(struct vesim_description *description, const struct model *model,
                             const char *base, struct error *error)
{
    unsigned long id = pci_device_of(model);
    char text[512], name[32];

    snprintf(name, sizeof(name), "0x%04lx", id);
    if (!base && id && vesim_description_load(description, name, text, sizeof(text)) == 0 &&
        !description->is_stand_in)
        return STATUS_OK;
    if (!base)
        return no_base(model, error);
    if (vesim_description_load(description, base, text, sizeof(text)))
        return error_set(error, STATUS_FAILED, "%s", text);
    return STATUS_OK;
}

/* Rounds to whole units, clamped to the figure's valid range. */
static uint64_t whole(double value, const struct vesim_figure *figure)
{
    if (!(value > (double)figure->minimum))
        return figure->minimum;
    return value < (double)figure->maximum ? (uint64_t)llround(value) : figure->maximum;
}

static double within(double value, const struct vesim_figure *figure)
{
    return fmin(fmax(value, (double)figure->minimum), (double)figure->maximum);
}

/* The 95 % interval of a figure that has been measured. What the base assumes holds as well: where
 * rows say little, no more is possible than its range. */
static struct interval measured_range(const struct figures *figures, size_t index,
                                      const struct figure_estimate *e)
{
    double least = (double)figures->description.low[index];
    double most = (double)figures->description.high[index];
    struct interval range = {within(e->range.low, &vesim_figures[index]),
                             within(e->range.high, &vesim_figures[index])};

    if (least < most && e->value >= least && e->value <= most)
        range = (struct interval){fmax(range.low, least), fmin(range.high, most)};
    return range;
}

/* Where it is from is left to the caller. */
static void set_measured(struct figures *figures, size_t index, double value,
                         struct interval interval)
{
    figures->figure[index].measured = true;
    figures->figure[index].value = value;
    figures->figure[index].interval = interval;
    *vesim_device_figure(&figures->description.device, index) = whole(value, &vesim_figures[index]);
}

static void take_measured(struct figures *figures, size_t index, const struct figure_estimate *e)
{
    char *source = figures->description.sources[index];

    set_measured(figures, index, e->value, measured_range(figures, index, e));
    snprintf(source, VESIM_SOURCE_BYTES, "measured, %.64s: %.6g, 95 %% interval %.6g to %.6g%s",
             e->parameter, e->value, e->range.low, e->range.high,
             e->is_bound ? ": no more is known" : "");
}

/* "assumed 1 to 4, as in a380", which is how a description says a range. */
static void say_assumed(struct figures *figures, size_t index, const char *base)
{
    const struct interval *range = &figures->figure[index].interval;

    snprintf(figures->description.sources[index], VESIM_SOURCE_BYTES,
             "assumed %.0f to %.0f: as in %.63s", ceil(range->low), floor(range->high), base);
}

/* Of a time or a share that was published, nobody has said how far it holds for the device that the
 * rows are of. What a device consists of is exact; so is a peak by its data sheet, of that device.
 */
static double published_share(const struct vesim_figure *figure, bool is_same_device)
{
    if (!strcmp(figure->unit, "cycles") || !strcmp(figure->unit, "percent"))
        return is_same_device ? PUBLISHED_SHARE : OTHER_DEVICE_SHARE;
    return !strcmp(figure->unit, "MB/s") && !is_same_device ? OTHER_DEVICE_SHARE : 0.0;
}

/* The range of a published figure of the base that nothing is measured of: the rows' device may
 * have another. Empty if it has none. */
static struct interval published_range(size_t index, double value, bool is_same_device)
{
    const struct vesim_figure *figure = &vesim_figures[index];
    double share = published_share(figure, is_same_device);

    return (struct interval){ceil(within(value * (1.0 - share), figure)),
                             floor(within(value * (1.0 + share), figure))};
}

/* A figure that nothing is measured of. */
static void take_base(struct figures *figures, size_t index, const char *base, bool is_same_device)
{
    const struct vesim_description *description = &figures->description;
    char *source = figures->description.sources[index], published[VESIM_SOURCE_BYTES];

    figures->figure[index].value =
        (double)*vesim_device_figure(&figures->description.device, index);
    figures->figure[index].interval =
        (struct interval){(double)description->low[index], (double)description->high[index]};
    if (description->low[index] < description->high[index]) {
        say_assumed(figures, index, base);
        return;
    }
    memcpy(published, source, sizeof(published));
    struct interval range = published_range(index, figures->figure[index].value, is_same_device);
    if (range.low < range.high) {
        figures->figure[index].interval = range;
        snprintf(source, VESIM_SOURCE_BYTES, "assumed %.0f to %.0f: as in %.30s, published: %.90s",
                 range.low, range.high, base, published);
    } else {
        snprintf(source, VESIM_SOURCE_BYTES, "as in %.30s: %.120s", base, published);
    }
}

/* Keeps the base's figure if it lies within the known range. */
static void take_bound(struct figures *figures, size_t index, const struct figure_estimate *e,
                       const char *base)
{
    double known = (double)*vesim_device_figure(&figures->description.device, index);
    struct interval *range = &figures->figure[index].interval;

    if (known < e->range.low || known > e->range.high) {
        take_measured(figures, index, e);
        return;
    }
    snprintf(figures->description.sources[index], VESIM_SOURCE_BYTES,
             "as in %.40s; from %.6g to %.6g by %.64s", base,
             within(e->range.low, &vesim_figures[index]),
             within(e->range.high, &vesim_figures[index]), e->parameter);
    range->low = fmax(range->low, e->range.low);
    range->high = fmin(range->high, e->range.high);
    if (range->low < range->high)
        say_assumed(figures, index, base);
}

static void take(struct figures *figures, size_t index, const struct figure_estimate *estimate,
                 const char *base)
{
    if (estimate->is_bound)
        take_bound(figures, index, estimate, base);
    else
        take_measured(figures, index, estimate);
}

/* Whether any device can have the figure: less than half of one bank, say, is none. Something else
 * limits these rows than the rule takes for granted. */
static bool can_be(size_t index, const struct figure_estimate *estimate)
{
    return estimate->range.high >= (double)vesim_figures[index].minimum - 0.5;
}

/* The clock belongs to no family. */
static void take_clock(struct figures *figures, const struct model *model, const char *base)
{
    struct figure_estimate estimate = {.parameter = "clock_mhz"};

    if (!isfinite(model->clock_mhz))
        return;
    figure_exact(&estimate, model->clock_mhz * 1000.0);
    take(figures, VESIM_FIGURE_core_clock, &estimate, base);
}

static void measure(struct figures *figures, const struct model *model,
                    const struct family_figures_list *families, const char *base)
{
    struct figure_estimate found[VESIM_FIGURE_COUNT] = {{0}};
    struct figure_input input = {.model = model,
                                 .device = &figures->description.device,
                                 .most = figures->description.high,
                                 .found = found};

    /* A model without a clock has its times in ns, so the base's clock is used. */
    input.cycles = isfinite(model->clock_mhz) ? 1.0 : (double)input.device->core_clock / 1000000.0;
    take_clock(figures, model, base);
    for (size_t f = 0; f < families->count; f++) {
        for (size_t i = 0; i < families->family[f]->count; i++) {
            const struct figure_rule *rule = &families->family[f]->rules[i];
            struct figure_estimate estimate = {0};

            if (!rule->measure || !rule->measure(&input, &estimate) ||
                !can_be(rule->figure, &estimate))
                continue;
            found[rule->figure] = estimate;
            take(figures, rule->figure, &estimate, base);
        }
    }
}

void figures_know(struct figures *figures, const struct calibration *calibration)
{
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        if (strcmp(vesim_figures[i].name, calibration->figure) != 0)
            continue;
        set_measured(figures, i, within(calibration->value, &vesim_figures[i]),
                     calibration->interval);
        snprintf(figures->description.sources[i], VESIM_SOURCE_BYTES,
                 "fitted to %zu rows by machine code, %.1f %% off in the middle: %.6g to %.6g",
                 calibration->rows, 100.0 * calibration->off, calibration->interval.low,
                 calibration->interval.high);
    }
}

/* What a device consists of is the base's: rows of a device with more Xe-cores would be predicted
 * for another one. */
static enum status check_base(const struct model *model, const struct vesim_device *device,
                              struct error *error)
{
    uint64_t cores = device->slices * device->xe_cores_per_slice;

    if (!model->xe_cores || cores == model->xe_cores)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "the rows are of a device of %u Xe-cores, the base %s has %" PRIu64
                     ": name one with as many (vesim --ids), or a description with its slices and "
                     "xe_cores_per_slice (vesim --describe %s)",
                     model->xe_cores, device->name, cores, device->name);
}

enum status figures_of_model(struct figures *figures, const struct model *model,
                             const struct family_figures_list *families, const char *base,
                             struct error *error)
{
    struct vesim_device *device = &figures->description.device;
    char name[sizeof(device->name)];

    memset(figures, 0, sizeof(*figures));
    enum status status = load_base(&figures->description, model, base, error);
    if (status != STATUS_OK)
        return status;
    status = check_base(model, device, error);
    if (status != STATUS_OK)
        return status;
    memcpy(name, device->name, sizeof(name));
    bool is_same_device = pci_device_of(model) == device->pci_device;
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++)
        take_base(figures, i, name, is_same_device);
    snprintf(device->name, sizeof(device->name), "%.56s-fitted", name);
    if (model->device_name[0])
        snprintf(device->title, sizeof(device->title), "%.80s, as fitted", model->device_name);
    measure(figures, model, families, name);
    for (size_t i = 0; i < model->calibration_count; i++)
        figures_know(figures, &model->calibration[i]);
    return STATUS_OK;
}

static void print_figures(FILE *out, const void *context)
{
    const struct vesim_description *description = &((const struct figures *)context)->description;
    const struct vesim_device *device = &description->device;
    size_t i = 0;

    fprintf(out,
            "# A device as a model of `vebench fit` has it. Each figure: value unit | where it\n"
            "# comes from; \"as in\" where the model says nothing of it.\n"
            "name = %s\ntitle = %s\narchitecture = %s\nkernel_driver = %s\n",
            device->name, device->title, vesim_architecture_names[device->architecture],
            vesim_kernel_driver_names[device->kernel_driver]);
#define SECTION(title) fprintf(out, "\n# %s\n", title);
#define FIGURE(name, unit, minimum, maximum, what)                                                 \
    fprintf(out,                                                                                   \
            strcmp(unit, "id") ? "%-24s = %" PRIu64 " %s | %s\n"                                   \
                               : "%-24s = 0x%" PRIx64 " %s | %s\n",                                \
            #name, device->name, unit, description->sources[i++]);
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
}

enum status figures_write(const struct figures *figures, const char *path, struct error *error)
{
    return replace_file(path, print_figures, figures, error);
}
