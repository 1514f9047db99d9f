/* Every family says which machine instructions carry the cost of each variant. Are they in what
 * Intel's compiler makes of it, and does the baseline lack them, or have fewer of them?
 *
 * Argument: a family. Its modules are compiled for DG2 (Xe-HPG) and for Tiger Lake (Gen12LP), as
 * far as such a device can run them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <regex.h>

#include "compile.h"
#include "families/registry.h"
#include "family/family.h"
#include "ze/device.h"

enum { PATH_CHARS = 512, LINE_CHARS = 1024 };

struct compiled_for {
    const char *device;             /* as ocloc compile wants it */
    const char *disassembly_device; /* as ocloc disasm wants it */
    bool is_xe_hpg;
    bool has_fp64;
    unsigned matrix_lanes;
};

static const struct compiled_for targets[] = {
    {"acm-g11", "dg2", true, false, 8},
    {"tgllp", "tgllp", false, false, 0},
};

static const struct family *family;

/* Lines of a kernel's listing which match; fails where there is no listing. */
static size_t count_matches(const char *directory, const char *kernel, const char *pattern)
{
    char path[PATH_CHARS], line[LINE_CHARS];
    size_t count = 0;
    regex_t regex;

    snprintf(path, sizeof(path), "%s/listings/%s_KernelHeap.asm", directory, kernel);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("no listing %s", path);
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    while (fgets(line, sizeof(line), file)) {
        if (strncmp(line, "//", 2) != 0 && regexec(&regex, line, 0, NULL, 0) == 0)
            count++;
    }
    regfree(&regex);
    fclose(file);
    return count;
}

static void check_variant(const char *directory, const struct compiled_for *target, unsigned size,
                          size_t index)
{
    const struct variant *variant = &family->variants[index];
    size_t baseline = family_baseline(family, index), without = 0;
    const char *pattern =
        target->is_xe_hpg ? variant->instructions.xe_hpg : variant->instructions.gen12lp;

    if (!pattern || !variant_has_size(variant, size))
        return;
    if (baseline == VARIANTS_MAX)
        baseline = family_reference(family, index);
    size_t with = count_matches(directory, variant->entry_point, pattern);
    if (baseline != VARIANTS_MAX)
        without = count_matches(directory, family->variants[baseline].entry_point, pattern);
    print_message("%s, sub-groups of %u, %s: %zu of %s, baseline %zu\n", target->device, size,
                  variant->name, with, pattern, without);
    if (with <= without) {
        fail_msg("%s for %s, sub-groups of %u: %zu lines match \"%s\", and %zu of its baseline",
                 variant->entry_point, target->device, size, with, pattern, without);
    }
}

/* The first default value of each axis. */
static struct configuration first_values(unsigned size)
{
    const struct axis_units units = {size, 8, 1024, 4u << 20};
    unsigned first[AXES_MAX] = {0};

    for (size_t i = 0; i < family->axis_count; i++) {
        struct axis_values values;
        unsigned numbers[AXIS_VALUES_MAX];
        struct error error;

        assert_int_equal(axis_parse(&family->axes[i], family->axes[i].defaults, &values, &error),
                         STATUS_OK);
        axis_resolve(&values, &units, numbers);
        first[i] = numbers[0];
    }
    struct configuration c =
        (struct configuration){size, first[AXIS_WORKGROUP_SIZE], first[AXIS_WORKGROUP_COUNT], {0}};
    memcpy(c.own, first + COMMON_AXES, sizeof(c.own));
    return c;
}

/* Can a device of that kind run any variant? What none can is not compiled for it either. */
static bool is_compiled(const struct compiled_for *target, unsigned size)
{
    const struct device device = {.subgroup_size_count = 3,
                                  .subgroup_sizes = {8, 16, 32},
                                  .float_atomics = UINT32_MAX,
                                  .max_group_size = 1024,
                                  .max_slm_bytes = 65536,
                                  .has_fp64 = target->has_fp64,
                                  .matrix_lanes = target->matrix_lanes};
    struct configuration c = first_values(size);
    struct error ignored;

    for (size_t v = 0; v < family->variant_count; v++) {
        if (!family->check ||
            family->check(&device, &c, &family->variants[v], &ignored) == STATUS_OK)
            return true;
    }
    return false;
}

static void check_target(const struct compiled_for *target)
{
    for (size_t i = 0; i < spirv_module_count; i++) {
        const struct spirv_module *module = &spirv_modules[i];
        char directory[PATH_CHARS / 2];

        if (strcmp(module->family, family->name) != 0 ||
            !is_compiled(target, module->subgroup_size))
            continue;
        snprintf(directory, sizeof(directory), "evidence-%s-%s-%u", family->name, target->device,
                 module->subgroup_size);
        assert_int_equal(
            compile_listings(module, target->device, target->disassembly_device, directory), 0);
        for (size_t v = 0; v < family->variant_count; v++)
            check_variant(directory, target, module->subgroup_size, v);
    }
}

static void the_cost_is_in_the_machine_code(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof(targets) / sizeof(targets[0]); t++)
        check_target(&targets[t]);
}

/* A family in which nothing is claimed would pass the test above unseen. */
static void something_is_claimed(void **state)
{
    size_t claims = 0;

    (void)state;
    for (size_t v = 0; v < family->variant_count; v++)
        claims += family->variants[v].instructions.xe_hpg != NULL;
    assert_true(claims > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(something_is_claimed),
        cmocka_unit_test(the_cost_is_in_the_machine_code),
    };

    family = argc == 2 ? family_find(&families, argv[1]) : NULL;
    if (!family) {
        fprintf(stderr, "usage: test-evidence FAMILY\n");
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
