#include "watch/watch.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const struct watch_row *a, const struct watch_row *b)
{
    return a->size == b->size && !strcmp(a->job, b->job) && !strcmp(a->kernel, b->kernel) &&
           !strcmp(a->target, b->target);
}

static const struct watch_row *find(const struct watch_rows *rows, const struct watch_row *like)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (is_same(&rows->row[i], like))
            return &rows->row[i];
    }
    return NULL;
}

static enum status add(struct watch_changes *changes, struct watch_change change,
                       struct error *error)
{
    struct watch_change *more =
        realloc(changes->change, (changes->count + 1) * sizeof(*changes->change));

    if (!more)
        return error_out_of_memory(error);
    changes->change = more;
    more[changes->count++] = change;
    changes->worse += change.kind == WATCH_WORSE;
    return STATUS_OK;
}

static bool times_overlap(const struct watch_row *a, const struct watch_row *b)
{
    return a->time_low <= b->time_high && b->time_low <= a->time_high;
}

static enum watch_kind kind_of(enum watch_figure figure, const struct watch_row *old,
                               const struct watch_row *row, double threshold)
{
    double before = old->figure[figure], after = row->figure[figure];
    bool counts_always = figure == WATCH_LANES || figure == WATCH_REGISTERS ||
                         (figure == WATCH_SCRATCH && before == 0.0);

    if (before == after || isnan(before) || isnan(after) ||
        (figure == WATCH_TIME && times_overlap(old, row)))
        return WATCH_SAME;
    if (figure == WATCH_LANES)
        return after == row->size ? WATCH_BETTER : WATCH_WORSE;
    if (!counts_always && fabs(after - before) <= threshold * fabs(before))
        return WATCH_SAME;
    return after > before ? WATCH_WORSE : WATCH_BETTER;
}

/* A kernel that the compiler has begun or ceased to refuse, or its figures. */
static enum status compare_row(struct watch_changes *changes, const struct watch_row *before,
                               const struct watch_row *after, double threshold, struct error *error)
{
    enum status status = STATUS_OK;

    if (before->refused && after->refused)
        return STATUS_OK;
    if (before->refused || after->refused)
        return add(
            changes,
            (struct watch_change){before, after, -1, after->refused ? WATCH_WORSE : WATCH_BETTER},
            error);
    for (int f = 0; status == STATUS_OK && f < WATCH_FIGURES; f++) {
        enum watch_kind kind = kind_of((enum watch_figure)f, before, after, threshold);

        if (kind != WATCH_SAME)
            status = add(changes, (struct watch_change){before, after, f, kind}, error);
    }
    return status;
}

enum status watch_compare(struct watch_changes *changes, const struct watch_rows *before,
                          const struct watch_rows *after, double threshold, struct error *error)
{
    enum status status = STATUS_OK;

    memset(changes, 0, sizeof(*changes));
    for (size_t i = 0; status == STATUS_OK && i < after->count; i++) {
        const struct watch_row *row = &after->row[i], *old = find(before, row);

        status =
            old ? compare_row(changes, old, row, threshold, error)
                : add(changes,
                      (struct watch_change){NULL, row, -1, row->refused ? WATCH_WORSE : WATCH_NEW},
                      error);
    }
    for (size_t i = 0; status == STATUS_OK && i < before->count; i++) {
        if (!find(after, &before->row[i]))
            status =
                add(changes, (struct watch_change){&before->row[i], NULL, -1, WATCH_GONE}, error);
    }
    return status;
}

void watch_changes_free(struct watch_changes *changes)
{
    free(changes->change);
    *changes = (struct watch_changes){NULL, 0, 0};
}

static const char *kind_name(enum watch_kind kind)
{
    static const char *const names[] = {"same", "better", "worse", "new", "gone"};

    return names[kind];
}

static const char *figure_name(int figure)
{
    static const char *const names[WATCH_FIGURES] = {"lanes",        "registers", "bytes spilled",
                                                     "instructions", "messages",  "bound, cycles",
                                                     "time, ns"};

    return figure < 0 ? "compiles" : names[figure];
}

