/* Verdicts in words. */
#include "model/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void append(char text[VERDICT_TEXT_BYTES], const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, VERDICT_TEXT_BYTES - used, format, arguments);
    va_end(arguments);
}

/* The candidate with the most hardware threads. */
static const struct verdict_candidate *widest(const struct verdict *v)
{
    const struct verdict_candidate *most = &v->candidate[0];

    for (size_t i = 1; i < v->count; i++) {
        if (v->candidate[i].occupancy.threads > most->occupancy.threads)
            most = &v->candidate[i];
    }
    return most;
}

bool verdict_is_throughput(const struct verdict *v)
{
    return occupancy_is_busy(&widest(v)->occupancy);
}

const char *verdict_asks(const struct verdict *v)
{
    return verdict_is_throughput(v) ? "a throughput" : "a latency";
}

const char *verdict_title(const struct verdict *v, char text[VERDICT_TEXT_BYTES])
{
    const struct verdict_question *q = &v->question;

    text[0] = '\0';
    append(text, "%s %s%s%s", q->family, q->operation, q->type[0] ? " " : "", q->type);
    append(text, "%s%s", q->parameters[0] ? ", " : "", q->parameters);
    return text;
}

const char *verdict_work(const struct verdict *v, char text[VERDICT_TEXT_BYTES])
{
    const struct verdict_question *q = &v->question;

    text[0] = '\0';
    switch (q->kind) {
    case WORK_OPERATIONS:
        append(text, "%.10g operations", q->work);
        break;
    case WORK_BYTES:
        if (q->work >= 1024.0)
            append(text, "%.4g KiB", q->work / 1024.0);
        else
            append(text, "%.0f bytes", q->work);
        break;
    case WORK_VALUES:
    case WORK_ITEMS:
        if (q->workgroup_size)
            append(text, "work-groups of %u", q->workgroup_size);
        else
            append(text, "%.10g work-items", q->work);
        break;
    }
    return text;
}

/* " full", " half full", " nearly empty", or "" where nobody knows how many threads it holds. */
static const char *fill_of(const struct occupancy *o)
{
    if (!isfinite(o->capacity))
        return "";
    if (o->threads >= o->capacity)
        return " full";
    return occupancy_is_busy(o) ? " half full" : " nearly empty";
}

const char *verdict_scope(const struct verdict *v, char text[VERDICT_TEXT_BYTES])
{
    const struct occupancy *widest_of = &widest(v)->occupancy;
    double most = widest_of->threads, least = most;

    verdict_work(v, text);
    for (size_t i = 0; i < v->count; i++)
        least = fmin(least, v->candidate[i].occupancy.threads);
    if (v->question.cores > 1)
        append(text, ", each of %u Xe-cores%s (", v->question.cores, fill_of(widest_of));
    else
        append(text, ", Xe-core%s (", fill_of(widest_of));
    if (least < most)
        append(text, "%.0f to ", least);
    append(text, "%.0f", most);
    if (isfinite(widest_of->capacity))
        append(text, " of %.0f", widest_of->capacity);
    append(text, most > 1.0 || isfinite(widest_of->capacity) ? " threads)" : " thread)");
    return text;
}

/* Do the candidates differ in their variants, without methods that would say how? */
static bool variants_differ(const struct verdict *v)
{
    for (size_t i = 1; i < v->count; i++) {
        if (strcmp(v->candidate[i].variant, v->candidate[0].variant) != 0)
            return true;
    }
    return false;
}

const char *verdict_choice(const struct verdict *v, const struct verdict_candidate *c,
                           char text[VERDICT_TEXT_BYTES])
{
    text[0] = '\0';
    append(text, "%u lanes", c->subgroup_size);
    if (c->method[0])
        append(text, ", %s", c->method);
    else if (variants_differ(v))
        append(text, ", %s", c->variant);
    if (!v->question.workgroup_size)
        append(text, ", %u x %u", c->workgroup_count, c->workgroup_size);
    return text;
}

