#include "report/side-by-side.h"

#include "base/csv.h"
#include "base/streams.h"
#include "compare/compare-rows.h"
#include "drawing/drawing.h"
#include "drawing/html.h"
#include "drawing/scale.h"
#include "report/page-file.h"
#include "report/plot-key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longer tables are only in the CSV next to the page. */
#define CHANGES_SHOWN_MAX 200

#define FAMILIES_MAX      64
#define FAMILY_HEIGHT     22.0
#define LABEL_WIDTH       120.0
#define RIGHT             16.0
#define AXIS_HEIGHT       38.0

/* Ratios beyond this are drawn on a logarithmic axis. */
#define LINEAR_MAX 3.0

/* The least ratio that is drawn: of costs that vanish. */
#define RATIO_MIN (1.0 / 1024.0)

enum { SHAPE_FASTER = 4, SHAPE_SLOWER = 2 }; /* triangles that point down and up */

/* The changes that are shown, the largest first. */
struct changes {
    const struct comparison **sorted; /* owned */
    size_t count;
    const char
        *family[FAMILIES_MAX]; /* rows of the drawing: the one with the largest change first */
    size_t family_count;
};

static double change_ratio(const struct comparison *c)
{
    return fmax(1.0 + c->change, RATIO_MIN);
}

/* How many times as large the larger one is. */
static double change_size(const struct comparison *c)
{
    double ratio = change_ratio(c);

    return fmax(ratio, 1.0 / ratio);
}

static int by_size(const void *left, const void *right)
{
    double a = change_size(*(const struct comparison *const *)left);
    double b = change_size(*(const struct comparison *const *)right);

    return (a < b) - (a > b);
}

static size_t family_row(struct changes *changes, const char *family)
{
    size_t row = 0;

    while (row < changes->family_count && strcmp(changes->family[row], family) != 0)
        row++;
    if (row == changes->family_count && row < FAMILIES_MAX)
        changes->family[changes->family_count++] = family;
    return row;
}

static enum status collect_changes(struct changes *changes, const struct comparisons *comparisons,
                                   struct error *error)
{
    changes->family_count = 0;
    changes->sorted = comparisons_sorted(comparisons, false, &changes->count);
    if (!changes->sorted)
        return error_out_of_memory(error);
    qsort(changes->sorted, changes->count, sizeof(*changes->sorted), by_size);
    for (size_t i = 0; i < changes->count; i++)
        family_row(changes, changes->sorted[i]->base->benchmark);
    return STATUS_OK;
}

static struct scale change_scale(const struct changes *changes)
{
    double low = 1.0, high = 1.0;
    struct scale scale;

    for (size_t i = 0; i < changes->count; i++) {
        low = fmin(low, change_ratio(changes->sorted[i]));
        high = fmax(high, change_ratio(changes->sorted[i]));
    }
    if (fmax(high, 1.0 / low) > LINEAR_MAX)
        scale = scale_over(low, high, true, false);
    else /* of the differences from 1, in percent */
        scale = scale_over(100.0 * (low - 1.0), 100.0 * (high - 1.0), false, false);
    scale.from = LABEL_WIDTH;
    scale.to = DRAWING_WIDTH - RIGHT;
    return scale;
}

static double change_place(const struct scale *scale, double ratio)
{
    return scale_at(scale, scale->is_log ? ratio : 100.0 * (ratio - 1.0));
}

static void draw_change_axis(FILE *out, const struct scale *scale, double bottom)
{
    double ticks[SCALE_TICKS_MAX], none = change_place(scale, 1.0);
    size_t count = scale_ticks(scale, ticks);

    for (size_t i = 0; i < count; i++) {
        double x = scale_at(scale, ticks[i]);
        char text[SCALE_TEXT_BYTES], label[SCALE_TEXT_BYTES + 8];

        scale_text(scale, ticks[i], text);
        snprintf(label, sizeof(label), scale->is_log ? "× %s" : "%s", text);
        drawing_line(out, x, 0.0, x, bottom, "g");
        drawing_text(out, x, bottom + 14.0, ANCHOR_MIDDLE, "d", label);
    }
    drawing_line(out, none, 0.0, none, bottom, "a");
    drawing_text(out, (scale->from + scale->to) / 2.0, bottom + 30.0, ANCHOR_MIDDLE, "d",
                 scale->is_log ? "cost in the second, divided by that in the first"
                               : "% by which the second costs more than the first");
}

