#include "report/page-file.h"

#include "drawing/drawing.h"
#include "drawing/html.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The style sheet hides drawings and tables of sizes that are not ticked, without a script. */
static const char filters[] =
    "<input class=\"filter\" type=\"checkbox\" id=\"only8\" checked>"
    "<label class=\"filters k s8\" for=\"only8\">8</label>\n"
    "<input class=\"filter\" type=\"checkbox\" id=\"only16\" checked>"
    "<label class=\"filters k s16\" for=\"only16\">16</label>\n"
    "<input class=\"filter\" type=\"checkbox\" id=\"only32\" checked>"
    "<label class=\"filters k s32\" for=\"only32\">32 <span class=\"dim\">sub-group sizes "
    "shown</span></label>\n<main>\n";

/* The content security policy lets the page fetch and run nothing. */
static void put_head(FILE *out, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'\">\n<title>",
          out);
    html_put(out, title);
    fprintf(out, "</title>\n<style>\n%s%s%s</style></head><body>\n", drawing_style, html_style,
            html_style_of_parts);
    fputs(filters, out);
}

enum status page_file_open(struct page_file *file, const char *folder, const char *name,
                           const char *title, struct error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", folder,
                         strerror(errno));
    snprintf(file->path, sizeof(file->path), "%s/%s", folder, name);
    enum status status = replacement_open(&file->html, file->path, error);
    if (status == STATUS_OK)
        put_head(file->html.out, title);
    return status;
}

enum status page_file_close(struct page_file *file, enum status status, struct error *error)
{
    fputs("</main></body></html>\n", file->html.out);
    return replacement_close(&file->html, status, error);
}

enum status page_csv_create(struct csv *csv, const char *path, struct error *error)
{
    unlink(path); /* csv_create() never overwrites */
    return csv_create(csv, path, error);
}