/* Are the candidates launches of different shapes? */
static bool shapes_differ(const struct verdict *v)
{
    for (size_t i = 1; i < v->count; i++) {
        if (v->candidate[i].workgroup_count != v->candidate[0].workgroup_count ||
            v->candidate[i].workgroup_size != v->candidate[0].workgroup_size)
            return true;
    }
    return false;
}

/* What a method or, without one, a variant is called; "" if the lanes alone tell. */
static const char *method_of(const struct verdict *v, const struct verdict_candidate *c)
{
    return c->method[0] ? c->method : variants_differ(v) ? c->variant : "";
}

/* As verdict_choice(), but says only what the candidates of a sentence differ in. */
static void put_choice(const struct verdict *v, const struct verdict_candidate *c,
                       char text[VERDICT_TEXT_BYTES])
{
    const char *method = method_of(v, c);

    append(text, "%u lanes%s%s", c->subgroup_size, method[0] ? ", " : "", method);
    if (!v->question.workgroup_size && shapes_differ(v))
        append(text, ", %u x %u", c->workgroup_count, c->workgroup_size);
}

/* Is a candidate the best that wins at its size? */
static bool is_first_at_size(const struct verdict *v, size_t index)
{
    size_t i = 0;

    while (v->candidate[i].subgroup_size != v->candidate[index].subgroup_size)
        i++;
    return i == index;
}

/* Does a winner at this size do it so? */
static bool wins_by(const struct verdict *v, unsigned subgroup_size, const char *method)
{
    for (size_t i = 0; i < v->winners; i++) {
        if (v->candidate[i].subgroup_size == subgroup_size &&
            !strcmp(method_of(v, &v->candidate[i]), method))
            return true;
    }
    return false;
}

/* The best method of those that win at all sizes that win, or NULL. */
static const char *common_method(const struct verdict *v)
{
    for (size_t i = 0; i < v->winners; i++) {
        const char *method = method_of(v, &v->candidate[i]);
        size_t j = 0;

        while (j < v->winners && wins_by(v, v->candidate[j].subgroup_size, method))
            j++;
        if (j == v->winners)
            return method;
    }
    return NULL;
}

/* Sub-group sizes among the winners. */
static size_t winning_sizes(const struct verdict *v)
{
    size_t sizes = 0;

    for (size_t i = 0; i < v->winners; i++)
        sizes += is_first_at_size(v, i);
    return sizes;
}

const char *verdict_choices(const struct verdict *v, char text[VERDICT_TEXT_BYTES])
{
    size_t equals = 0, shown = 0, sizes = winning_sizes(v);
    bool shapes = !v->question.workgroup_size && shapes_differ(v);
    const char *common = shapes ? NULL : common_method(v);

    text[0] = '\0';
    for (size_t i = 0; i < v->winners; i++) {
        if (!is_first_at_size(v, i)) {
            equals++;
            continue;
        }
        append(text, "%s", shown == 0 ? "" : shown + 1 == sizes ? " or " : ", ");
        shown++;
        if (common)
            append(text, "%u", v->candidate[i].subgroup_size);
        else
            put_choice(v, &v->candidate[i], text);
    }
    if (common)
        append(text, " lanes%s%s", common[0] ? ", " : "", common);
    if (equals == 1)
        append(text, " (another way is as good)");
    else if (equals)
        append(text, " (%zu other ways are as good)", equals);
    return text;
}

static bool is_rate(const struct verdict *v)
{
    return v->question.kind == WORK_OPERATIONS || v->question.kind == WORK_BYTES;
}

static double candidate_units(const struct verdict_candidate *c)
{
    return c->row ? record_units(c->row) : 1.0;
}

/* The units that all candidates count in an iteration, 1 where they do not agree. */
static double common_units(const struct verdict *v)
{
    double units = candidate_units(&v->candidate[0]);

    for (size_t i = 1; i < v->count; i++) {
        if (candidate_units(&v->candidate[i]) != units)
            return 1.0;
    }
    return units;
}

static enum time_unit time_unit_of(const struct verdict *v)
{
    const struct record *row = v->candidate[0].row;

    return row ? record_time_unit(row, TIME_CYCLES) : TIME_NS;
}