static void draw_change(FILE *out, const struct comparison *c, const struct scale *scale, double y)
{
    char hint[COMPARISON_PLACE_BYTES + 80], place[COMPARISON_PLACE_BYTES];
    struct comparison_times times = comparison_times(c);
    unsigned size = c->base->subgroup_size;

    snprintf(hint, sizeof(hint), "%s: %+.3g %% (± %.2g), %.4g %s, was %.4g",
             comparison_place(c, place), 100.0 * c->change, 100.0 * c->change_error, times.new,
             times.unit, times.base);
    drawing_mark(out, change_place(scale, change_ratio(c)),
                 y + (size == 8    ? -4.6
                      : size == 32 ? 4.6
                                   : 0.0),
                 c->change > 0.0 ? SHAPE_SLOWER : SHAPE_FASTER, drawing_size_class(size), hint);
}

/* A row for each family with a change. Returns the height. */
static double draw(FILE *out, struct changes *changes)
{
    struct scale scale = change_scale(changes);
    double bottom = FAMILY_HEIGHT * (double)changes->family_count;

    draw_change_axis(out, &scale, bottom);
    for (size_t row = 0; row < changes->family_count; row++) {
        double y = FAMILY_HEIGHT * ((double)row + 0.5);
        char label[20];

        snprintf(label, sizeof(label), "%s", changes->family[row]);
        drawing_line(out, scale.from, y, scale.to, y, "g");
        drawing_text(out, scale.from - 8.0, y + 4.0, ANCHOR_END, "", label);
    }
    for (size_t i = changes->count; i-- > 0;) { /* the largest on top */
        size_t row = family_row(changes, changes->sorted[i]->base->benchmark);

        if (row < FAMILIES_MAX)
            draw_change(out, changes->sorted[i], &scale, FAMILY_HEIGHT * ((double)row + 0.5));
    }
    return bottom + AXIS_HEIGHT;
}

static void put_side(FILE *out, const char *which, const char *path, const struct records *records)
{
    fprintf(out, "<p class=\"dim\">%s: <b>", which);
    html_put(out, records->device_name);
    fputs(device_kind_is_emulated(records->device_kind) ? "</b>, emulated, " : "</b>, ", out);
    html_put(out, path);
    fprintf(out, ", %zu rows, driver ", records->count);
    html_put(out, records->driver_version);
    if (records->count && records->record[0].clock_mhz > 0.0)
        fprintf(out, ", %g MHz", records->record[0].clock_mhz);
    fputs("</p>\n", out);
}

static const char *emulated_text(const struct side_by_side *sides)
{
    bool base = device_kind_is_emulated(sides->comparisons->base->device_kind),
         new = device_kind_is_emulated(sides->comparisons->new->device_kind);

    if (base && new)
        return "Emulated. Every time on this page is the emulator's, not a GPU's.";
    return base  ? "The first is emulated: its times are the emulator's, not a GPU's."
           : new ? "The second is emulated: its times are the emulator's, not a GPU's."
                 : NULL;
}

static void put_sides_head(FILE *out, const struct side_by_side *sides)
{
    const char *emulated = emulated_text(sides);

    fputs("<h1>Two results side by side</h1>\n", out);
    if (emulated)
        fprintf(out, "<p class=\"emulated\">%s</p>\n", emulated);
    put_side(out, "First", sides->base_path, sides->comparisons->base);
    put_side(out, "Second", sides->new_path, sides->comparisons->new);
}

