#include "run/run-table.h"

#include "ze/clock.h"
#include "ze/emulator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_WIDTH 19

/* Families with more variants than this have one line per variant instead of columns. */
#define MOST_COLUMNS 6

/* Prints the variables that change which devices Level Zero reports, and as what. */
static void print_environment(FILE *out)
{
    static const char *const names[] = {"ZE_FLAT_DEVICE_HIERARCHY", "ZE_AFFINITY_MASK"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]);

        if (value)
            fprintf(out, "%s=%s\n", names[i], value);
    }
}

void run_table_device(FILE *out, const struct target *target)
{
    const char *model = emulator_device_name();

    fprintf(out, "%s, driver %s", target->device.name, target->device.driver_version);
    if (target->kind == DEVICE_HARDWARE) {
        fprintf(out, ", pci %s\n",
                target->device.pci_address[0] ? target->device.pci_address : "unknown");
        print_environment(out);
        return;
    }
    fprintf(out, " -- EMULATED%s%s: the emulator's times, not a GPU's\n",
            model ? " by vesim as " : "", model ? model : "");
    print_environment(out);
}

static void on_started(void *context, const struct family *family,
                       const struct configuration *configuration, size_t index, size_t total)
{
    struct run_table *table = context;

    progress_started(&table->progress, family, configuration, index, total);
}

/* A new line, or the one that the configuration has already; NULL if out of memory. */
static struct table_line *line_of(struct run_table *table, const struct family *family,
                                  size_t index)
{
    for (size_t i = table->refines ? table->line_count : 0; i-- > 0;) {
        if (table->lines[i].index == index)
            return &table->lines[i];
    }
    if (table->line_count == table->line_room) {
        size_t room = table->line_room ? 2 * table->line_room : 32;
        struct table_line *lines = realloc(table->lines, room * sizeof(*lines));

        if (!lines)
            return NULL;
        table->lines = lines;
        table->line_room = room;
    }
    struct table_line *line = &table->lines[table->line_count];
    line->measurements = malloc(family->variant_count * sizeof(*line->measurements));
    if (!line->measurements)
        return NULL;
    table->line_count++;
    return line;
}

static void on_finished(void *context, const struct family *family,
                        const struct configuration *configuration,
                        const struct measurement *measurements, size_t index)
{
    struct run_table *table = context;

    progress_finished(&table->progress, family, configuration, measurements);
    struct table_line *line = table->keeps_lines ? line_of(table, family, index) : NULL;
    if (!line)
        return;
    line->index = index;
    line->family = family;
    line->configuration = *configuration;
    memcpy(line->measurements, measurements, family->variant_count * sizeof(*measurements));
}

static void on_refining(void *context, size_t count, double left_s)
{
    struct run_table *table = context;

    table->refines = true;
    progress_refining(&table->progress, count, left_s);
}

struct sweep_events run_table_events(struct run_table *table)
{
    struct sweep_events events = {on_started, on_finished, on_refining, table};

    return events;
}

/* Without a clock there are no cycles: those stay nanoseconds. */
static enum time_unit time_unit_at(enum time_unit asked, double clock_mhz)
{
    return asked == TIME_CYCLES && !(clock_mhz > 0.0) ? TIME_NS : asked;
}

void run_table_cell(const struct measurement *m, bool has_baseline, double clock_mhz,
                    enum time_unit unit, char text[CELL_BYTES])
{
    const char *doubt = m->outcome == OUTCOME_UNRELIABLE ? " ?" : "";
    bool is_scaled = m->is_time && unit != TIME_AUTO;
    double scale = is_scaled ? time_unit_per_ns(time_unit_at(unit, clock_mhz), clock_mhz) : 1.0;

    if (m->values.count == 0 || m->outcome == OUTCOME_FAILED || m->outcome == OUTCOME_SKIPPED ||
        m->outcome == OUTCOME_EXCLUDED)
        snprintf(text, CELL_BYTES, "%s",
                 m->outcome == OUTCOME_EXCLUDED ? "-" : outcome_name(m->outcome));
    else if (has_baseline && m->ci95_lo <= 0.0 && m->ci95_hi >= 0.0)
        snprintf(text, CELL_BYTES, "< %.4g%s", m->ci95_hi * scale, doubt);
    else if (m->is_time && !is_scaled && clock_mhz > 0.0)
        snprintf(text, CELL_BYTES, "%.4g (%.4g)%s", m->value, m->value * clock_mhz / 1000.0, doubt);
    else
        snprintf(text, CELL_BYTES, "%.4g%s", m->value * scale, doubt);
}

/* Sorts by family in the order of the run, then by axes, as the sweep runs in random order. */
static int compare_lines(const void *left, const void *right)
{
    const struct table_line *a = left;
    const struct table_line *b = right;
    const struct configuration *ca = &a->configuration;
    const struct configuration *cb = &b->configuration;

    if (a->family != b->family)
        return strcmp(a->family->name, b->family->name);
    if (ca->subgroup_size != cb->subgroup_size)
        return ca->subgroup_size < cb->subgroup_size ? -1 : 1;
    for (size_t i = 0; i < OWN_AXES_MAX; i++) {
        if (ca->own[i] != cb->own[i])
            return ca->own[i] < cb->own[i] ? -1 : 1;
    }
    if (ca->workgroup_count != cb->workgroup_count)
        return ca->workgroup_count < cb->workgroup_count ? -1 : 1;
    return (ca->workgroup_size > cb->workgroup_size) - (ca->workgroup_size < cb->workgroup_size);
}

