/* Measured rows compared with each other: variants and sizes that did the same work, by the time it
 * took.
 *
 * The time compared is per operation, per byte or per unit of work, whichever the rows declare. A
 * difference counts if its probability, corrected for the number of comparisons (Holm 1979), is low
 * enough. */
#include "model/advise.h"

#include "base/stats.h"
#include "base/unit.h"
#include "model/holm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL       0.05
#define PRINTED_MAX 8

struct contender {
    const struct record *record;
    struct estimate cost;
    double probability; /* that it is no worse than the best, corrected */
};

enum measure { PER_OPERATION, PER_BYTE, PER_UNIT };

static const char *const measure_units[] = {"ns/operation", "ns/byte", "ns"};

static enum measure measure_of(const struct record *r)
{
    if (r->work_flops > 0.0 && r->loop_ns > 0.0)
        return PER_OPERATION;
    return r->work_bytes > 0.0 && r->loop_ns > 0.0 ? PER_BYTE : PER_UNIT;
}

/* The loop's own time divided by its work, with an interval as wide as that of the value; otherwise
 * the value per work-item served. */
static struct estimate cost_of(const struct record *r)
{
    enum measure measure = measure_of(r);
    double half = record_half_interval(r), value = r->value;
    double scale = 1.0 / fmax(1.0, r->workgroup_size);

    if (measure != PER_UNIT) {
        value = r->loop_ns;
        half *= r->work_units > 0.0 ? r->work_units : 1.0;
        scale = 1.0 / (measure == PER_OPERATION ? r->work_flops : r->work_bytes);
    }
    return (struct estimate){scale * value, {scale * (value - half), scale * (value + half)}};
}

static int compare_contenders(const void *left, const void *right)
{
    const struct contender *a = left, *b = right;

    return (a->cost.value > b->cost.value) - (a->cost.value < b->cost.value);
}

/* Is this row's variant the baseline or the reference of another one in the family? It does less
 * work than they do, so it cannot compete with them. */
static bool is_standard(const struct records *records, const struct record *r)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *other = &records->record[i];

        if (!strcmp(other->benchmark, r->benchmark) &&
            (!strcmp(other->baseline, r->variant) || !strcmp(other->reference, r->variant)))
            return true;
    }
    return false;
}

static bool can_contend(const struct records *records, const struct record *r, const char *family)
{
    return r->usable && !strcmp(r->benchmark, family) && unit_is_time(r->unit) &&
           record_has_interval(r) && !is_standard(records, r);
}

/* Only variants that do the same with the same type of data can replace each other; of a file that
 * does not say what they do, only sizes of one variant are compared. */
static bool is_same_task(const struct record *a, const struct record *b)
{
    if (!a->op[0] || !b->op[0])
        return !strcmp(a->variant, b->variant);
    return !strcmp(a->op, b->op) && !strcmp(a->type, b->type);
}

/* Rows of another unit are not alternatives either. */
static bool same_work(const struct record *a, const struct record *b)
{
    return is_same_task(a, b) && !strcmp(a->parameters, b->parameters) &&
           !strcmp(a->unit, b->unit) && measure_of(a) == measure_of(b);
}

static double probability(const struct estimate *best, const struct estimate *other)
{
    double a = (best->interval.high - best->interval.low) / 2.0;
    double b = (other->interval.high - other->interval.low) / 2.0;
    double half = sqrt(a * a + b * b), away = other->value - best->value;

    if (!(half > 0.0))
        return away > 0.0 ? 0.0 : 1.0;
    return erfc(away / (half / STATS_Z975) / sqrt(2.0));
}

/* Corrects the probabilities of all contenders but the first, which is the best. */
static enum status correct_contenders(struct contender *contenders, size_t count,
                                      struct error *error)
{
    for (size_t i = 1; i < count; i++)
        contenders[i].probability = probability(&contenders[0].cost, &contenders[i].cost);
    return count < 2
               ? STATUS_OK
               : holm_correct(&contenders[1].probability, count - 1, sizeof(*contenders), error);
}

static void print_record(FILE *out, const struct record *r)
{
    fprintf(out, "%s, sub-group %u, work-group %u x %u", r->variant, r->subgroup_size,
            r->workgroup_count, r->workgroup_size);
}

static void print_contenders(struct advising *a, const struct contender *contenders, size_t count)
{
    const struct record *first = contenders[0].record;
    size_t shown = count < PRINTED_MAX ? count : PRINTED_MAX;
    enum measure measure = measure_of(first);

    fprintf(a->out, "measured%s%s: best ", first->parameters[0] ? ", " : "", first->parameters);
    print_record(a->out, first);
    fputs(": ", a->out);
    estimate_print(a->out, &contenders[0].cost);
    fprintf(a->out, " %s%s\n", measure == PER_UNIT ? first->unit : measure_units[measure],
            measure == PER_UNIT ? " for each work-item of a work-group" : "");
    for (size_t i = 1; i < shown; i++) {
        bool relative;
        struct estimate margin =
            estimate_margin(&contenders[0].cost, &contenders[i].cost, &relative);

        fputs("    ", a->out);
        print_record(a->out, contenders[i].record);
        fprintf(a->out, ": costs %.3g%s more, %s the noise (p %.2g)\n",
                relative ? 100.0 * margin.value : margin.value, relative ? " %" : "",
                contenders[i].probability < LEVEL ? "beyond" : "within", contenders[i].probability);
    }
    if (count > shown)
        fprintf(a->out, "    and %zu more\n", count - shown);
    if (count == 1)
        fputs("    there is nothing to compare it with\n", a->out);
    a->said++;
}

static enum status advise_group(struct advising *a, const struct records *records, size_t first,
                                bool *done)
{
    struct contender *contenders = calloc(records->count, sizeof(*contenders));
    size_t count = 0;

    if (!contenders)
        return error_set(a->error, STATUS_FAILED, "out of memory");
    for (size_t i = first; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (done[i] || !can_contend(records, r, a->family) ||
            !same_work(r, &records->record[first]))
            continue;
        done[i] = true;
        contenders[count++] = (struct contender){.record = r, .cost = cost_of(r)};
    }
    qsort(contenders, count, sizeof(*contenders), compare_contenders);
    enum status status = correct_contenders(contenders, count, a->error);
    if (status == STATUS_OK)
        print_contenders(a, contenders, count);
    free(contenders);
    return status;
}

enum status advise_rows(struct advising *a, const struct records *records)
{
    bool *done = calloc(records->count + 1, sizeof(*done));
    enum status status = STATUS_OK;

    if (!done)
        return error_set(a->error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; status == STATUS_OK && i < records->count; i++) {
        if (!done[i] && can_contend(records, &records->record[i], a->family))
            status = advise_group(a, records, i, done);
    }
    free(done);
    return status;
}
