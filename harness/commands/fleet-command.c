#include "commands/fleet-command.h"

#include "base/table.h"
#include "cli/style.h"
#include "compare/fleet.h"

#include <math.h>

#define FIGURES_SHOWN 10 /* of a GPU, unless all are asked for */

/* "rank 3 on node7 (Intel(R) Arc(TM) A770, 0000...)" */
static void put_gpu(FILE *out, const struct fleet_gpu *gpu)
{
    if (isfinite(gpu->rank))
        fprintf(out, "rank %g on %s", gpu->rank, gpu->host);
    else
        fputs(gpu->host, out);
    fprintf(out, " (%s, %s)", gpu->device_name, gpu->device_uuid);
}

static void put_figure(FILE *out, const struct fleet_figure *figure, bool markdown)
{
    const struct record *record = figure->record;
    enum style style = figure->slower ? STYLE_BAD : STYLE_GOOD;
    enum time_unit time_unit = record_time_unit(record, TIME_NS);
    double scale = time_unit_per_ns(time_unit, record->clock_mhz);
    double own = record->ns_mean * scale, peers = figure->peers_ns * scale;
    char unit[UNIT_BYTES];

    unit_shown(record->unit, time_unit, unit);

    if (markdown)
        fprintf(out, "| %+.2f %% ± %.2f | %.4g | %.4g %s | ", 100.0 * figure->change,
                100.0 * figure->change_error, peers, own, unit);
    else
        fprintf(out, "  %s%+9.2f %%%s +- %.2f  p %.3g  ",
                figure->slower ? style_begin(out, style) : "", 100.0 * figure->change,
                figure->slower ? style_end(out) : "", 100.0 * figure->change_error,
                figure->probability);
    fprintf(out, "%s %s, sub-group %u, work-group %u x %u%s%s", record->benchmark, record->variant,
            record->subgroup_size, record->workgroup_count, record->workgroup_size,
            record->parameters[0] ? ", " : "", record->parameters);
    if (markdown)
        fputs(" |\n", out);
    else
        fprintf(out, ": %.4g instead of %.4g %s\n", own, peers, unit);
}

/* The figures of a GPU, from slow to fast. */
static void put_figures(FILE *out, const struct fleet *fleet, size_t gpu, bool markdown, bool all)
{
    size_t shown = 0;

    if (markdown)
        fputs("\n| change | peers | this | where |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < fleet->figure_count; i++) {
        const struct fleet_figure *figure = &fleet->figures[i];

        if (figure->gpu != gpu || !(all || (figure->slower && shown < FIGURES_SHOWN)))
            continue;
        put_figure(out, figure, markdown);
        shown++;
    }
    if (!all && fleet->gpus[gpu].slower > shown)
        fprintf(out, "%s%zu more (--all)\n", markdown ? "\n" : "  ",
                fleet->gpus[gpu].slower - shown);
}

static void put_fleet(FILE *out, const struct fleet *fleet, const struct cli *cli)
{
    bool markdown = cli->format == FORMAT_MARKDOWN;
    size_t alike = 0;

    for (size_t i = 0; i < fleet->gpu_count; i++) {
        const struct fleet_gpu *gpu = &fleet->gpus[i];

        alike += gpu->figures && !gpu->slower;
        if (!gpu->slower && !(cli->all && gpu->figures))
            continue;
        put_gpu(out, gpu);
        fprintf(out, " is slower than its peers in %zu of %zu figures%s\n", gpu->slower,
                gpu->figures, gpu->slower || cli->all ? ":" : "");
        put_figures(out, fleet, i, markdown, cli->all);
        fputc('\n', out);
    }
    fprintf(
        out,
        "%zu of %zu GPUs %s not slower than their peers in any figure. %zu figures were compared "
        "with their median on other GPUs; %zu rows had fewer than %u of those, %zu were "
        "unusable (not ok, not verified, or no time).\nChanges below %.2g %% count as none. "
        "Probabilities are corrected for all figures (Holm); below 0.05 a GPU is slower.\n",
        alike, fleet->gpu_count, alike == 1 ? "is" : "are", fleet->figure_count, fleet->lonely,
        FLEET_PEERS_LEAST, fleet->left_out, 100.0 * cli->threshold);
}

static enum status put_fleet_rows(FILE *out, const struct fleet *fleet, enum table_format format,
                                  bool all, struct error *error)
{
    static const struct table_column columns[] = {
        {"host", false},
        {"rank", true},
        {"device_name", false},
        {"device_uuid", false},
        {"slower", true},
        {"change", true},
        {"change_error", true},
        {"probability", true},
        {"peers", true},
        {"peers_ns", true},
        {"ns", true},
        {"unit", false},
        {"benchmark", false},
        {"variant", false},
        {"subgroup_size", true},
        {"workgroup_size", true},
        {"workgroup_count", true},
        {"parameters", false},
    };
    struct table table;

    table_init(&table, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < fleet->figure_count; i++) {
        const struct fleet_figure *figure = &fleet->figures[i];
        const struct fleet_gpu *gpu = &fleet->gpus[figure->gpu];
        const struct record *record = figure->record;

        if (!all && !figure->slower)
            continue;
        table_text(&table, "%s", gpu->host);
        table_number(&table, gpu->rank);
        table_text(&table, "%s", gpu->device_name);
        table_text(&table, "%s", gpu->device_uuid);
        table_number(&table, figure->slower);
        table_number(&table, figure->change);
        table_number(&table, figure->change_error);
        table_number(&table, figure->probability);
        table_number(&table, (double)figure->peers);
        table_number(&table, figure->peers_ns);
        table_number(&table, record->ns_mean);
        table_text(&table, "%s", record->unit);
        table_text(&table, "%s", record->benchmark);
        table_text(&table, "%s", record->variant);
        table_number(&table, record->subgroup_size);
        table_number(&table, record->workgroup_size);
        table_number(&table, record->workgroup_count);
        table_text(&table, "%s", record->parameters);
    }
    enum status status = table_write(&table, format, out, error);
    table_free(&table);
    return status;
}

enum status command_fleet(const struct cli *cli, FILE *out, bool *slower, struct error *error)
{
    struct records records;
    struct fleet fleet;
    enum status status = records_read_fleet(&records, cli->words.word, cli->words.count, error);

    *slower = false;
    if (status != STATUS_OK)
        return status;
    records_show_in(&records, (enum time_unit)cli->time_unit);
    status = fleet_find(&fleet, &records, cli->threshold, error);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < fleet.gpu_count; i++)
            *slower = *slower || fleet.gpus[i].slower;
        if (cli->format == FORMAT_TABLE || cli->format == FORMAT_MARKDOWN)
            put_fleet(out, &fleet, cli);
        else
            status = put_fleet_rows(out, &fleet, (enum table_format)cli->format, cli->all, error);
        fleet_free(&fleet);
    }
    records_free(&records);
    return status;
}