/* A shift of all rows, which none of them is listed for. */
static void put_shift(FILE *out, const struct comparisons *c)
{
    const struct common_shift *s = &c->shift;

    if (c->shift_verdict == CHANGE_SLOWER || c->shift_verdict == CHANGE_FASTER)
        fprintf(out,
                "<p><b>All rows: %+.3g %%</b> (%.3g to %.3g, the median of %zu rows): clock? "
                "Changes of rows are beside it.</p>\n",
                100.0 * s->change, 100.0 * s->low, 100.0 * s->high, s->rows);
}

static void put_totals(FILE *out, const struct side_by_side *sides)
{
    const struct comparisons *c = sides->comparisons;

    fprintf(out,
            "<p>Of %zu measurements in both files, <b>%zu became slower</b> and <b>%zu faster</b>; "
            "%zu stayed the same, and %zu are undecided.</p>\n"
            "<p class=\"dim\">A change below %.2g %% does not count, nor does one that chance "
            "alone would produce on one in twenty such pages. %zu measurements are only in the "
            "first file, %zu only in the second; %zu and %zu rows are unusable: not ok, not "
            "verified, or no time.</p>\n",
            c->count, c->verdicts[CHANGE_SLOWER], c->verdicts[CHANGE_FASTER],
            c->verdicts[CHANGE_SAME], c->verdicts[CHANGE_UNCLEAR], 100.0 * sides->threshold,
            c->only_base, c->only_new, c->left_out_base, c->left_out_new);
}

static void put_change(FILE *out, const struct comparison *c)
{
    const struct record *r = c->base;
    struct comparison_times times = comparison_times(c);

    fprintf(out, "<tr class=\"%s\"><td class=\"number\">%+.3g %% ± %.2g</td><td>",
            drawing_size_class(r->subgroup_size), 100.0 * c->change, 100.0 * c->change_error);
    html_put_spaced(out, r->benchmark);
    fputs("</td><td>", out);
    html_put_spaced(out, r->variant);
    fprintf(out,
            "</td><td class=\"number\">%u</td><td class=\"number\">%u × %u</td><td "
            "class=\"number\">%.4g</td><td class=\"number\">%.4g</td><td>",
            r->subgroup_size, r->workgroup_count, r->workgroup_size, times.base, times.new);
    html_put(out, times.unit);
    fputs("</td><td>", out);
    html_put(out, r->parameters);
    fputs("</td></tr>\n", out);
}

static void put_changes_table(FILE *out, const struct changes *changes)
{
    size_t shown = changes->count < CHANGES_SHOWN_MAX ? changes->count : CHANGES_SHOWN_MAX;

    fputs("<h2>Changes, the largest first</h2>\n", out);
    if (shown < changes->count)
        fprintf(out, "<p class=\"dim\">%zu of %zu; changes.csv has all.</p>\n", shown,
                changes->count);
    fputs(
        "<div class=\"wide\"><table><tr><th class=\"number\">change</th><th>family</th>"
        "<th>variant</th><th class=\"number\">sub-group</th><th class=\"number\">work-groups</th>"
        "<th class=\"number\">first</th><th class=\"number\">second</th><th></th><th></th></tr>\n",
        out);
    for (size_t i = 0; i < shown; i++)
        put_change(out, changes->sorted[i]);
    fputs("</table></div>\n", out);
}

static void make_key(struct plot_key *key, const struct changes *changes)
{
    key->count = 0;
    for (size_t i = 0; i < changes->count; i++)
        plot_key_add_size(key, changes->sorted[i]->base->subgroup_size);
    plot_key_add(key, &(struct plot_key_entry){
                          .kind = PLOT_KEY_SHAPE, .shape = SHAPE_SLOWER, .text = "slower"});
    plot_key_add(key, &(struct plot_key_entry){
                          .kind = PLOT_KEY_SHAPE, .shape = SHAPE_FASTER, .text = "faster"});
}

