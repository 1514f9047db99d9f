/* The one rule for files that a command writes: what exists is not replaced unless that is asked
 * for; what the command reads, and what else it writes, never is; nor is what is no regular file,
 * such as a link, a device or a pipe. Files are the same if device and inode are, whatever their
 * names. */
#ifndef VEBENCH_FILE_GUARD_H
#define VEBENCH_FILE_GUARD_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct guarded_file {
    const char *option; /* that names it, for messages: "--output" */
    const char *path;
    bool is_folder; /* to be made, or there and empty; with `force` it may hold regular files */
};

/* STATUS_FAILED, naming option and file and the way out, where writing the `outputs` would break
 * the rule. */
enum status file_guard(const struct guarded_file *outputs, size_t output_count,
                       const struct guarded_file *inputs, size_t input_count, bool force,
                       struct error *error);

#endif
