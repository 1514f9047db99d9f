#include "report/page-parts.h"

#include "drawing/html.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* An interval wider than this fraction of the value is worth mentioning. */
#define WIDE         0.1

#define REASON_BYTES 512

/* Replaces each number by N, so that reasons that differ only in numbers become equal. */
static void without_numbers(const char *text, char *plain)
{
    size_t used = 0;

    for (; *text && used + 1 < REASON_BYTES; text++) {
        if (!isdigit((unsigned char)*text))
            plain[used++] = *text;
        else if (!isdigit((unsigned char)text[1]))
            plain[used++] = 'N';
    }
    plain[used] = '\0';
}

static bool is_same_reason(const char *a, const char *b)
{
    char left[REASON_BYTES], right[REASON_BYTES];

    without_numbers(a, left);
    without_numbers(b, right);
    return !strcmp(left, right);
}

/* How many rows of the same family have the same status and reason; 0 if an earlier row has counted
 * them. `*is_exact`: whether their reasons agree in the numbers too. */
static size_t count_same(const struct records *records, size_t row, bool *is_exact)
{
    const struct record *r = &records->record[row];
    size_t same = 0;

    *is_exact = true;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *other = &records->record[i];

        if (other->usable || strcmp(other->benchmark, r->benchmark) != 0 ||
            strcmp(other->status, r->status) != 0 || !is_same_reason(other->reason, r->reason))
            continue;
        if (i < row)
            return 0;
        *is_exact = *is_exact && !strcmp(other->reason, r->reason);
        same++;
    }
    return same;
}

static void put_reasons(FILE *out, const struct records *records)
{
    fputs("<div class=\"scroll\"><table><tr><th>family</th><th>status</th><th>reason</th>"
          "<th class=\"number\">rows</th></tr>\n",
          out);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        bool is_exact = true;
        size_t same = r->usable ? 0 : count_same(records, i, &is_exact);
        char plain[REASON_BYTES];

        if (same == 0)
            continue;
        fputs("<tr>", out);
        html_element(out, "td", r->benchmark);
        html_element(out, "td", !strcmp(r->status, "ok") ? "not verified" : r->status);
        without_numbers(r->reason, plain);
        html_element(out, "td", is_exact ? r->reason : plain);
        fprintf(out, "<td class=\"number\">%zu</td></tr>\n", same);
    }
    fputs("</table></div>\n", out);
}

static void put_precision(FILE *out, const struct records *records)
{
    size_t nothing = 0, wide = 0, times = 0, few = 0;

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (!r->usable || !record_has_interval(r))
            continue;
        times++;
        few += r->samples < 10.0;
        if (r->ci95_lo_ns <= 0.0 && r->ci95_hi_ns >= 0.0)
            nothing++;
        else
            wide += r->ci95_hi_ns - r->ci95_lo_ns > WIDE * fabs(r->value);
    }
    fprintf(out,
            "<li>Of %zu times, %zu have an interval that includes 0, and %zu more have "
            "a 95 %% interval wider than %.0f %% of the value.</li>\n",
            times, nothing, wide, 100.0 * WIDE);
    if (few)
        fprintf(out, "<li>%zu times come from fewer than 10 rounds.</li>\n", few);
}

static size_t count_status(const struct records *records, const char *status)
{
    size_t rows = 0;

    for (size_t i = 0; i < records->count; i++)
        rows += !strcmp(records->record[i].status, status);
    return rows;
}

void page_put_caveats(FILE *out, const struct records *records)
{
    fputs("<h2 id=\"caveats\">What to keep in mind</h2>\n<ul>\n", out);
    if (device_kind_is_emulated(records->device_kind))
        fputs("<li>Emulated: the times follow from the machine code that Intel's compiler "
              "generated and from the figures of a device description (<code>vesim "
              "--describe</code>), some of which are assumed. They are not measurements of "
              "hardware.</li>\n",
              out);
    fprintf(out,
            "<li>%zu of %zu rows are measured and verified; the other %zu are not used above: %zu "
            "skipped, %zu noisy (unreliable), %zu failed.</li>\n",
            records->count - records->unusable, records->count, records->unusable,
            count_status(records, "skipped"), count_status(records, "unreliable"),
            count_status(records, "failed"));
    put_precision(out, records);
    fputs("<li>An interval covers the rounds of one run, not what another run, driver or "
          "temperature would change.</li>\n</ul>\n",
          out);
    if (records->unusable)
        put_reasons(out, records);
}

/* Each distinct value of a column, in the order of the rows. */
static void put_values(FILE *out, const struct records *records, const char *column)
{
    const char *last = NULL;

    fputs("<tr><th>", out);
    html_put(out, column);
    fputs("</th><td class=\"wrap\">", out);
    for (size_t t = 0; t < records->table_count; t++) {
        const struct csv_table *table = &records->tables[t];
        size_t at = csv_table_column(table, column);

        for (size_t row = 0; at < table->column_count && row < table->row_count; row++) {
            const char *value = csv_table_cell(table, row, at);

            if (last && !strcmp(last, value))
                continue;
            if (last)
                fputs(", ", out);
            html_put(out, value);
            last = value;
        }
    }
    fputs("</td></tr>\n", out);
}

/* A GPU's clock varies: prints the lowest and the highest of all rows. */
static void put_clock(FILE *out, const struct records *records)
{
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < records->count; i++) {
        if (!(records->record[i].clock_mhz > 0.0))
            continue;
        least = fmin(least, records->record[i].clock_mhz);
        most = fmax(most, records->record[i].clock_mhz);
    }
    if (most == 0.0)
        return;
    fprintf(out, "<tr><th>clock_mhz</th><td>%.10g", least);
    if (most > least)
        fprintf(out, " to %.10g", most);
    fputs("</td></tr>\n", out);
}

void page_put_environment(FILE *out, const struct records *records)
{
    static const char *const columns[] = {
        "run_id",         "host",
        "device_kind",    "device_name",
        "device_uuid",    "pci_address",
        "driver_version", "loader_version",
        "timer_hz",       "clock_source",
        "seed",           "version",
        "xe_cores",       "threads_per_xe_core",
        "peak_gb_per_s",
    };

    html_element(out, "h2", "Environment");
    fputs("\n<table>\n", out);
    for (size_t t = 0; t < records->table_count; t++) {
        fputs("<tr><th>file</th><td class=\"wrap\">", out);
        html_put(out, records->tables[t].path);
        fprintf(out, ", %zu rows</td></tr>\n", records->tables[t].row_count);
    }
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        put_values(out, records, columns[i]);
    put_clock(out, records);
    fputs("</table>\n", out);
}
