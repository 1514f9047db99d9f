/* The public interface of the model: it returns what the rows and the fit have, and errors say
 * why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vebench/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MODEL "test-model-library.json"

static const char *path; /* of rows of barriers */
static char error[256];

static struct vebench_rows *read_rows(void)
{
    struct vebench_rows *rows;

    if (vebench_rows_read(&rows, &path, 1, error, sizeof(error)))
        fail_msg("%s", error);
    return rows;
}

static struct vebench_model *fit(const struct vebench_rows *rows)
{
    struct vebench_model *model;

    if (vebench_model_fit(&model, rows, 1, error, sizeof(error)))
        fail_msg("%s", error);
    return model;
}

static void test_rows(void **state)
{
    struct vebench_rows *rows = read_rows();
    struct vebench_row row = vebench_rows_get(rows, 0);

    (void)state;
    assert_int_equal(vebench_rows_count(rows), 34);
    assert_string_equal(row.benchmark, "barrier");
    assert_true(row.usable && row.value > 0.0 && row.ci95_low <= row.ci95_high);
    assert_int_equal(row.workgroup_count, 1);
    vebench_rows_free(rows);
}

/* A model that is written and read again is the same. */
static void test_model(void **state)
{
    struct vebench_rows *rows = read_rows();
    struct vebench_model *model = fit(rows), *again;
    struct vebench_parameter p, q;
    double value, same;

    (void)state;
    assert_true(vebench_model_is_emulated(model));
    assert_non_null(strstr(vebench_model_device_name(model), "0x56a5"));
    assert_true(vebench_model_clock_mhz(model) == 2450.0);
    assert_int_equal(vebench_model_write(model, MODEL, error, sizeof(error)), 0);
    assert_int_equal(vebench_model_read(&again, MODEL, error, sizeof(error)), 0);
    assert_int_equal(vebench_model_parameter_count(again), vebench_model_parameter_count(model));
    for (size_t i = 0; i < vebench_model_parameter_count(model); i++) {
        p = vebench_model_parameter(model, i);
        assert_true(vebench_model_find(again, p.name, &q));
        assert_string_equal(q.unit, p.unit);
        assert_true(fabs(p.value - q.value) <= 1e-9 * fabs(p.value));
        assert_true(p.low <= p.high && p.rows > 0);
    }
    assert_false(vebench_model_find(model, "no.such", &p));
    for (size_t i = 0; i < vebench_rows_count(rows); i++) {
        bool has_value = vebench_rows_get(rows, i).usable &&
                         strcmp(vebench_rows_get(rows, i).variant, "none") != 0;

        bool is_said = vebench_model_predict(model, rows, i, &value);

        assert_true(is_said || !has_value);
        assert_int_equal(vebench_model_predict(again, rows, i, &same), is_said);
        assert_true(!is_said || fabs(value - same) <= 1e-9 * fabs(value));
    }
    vebench_model_free(again);
    vebench_model_free(model);
    vebench_rows_free(rows);
}

static void test_advice(void **state)
{
    struct vebench_rows *rows = read_rows();
    struct vebench_model *model = fit(rows);
    struct vebench_advice *advice;

    (void)state;
    /* With rows: each question that they answer. */
    assert_int_equal(vebench_model_advise(&advice, model, rows, "barrier", error, sizeof(error)),
                     0);
    assert_true(vebench_advice_ranking_count(advice) > 1);
    for (size_t i = 0; i < vebench_advice_ranking_count(advice); i++) {
        assert_non_null(strstr(vebench_advice_text(advice), vebench_advice_title(advice, i)));
        assert_non_null(strstr(vebench_advice_title(advice, i), "barrier work_group_local; work-"));
        assert_true(vebench_advice_best(advice, i) == 0);
        assert_string_equal(vebench_advice_unit(advice, i), "ns for all of the work");
    }
    vebench_advice_free(advice);
    assert_int_equal(vebench_model_advise(&advice, model, NULL, "barrier", error, sizeof(error)),
                     0);
    /* Without: each size of a work-group that its equations cover. */
    assert_true(vebench_advice_ranking_count(advice) > 1);
    for (size_t i = 0; i < vebench_advice_ranking_count(advice); i++) {
        struct vebench_choice best =
            vebench_advice_choice(advice, i, vebench_advice_best(advice, i));

        assert_non_null(strstr(vebench_advice_title(advice, i), "barrier work_group_local; work-"));
        for (size_t j = 0; j < vebench_advice_choice_count(advice, i); j++) {
            struct vebench_choice choice = vebench_advice_choice(advice, i, j);

            assert_true(best.cost <= choice.cost);
            assert_int_equal(choice.workgroup_size, best.workgroup_size);
        }
        assert_true(best.low <= best.cost && best.cost <= best.high && best.subgroup_size > 0);
        assert_string_equal(vebench_advice_unit(advice, i), "cycles/barrier");
    }
    assert_non_null(strstr(vebench_advice_text(advice), "cycles/barrier"));
    vebench_advice_free(advice);
    assert_int_equal(vebench_model_advise(&advice, model, NULL, "nobody", error, sizeof(error)),
                     -1);
    assert_null(advice);
    assert_non_null(strstr(error, "nobody"));
    vebench_model_free(model);
    vebench_rows_free(rows);
}

static void test_errors(void **state)
{
    static const char *const missing = "no-such.csv";
    struct vebench_model *model;
    struct vebench_rows *rows;
    char little[8];

    (void)state;
    assert_int_equal(vebench_rows_read(&rows, &missing, 1, error, sizeof(error)), -1);
    assert_null(rows);
    assert_non_null(strstr(error, missing));
    assert_int_equal(vebench_model_read(&model, path, error, sizeof(error)), -1);
    assert_null(model);
    assert_int_equal(vebench_model_read(&model, path, little, sizeof(little)), -1);
    assert_int_equal(strlen(little), sizeof(little) - 1);
    vebench_rows_free(NULL);
    vebench_model_free(NULL);
    vebench_advice_free(NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_errors),
    };

    if (argc != 2)
        return 2;
    path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
