#include "commands/fleet-command.h"

#include "base/table.h"
#include "cli/style.h"
#include "commands/fleet-monitor.h"
#include "compare/fleet-causes.h"
#include "compare/fleet-history.h"

#include <math.h>
#include <string.h>

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

static void put_figure(FILE *out, const struct fleet *fleet, const struct fleet_figure *figure,
                       enum time_unit unit_asked, bool markdown)
{
    const struct fleet_place *place = &fleet->places[figure->place];
    const struct record shown = {.shown_in = unit_asked, .clock_mhz = (double)figure->clock_mhz};
    enum style style = figure->slower ? STYLE_BAD : STYLE_GOOD;
    enum time_unit time_unit = record_time_unit(&shown, TIME_NS);
    double scale = time_unit_per_ns(time_unit, shown.clock_mhz);
    double own = figure->ns * scale, peers = (double)figure->peers_ns * scale;
    double change = 100.0 * (double)figure->change;
    double change_error = 100.0 * (double)figure->change_error;
    char unit[UNIT_BYTES];

    unit_shown(place->unit, time_unit, unit);

    if (markdown)
        fprintf(out, "| %+.2f %% ± %.2f | %.4g | %.4g %s | ", change, change_error, peers, own,
                unit);
    else
        fprintf(out, "  %s%+9.2f %%%s +- %.2f  p %.3g  ",
                figure->slower ? style_begin(out, style) : "", change,
                figure->slower ? style_end(out) : "", change_error, figure->probability);
    fprintf(out, "%s %s, sub-group %u, work-group %u x %u%s%s", place->benchmark, place->variant,
            place->subgroup_size, place->workgroup_count, place->workgroup_size,
            place->parameters[0] ? ", " : "", place->parameters);
    if (markdown)
        fputs(" |\n", out);
    else
        fprintf(out, ": %.4g instead of %.4g %s\n", own, peers, unit);
}

/* The figures of a GPU, from slow to fast. */
static void put_figures(FILE *out, const struct fleet *fleet, const struct fleet_gpu *gpu,
                        const struct cli *cli)
{
    bool markdown = cli->format == FORMAT_MARKDOWN;
    size_t shown = 0;

    if (markdown)
        fputs("\n| change | peers | this | where |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < gpu->figures; i++) {
        const struct fleet_figure *figure = &fleet->figures[fleet->by_gpu[gpu->first + i]];

        if (!(cli->all || (figure->slower && shown < FIGURES_SHOWN)))
            continue;
        put_figure(out, fleet, figure, (enum time_unit)cli->time_unit, markdown);
        shown++;
    }
    if (!cli->all && gpu->slower > shown)
        fprintf(out, "%s%zu more (--all)\n", markdown ? "\n" : "  ", gpu->slower - shown);
}

/* How chance was kept out. */
static void put_correction(FILE *out, const struct fleet *fleet)
{
    if (fleet->is_rate)
        fprintf(out,
                "Probabilities are corrected so that of the GPUs named at most one in %.0f is "
                "named by chance (Benjamini and Hochberg), as there are more than %d.\n",
                1.0 / FLEET_RATE, FLEET_HOLM_MOST);
    else
        fprintf(out,
                "Probabilities are corrected for all figures (Holm); below %g a GPU is "
                "slower.\n",
                FLEET_LEVEL);
}

/* "rack 4098, 72 GPUs" */
static void put_group(FILE *out, const struct fleet_cause *cause)
{
    if (cause->level < FLEET_RACK)
        fprintf(out, "%s, from the first to the last", fleet_level_name(cause->level));
    else if (cause->level == FLEET_GPU)
        fprintf(out, "one GPU of %s", cause->name);
    else
        fprintf(out, "%s %s, %zu GPUs", fleet_level_name(cause->level), cause->name, cause->gpus);
}

static bool is_same_group(const struct fleet_cause *a, const struct fleet_cause *b)
{
    return a->level == b->level && !strcmp(a->name, b->name) &&
           (a->level != FLEET_GPU || a->gpu == b->gpu);
}

