/* What is wrong with a family's descriptor is found before anything runs: one that is right, with
 * one mistake at a time. */
#include "test.h"

#include "family/axis-columns.h"
#include "family/common-axes.h"
#include "family/family.h"

#include <string.h>

#define VARIANTS 4

/* All that a mistake can be in. */
struct described {
    struct family family;
    struct variant variant[VARIANTS];
    struct axis axis[AXES_MAX + 1];
};

static void arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *list)
{
    (void)workspace;
    (void)launch;
    (void)list;
}

static enum status verify(struct workspace *workspace, const struct launch *launch,
                          struct error *error)
{
    (void)workspace;
    (void)launch;
    (void)error;
    return STATUS_OK;
}

static enum status observe(struct workspace *workspace, const struct kernel *kernel,
                           const struct launch *launch, double *value, struct error *error)
{
    (void)workspace;
    (void)kernel;
    (void)launch;
    (void)error;
    *value = 1.0;
    return STATUS_OK;
}

/* Under a name that has modules. */
static void describe(struct described *d)
{
    static const struct axis axes[] = {SUBGROUP_SIZE_AXIS, WORKGROUP_SIZE_AXIS("16", NULL, NULL),
                                       WORKGROUP_COUNT_AXIS("1", NULL, NULL)};

    memset(d, 0, sizeof(*d));
    memcpy(d->axis, axes, sizeof(axes));
    for (size_t i = COMMON_AXES; i <= AXES_MAX; i++)
        d->axis[i] = (struct axis){.name = "own",
                                   .means = "",
                                   .defaults = "1",
                                   .kind = AXIS_COUNT,
                                   .least = 1,
                                   .largest = 2};
    d->variant[0] =
        (struct variant){.name = "none", .entry_point = "barrier_none", .means = "loop"};
    d->variant[1] = (struct variant){.name = "both",
                                     .entry_point = "barrier_work_group_both",
                                     .means = "barrier",
                                     .baseline = "none"};
    d->variant[2] = (struct variant){.name = "other",
                                     .entry_point = "barrier_sub_group_both",
                                     .means = "barrier",
                                     .baseline = "none",
                                     .reference = "both"};
    d->variant[3] = (struct variant){.name = "seen",
                                     .entry_point = "barrier_none",
                                     .means = "what it sees",
                                     .unit = "places",
                                     .estimator = ESTIMATOR_OBSERVE};
    d->family = (struct family){.name = "barrier",
                                .measures = "barriers",
                                .unit = "ns/barrier",
                                .baseline_unit = "ns/iteration",
                                .axes = d->axis,
                                .axis_count = COMMON_AXES,
                                .variants = d->variant,
                                .variant_count = VARIANTS,
                                .buffer_count = 1,
                                .arguments = arguments,
                                .verify = verify,
                                .observe = observe};
}

/* With a second family, of another kind, before it. */
static enum status check(const struct described *d, struct error *error)
{
    struct described first;
    const struct family *const families[] = {&first.family, &d->family};
    const struct family_list list = {families, 2};

    describe(&first);
    first.family.name = "launch";
    first.variant[0].entry_point = "launch_empty";
    first.family.variant_count = 1;
    return family_check_all(&list, error);
}

