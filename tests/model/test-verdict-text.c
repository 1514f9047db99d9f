/* Verdicts in words, of candidates put together by hand: what each word depends on. */
#include "test.h"

#include "model/verdict.h"

#include <string.h>

#define CANDIDATES_MAX 6

static char text[VERDICT_TEXT_BYTES];

/* A verdict, its candidates and their rows. */
struct made {
    struct record row[CANDIDATES_MAX];
    struct verdict_candidate candidate[CANDIDATES_MAX];
    struct verdict verdict;
};

static struct verdict_candidate candidate(const char *variant, const char *method, unsigned lanes,
                                          double cost)
{
    struct verdict_candidate c = {.method = method,
                                  .subgroup_size = lanes,
                                  .workgroup_size = 64,
                                  .workgroup_count = 8,
                                  .occupancy = {4.0, 64.0 / lanes, 16.0},
                                  .cost = {cost, {cost - 1.0, cost + 1.0}}};

    strcpy(c.variant, variant);
    return c;
}

/* Rows of a GPU of 2 GHz, whose Xe-cores hold 16 threads, on each of 4 of them. */
static void make(struct made *m, const struct verdict_candidate *candidates, size_t count,
                 size_t winners)
{
    *m = (struct made){.verdict = {.question = {.family = "slm",
                                                .operation = "copy",
                                                .type = "u32",
                                                .parameters = "stride=2",
                                                .unit = "ns",
                                                .kind = WORK_VALUES,
                                                .work = 512.0,
                                                .cores = 4,
                                                .workgroup_size = 64},
                                   .count = count,
                                   .winners = winners}};
    m->verdict.candidate = m->candidate;
    for (size_t i = 0; i < count; i++) {
        m->candidate[i] = candidates[i];
        m->candidate[i].wins = i < winners;
        m->row[i] = (struct record){.clock_mhz = 2000.0,
                                    .threads_per_xe_core = 16,
                                    .xe_cores = 4,
                                    .workgroup_size = 64,
                                    .workgroup_count = 8,
                                    .work_units = 4.0};
        m->row[i].subgroup_size = candidates[i].subgroup_size;
        m->candidate[i].row = &m->row[i];
    }
}

static void test_title(void **state)
{
    struct verdict_question q = {
        .family = "barrier", .operation = "local", .type = "", .parameters = ""};
    struct verdict v = {.question = q};

    (void)state;
    assert_string_equal(verdict_title(&v, text), "barrier local");
    v.question.type = "u32";
    assert_string_equal(verdict_title(&v, text), "barrier local u32");
    v.question.parameters = "stride=2";
    assert_string_equal(verdict_title(&v, text), "barrier local u32, stride=2");
    v.question.type = "";
    assert_string_equal(verdict_title(&v, text), "barrier local, stride=2");
}

