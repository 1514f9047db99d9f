#include "run/plan-print.h"

#include "family/family.h"

#include <string.h>

#define MINUTES_BYTES 40

struct total {
    size_t configurations, measurements;
    double least_s, most_s;
};

/* Seconds that an earlier run took for the whole family; 0 if it did not measure it. */
static double seconds_before(const struct run_times *times, const struct family *family,
                             size_t configurations)
{
    for (size_t i = 0; times && i < times->count; i++) {
        if (!strcmp(times->of[i].family, family->name) && times->of[i].configurations > 0)
            return times->of[i].seconds / (double)times->of[i].configurations *
                   (double)configurations;
    }
    return 0.0;
}

/* "0.4", or "12.0 to 61.5" if it depends on how steady the device is. */
static void put_minutes(FILE *out, double least_s, double most_s)
{
    char text[MINUTES_BYTES];

    if (most_s > 1.2 * least_s)
        snprintf(text, sizeof(text), "%.1f to %.1f", least_s / 60.0, most_s / 60.0);
    else
        snprintf(text, sizeof(text), "%.1f", least_s / 60.0);
    fprintf(out, " %16s\n", text);
}

static void print_configuration_plan(void *context, const struct family *family,
                                     const struct configuration *c)
{
    char parameters[PARAMETERS_BYTES];

    family_parameters(family, c, parameters, sizeof(parameters));
    fprintf(context, "  sub-group %u, work-group %u, %u work-group%s%s%s\n", c->subgroup_size,
            c->workgroup_size, c->workgroup_count, c->workgroup_count == 1 ? "" : "s",
            parameters[0] ? ", " : "", parameters);
}

static void print_family_plan(FILE *out, const struct sweep *sweep, const struct family *family,
                              const struct run_times *times, struct total *total)
{
    bool model = sweep_target(sweep)->is_deterministic;
    struct sweep_sum sum;

    sweep_sum(sweep, family, &sum);
    double before = seconds_before(times, family, sum.configurations);
    double least = sum.seconds.least + (model ? sum.compile_s : 0.0);
    double most = sum.seconds.most + sum.compile_s;
    least /= sweep_jobs(sweep);
    most /= sweep_jobs(sweep);
    if (before > 0.0)
        least = most = before;
    fprintf(out, "%-20s %14zu %13zu", family->name, sum.configurations, sum.measurements);
    put_minutes(out, least, most);
    total->configurations += sum.configurations;
    total->measurements += sum.measurements;
    total->least_s += least;
    total->most_s += most;
}

static void print_bisected(FILE *out, const struct sweep *sweep,
                           const struct sweep_request *request)
{
    for (size_t f = 0; f < request->family_count; f++) {
        const char *axis = sweep_bisects(sweep, request->families[f]);

        if (axis)
            fprintf(out, "%s will take some more values of %s, between those whose costs differ.\n",
                    request->families[f]->name, axis);
    }
}

void plan_print_gap(FILE *out, const struct sweep *sweep)
{
    const char *reason;
    size_t count = sweep_left_out(sweep, &reason);

    if (count)
        fprintf(out, "%zu configuration%s not planned, because the device cannot run %s%s\n", count,
                count == 1 ? "" : "s", count == 1 ? "it: " : "them: the first of ", reason);
}

void plan_print(FILE *out, const struct sweep *sweep, const struct sweep_request *request,
                const struct run_times *times, bool lists)
{
    struct total total = {0, 0, 0.0, 0.0};
    unsigned jobs = sweep_jobs(sweep);

    fprintf(out, "%-20s %14s %13s %16s\n", "family", "configurations", "measurements", "minutes");
    for (size_t f = 0; f < request->family_count; f++) {
        print_family_plan(out, sweep, request->families[f], times, &total);
        if (lists)
            sweep_each(sweep, request->families[f], print_configuration_plan, out);
    }
    fprintf(out, "%-20s %14zu %13zu", "in all", total.configurations, total.measurements);
    put_minutes(out, total.least_s, total.most_s);
    print_bisected(out, sweep, request);
    plan_print_gap(out, sweep);
    if (!sweep_target(sweep)->is_deterministic)
        fputs("The first figure is for rows that are all steady at once, the second for none that "
              "is.\n",
              out);
    else
        fprintf(out, "With %u worker%s, each on a processor of its own.\n", jobs,
                jobs == 1 ? "" : "s side by side");
    if (!times)
        fputs("Minutes are accurate to a factor of about two; --like RESULTS.csv takes them from "
              "an earlier run on this machine.\n",
              out);
}
