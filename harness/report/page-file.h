/* The file of a page: complete under its name or not there at all, with the style sheet and the
 * boxes that show and hide sub-group sizes. */
#ifndef VEBENCH_PAGE_FILE_H
#define VEBENCH_PAGE_FILE_H

#include "base/csv.h"
#include "base/replace-file.h"

#define PAGE_PATH_BYTES 4096

/* The pages of a folder. */
#define PAGE_INDEX "index.html" /* the report */
#define PAGE_ISA   "isa.html"   /* the audit of machine code */

struct page_file {
    char path[PAGE_PATH_BYTES];
    struct replacement html; /* inside its <main> */
};

/* Makes the folder if it is not there, and begins its page `name`. */
enum status page_file_open(struct page_file *file, const char *folder, const char *name,
                           const char *title, struct error *error);

/* Ends and publishes the page if `status`, of what was written into it, is STATUS_OK; drops it
 * otherwise, and returns that status. */
enum status page_file_close(struct page_file *file, enum status status, struct error *error);

/* Creates the CSV file of a drawing or a table beside the page, in place of an earlier page's. */
enum status page_csv_create(struct csv *csv, const char *path, struct error *error);

#endif
