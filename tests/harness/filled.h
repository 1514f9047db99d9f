/* What `vebench kernel` fills a buffer with, for tests that compute on the host what a kernel makes
 * of it. */
#ifndef TESTS_FILLED_H
#define TESTS_FILLED_H

#include "job/contents.h"

#include "test.h"

#include <stdlib.h>

/* So many bytes by a rule of --buffer; the caller's to free. */
static inline void *filled(const char *rule, size_t bytes)
{
    struct contents contents;
    struct error error;
    void *memory = malloc(bytes);

    assert_non_null(memory);
    assert_int_equal(contents_read(&contents, "--buffer", rule, &error), STATUS_OK);
    assert_int_equal(contents_fill(&contents, memory, bytes, &error), STATUS_OK);
    return memory;
}

#endif
