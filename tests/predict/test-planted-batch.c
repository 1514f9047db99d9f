/* A device whose dispatcher gives an Xe-core some work-groups in a row, and whose engines have a
 * way of taking turns, both drawn: no parameter of a model says that, but rows do, as they are
 * predicted by machine code. Argument: the description that the figures are put into, which assumes
 * ranges. */
#include "predictor-of.h"

#include "model/fit.h"
#include "planted.h"
#include "predict/calibrate.h"

#include <time.h>

#define NAME "planted-batch"

static char *base_path;

/* Loops of one Xe-core, for its lanes and its threads' turns, and of several. */
static const char *const sweep[] = {"pipeline",
                                    "--variant",
                                    "*lanes*",
                                    "--variant",
                                    "old_wait",
                                    "--axis",
                                    "subgroup_size=8,16",
                                    "--axis",
                                    "workgroup_size=S,4S,16S,32S",
                                    "--axis",
                                    "workgroup_count=1,C,8C",
                                    NULL};

static void check_found(const struct model *model, const struct planted_figure *figure)
{
    const struct calibration *found = calibration_of(model, figure->name);

    assert_non_null(found);
    print_message("%s: found %g (%g to %g)\n", figure->name, found->value, found->interval.low,
                  found->interval.high);
    assert_near(found->value, figure->value, 1e-6);
    assert_near(found->interval.low, figure->value, 1e-6);
    assert_near(found->interval.high, figure->value, 1e-6);
}

static void test_batch(void **state)
{
    struct planted_figure figures[] = {{"group_batch", 0, 4, 0}, {"issue_lowest", 0, 1, 0}};
    char output[] = NAME ".csv";
    const char *path = output;
    struct records records;
    struct error error;
    struct model model;

    (void)state;
    planted_draw(figures, 2, (uint64_t)time(NULL));
    figures[0].value = 1u << figures[0].value;
    print_message("batches of %u, the lowest slot first: %u\n", figures[0].value, figures[1].value);
    planted_describe(NAME, base_path, figures, 2);
    planted_sweep(NAME, output, sweep);
    if (records_read(&records, &path, 1, &error) != STATUS_OK ||
        fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    struct predictor *predictor = predictor_of(&model, base_path);
    figures_calibrate(&model, predictor, &records);
    check_found(&model, &figures[0]);
    check_found(&model, &figures[1]);
    predictor_close(predictor);
    model_free(&model);
    records_free(&records);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batch)};

    if (argc != 2)
        return 2;
    base_path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