static void add_value(struct table *table, const struct watch_row *row, int figure)
{
    if (row && figure >= 0)
        table_number(table, row->figure[figure]);
    else
        table_text(table, "%s", !row ? "" : row->refused ? "refused" : "yes");
}

static void add_change(struct table *table, const struct watch_change *c)
{
    const struct watch_row *row = c->after ? c->after : c->before;

    table_text(table, "%s", kind_name(c->kind));
    table_text(table, "%s", row->job);
    table_text(table, "%s", row->kernel);
    table_number(table, row->size);
    table_text(table, "%s", row->target);
    table_text(table, "%s", figure_name(c->figure));
    add_value(table, c->before, c->figure);
    add_value(table, c->after, c->figure);
}

enum status watch_print(FILE *out, const struct watch_changes *changes,
                        const struct watch_rows *after, enum table_format format,
                        struct error *error)
{
    static const struct table_column columns[] = {
        {"change", false}, {"job", false},  {"kernel", false}, {"lanes", true},
        {"target", false}, {"what", false}, {"before", true},  {"after", true}};
    static const enum watch_kind order[] = {WATCH_WORSE, WATCH_BETTER, WATCH_NEW, WATCH_GONE};
    struct table table;
    enum status status = STATUS_OK;

    table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
        for (size_t i = 0; i < changes->count; i++) {
            if (changes->change[i].kind == order[k])
                add_change(&table, &changes->change[i]);
        }
    }
    if (changes->count || !table_is_for_readers(format))
        status = table_write(&table, format, out, error);
    table_free(&table);
    if (status != STATUS_OK || !table_is_for_readers(format))
        return status;
    fprintf(out, "%s%zu kernels, %zu changes, %zu for the worse\n", changes->count ? "\n" : "",
            after->count, changes->count, changes->worse);
    watch_print_refused(out, after);
    return STATUS_OK;
}

void watch_print_refused(FILE *out, const struct watch_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct watch_row *row = &rows->row[i];

        if (!row->refused)
            continue;
        fprintf(out, "not compiled: %s%s%s", row->job, row->kernel[0] ? ", " : "", row->kernel);
        if (row->size)
            fprintf(out, ", %u lanes", row->size);
        fprintf(out, "%s%s: %.*s\n", row->target[0] ? ", " : "", row->target,
                (int)strcspn(row->refused, "\n"), row->refused);
    }
}

static void put_xml(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else if (!text_control_bytes(text) || *text == '\n')
            fputc(*text, out);
    }
}

static void put_case(FILE *out, const struct watch_changes *changes, const struct watch_row *row)
{
    bool failed = false;

    fputs("  <testcase classname=\"", out);
    put_xml(out, row->job);
    fputs("\" name=\"", out);
    put_xml(out, row->kernel);
    fprintf(out, ", %u lanes, ", row->size);
    put_xml(out, row->target);
    fputs("\">", out);
    for (size_t i = 0; i < changes->count; i++) {
        const struct watch_change *c = &changes->change[i];

        if (c->after != row || c->kind != WATCH_WORSE)
            continue;
        fputs(failed ? "; " : "\n    <failure message=\"", out);
        failed = true;
        if (c->figure < 0)
            put_xml(out, row->refused);
        else
            fprintf(out, "%s: %.6g before, %.6g now", figure_name(c->figure),
                    c->before->figure[c->figure], row->figure[c->figure]);
    }
    fputs(failed ? "\"/>\n  </testcase>\n" : "</testcase>\n", out);
}

void watch_print_junit(FILE *out, const struct watch_changes *changes,
                       const struct watch_rows *after)
{
    size_t failed = 0;

    for (size_t i = 0; i < after->count; i++) {
        bool is_worse = false;

        for (size_t c = 0; c < changes->count; c++)
            is_worse = is_worse || (changes->change[c].after == &after->row[i] &&
                                    changes->change[c].kind == WATCH_WORSE);
        failed += is_worse;
    }
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"vebench watch\" tests=\"%zu\" failures=\"%zu\">\n",
            after->count, failed);
    for (size_t i = 0; i < after->count; i++)
        put_case(out, changes, &after->row[i]);
    fputs("</testsuite>\n", out);
}
