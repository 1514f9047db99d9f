/* The rule for all files a command writes: an existing file is replaced only on request; an input
 * or another output of the same command never is, nor is anything other than a regular file, such
 * as a link, a device or a pipe. Files are the same if device and inode match, whatever their
 * names. */
#ifndef VEBENCH_FILE_GUARD_H
#define VEBENCH_FILE_GUARD_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct guarded_file {
    const char *option; /* the option that names it, for messages: "--output" */
    const char *path;
    bool is_folder; /* to be created, or empty; with `force` it may hold regular files */
};

/* STATUS_FAILED, naming the option, the file and the remedy, if writing the `outputs` would break
 * the rule. */
enum status file_guard(const struct guarded_file *outputs, size_t output_count,
                       const struct guarded_file *inputs, size_t input_count, bool force,
                       struct error *error);

#endif