/* What is slower, and by how much: the causes of a group follow each other. */
static void put_causes(FILE *out, const struct fleet *fleet, const struct fleet_causes *causes,
                       bool markdown)
{
    if (causes->count)
        fputs("What is slow, and in what:\n", out);
    for (size_t i = 0; i < causes->count; i++) {
        const struct fleet_cause *cause = &causes->cause[i];
        bool is_new = i == 0 || !is_same_group(cause - 1, cause);
        bool is_last = i + 1 == causes->count || !is_same_group(cause, cause + 1);

        if (is_new) {
            fputs(markdown ? "- " : "  ", out);
            put_group(out, cause);
            if (cause->level == FLEET_GPU)
                fprintf(out, ", %s", fleet->gpus[cause->gpu].device_uuid);
        }
        if (cause->kind == FLEET_CLOCK)
            fprintf(out, "%s clock %+.2f %%", is_new ? ":" : ",",
                    100.0 * (exp(-cause->change) - 1.0));
        else
            fprintf(out, "%s %s %+.2f %%", is_new ? ":" : ",", fleet_kind_name(cause->kind),
                    100.0 * cause->change);
        if (is_last)
            fputc('\n', out);
    }
    if (causes->count)
        fputc('\n', out);
}

static void put_fleet(FILE *out, const struct fleet *fleet, const struct cli *cli)
{
    size_t alike = 0;

    for (size_t i = 0; i < fleet->gpu_count; i++) {
        const struct fleet_gpu *gpu = &fleet->gpus[i];

        alike += gpu->figures && !gpu->slower;
        if (!gpu->slower && !(cli->all && gpu->figures))
            continue;
        put_gpu(out, gpu);
        fprintf(out, " is slower than its peers in %zu of %zu figures%s\n", gpu->slower,
                gpu->figures, gpu->slower || cli->all ? ":" : "");
        put_figures(out, fleet, gpu, cli);
        fputc('\n', out);
    }
    fprintf(
        out,
        "%zu of %zu GPUs %s not slower than their peers in any figure. %zu figures were compared "
        "with their median on other GPUs; %zu rows had fewer than %u of those, %zu were "
        "unusable (not ok, not verified, or no time).\nChanges below %.2g %% count as none. ",
        alike, fleet->gpu_count, alike == 1 ? "is" : "are", fleet->figure_count, fleet->lonely,
        FLEET_PEERS_LEAST, fleet->left_out, 100.0 * cli->threshold);
    put_correction(out, fleet);
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
        const struct fleet_figure *figure = &fleet->figures[fleet->by_gpu[i]];
        const struct fleet_gpu *gpu = &fleet->gpus[figure->gpu];
        const struct fleet_place *place = &fleet->places[figure->place];

        if (!all && !figure->slower)
            continue;
        table_text(&table, "%s", gpu->host);
        table_number(&table, gpu->rank);
        table_text(&table, "%s", gpu->device_name);
        table_text(&table, "%s", gpu->device_uuid);
        table_number(&table, figure->slower);
        table_number(&table, (double)figure->change);
        table_number(&table, (double)figure->change_error);
        table_number(&table, figure->probability);
        table_number(&table, (double)(place->gpus - 1));
        table_number(&table, (double)figure->peers_ns);
        table_number(&table, figure->ns);
        table_text(&table, "%s", place->unit);
        table_text(&table, "%s", place->benchmark);
        table_text(&table, "%s", place->variant);
        table_number(&table, place->subgroup_size);
        table_number(&table, place->workgroup_size);
        table_number(&table, place->workgroup_count);
        table_text(&table, "%s", place->parameters);
    }
    enum status status = table_write(&table, format, out, error);
    table_free(&table);
    return status;
}

static enum status add_record(void *context, const struct record *record, struct error *error)
{
    return fleet_add(context, record, error);
}

/* `causes` are filled even of an answer without them: they are part of the exit status. */
static enum status name_causes(struct fleet_causes *causes, const struct fleet *fleet,
                               const struct cli *cli, struct error *error)
{
    regex_t rack;

    int wrong = cli->racks ? regcomp(&rack, cli->racks, REG_EXTENDED) : 0;

    if (wrong == REG_ESPACE)
        return error_out_of_memory(error);
    if (wrong)
        return error_set(error, STATUS_USAGE, "--racks: '%s' is not a regular expression",
                         cli->racks);
    enum status status =
        fleet_explain(causes, fleet, cli->racks ? &rack : NULL, cli->threshold, error);
    if (cli->racks)
        regfree(&rack);
    return status;
}

