/* What does a barrier cost on the GPU that a results file is of, and which sub-group size should a
 * kernel ask for? With libvebench-model alone:
 *
 *     cc barrier-cost.c $(pkg-config --cflags --libs vebench-model) -o barrier-cost
 *     ./barrier-cost results.csv */
#include <vebench/model.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *error)
{
    fprintf(stderr, "barrier-cost: %s\n", error);
    return EXIT_FAILURE;
}

static void show_parameters(const struct vebench_model *model)
{
    const char *what = "barrier.work_group_local.";

    for (size_t i = 0; i < vebench_model_parameter_count(model); i++) {
        struct vebench_parameter p = vebench_model_parameter(model, i);

        if (!strncmp(p.name, what, strlen(what)))
            printf("%-44s %8.4g [%.4g, %.4g] %s\n", p.name, p.value, p.low, p.high, p.unit);
    }
}

/* Prints the model's average error on the rows it was fitted to. */
static void show_error(const struct vebench_model *model, const struct vebench_rows *rows)
{
    double sum = 0.0, value;
    size_t count = 0;

    for (size_t i = 0; i < vebench_rows_count(rows); i++) {
        struct vebench_row row = vebench_rows_get(rows, i);

        if (row.usable && row.value > 0.0 && vebench_model_predict(model, rows, i, &value)) {
            sum += fabs(value / row.value - 1.0);
            count++;
        }
    }
    if (count)
        printf("%zu rows are predicted to %.1f %% on average\n", count,
               100.0 * sum / (double)count);
}

static void show_best(const struct vebench_advice *advice)
{
    for (size_t i = 0; i < vebench_advice_ranking_count(advice); i++) {
        struct vebench_choice best =
            vebench_advice_choice(advice, i, vebench_advice_best(advice, i));

        printf("%s: %s, sub-groups of %u: %.3g %s\n", vebench_advice_title(advice, i), best.variant,
               best.subgroup_size, best.cost, vebench_advice_unit(advice, i));
    }
}

int main(int argc, char **argv)
{
    struct vebench_rows *rows = NULL;
    struct vebench_model *model = NULL;
    struct vebench_advice *advice = NULL;
    char error[1024] = "give results files of `vebench run barrier`";
    int failed = argc < 2 ||
                 vebench_rows_read(&rows, (const char *const *)argv + 1, (size_t)argc - 1, error,
                                   sizeof(error)) ||
                 vebench_model_fit(&model, rows, 1, error, sizeof(error)) ||
                 vebench_model_advise(&advice, model, NULL, "barrier", error, sizeof(error));

    if (!failed) {
        printf("%s%s\n", vebench_model_device_name(model),
               vebench_model_is_emulated(model) ? ", emulated: not a measurement of hardware" : "");
        show_parameters(model);
        show_error(model, rows);
        show_best(advice);
    }
    vebench_advice_free(advice);
    vebench_model_free(model);
    vebench_rows_free(rows);
    return failed ? fail(error) : EXIT_SUCCESS;
}