struct estimate verdict_shown(const struct verdict *v, const struct verdict_candidate *c)
{
    const struct record *row = v->candidate[0].row;
    struct estimate e = c->cost;

    if (is_rate(v)) {
        double most = e.interval.low > 0.0 ? v->question.work / e.interval.low : INFINITY;

        return (struct estimate){v->question.work / e.value,
                                 {v->question.work / e.interval.high, most}};
    }
    double scale =
        (row ? time_unit_per_ns(time_unit_of(v), row->clock_mhz) : 1.0) / common_units(v);
    return (struct estimate){scale * e.value, {scale * e.interval.low, scale * e.interval.high}};
}

const char *verdict_shown_unit(const struct verdict *v)
{
    if (v->question.kind == WORK_OPERATIONS)
        return "Gop/s";
    if (v->question.kind == WORK_BYTES)
        return "GB/s";
    return v->candidate[0].row ? time_unit_name(time_unit_of(v)) : v->question.unit;
}

const char *verdict_cost(const struct verdict *v, const struct verdict_candidate *c,
                         char text[VERDICT_TEXT_BYTES])
{
    text[0] = '\0';
    if (c->is_free)
        append(text, "free");
    else
        append(text, "%.3g %s", verdict_shown(v, c).value, verdict_shown_unit(v));
    return text;
}

/* "181 (32 lanes, slm) and 197 (8 lanes)": of each size that lost, and of the best method that lost
 * at a size that won, the best. */
static void put_losers(const struct verdict *v, char text[VERDICT_TEXT_BYTES])
{
    size_t shown = 0;

    for (size_t i = v->winners; i < v->count && shown < 3; i++) {
        const struct verdict_candidate *c = &v->candidate[i];
        size_t j = v->winners;

        while (v->candidate[j].subgroup_size != c->subgroup_size)
            j++;
        if (j != i)
            continue;
        append(text, "%s%.3g (", shown ? ", " : " against ", verdict_shown(v, c).value);
        put_choice(v, c, text);
        append(text, ")");
        shown++;
    }
}

const char *verdict_sentence(const struct verdict *v, char text[VERDICT_TEXT_BYTES])
{
    char part[VERDICT_TEXT_BYTES];

    verdict_choices(v, text);
    append(text, ": %s", verdict_cost(v, &v->candidate[0], part));
    put_losers(v, text);
    append(text, "%s; %s",
           verdict_decides(v) ? ""
           : v->count > 1     ? ", all alike"
                              : "",
           verdict_scope(v, part));
    return text;
}

/* The ladder that the verdict at index `at` is on: its first verdict. */
static size_t ladder_of(const struct verdicts *verdicts, size_t at, size_t *count)
{
    size_t first = 0;

    while (first + (*count = verdicts_ladder(verdicts, first)) <= at)
        first += *count;
    return first;
}

const char *verdict_borders(const struct verdicts *verdicts, const struct verdict *v,
                            char text[VERDICT_TEXT_BYTES])
{
    struct verdict_stretch stretches[VERDICT_STRETCHES_MAX];
    size_t at = (size_t)(v - verdicts->verdict), count;
    size_t first = ladder_of(verdicts, at, &count);
    size_t found = verdict_stretches(verdicts, first, count, stretches);

    text[0] = '\0';
    for (size_t i = 0; i < found; i++) {
        const struct verdict_stretch *s = &stretches[i];
        bool is_before = at > s->last, is_after = at < s->first;
        bool has_border =
            is_before ? i + 1 < found && stretches[i + 1].is_border : is_after && s->is_border;
        const struct verdict *border = &verdicts->verdict[is_before ? s->last : s->first];
        char choice[VERDICT_TEXT_BYTES], work[VERDICT_TEXT_BYTES];

        if (!has_border || verdict_sizes(border) < 2)
            continue;
        append(text, "; %s %s %s%s", verdict_choice(border, s->winner, choice),
               is_before ? "up to" : "from", verdict_work(border, work), is_before ? "" : " on");
    }
    return text;
}