static enum status put_answer(FILE *out, const struct fleet *fleet,
                              const struct fleet_causes *causes, const struct cli *cli,
                              struct error *error)
{
    if (cli->format == FORMAT_OPENMETRICS)
        fleet_put_openmetrics(out, fleet, causes);
    if (cli->format == FORMAT_JUNIT)
        fleet_put_junit(out, fleet, causes);
    if (cli->format >= FORMAT_OPENMETRICS)
        return STATUS_OK;
    if (cli->format != FORMAT_TABLE && cli->format != FORMAT_MARKDOWN)
        return put_fleet_rows(out, fleet, (enum table_format)cli->format, cli->all, error);
    put_causes(out, fleet, causes, cli->format == FORMAT_MARKDOWN);
    put_fleet(out, fleet, cli);
    return STATUS_OK;
}

static void put_history(FILE *out, const struct fleet_history *history, bool *slower)
{
    size_t judged = 0, drifting = 0;

    for (size_t i = 0; i < history->count; i++) {
        const struct fleet_course *course = &history->course[i];

        judged += isfinite(course->drift) != 0;
        if (!course->drifts)
            continue;
        drifting++;
        fprintf(out, "%s (%s) has become slower by %.2f %% in %zu days, p %.1g:", course->host,
                course->device_uuid, 100.0 * course->drift, history->days, course->probability);
        for (size_t day = 0; day < history->days; day++) {
            if (isfinite(course->deviation[day]))
                fprintf(out, " %+.1f", 100.0 * course->deviation[day]);
            else
                fputs(" -", out);
        }
        fputs(" % from its peers\n", out);
    }
    fprintf(out,
            "%zu of %zu GPUs have not become slower. Named wrongly, on average: one in %.0f.\n",
            judged - drifting, judged, 1.0 / FLEET_RATE);
    *slower = drifting > 0;
}

/* One day after the other: there is one fleet in memory. */
static enum status show_history(const struct cli *cli, FILE *out, bool *slower, struct error *error)
{
    struct fleet_history history = {0};
    enum status status = STATUS_OK;

    *slower = false;
    if (cli->format != FORMAT_TABLE || cli->racks)
        return error_set(error, STATUS_USAGE,
                         "--history answers in words, without --format and --racks");
    for (size_t day = 0; status == STATUS_OK && day < cli->words.count; day++) {
        struct fleet fleet = {0};

        status = records_visit(&cli->words.word[day], 1, add_record, &fleet, error);
        if (status == STATUS_OK)
            status = fleet_judge(&fleet, cli->threshold, error);
        if (status == STATUS_OK)
            status = fleet_history_add(&history, &fleet, error);
        fleet_free(&fleet);
    }
    if (status == STATUS_OK)
        status = fleet_history_judge(&history, cli->threshold, error);
    if (status == STATUS_OK)
        put_history(out, &history, slower);
    fleet_history_free(&history);
    return status;
}

enum status command_fleet(const struct cli *cli, FILE *out, bool *slower, struct error *error)
{
    if (cli->history)
        return show_history(cli, out, slower, error);
    struct fleet fleet = {0};
    struct fleet_causes causes = {0};
    enum status status =
        records_visit(cli->words.word, cli->words.count, add_record, &fleet, error);

    *slower = false;
    if (status == STATUS_OK)
        status = fleet_judge(&fleet, cli->threshold, error);
    if (status == STATUS_OK)
        status = name_causes(&causes, &fleet, cli, error);
    if (status == STATUS_OK)
        status = put_answer(out, &fleet, &causes, cli, error);
    *slower = causes.count > 0;
    for (size_t i = 0; status == STATUS_OK && i < fleet.gpu_count; i++)
        *slower = *slower || fleet.gpus[i].slower;
    fleet_causes_free(&causes);
    fleet_free(&fleet);
    return status;
}