static void put_changes_drawing(FILE *out, const struct plot_key *key, const char *title,
                                double height, const char *inside)
{
    fputs("<section><figure><figcaption>A mark for each change; families are sorted by their "
          "largest.</figcaption>\n",
          out);
    plot_key_put(out, key);
    fputs("<div class=\"panels\"><div>\n", out);
    drawing_put(out, title, height, inside);
    fputs("</div></div></figure></section>\n", out);
}

/* "A380 against A770, EMULATED" */
static void name_devices(const struct side_by_side *sides, char text[256])
{
    bool same =
        !strcmp(sides->comparisons->base->device_name, sides->comparisons->new->device_name);
    bool emulated = device_kind_is_emulated(sides->comparisons->base->device_kind) ||
                    device_kind_is_emulated(sides->comparisons->new->device_kind);

    snprintf(text, 256, "%.80s%s%.80s%s", sides->comparisons->new->device_name,
             same ? "" : " against ", same ? "" : sides->comparisons->base->device_name,
             emulated ? ", EMULATED: the emulator's times, not a GPU's" : "");
}

/* The drawing on the page, and with its key in a file. */
static enum status draw_changes(FILE *out, struct changes *changes,
                                const struct side_by_side *sides, const char *folder,
                                struct error *error)
{
    static const char title[] = "What changed";
    char path[PAGE_PATH_BYTES], note[256];
    char *inside = NULL, *whole = NULL;
    size_t bytes;
    struct plot_key key;
    FILE *drawing = stream_open_text(&inside, &bytes);

    if (!drawing)
        return error_out_of_memory(error);
    double height = draw(drawing, changes);
    if (stream_close_text(drawing, &inside, error) != STATUS_OK)
        return error->status;
    make_key(&key, changes);
    put_changes_drawing(out, &key, title, height, inside);
    FILE *composed = stream_open_text(&whole, &bytes);
    double top = composed ? plot_key_draw(composed, &key, inside) : 0.0;
    free(inside);
    if (!composed)
        return error_out_of_memory(error);
    if (stream_close_text(composed, &whole, error) != STATUS_OK)
        return error->status;
    name_devices(sides, note);
    snprintf(path, sizeof(path), "%s/changes.svg", folder);
    enum status status = drawing_write(path, title, note, top + height, whole, error);
    free(whole);
    return status;
}

static enum status put_sides(FILE *out, const struct side_by_side *sides, const char *folder,
                             struct error *error)
{
    struct changes changes;
    enum status status = collect_changes(&changes, sides->comparisons, error);

    put_sides_head(out, sides);
    put_shift(out, sides->comparisons);
    put_totals(out, sides);
    if (status == STATUS_OK && changes.count)
        status = draw_changes(out, &changes, sides, folder, error);
    if (status == STATUS_OK && changes.count)
        put_changes_table(out, &changes);
    else if (status == STATUS_OK)
        fputs("<p>Nothing changed.</p>\n", out);
    free(changes.sorted);
    return status;
}

static enum status write_rows(const struct comparisons *comparisons, const char *folder,
                              struct error *error)
{
    char path[PAGE_PATH_BYTES];
    struct csv csv;
    size_t count;

    snprintf(path, sizeof(path), "%s/changes.csv", folder);
    enum status status = page_csv_create(&csv, path, error);
    if (status != STATUS_OK)
        return status;
    const struct comparison **sorted = comparisons_sorted(comparisons, true, &count);
    status = sorted ? comparisons_write(&csv, comparisons, sorted, count, error)
                    : error_out_of_memory(error);
    free(sorted);
    return csv_finish(&csv, status, error);
}

enum status side_by_side_write(const struct side_by_side *sides, const char *folder,
                               struct error *error)
{
    struct page_file file;
    enum status status =
        page_file_open(&file, folder, PAGE_INDEX, "Two results side by side", error);

    if (status == STATUS_OK)
        status = page_file_close(&file, put_sides(file.html.out, sides, folder, error), error);
    return status == STATUS_OK ? write_rows(sides->comparisons, folder, error) : status;
}