static void assert_right(const struct described *d)
{
    struct error error;

    if (check(d, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void assert_wrong(const struct described *d, const char *says)
{
    struct error error = {.text = ""};

    assert_int_equal(check(d, &error), STATUS_FAILED);
    assert_string_equal(error.text, says);
}

#define SECOND "family barrier (number 1 of the registry): "

/* Makes one mistake, and holds what is said of it. */
#define MISTAKE(change, says)                                                                      \
    do {                                                                                           \
        struct described d;                                                                        \
                                                                                                   \
        describe(&d);                                                                              \
        change;                                                                                    \
        assert_wrong(&d, says);                                                                    \
    } while (0)

/* What is on the border of a mistake is none. */
#define NO_MISTAKE(change)                                                                         \
    do {                                                                                           \
        struct described d;                                                                        \
                                                                                                   \
        describe(&d);                                                                              \
        change;                                                                                    \
        assert_right(&d);                                                                          \
    } while (0)

static void test_descriptor(void **state)
{
    (void)state;
    NO_MISTAKE((void)d);
    MISTAKE(d.family.name = NULL,
            "family without a name (number 1 of the registry): a text is missing");
    MISTAKE(d.family.measures = NULL, SECOND "a text is missing");
    MISTAKE(d.family.unit = NULL, SECOND "a text is missing");
    MISTAKE(d.family.baseline_unit = NULL, SECOND "a text is missing");
    MISTAKE(d.family.arguments = NULL, SECOND "a function is missing");
    MISTAKE(d.family.verify = NULL, SECOND "a function is missing");
    NO_MISTAKE(d.family.buffer_count = BUFFERS_MAX);
    MISTAKE(d.family.buffer_count = 0, SECOND "the number of buffers is out of range");
    MISTAKE(d.family.buffer_count = BUFFERS_MAX + 1,
            SECOND "the number of buffers is out of range");
    MISTAKE(d.family.variant_count = 0, SECOND "the number of variants is out of range");
    MISTAKE(d.family.variant_count = VARIANTS_MAX + 1,
            SECOND "the number of variants is out of range");
    NO_MISTAKE(d.family.axis_count = AXES_MAX);
    MISTAKE(d.family.axis_count = COMMON_AXES - 1, SECOND "the number of axes is out of range");
    MISTAKE(d.family.axis_count = AXES_MAX + 1, SECOND "the number of axes is out of range");
    for (size_t i = 0; i < COMMON_AXES; i++)
        MISTAKE(d.axis[i].name = "size",
                SECOND "the first axes are not subgroup_size, workgroup_size, workgroup_count");
    MISTAKE(d.family.name = "launch", "family launch is registered twice");
}

static void test_variants(void **state)
{
    static const char no_baseline[] =
        SECOND "a variant's baseline is none of its variants, or cannot be one";
    static const char no_reference[] =
        SECOND "a variant is compared with none of the family's, or with one without a loop";
    static const char unseen[] = SECOND "an observed variant needs a unit and observe()";

    (void)state;
    MISTAKE(d.variant[3].name = NULL, SECOND "a variant lacks a text");
    MISTAKE(d.variant[0].entry_point = NULL, SECOND "a variant lacks a text");
    MISTAKE(d.variant[0].means = NULL, SECOND "a variant lacks a text");
    MISTAKE(d.variant[3].name = "none", SECOND "two variants have one name");
    MISTAKE(d.variant[1].baseline = "nothing", no_baseline);
    MISTAKE(d.variant[1].baseline = "other", no_baseline);
    MISTAKE(d.variant[1].baseline = "seen", no_baseline);
    MISTAKE(d.variant[1].estimator = ESTIMATOR_LAUNCH, no_baseline);
    MISTAKE(d.variant[2].reference = "nothing", no_reference);
    MISTAKE(d.variant[2].reference = "seen", no_reference);
    MISTAKE((d.variant[3].estimator = ESTIMATOR_LAUNCH, d.variant[3].reference = "both"),
            no_reference);
    NO_MISTAKE(d.variant[3].estimator = ESTIMATOR_LAUNCH);
    MISTAKE(d.family.observe = NULL, unseen);
    MISTAKE(d.variant[3].unit = NULL, unseen);
    MISTAKE(d.variant[0].sizes = SIZE_16,
            SECOND "a variant does not say why it lacks a sub-group size");
}

/* Values of each preset, and kernels of each size, that there are. */
static void test_what_it_refers_to(void **state)
{
    struct described named;
    struct error error;

    (void)state;
    MISTAKE(d.variant[1].entry_point = "barrier_of_soap",
            "family barrier: its module for sub-groups of 8 has no kernel barrier_of_soap");
    MISTAKE(d.family.name = "soap", "family soap: no module is built in");
    for (unsigned preset = 0; preset < 3; preset++) {
        describe(&named);
        *(preset == 0   ? &named.axis[1].defaults
          : preset == 1 ? &named.axis[1].quick
                        : &named.axis[1].full) = "8192";
        assert_int_equal(check(&named, &error), STATUS_USAGE);
        assert_non_null(strstr(error.text, "workgroup_size"));
    }
    describe(&named);
    named.axis[3].defaults = "3";
    named.family.axis_count = 4;
    assert_int_equal(check(&named, &error), STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptor),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_what_it_refers_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
