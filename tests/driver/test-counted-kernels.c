/* Kernels that count their own cycles, on Intel's driver and compiler below vesim: each built-in
 * module still validates and builds, and the clock that their counts give is the one that the
 * emulated device has. */
#include "test.h"
#include "whole-file.h"

#include "families/registry.h"
#include "measure/family-kernels.h"
#include "measure/lead.h"
#include "spirv/spirv-elapsed.h"
#include "spirv/spirv-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE   16u
#define CLOSER 0.01 /* relative; launches differ by a few misses of their code */

static struct session session;
static struct lead_image lead_image;

static int open_session(void **state)
{
    struct error error;

    (void)state;
    if (session_connect(&session, NULL, &error) != STATUS_OK ||
        session_open(&session, NULL, 0, &error) != STATUS_OK) {
        print_error("%s\n", error.text);
        return -1;
    }
    session.counts_cycles = true;
    lead_image_compile(&lead_image, &session);
    return lead_open(&session, &lead_image, &error) == STATUS_OK ? 0 : -1;
}

static int close_session(void **state)
{
    (void)state;
    lead_close(&session);
    lead_image_free(&lead_image);
    session_close(&session);
    return 0;
}

static bool every(const char *entry_point, const void *context)
{
    (void)entry_point;
    (void)context;
    return true;
}

static bool none(const char *entry_point, const void *context)
{
    (void)entry_point;
    (void)context;
    return false;
}

/* SPIRV-Tools judge each of the program's modules. */
static void test_validates(void **state)
{
    (void)state;
    for (size_t i = 0; i < spirv_module_count; i++) {
        const struct spirv_module *module = &spirv_modules[i];
        char path[80];
        struct spirv_file file;
        struct error error;
        size_t bytes = 0;
        void *copy = spirv_count_elapsed(module->bytes, module->size_bytes, every, NULL, &bytes);

        assert_non_null(copy);
        assert_true(bytes > module->size_bytes);
        snprintf(path, sizeof(path), "counted-%d.spv", (int)getpid());
        whole_file_write(path, copy, bytes);
        if (spirv_file_load(&file, path, NULL, &error) != STATUS_OK)
            fail_msg("%s for sub-groups of %u: %s", module->family, module->subgroup_size,
                     error.text);
        spirv_file_free(&file);
        free(copy);
        remove(path);
    }
}

static void test_nothing_wanted(void **state)
{
    size_t bytes;

    (void)state;
    assert_null(spirv_count_elapsed(spirv_modules[0].bytes, spirv_modules[0].size_bytes, none, NULL,
                                    &bytes));
}

static void measure(const struct family *family, struct measurement *measurements)
{
    const struct configuration configuration = {SIZE, 64, 2, {0}};
    const struct measure_options options = {.seed = 1};
    struct module_image image;
    struct error error;

    assert_int_equal(module_image_init(&image, family, SIZE, NULL, &error), STATUS_OK);
    module_image_compile(&image, &session);
    for (size_t b = 0; b < image.build_count; b++)
        assert_int_equal(image.counting[b].state, BUILD_NATIVE);
    struct family_kernels *kernels = family_kernels_load(&image, &session);
    assert_non_null(kernels);
    for (size_t v = 0; v < family->variant_count; v++) {
        memset(&measurements[v], 0, sizeof(measurements[v]));
        measurements[v].outcome = kernels->outcomes[v];
        assert_true(kernels->outcomes[v] != OUTCOME_OK || kernels->kernels[v].counting.handle);
    }
    assert_int_equal(measure_configuration(&session, family, &configuration, kernels->kernels,
                                           &options, NULL, NULL, measurements, &error),
                     STATUS_OK);
    family_kernels_free(kernels, &session);
    module_image_free(&image);
}

static void test_clock(void **state)
{
    static const char *const names[] = {"barrier", "group_collective", "grid_barrier", "pipeline"};
    static struct measurement measurements[VARIANTS_MAX];

    (void)state;
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        const struct family *family = family_find(&families, names[n]);

        measure(family, measurements);
        for (size_t v = 0; v < family->variant_count; v++) {
            const struct measurement *m = &measurements[v];

            /* Work-groups that poll one flag may repeat either of two patterns, by when they start:
             * then time is no straight line, but the clock is told. */
            if ((m->outcome != OUTCOME_OK && m->outcome != OUTCOME_UNRELIABLE) || !m->clock_counted)
                fail_msg("%s %s: outcome %d, %scounted: %s", family->name, family->variants[v].name,
                         (int)m->outcome, m->clock_counted ? "" : "not ", m->reason);
            if (!(fabs(m->clock_mhz / session.device->max_clock_mhz - 1.0) < CLOSER))
                fail_msg("%s %s: %.1f MHz of %u", family->name, family->variants[v].name,
                         m->clock_mhz, session.device->max_clock_mhz);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validates),
        cmocka_unit_test(test_nothing_wanted),
        cmocka_unit_test(test_clock),
    };

    return cmocka_run_group_tests(tests, open_session, close_session);
}
