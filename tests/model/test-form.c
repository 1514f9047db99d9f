/* The choice of an equation: planted coefficients of as many terms as there may be, no more; and of
 * candidates that fit alike, the one with fewest terms whose costs are none below 0. */
#include "test.h"

#include "math/form.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { ROWS = 60, TERMS = FORM_CHOSEN_MAX + 1 };

static double columns[TERMS][ROWS], y[ROWS], sd[ROWS];

/* Terms that are independent of each other: cosines of whole periods. */
static struct form_problem plant(size_t terms, const double *coefficient)
{
    struct form_problem problem = {
        .rows = ROWS, .terms = terms, .columns = columns[0], .y = y, .row_sd = sd};

    for (size_t i = 0; i < ROWS; i++) {
        y[i] = 0.0;
        for (size_t t = 0; t < terms; t++) {
            columns[t][i] = t == 0 ? 1.0 : cos(PI * (double)t * ((double)i + 0.5) / ROWS);
            y[i] += coefficient[t] * columns[t][i];
        }
    }
    return problem;
}

static void assert_chosen(const struct form_problem *problem, uint32_t terms)
{
    struct form form;
    struct error error;

    if (form_choose(&form, problem, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(form.terms, terms);
}

static void test_most_terms(void **state)
{
    double planted[TERMS];
    struct form form;
    struct error error;

    (void)state;
    for (size_t t = 0; t < TERMS; t++)
        planted[t] = 3.0 + (double)(7 * t % 5);
    struct form_problem problem = plant(FORM_CHOSEN_MAX, planted);
    problem.candidates[0] = 1;
    problem.candidates[1] = (1u << FORM_CHOSEN_MAX) - 1;
    problem.candidate_count = 2;
    assert_chosen(&problem, problem.candidates[1]);
    assert_int_equal(form_choose(&form, &problem, 1, &error), STATUS_OK);
    assert_int_equal(form.count, FORM_CHOSEN_MAX);
    for (size_t t = 0; t < FORM_CHOSEN_MAX; t++)
        assert_near(form.coefficient[t], planted[t], 1e-9);
    assert_near(form.left_out_rms, 0.0, 1e-9);
    /* One more is too many, wherever it stands. */
    problem = plant(TERMS, planted);
    problem.candidates[0] = (1u << TERMS) - 1;
    problem.candidate_count = 1;
    assert_int_equal(form_choose(&form, &problem, 1, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "more than 16 terms"));
    problem.candidates[1] = 3;
    problem.candidate_count = 2;
    assert_chosen(&problem, 3);
}

/* Costs below 0 are none, and the reason is said. */
static void test_no_costs(void **state)
{
    static const double planted[] = {5.0, -2.0};
    struct form_problem problem = plant(2, planted);
    struct form form;
    struct error error;

    (void)state;
    problem.candidates[0] = 3;
    problem.candidate_count = 1;
    assert_chosen(&problem, 3);
    problem.is_cost = true;
    assert_int_equal(form_choose(&form, &problem, 1, &error), STATUS_FAILED);
    assert_string_equal(error.text, "no equation has costs above 0");
}

static void test_fewest_terms(void **state)
{
    static const double planted[] = {5.0, 0.0, -2.0};
    struct form_problem problem = plant(3, planted);

    (void)state;
    memcpy(problem.candidates, (uint32_t[]){1, 3, 5, 7}, 4 * sizeof(uint32_t));
    problem.candidate_count = 4;
    assert_chosen(&problem, 5);
    /* No cost is below 0. */
    problem.is_cost = true;
    assert_chosen(&problem, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_most_terms),
        cmocka_unit_test(test_no_costs),
        cmocka_unit_test(test_fewest_terms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