static void test_work(void **state)
{
    static const struct {
        enum work_kind kind;
        double work;
        unsigned workgroup_size;
        const char *expected;
    } cases[] = {
        {WORK_OPERATIONS, 1e6, 0, "1000000 operations"},
        {WORK_BYTES, 1023.0, 0, "1023 bytes"},
        {WORK_BYTES, 1024.0, 0, "1 KiB"},
        {WORK_BYTES, 3584.0, 0, "3.5 KiB"},
        {WORK_VALUES, 64.0, 32, "work-groups of 32"},
        {WORK_ITEMS, 64.0, 1, "work-groups of 1"},
        {WORK_VALUES, 2048.0, 0, "2048 work-items"},
        {WORK_ITEMS, 64.0, 0, "64 work-items"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct verdict v = {.question = {.kind = cases[i].kind,
                                               .work = cases[i].work,
                                               .workgroup_size = cases[i].workgroup_size}};

        assert_string_equal(verdict_work(&v, text), cases[i].expected);
    }
}

/* 16 threads fit: from that many on it is full, from 8 on half full. */
static void test_scope(void **state)
{
    static const struct {
        double threads[2];
        unsigned cores, capacity;
        const char *expected;
    } cases[] = {
        {{16.0, 16.0}, 1, 16, "work-groups of 64, Xe-core full (16 of 16 threads)"},
        {{4.0, 15.0}, 1, 16, "work-groups of 64, Xe-core half full (4 to 15 of 16 threads)"},
        {{8.0, 4.0},
         2,
         16,
         "work-groups of 64, each of 2 Xe-cores half full (4 to 8 of 16 threads)"},
        {{7.0, 7.0}, 4, 16, "work-groups of 64, each of 4 Xe-cores nearly empty (7 of 16 threads)"},
        {{1.0, 1.0}, 1, 16, "work-groups of 64, Xe-core nearly empty (1 of 16 threads)"},
        {{1.0, 1.0}, 1, 0, "work-groups of 64, Xe-core (1 thread)"},
        {{2.0, 2.0}, 1, 0, "work-groups of 64, Xe-core (2 threads)"},
    };
    const struct verdict_candidate two[] = {candidate("a", "", 8, 10.0),
                                            candidate("b", "", 16, 20.0)};
    struct made m;

    (void)state;
    make(&m, two, 2, 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        m.verdict.question.cores = cases[i].cores;
        for (size_t c = 0; c < 2; c++) {
            m.candidate[c].occupancy.threads = cases[i].threads[c];
            m.candidate[c].occupancy.capacity = cases[i].capacity ? cases[i].capacity : NAN;
            m.row[c].threads_per_xe_core = cases[i].capacity;
        }
        assert_string_equal(verdict_scope(&m.verdict, text), cases[i].expected);
    }
    /* A model's candidates have no rows. */
    m.candidate[0].row = m.candidate[1].row = NULL;
    assert_string_equal(verdict_scope(&m.verdict, text), "work-groups of 64, Xe-core (2 threads)");
    assert_string_equal(verdict_asks(&m.verdict), "a latency");
}

/* The widest candidate says whether an Xe-core has enough to do; 8 lanes are 2 x 8 of 16 threads.
 */
static void test_asks(void **state)
{
    const struct verdict_candidate two[] = {candidate("a", "", 32, 10.0),
                                            candidate("b", "", 8, 20.0)};
    struct made m;

    (void)state;
    make(&m, two, 2, 1);
    assert_string_equal(verdict_asks(&m.verdict), "a throughput");
    assert_true(verdict_is_throughput(&m.verdict));
    m.verdict.count = 1;
    assert_string_equal(verdict_asks(&m.verdict), "a latency");
}

static void test_choice(void **state)
{
    const struct verdict_candidate two[] = {candidate("a", "", 8, 10.0),
                                            candidate("b", "", 16, 20.0)};
    struct made m;

    (void)state;
    make(&m, two, 2, 1);
    assert_string_equal(verdict_choice(&m.verdict, &m.candidate[1], text), "16 lanes, b");
    m.candidate[1].method = "slm";
    assert_string_equal(verdict_choice(&m.verdict, &m.candidate[1], text), "16 lanes, slm");
    m.candidate[1].method = "";
    strcpy(m.candidate[1].variant, "a");
    assert_string_equal(verdict_choice(&m.verdict, &m.candidate[1], text), "16 lanes");
    m.verdict.question.workgroup_size = 0;
    assert_string_equal(verdict_choice(&m.verdict, &m.candidate[1], text), "16 lanes, 8 x 64");
}

/* What wins: the sizes, once with the method that they share, else each with its own; and how many
 * more ways are as good. */
static void test_choices(void **state)
{
    const struct verdict_candidate all[] = {
        candidate("v", "slm", 16, 10.0), candidate("v", "slm", 32, 10.1),
        candidate("v", "slm", 8, 10.2), candidate("v", "function", 16, 10.3),
        candidate("v", "other", 8, 10.4)};
    const struct verdict_candidate own[] = {
        candidate("v", "slm", 16, 10.0), candidate("v", "function", 32, 10.1),
        candidate("v", "function", 16, 10.2), candidate("v", "slm", 8, 10.3)};
    struct made m;

    (void)state;
    make(&m, all, 5, 1);
    assert_string_equal(verdict_choices(&m.verdict, text), "16 lanes, slm");
    make(&m, all, 5, 2);
    assert_string_equal(verdict_choices(&m.verdict, text), "16 or 32 lanes, slm");
    make(&m, all, 5, 3);
    assert_string_equal(verdict_choices(&m.verdict, text), "16, 32 or 8 lanes, slm");
    make(&m, all, 5, 4);
    assert_string_equal(verdict_choices(&m.verdict, text),
                        "16, 32 or 8 lanes, slm (another way is as good)");
    make(&m, all, 5, 5);
    assert_string_equal(verdict_choices(&m.verdict, text),
                        "16, 32 or 8 lanes, slm (2 other ways are as good)");
    make(&m, own, 2, 2);
    assert_string_equal(verdict_choices(&m.verdict, text), "16 lanes, slm or 32 lanes, function");
    /* function wins at both sizes, slm is the best at one only. */
    make(&m, own, 3, 3);
    assert_string_equal(verdict_choices(&m.verdict, text),
                        "16 or 32 lanes, function (another way is as good)");
    make(&m, own, 4, 4);
    assert_string_equal(
        verdict_choices(&m.verdict, text),
        "16 lanes, slm, 32 lanes, function or 8 lanes, slm (another way is as good)");
}

/* Launches of different shapes are told where the work does not determine them. */
static void test_shapes(void **state)
{
    const struct verdict_candidate two[] = {candidate("v", "", 16, 10.0),
                                            candidate("v", "", 32, 10.1)};
    struct made m;

    (void)state;
    make(&m, two, 2, 2);
    m.verdict.question.workgroup_size = 0;
    assert_string_equal(verdict_choices(&m.verdict, text), "16 or 32 lanes");
    m.candidate[1].workgroup_count = 4;
    assert_string_equal(verdict_choices(&m.verdict, text), "16 lanes, 8 x 64 or 32 lanes, 4 x 64");
    m.candidate[1].workgroup_count = 8;
    m.candidate[1].workgroup_size = 128;
    assert_string_equal(verdict_choices(&m.verdict, text), "16 lanes, 8 x 64 or 32 lanes, 8 x 128");
    m.verdict.question.workgroup_size = 64;
    assert_string_equal(verdict_choices(&m.verdict, text), "16 or 32 lanes");
}

/* 10 ns for 4 units, at 2 GHz: 5 cycles each; of all 4 where the candidates do not agree on units.
 */
static void test_shown(void **state)
{
    const struct verdict_candidate two[] = {candidate("v", "", 16, 10.0),
                                            candidate("v", "", 32, 20.0)};
    struct made m;

    (void)state;
    make(&m, two, 2, 1);
    struct estimate e = verdict_shown(&m.verdict, &m.candidate[0]);
    assert_near(e.value, 5.0, 1e-12);
    assert_near(e.interval.low, 4.5, 1e-12);
    assert_near(e.interval.high, 5.5, 1e-12);
    assert_string_equal(verdict_cost(&m.verdict, &m.candidate[1], text), "10 cycles");
    m.row[1].work_units = 2.0;
    assert_string_equal(verdict_cost(&m.verdict, &m.candidate[1], text), "40 cycles");
    m.row[0].shown_in = TIME_NS;
    assert_string_equal(verdict_cost(&m.verdict, &m.candidate[1], text), "20 ns");
    m.candidate[1].is_free = true;
    assert_string_equal(verdict_cost(&m.verdict, &m.candidate[1], text), "free");
    m.verdict.question.kind = WORK_OPERATIONS;
    assert_string_equal(verdict_cost(&m.verdict, &m.candidate[0], text), "51.2 Gop/s");
    m.verdict.question.kind = WORK_BYTES;
    assert_string_equal(verdict_cost(&m.verdict, &m.candidate[0], text), "51.2 GB/s");
    e = verdict_shown(&m.verdict, &m.candidate[0]);
    assert_near(e.interval.low, 512.0 / 11.0, 1e-12);
    assert_near(e.interval.high, 512.0 / 9.0, 1e-12);
    m.candidate[0].cost.interval.low = 0.0;
    assert_true(isinf(verdict_shown(&m.verdict, &m.candidate[0]).interval.high));
    /* Of a model: as they are. */
    m.candidate[0].row = NULL;
    m.verdict.count = 1;
    m.verdict.question.kind = WORK_ITEMS;
    assert_string_equal(verdict_cost(&m.verdict, &m.candidate[0], text), "10 ns");
}

/* Of each size that lost the best, three at most. */
static void test_sentence(void **state)
{
    const struct verdict_candidate all[] = {
        candidate("v", "slm", 16, 10.0),     candidate("v", "function", 32, 20.0),
        candidate("v", "slm", 32, 22.0),     candidate("v", "function", 16, 30.0),
        candidate("v", "function", 8, 40.0), candidate("v", "slm", 64, 50.0)};
    struct made m;

    (void)state;
    make(&m, all, 6, 1);
    assert_string_equal(verdict_sentence(&m.verdict, text),
                        "16 lanes, slm: 5 cycles against 10 (32 lanes, function), 15 (16 lanes, "
                        "function), 20 (8 lanes, function); work-groups of 64, each of 4 Xe-cores "
                        "half full (1 to 8 of 16 threads)");
    make(&m, all, 2, 2);
    assert_string_equal(verdict_sentence(&m.verdict, text),
                        "16 lanes, slm or 32 lanes, function: 5 cycles, all alike; work-groups of "
                        "64, each of 4 Xe-cores nearly empty (2 to 4 of 16 threads)");
    make(&m, all, 1, 1);
    assert_string_equal(verdict_sentence(&m.verdict, text),
                        "16 lanes, slm: 5 cycles; work-groups of 64, each of 4 Xe-cores nearly "
                        "empty (4 of 16 threads)");
}

/* Two ladders of three amounts of work each: 16 lanes win first, 32 lanes at last. */
#define STEPS 3
static const unsigned work[STEPS] = {32, 64, 128};

static void make_ladders(struct made made[2 * STEPS], struct verdict verdicts[2 * STEPS])
{
    for (size_t i = 0; i < 2 * STEPS; i++) {
        bool is_narrow = i % STEPS < 2;
        const struct verdict_candidate two[] = {candidate("v", "", is_narrow ? 16 : 32, 10.0),
                                                candidate("v", "", is_narrow ? 32 : 16, 20.0)};

        make(&made[i], two, 2, 1);
        made[i].verdict.question.operation = i < STEPS ? "copy" : "fill";
        made[i].verdict.question.workgroup_size = work[i % STEPS];
        made[i].verdict.question.work = 8.0 * work[i % STEPS];
        verdicts[i] = made[i].verdict;
    }
}

static void test_borders(void **state)
{
    static struct made made[2 * STEPS];
    struct verdict verdict[2 * STEPS];
    const struct verdicts all = {verdict, 2 * STEPS};

    (void)state;
    make_ladders(made, verdict);
    for (size_t i = 0; i < 2 * STEPS; i++)
        assert_string_equal(verdict_borders(&all, &verdict[i], text),
                            i % STEPS < 2 ? "; 32 lanes from work-groups of 128 on"
                                          : "; 16 lanes up to work-groups of 64");
    /* Where the next winner was not tried before, or the last one no more, nothing is known. */
    verdict[1].count = 1;
    assert_string_equal(verdict_borders(&all, &verdict[0], text), "");
    assert_string_equal(verdict_borders(&all, &verdict[2], text), "");
    verdict[1].count = 2;
    verdict[2].count = 1;
    assert_string_equal(verdict_borders(&all, &verdict[0], text), "");
    assert_string_equal(verdict_borders(&all, &verdict[2], text), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title),    cmocka_unit_test(test_work),
        cmocka_unit_test(test_scope),    cmocka_unit_test(test_asks),
        cmocka_unit_test(test_choice),   cmocka_unit_test(test_choices),
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_shown),
        cmocka_unit_test(test_sentence), cmocka_unit_test(test_borders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
