#include "findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add(struct findings *findings, const char *format, ...)
{
    va_list arguments;

    if (findings->count == FINDINGS_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(findings->line[findings->count++], FINDING_BYTES, format, arguments);
    va_end(arguments);
}

static double cycles(const struct record *record)
{
    return record->value * record->clock_mhz / 1000.0;
}

/* The row with the least or the greatest value of `measure`, or NULL. */
static const struct record *extreme(const struct records *records, const char *family,
                                    const char *variant, double (*measure)(const struct record *),
                                    bool greatest)
{
    const struct record *best = NULL;

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (!r->usable || strcmp(r->benchmark, family) != 0 || !isfinite(measure(r)) ||
            (variant && strcmp(r->variant, variant) != 0))
            continue;
        if (!best || (greatest ? measure(r) > measure(best) : measure(r) < measure(best)))
            best = r;
    }
    return best;
}

static double value_of(const struct record *record)
{
    return record->value;
}

static double gflops_of(const struct record *record)
{
    return record->work_flops > 0.0 ? record->work_flops / record->loop_ns : NAN;
}

static double bandwidth_of(const struct record *record)
{
    return record->work_bytes > 0.0 ? record->work_bytes / record->loop_ns : NAN;
}

static bool below_resolution(const struct record *record)
{
    return record->ci95_lo_ns <= 0.0 && record->ci95_hi_ns >= 0.0;
}

static void barrier_of(struct findings *findings, const struct records *records,
                       const char *variant, const char *words)
{
    const struct record *least = extreme(records, "barrier", variant, value_of, false);
    const struct record *most = extreme(records, "barrier", variant, value_of, true);

    if (!least)
        return;
    if (below_resolution(least) && below_resolution(most)) {
        add(findings, "%s costs nothing that can be measured: less than %.2g ns (%.2g cycles).",
            words, fmax(least->ci95_hi_ns, most->ci95_hi_ns),
            fmax(least->ci95_hi_ns, most->ci95_hi_ns) * most->clock_mhz / 1000.0);
        return;
    }
    add(findings,
        "%s costs %.0f cycles (%.1f ns) at sub-groups of %u and a work-group of %u, and up to "
        "%.0f cycles (sub-groups of %u, work-group of %u).",
        words, cycles(least), least->value, least->subgroup_size, least->workgroup_size,
        cycles(most), most->subgroup_size, most->workgroup_size);
}

/* The twin of a variant through SLM, in the same configuration. */
static const struct record *slm_twin(const struct records *records, const struct record *record)
{
    char name[200];

    snprintf(name, sizeof name, "%s_slm", record->variant);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (r->usable && !strcmp(r->variant, name) && !strcmp(r->benchmark, record->benchmark) &&
            !strcmp(r->parameters, record->parameters) &&
            r->subgroup_size == record->subgroup_size &&
            r->workgroup_size == record->workgroup_size &&
            r->workgroup_count == record->workgroup_count)
            return r;
    }
    return NULL;
}

/* Where exchange in registers beats shared local memory, and where not. */
static void exchange_against_slm(struct findings *findings, const struct records *records,
                                 const char *family, const char *words)
{
    const struct record *narrowest = NULL;
    double least = HUGE_VAL, most = 0.0;
    size_t faster = 0, pairs = 0, free_of_cost = 0;

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        const struct record *twin;
        double ratio;

        if (!r->usable || strcmp(r->benchmark, family) != 0 || !(twin = slm_twin(records, r)))
            continue;
        pairs++;
        if (below_resolution(r) || !(r->value > 0.0)) {
            free_of_cost++;
            continue;
        }
        ratio = twin->value / r->value;
        faster += ratio > 1.0;
        most = fmax(most, ratio);
        if (ratio < least) {
            least = ratio;
            narrowest = r;
        }
    }
    if (!narrowest)
        return;
    add(findings,
        "%s in registers costs less than through shared local memory in %zu of %zu cases (in %zu "
        "nothing at all); through shared local memory it takes %.1f to %.1f times as long, least "
        "with %s at sub-groups of %u.",
        words, faster + free_of_cost, pairs, free_of_cost, least, most, narrowest->variant,
        narrowest->subgroup_size);
}

static void best_rate(struct findings *findings, const struct records *records, const char *family,
                      double (*rate)(const struct record *), const char *words, const char *unit)
{
    const struct record *best = extreme(records, family, NULL, rate, true);

    if (best) {
        add(findings, "%s: %s is best with %.4g %s, at sub-groups of %u and work-groups of %u%s%s.",
            words, best->variant, rate(best), unit, best->subgroup_size, best->workgroup_size,
            best->parameters[0] ? ", " : "", best->parameters);
    }
}

void findings_collect(struct findings *findings, const struct records *records)
{
    const struct record *dearest = extreme(records, "divergence", NULL, value_of, true);

    findings->count = 0;
    barrier_of(findings, records, "sub_group_local", "A sub-group barrier");
    barrier_of(findings, records, "work_group_none", "A work-group barrier without a fence");
    barrier_of(findings, records, "work_group_local", "A work-group barrier with a local fence");
    barrier_of(findings, records, "work_group_global", "A work-group barrier with a global fence");
    exchange_against_slm(findings, records, "exchange", "Exchange between lanes");
    exchange_against_slm(findings, records, "collective", "Reduction and scan");
    best_rate(findings, records, "memory_32", bandwidth_of, "Memory access", "GB/s");
    best_rate(findings, records, "transpose", bandwidth_of, "Transposition", "GB/s");
    best_rate(findings, records, "matmul", gflops_of, "Matrix product", "Gop/s");
    if (dearest)
        add(findings, "The dearest further path of divergent control flow is %s: %.0f cycles.",
            dearest->variant, cycles(dearest));
}
