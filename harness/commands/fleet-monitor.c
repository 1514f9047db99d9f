#include "commands/fleet-monitor.h"

#include <math.h>
#include <string.h>

/* The value of a label. */
static void put_label(FILE *out, const char *name, const char *text)
{
    fprintf(out, "%s=\"", name);
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static void put_labels(FILE *out, const char *metric, const struct fleet_gpu *gpu)
{
    fprintf(out, "%s{", metric);
    put_label(out, "host", gpu->host);
    put_label(out, ",gpu", gpu->device_uuid);
    put_label(out, ",pci_address", gpu->pci_address);
    put_label(out, ",device", gpu->device_name);
    if (isfinite(gpu->rank))
        fprintf(out, ",rank=\"%g\"", gpu->rank);
    fputs("} ", out);
}

static void put_type(FILE *out, const char *metric, const char *unit, const char *help)
{
    fprintf(out, "# TYPE %s gauge\n", metric);
    if (unit)
        fprintf(out, "# UNIT %s %s\n", metric, unit);
    fprintf(out, "# HELP %s %s\n", metric, help);
}

static void put_metrics_of_causes(FILE *out, const struct fleet_causes *causes)
{
    static const char metric[] = "vebench_fleet_slower_ratio";

    put_type(out, metric, "ratio", "By how much a group of GPUs is slower than the others.");
    for (size_t i = 0; i < causes->count; i++) {
        const struct fleet_cause *cause = &causes->cause[i];

        if (cause->level == FLEET_GPU)
            continue;
        fprintf(out, "%s{", metric);
        put_label(out, "level", fleet_level_name(cause->level));
        put_label(out, ",name", cause->name);
        put_label(out, ",kind", fleet_kind_name(cause->kind));
        fprintf(out, "} %.6g\n", cause->change);
    }
}

void fleet_put_openmetrics(FILE *out, const struct fleet *fleet, const struct fleet_causes *causes)
{
    put_type(out, "vebench_gpu_figures", NULL, "Figures compared with those of other GPUs.");
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        put_labels(out, "vebench_gpu_figures", &fleet->gpus[i]);
        fprintf(out, "%zu\n", fleet->gpus[i].figures);
    }
    put_type(out, "vebench_gpu_slower_figures", NULL, "Of these, slower than on other GPUs.");
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        put_labels(out, "vebench_gpu_slower_figures", &fleet->gpus[i]);
        fprintf(out, "%zu\n", fleet->gpus[i].slower);
    }
    put_type(out, "vebench_gpu_clock_hertz", "hertz", "Mean clock during the measurements.");
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        if (!(fleet->gpus[i].clock_mhz > 0.0))
            continue;
        put_labels(out, "vebench_gpu_clock_hertz", &fleet->gpus[i]);
        fprintf(out, "%.6g\n", 1e6 * fleet->gpus[i].clock_mhz);
    }
    put_metrics_of_causes(out, causes);
    fputs("# EOF\n", out);
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    for (; *text; text++) {
        if (strchr("<>&\"\n\t", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static void put_gpu_test(FILE *out, const struct fleet_gpu *gpu)
{
    fputs("  <testcase", out);
    put_attribute(out, "classname", gpu->host);
    put_attribute(out, "name", gpu->device_uuid);
    if (gpu->slower)
        fprintf(out,
                "><failure message=\"slower than its peers in %zu of %zu figures\"/></testcase>\n",
                gpu->slower, gpu->figures);
    else if (gpu->figures == 0)
        fputs("><skipped message=\"nothing to compare\"/></testcase>\n", out);
    else
        fputs("/>\n", out);
}

static bool is_group(const struct fleet_cause *cause)
{
    return cause->level != FLEET_GPU;
}

static void put_group_test(FILE *out, const struct fleet_cause *cause)
{
    char name[160];

    snprintf(name, sizeof(name), "%s %s", cause->name, fleet_kind_name(cause->kind));
    fputs("  <testcase", out);
    put_attribute(out, "classname", fleet_level_name(cause->level));
    put_attribute(out, "name", name);
    fprintf(out, "><failure message=\"%zu GPUs slower by %.2f %%\"/></testcase>\n", cause->gpus,
            100.0 * cause->change);
}

void fleet_put_junit(FILE *out, const struct fleet *fleet, const struct fleet_causes *causes)
{
    size_t groups = 0, failures = 0, skipped = 0;

    for (size_t i = 0; i < causes->count; i++)
        groups += is_group(&causes->cause[i]);
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        failures += fleet->gpus[i].slower > 0;
        skipped += fleet->gpus[i].figures == 0;
    }
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"vebench fleet\" "
            "tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
            fleet->gpu_count + groups, failures + groups, skipped);
    for (size_t i = 0; i < fleet->gpu_count; i++)
        put_gpu_test(out, &fleet->gpus[i]);
    for (size_t i = 0; i < causes->count; i++) {
        if (is_group(&causes->cause[i]))
            put_group_test(out, &causes->cause[i]);
    }
    fputs("</testsuite>\n", out);
}