static void print_heading(FILE *out, const struct run_table *table, const struct table_line *line)
{
    const struct family *family = line->family;
    const char *source;
    double mhz = clock_choose(table->target, line->measurements[0].clock_mhz,
                              line->measurements[0].clock_counted, &source);

    enum time_unit unit = time_unit_at(table->time_unit, mhz);
    char text[UNIT_BYTES];

    fprintf(out, "\n%s, sub-groups of %u: %s in %s", family->name,
            line->configuration.subgroup_size, family->measures,
            unit_shown(family->unit, unit, text));
    if (mhz > 0.0 && (unit == TIME_AUTO || unit == TIME_CYCLES))
        fprintf(out, " (cycles at %.0f MHz, %s)", mhz, source);
    if (family->variant_count > MOST_COLUMNS) {
        fputc('\n', out);
        return;
    }
    fprintf(out, "; without a baseline in %s\n%10s %7s",
            unit_shown(family->baseline_unit, unit, text), "work-group", "groups");
    for (size_t v = 0; v < family->variant_count; v++)
        fprintf(out, " %*s", COLUMN_WIDTH, family->variants[v].name);
    fputc('\n', out);
}

static void print_cell(FILE *out, const struct run_table *table, const struct table_line *line,
                       size_t variant)
{
    const struct measurement *m = &line->measurements[variant];
    const char *source;
    double mhz = clock_choose(table->target, m->clock_mhz, m->clock_counted, &source);
    char cell[CELL_BYTES], unit[UNIT_BYTES];

    run_table_cell(m, line->family->variants[variant].baseline != NULL, mhz, table->time_unit,
                   cell);
    fprintf(out, " %*s", COLUMN_WIDTH, cell);
    if (line->family->variant_count > MOST_COLUMNS)
        fprintf(out, "  %s",
                unit_shown(family_unit(line->family, variant), time_unit_at(table->time_unit, mhz),
                           unit));
}

/* ", 12.3 GB/s, 1.4 times copy" for a variant without a baseline. */
static void print_rate(FILE *out, const struct table_line *line, size_t variant)
{
    const struct family *family = line->family;
    size_t reference = family_reference(family, variant);
    double own_ns = line->measurements[variant].iteration_ns;
    double bytes = family_work(family, &line->configuration, variant).bytes;

    if (family->variants[variant].baseline || !(own_ns > 0.0))
        return;
    if (bytes > 0.0)
        fprintf(out, ", %.3g GB/s", bytes / own_ns);
    if (reference != VARIANTS_MAX && line->measurements[reference].iteration_ns > 0.0)
        fprintf(out, ", %.3g times %s", own_ns / line->measurements[reference].iteration_ns,
                family->variants[reference].name);
}

/* Prints variants side by side, or one per line without those that were skipped. */
static void print_line(FILE *out, const struct run_table *table, const struct table_line *line)
{
    const struct family *family = line->family;
    bool side_by_side = family->variant_count <= MOST_COLUMNS;
    char parameters[PARAMETERS_BYTES];

    family_parameters(family, &line->configuration, parameters, sizeof(parameters));
    if (side_by_side)
        fprintf(out, "%10u %7u", line->configuration.workgroup_size,
                line->configuration.workgroup_count);
    else
        fprintf(out, "  work-group %u, %u work-groups%s%s\n", line->configuration.workgroup_size,
                line->configuration.workgroup_count, parameters[0] ? ", " : "", parameters);
    for (size_t v = 0; v < family->variant_count; v++) {
        if (!side_by_side && (line->measurements[v].outcome == OUTCOME_SKIPPED ||
                              line->measurements[v].outcome == OUTCOME_EXCLUDED))
            continue;
        if (!side_by_side)
            fprintf(out, "    %-28s", family->variants[v].name);
        print_cell(out, table, line, v);
        if (side_by_side)
            continue;
        print_rate(out, line, v);
        fputc('\n', out);
    }
    if (side_by_side)
        fprintf(out, "%s%s\n", parameters[0] ? "  " : "", parameters);
}

void run_table_print(FILE *out, struct run_table *table)
{
    qsort(table->lines, table->line_count, sizeof(*table->lines), compare_lines);
    for (size_t i = 0; i < table->line_count; i++) {
        const struct table_line *line = &table->lines[i];
        const struct table_line *before = i ? line - 1 : NULL;

        if (!before || before->family != line->family ||
            before->configuration.subgroup_size != line->configuration.subgroup_size)
            print_heading(out, table, line);
        print_line(out, table, line);
    }
    fprintf(out, "\n\"< x\": below resolution, the 95 %% interval includes zero and ends at x. "
                 "\"?\": unreliable, the file says why.\n");
}

void run_table_free(struct run_table *table)
{
    for (size_t i = 0; i < table->line_count; i++)
        free(table->lines[i].measurements);
    free(table->lines);
    table->lines = NULL;
    table->line_count = 0;
    table->line_room = 0;
}
