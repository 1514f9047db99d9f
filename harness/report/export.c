#include "report/export.h"

#include "base/streams.h"
#include "compare/plausible.h"
#include "report/page-file.h"
#include "report/plot-key.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES 4096
#define NOTE_BYTES 256
#define ZOOM       "1.5"

/* Number of drawings converted at a time. */
#define AT_ONCE 4

/* Exit status of a child that finds no program to execute. */
#define EXIT_NO_PROGRAM 127

/* NAME, or NAME-GROUP without characters unfit for file names. A name that is taken gets a number
 * appended. */
static const char *name_of(struct export *export, const struct plot_view *view, const char *group)
{
    char *name = export->name[export->count];
    size_t used =
        (size_t)snprintf(name, EXPORT_NAME_BYTES, "%s%s", view->plot->name, group[0] ? "-" : "");

    for (; *group && used + 8 < EXPORT_NAME_BYTES; group++) {
        if (isalnum((unsigned char)*group))
            name[used++] = *group;
        else if (strchr(" -_", *group) && name[used - 1] != '-')
            name[used++] = '-';
    }
    name[used] = '\0';
    for (size_t i = 0; i < export->count; i++) {
        if (!strcmp(export->name[i], name))
            snprintf(name + used, EXPORT_NAME_BYTES - used, "-%zu", export->count);
    }
    return name;
}

static enum status write_points(struct csv *csv, const struct export *export,
                                const struct plot_view *view, size_t first, size_t count,
                                struct error *error)
{
    static const char *const columns[] = {"series", "x",     "y",      "lo",         "hi",
                                          "style",  "label", "device", "device_kind"};

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        csv_text(csv, columns[i]);
    enum status status = csv_end_row(csv, error);
    for (size_t i = first; status == STATUS_OK && i < first + count; i++) {
        const struct plot_point *p = view->mark[i].point;

        csv_text(csv, p->series);
        if (p->category[0])
            csv_text(csv, p->category);
        else
            csv_real(csv, p->x);
        csv_real(csv, p->y);
        csv_real(csv, p->lo);
        csv_real(csv, p->hi);
        csv_text(csv, p->style);
        csv_text(csv, p->label);
        csv_text(csv, export->records->device_name);
        csv_text(csv, export->records->device_kind);
        status = csv_end_row(csv, error);
    }
    return status;
}

static enum status write_data(const struct export *export, const char *name,
                              const struct plot_view *view, size_t first, size_t count,
                              struct error *error)
{
    char path[PATH_BYTES];
    struct csv csv;

    snprintf(path, sizeof(path), "%s/%s.csv", export->directory, name);
    enum status status = page_csv_create(&csv, path, error);
    if (status != STATUS_OK)
        return status;
    return csv_finish(&csv, write_points(&csv, export, view, first, count, error), error);
}

/* The drawing below its key and above the conditions of its rows. Returns the height. */
static double compose(FILE *out, const struct plot_view *view, size_t first, size_t count,
                      double height, const char *inside)
{
    struct plot_key key;

    plot_key_make(&key, view, first, count);
    double top = plot_key_draw(out, &key, inside);
    return top + height + drawing_paragraph(out, top + height + 10.0, "d", view->note);
}

enum status export_drawing(struct export *export, const struct plot_view *view, size_t first,
                           size_t count, double height, const char *inside, struct error *error)
{
    const char *group = view->mark[first].group;
    char path[PATH_BYTES], title[2 * PLOT_TEXT_BYTES + 8], note[NOTE_BYTES];

    if (export->count == EXPORTS_MAX)
        return STATUS_OK;
    const char *name = name_of(export, view, group);
    snprintf(path, sizeof(path), "%s/%s.svg", export->directory, name);
    snprintf(title, sizeof(title), "%s%s%s", view->plot->title, group[0] ? ": " : "", group);
    const char *sold_as = plausible_sold_as(export->records->device_name);
    snprintf(note, sizeof(note), "%.100s%s%s%s", export->records->device_name, sold_as ? ", " : "",
             sold_as ? sold_as : "",
             device_kind_is_emulated(export->records->device_kind)
                 ? ", EMULATED: the emulator's times, not a GPU's"
                 : "");
    char *whole = NULL;
    size_t bytes;
    FILE *composed = stream_open_text(&whole, &bytes);
    if (!composed)
        return error_out_of_memory(error);
    height = compose(composed, view, first, count, height, inside);
    if (stream_close_text(composed, &whole, error) != STATUS_OK)
        return error->status;
    enum status status = drawing_write(path, title, note, height, whole, error);
    free(whole);
    if (status == STATUS_OK)
        status = write_data(export, name, view, first, count, error);
    if (status == STATUS_OK)
        export->count++;
    return status;
}

/* Starts the converter on one drawing. Returns the child's id, or -1. */
static pid_t start(const char *directory, const char *name)
{
    char svg[EXPORT_NAME_BYTES + 8], png[EXPORT_NAME_BYTES + 8];
    pid_t child = fork();

    if (child != 0)
        return child;
    snprintf(svg, sizeof(svg), "%s.svg", name);
    snprintf(png, sizeof(png), "%s.png", name);
    if (chdir(directory) == 0)
        execlp("rsvg-convert", "rsvg-convert", "--zoom", ZOOM, "-o", png, svg, (char *)NULL);
    _exit(EXIT_NO_PROGRAM);
}

static enum status finish(pid_t child, const char *name, bool *is_there, struct error *error)
{
    int status;

    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return error_set(error, STATUS_FAILED, "waiting for rsvg-convert: %s", strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_PROGRAM)
        *is_there = false;
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(error, STATUS_FAILED, "rsvg-convert could not draw %s.png (see above)",
                         name);
    return STATUS_OK;
}

/* Waits for a converter and says how that went, unless something has failed before. */
static void end(pid_t child, const char *name, bool *is_there, enum status *status,
                struct error *error)
{
    if (child < 0 && *status == STATUS_OK)
        *status = error_set(error, STATUS_FAILED, "cannot start rsvg-convert");
    else if (*status == STATUS_OK)
        *status = finish(child, name, is_there, error);
    else if (child >= 0)
        waitpid(child, NULL, 0);
}

enum status export_pictures(const struct export *export, struct error *error)
{
    enum status status = STATUS_OK;
    bool is_there = true;
    size_t begun = 0, ended = 0;
    pid_t child[AT_ONCE];

    for (;;) {
        bool goes_on = is_there && status == STATUS_OK && begun < export->count;

        if (goes_on && begun - ended < AT_ONCE) {
            child[begun % AT_ONCE] = start(export->directory, export->name[begun]);
            begun++;
        } else if (ended < begun) {
            end(child[ended % AT_ONCE], export->name[ended], &is_there, &status, error);
            ended++;
        } else {
            return status;
        }
    }
}
