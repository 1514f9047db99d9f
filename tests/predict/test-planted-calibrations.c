/* A device whose dispatcher gives an Xe-core some work-groups in a row, and whose engines have a
 * way of taking turns; one whose banks of the L3, of which there may be few, lose time between
 * loads and stores; one whose shared local memory does, and whose load/store unit loses time
 * between engines; one whose first level has so many ways; one whose memory loses time for lines in
 * no order; one that waits for so many misses at once; one whose L3 may fetch what is stored; one
 * that gathers so many lines before it writes them; one that takes some time to fetch code; and one
 * that gives a work-group's room to others some time after its end, all drawn: no parameter of a
 * model says that, but rows do, as they are predicted by machine code. Argument: the description
 * that the figures are put into, which assumes ranges. */
#include "predictor-of.h"

#include "model/fit.h"
#include "planted.h"
#include "predict/calibrate.h"

#include <time.h>

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

/* Loads and stores of the whole device that alternate at the banks of the L3. */
static const char *const alternating[] = {"device_bandwidth",
                                          "--variant",
                                          "copy",
                                          "--variant",
                                          "triad",
                                          "--axis",
                                          "subgroup_size=16",
                                          "--axis",
                                          "workgroup_size=32S",
                                          "--axis",
                                          "workgroup_count=C",
                                          "--axis",
                                          "working_set=7L/8",
                                          NULL};

/* Stores alone, which tell of the banks. */
static const char *const stores[] = {"device_bandwidth", "--variant", "write",           "--axis",
                                     "subgroup_size=16", "--axis",    "working_set=L/2", NULL};

/* And loads, for an L3 that passes on all stores; by all Xe-cores and by one. */
static const char *const by_one[] = {"device_bandwidth",
                                     "--variant",
                                     "read",
                                     "--variant",
                                     "write",
                                     "--axis",
                                     "subgroup_size=16",
                                     "--axis",
                                     "workgroup_size=64S",
                                     "--axis",
                                     "workgroup_count=1,T/64",
                                     "--axis",
                                     "working_set=L/2",
                                     NULL};

/* Messages to shared local memory from all engines of an Xe-core: of one kind, and in turn. */
static const char *const to_slm[] = {"slm",
                                     "--variant",
                                     "load",
                                     "--variant",
                                     "store",
                                     "--variant",
                                     "load_x4",
                                     "--axis",
                                     "subgroup_size=16",
                                     "--axis",
                                     "stride=1,8,16,32",
                                     "--axis",
                                     "workgroup_size=4S,64S",
                                     NULL};
static const char *const through_slm[] = {
    "exchange",           "--variant", "shuffle_u32_slm",  "--variant",
    "pairs_u32_slm",      "--variant", "up_u32_slm",       "--variant",
    "reverse_u32_slm",    "--axis",    "subgroup_size=16", "--axis",
    "workgroup_size=64S", NULL};

/* Lines of memory in no order, more at once than it reads meanwhile. */
static const char *const scattered[] = {
    "latency",           "--variant", "global_divergent",       "--axis",
    "subgroup_size=16",  "--axis",    "workgroup_size=128,256", "--axis",
    "workgroup_count=C", "--axis",    "working_set=16L",        "--axis",
    "stride=320",        NULL};

/* Lines that the first level has in one set. */
static const char *const in_a_set[] = {"latency",
                                       "--variant",
                                       "global_one_lane",
                                       "--axis",
                                       "subgroup_size=16",
                                       "--axis",
                                       "stride=65536",
                                       "--axis",
                                       "working_set=320K,576K,1088K",
                                       NULL};

/* Atomics of all Xe-cores, each on an element of its own. */
static const char *const each_own[] = {
    "atomics",   "--variant", "global_add_u32",        "--axis", "subgroup_size=16",  "--axis",
    "sharers=1", "--axis",    "workgroup_size=8S,16S", "--axis", "workgroup_count=C", NULL};

/* What the L3 fetches ahead, which would be taken for it. */
static const char *const steps_up[] = {"latency",          "--variant", "global_uniform", "--axis",
                                       "subgroup_size=16", "--axis",    "working_set=2L", "--axis",
                                       "jump=1,2,4,16",    NULL};

/* Code that is executed once. */
static const char *const straight[] = {
    "launch", "--variant",         "code_first", "--axis", "workgroup_size=S,32S",
    "--axis", "workgroup_count=1", NULL};

/* Work-groups that end at once. */
static const char *const ending[] = {"launch",
                                     "--variant",
                                     "dispatch",
                                     "--axis",
                                     "subgroup_size=16",
                                     "--axis",
                                     "workgroup_size=S,16S,32S",
                                     NULL};

static const struct calibration *find(const struct model *model,
                                      const struct planted_figure *figure)
{
    const struct calibration *found = calibration_of(model, figure->name);

    assert_non_null(found);
    print_message("%s: found %g (%g to %g)\n", figure->name, found->value, found->interval.low,
                  found->interval.high);
    return found;
}

/* A figure of few values is found exactly. */
static void check_exact(const struct model *model, const struct planted_figure *figure)
{
    const struct calibration *found = find(model, figure);

    assert_near(found->value, figure->value, 1e-6);
    assert_near(found->interval.low, figure->value, 1e-6);
    assert_near(found->interval.high, figure->value, 1e-6);
}

static void assert_holds(double low, double high, const struct planted_figure *figure)
{
    assert_true(low <= figure->value && figure->value <= high);
}

/* A figure of many values is found within so many units, and the interval, twice as wide at most,
 * has it. */
static void check_within(const struct model *model, const struct planted_figure *figure,
                         double units)
{
    const struct calibration *found = find(model, figure);

    assert_near(found->value, figure->value, units);
    assert_holds(found->interval.low, found->interval.high, figure);
    assert_true(found->interval.high - found->interval.low <= 2.0 * units);
}

/* Loads of an Xe-core, which tell how many misses it waits for at once. */
static const char *const one_core[] = {"memory_32",
                                       "--variant",
                                       "*_vec4",
                                       "--axis",
                                       "subgroup_size=16",
                                       "--axis",
                                       "workgroup_size=128,256,512",
                                       "--axis",
                                       "stride=1",
                                       NULL};

/* The same from a set that the L3 does not hold, and one that it does. */
static const char *const from_memory[] = {"memory_32",
                                          "--variant",
                                          "load_vec4",
                                          "--axis",
                                          "subgroup_size=16",
                                          "--axis",
                                          "workgroup_size=512,1024",
                                          "--axis",
                                          "working_set=512K,6M",
                                          "--axis",
                                          "stride=1",
                                          NULL};

/* Which lines give way in the L3, and what its lines and those of memory take. */
static const char *const levels[] = {"latency",
                                     "--variant",
                                     "global_uniform",
                                     "--axis",
                                     "subgroup_size=16",
                                     "--axis",
                                     "working_set=16K,32K,256K,512K,1M,2M,6M,16M,24M",
                                     NULL};

/* Stores to a set that the L3 does not hold, by a thread on each Xe-core. */
static const char *const beyond[] = {"device_bandwidth", "--variant",        "write",
                                     "--axis",           "subgroup_size=16", "--axis",
                                     "workgroup_size=S", "--axis",           "workgroup_count=C",
                                     "--axis",           "working_set=2L",   NULL};

/* Copies of a set that the L3 does not hold, by the whole device. */
static const char *const copies[] = {"device_bandwidth", "--variant",      "copy",
                                     "--variant",        "triad",          "--axis",
                                     "subgroup_size=16", "--axis",         "workgroup_count=T/16",
                                     "--axis",           "working_set=8L", NULL};

enum { SWEEPS_MOST = 3 };

static void calibrate(struct model *model, const struct records *records)
{
    struct predictor *predictor = predictor_of(model, base_path);

    figures_calibrate(model, predictor, records);
    predictor_close(predictor);
}

/* The calibrations of a device of this name, after a sweep and, unless they are NULL, two more,
 * whose records the caller frees. */
static void calibrate_described(struct model *model, struct records *records, const char *name,
                                const char *const *first, const char *const *second,
                                const char *const *third)
{
    const char *const *sweeps[SWEEPS_MOST] = {first, second, third};
    char output[SWEEPS_MOST][64];
    const char *paths[SWEEPS_MOST];
    struct error error;
    size_t files = 0;

    for (; files < SWEEPS_MOST && sweeps[files]; files++) {
        snprintf(output[files], sizeof(output[files]), "%s-%zu.csv", name, files);
        planted_sweep(name, output[files], sweeps[files]);
        paths[files] = output[files];
    }
    if (records_read(records, paths, files, &error) != STATUS_OK ||
        fit_model(model, &family_models, records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    calibrate(model, records);
}

/* The same of a device with these figures. */
static void calibrate_swept(struct model *model, struct records *records, const char *name,
                            const struct planted_figure *figures, size_t count,
                            const char *const *first, const char *const *second,
                            const char *const *third)
{
    planted_describe(name, base_path, figures, count);
    calibrate_described(model, records, name, first, second, third);
}

static void test_batch(void **state)
{
    struct planted_figure figures[] = {{"group_batch", 0, 4, 0}, {"issue_lowest", 0, 1, 0}};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(figures, 2, (uint64_t)time(NULL));
    figures[0].value = 1u << figures[0].value;
    print_message("batches of %u, the lowest slot first: %u\n", figures[0].value, figures[1].value);
    calibrate_swept(&model, &records, "planted-batch", figures, 2, sweep, NULL, NULL);
    check_exact(&model, &figures[0]);
    check_exact(&model, &figures[1]);
    model_free(&model);
    records_free(&records);
}

/* Where the banks lose much, whole loops may be faster at their end than at their begin, as threads
 * come to take turns in another way. Such rows are unreliable, and tell nothing. */
static void check_turns(const struct model *model, const struct records *records,
                        const struct planted_figure *turns)
{
    size_t reliable = 0;

    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->record[i];

        reliable += record->usable &&
                    (!strcmp(record->variant, "copy") || !strcmp(record->variant, "triad"));
    }
    if (reliable) {
        check_within(model, turns, 2.0);
        return;
    }
    print_message("%s: no reliable row\n", turns->name);
    assert_null(calibration_of(model, turns->name));
}

static void test_turns(void **state)
{
    struct planted_figure figures[] = {{"l3_turn_interval", 0, 10, 0}, {"l3_banks", 2, 3, 0}};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(figures, 2, (uint64_t)time(NULL));
    figures[1].value = 1u << figures[1].value;
    print_message("%u banks that lose %u cycles\n", figures[1].value, figures[0].value);
    calibrate_swept(&model, &records, "planted-turns", figures, 2, alternating, stores, NULL);
    check_turns(&model, &records, &figures[0]);
    model_free(&model);
    records_free(&records);
}

/* More banks than 4 are not told by loads: the Xe-cores ask for no more than 8 lines a cycle. */
static void test_turns_behind_memory(void **state)
{
    struct planted_figure figures[] = {
        {"l3_turn_interval", 0, 10, 0}, {"l3_banks", 4, 4, 0}, {"l3_write_through", 1, 1, 0}};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(figures, 3, (uint64_t)time(NULL));
    print_message("banks lose %u cycles and pass on stores\n", figures[0].value);
    calibrate_swept(&model, &records, "planted-passing", figures, 3, alternating, by_one, levels);
    check_exact(&model, &figures[1]);
    check_turns(&model, &records, &figures[0]);
    model_free(&model);
    records_free(&records);
}

/* The time is a staircase over what is lost between engines, as whole cycles are: of values that
 * come to the same, any may be found. */
#define ENGINE_STEP 16.0

static void test_messages(void **state)
{
    struct planted_figure engines = {"l1_engine_turn", 0, 100, 0};
    struct planted_figure turns = {"slm_turn_interval", 0, 6, 0};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(&engines, 1, (uint64_t)time(NULL));
    print_message("%u %% of a cycle between engines\n", engines.value);
    calibrate_swept(&model, &records, "planted-engines", &engines, 1, to_slm, through_slm, NULL);
    assert_near(find(&model, &engines)->value, engines.value, ENGINE_STEP);
    model_free(&model);
    records_free(&records);

    planted_draw(&turns, 1, (uint64_t)time(NULL));
    print_message("%u cycles between loads and stores\n", turns.value);
    calibrate_swept(&model, &records, "planted-messages", &turns, 1, to_slm, through_slm, NULL);
    check_exact(&model, &turns);
    model_free(&model);
    records_free(&records);
}

/* Where each pair of engines sends a message every so many cycles, short messages wait as they
 * would if the load/store unit lost time between engines. Long ones do not, so it loses none; and
 * what short ones say is in the interval. */
static void test_pairs(void **state)
{
    struct planted_figure turn = {"pair_turn", 8, 12, 0};
    struct records records;
    struct model model;
    char rules[64];

    (void)state;
    planted_draw(&turn, 1, (uint64_t)time(NULL));
    snprintf(rules, sizeof(rules), "%s %u", turn.name, turn.value);
    print_message("%s\n", rules);
    planted_describe_rules("planted-pairs", base_path, NULL, 0, rules);
    calibrate_described(&model, &records, "planted-pairs", to_slm, NULL, NULL);
    const struct planted_figure none = {"l1_engine_turn", 0, 0, 0};
    const struct calibration *found = find(&model, &none);
    assert_true(found->value <= ENGINE_STEP);
    assert_true(found->interval.low <= ENGINE_STEP && found->interval.high >= 2.0 * ENGINE_STEP);
    model_free(&model);
    records_free(&records);
}

/* A power of two from `least` on, in place of a drawn exponent. */
static void draw_doubled(struct planted_figure *figure, unsigned least)
{
    planted_draw(figure, 1, (uint64_t)time(NULL));
    figure->value = least << figure->value;
}

/* 3,072 lines, of which so many ways make a power of two of sets. That they are so many lines,
 * others tell. */
static void test_ways(void **state)
{
    struct planted_figure ways = {"l1_ways", 0, 2, 0};
    struct records records;
    struct model model;

    (void)state;
    draw_doubled(&ways, 6);
    print_message("%u ways\n", ways.value);
    calibrate_swept(&model, &records, "planted-ways", &ways, 1, in_a_set, levels, NULL);
    check_exact(&model, &ways);
    model_free(&model);
    records_free(&records);
}

/* Loads and stores of 8 Xe-cores, a line a cycle each, tell no more than 8 banks. */
static void test_banks(void **state)
{
    struct planted_figure banks = {"l3_banks", 0, 2, 0};
    struct records records;
    struct model model;

    (void)state;
    draw_doubled(&banks, 4);
    print_message("%u banks\n", banks.value);
    calibrate_swept(&model, &records, "planted-banks", &banks, 1, each_own, NULL, NULL);
    struct predictor *predictor = predictor_of(&model, base_path);
    assert_near(predictor_figure(predictor, VESIM_FIGURE_l3_banks), banks.value, 1e-6);
    assert_null(uncertainty_of(predictor_uncertainty(predictor), VESIM_FIGURE_l3_banks));
    predictor_close(predictor);
    model_free(&model);
    records_free(&records);
}

static void test_rows(void **state)
{
    struct planted_figure figures[] = {{"memory_row_miss", 0, 150, 0}, {"l1_mshrs", 128, 512, 0}};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(figures, 2, (uint64_t)time(NULL));
    print_message("lines that take %u %% longer, %u misses\n", figures[0].value, figures[1].value);
    calibrate_swept(&model, &records, "planted-rows", figures, 2, scattered, steps_up, one_core);
    check_within(&model, &figures[0], 20.0);

    /* No value explains a row that takes half as long again as the other one says: another rule is
     * at work, of which the figure knows nothing. */
    struct record *row = records.record;
    while (row->workgroup_count == 1)
        row++;
    row->loop_ns *= 1.5;
    calibrate(&model, &records);
    assert_null(calibration_of(&model, figures[0].name));
    model_free(&model);
    records_free(&records);
}

/* Where lines of the L3 give way at random, loads wait for some lines of memory and for some of the
 * L3, and no equation says how many misses an Xe-core has at once. */
static void test_misses(void **state)
{
    struct planted_figure figures[] = {{"l1_mshrs", 160, 480, 0}, {"l3_random", 30, 90, 0}};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(figures, 2, (uint64_t)time(NULL));
    print_message("%u misses, %u %% of lines give way at random\n", figures[0].value,
                  figures[1].value);
    calibrate_swept(&model, &records, "planted-misses", figures, 2, from_memory, levels, one_core);
    if (calibration_of(&model, figures[0].name)) {
        check_within(&model, &figures[0], 0.15 * figures[0].value);
    } else { /* few of them hold up loads from the L3 as well, and an equation says how many */
        struct predictor *predictor = predictor_of(&model, base_path);
        double found = predictor_figure(predictor, VESIM_FIGURE_l1_mshrs);

        print_message("%s: measured %g\n", figures[0].name, found);
        assert_near(found, figures[0].value, 0.15 * figures[0].value);
        predictor_close(predictor);
    }
    model_free(&model);
    records_free(&records);
}

/* Few of them hold up loads of the L3, by one Xe-core and by all of them. */
static void test_misses_of_all(void **state)
{
    struct planted_figure figure = {"l1_mshrs", 64, 150, 0};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(&figure, 1, (uint64_t)time(NULL));
    print_message("%u misses\n", figure.value);
    calibrate_swept(&model, &records, "planted-loads", &figure, 1, by_one, levels, one_core);
    const struct calibration *found = find(&model, &figure);
    assert_near(found->value, figure.value, 0.15 * figure.value);
    assert_holds(found->interval.low, found->interval.high, &figure);
    model_free(&model);
    records_free(&records);
}

/* By hand, of an A380: an Xe-core has room for four work-groups of 32 threads. Each takes until its
 * threads have started, the last has ended, and its room is free. */
static void test_room(void **state)
{
    struct planted_figure figures[] = {{"group_retire_latency", 100, 1000, 0},
                                       {"thread_dispatch_interval", 2, 12, 0}};
    const struct planted_figure *room = &figures[0], *threads = &figures[1];
    struct records records;
    struct model model;

    (void)state;
    planted_draw(figures, 2, (uint64_t)time(NULL));
    print_message("room is free after %u cycles, a thread starts each %u\n", room->value,
                  threads->value);
    calibrate_swept(&model, &records, "planted-room", figures, 2, ending, NULL, NULL);
    struct predictor *predictor = predictor_of(&model, base_path);
    const struct uncertain_figure *start =
        uncertainty_of(predictor_uncertainty(predictor), VESIM_FIGURE_thread_dispatch_interval);
    double exact = predictor_figure(predictor, VESIM_FIGURE_thread_dispatch_interval);
    assert_holds(start ? start->low : exact, start ? start->high : exact, threads);
    const struct calibration *found = calibration_of(&model, room->name);
    bool is_held_up = 32 * threads->value + 50 + room->value > 4 * 32 * threads->value;
    assert_true(found || !is_held_up);
    if (found)
        assert_holds(found->interval.low, found->interval.high, room);
    if (!is_held_up && threads->value <= 5) /* then it is not as long as it may be */
        assert_true(found && found->interval.high < 1000.0);
    predictor_close(predictor);
    model_free(&model);
    records_free(&records);
}

/* What other figures of memory may be is in the interval. */
static void test_writes(void **state)
{
    struct planted_figure figure = {"memory_write_queue", 64, 600, 0};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(&figure, 1, (uint64_t)time(NULL));
    print_message("%u lines wait to be written\n", figure.value);
    calibrate_swept(&model, &records, "planted-writes", &figure, 1, copies, NULL, NULL);
    const struct calibration *found = find(&model, &figure);
    assert_near(found->value, figure.value, 0.15 * figure.value);
    assert_holds(found->interval.low, found->interval.high, &figure);
    model_free(&model);
    records_free(&records);
}

static void test_stores(void **state)
{
    struct planted_figure figures[] = {{"l3_store_fetch", 0, 1, 0}, {"l3_prefetch_lines", 0, 7, 0}};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(figures, 2, (uint64_t)time(NULL));
    if (figures[1].value > 4) /* as often none as any: equations may tell then, too */
        figures[1].value = 0;
    print_message("stores that fetch their lines: %u, %u lines ahead\n", figures[0].value,
                  figures[1].value);
    calibrate_swept(&model, &records, "planted-stores", figures, 2, steps_up, beyond, scattered);
    check_exact(&model, &figures[0]);
    model_free(&model);
    records_free(&records);
}

static void test_code(void **state)
{
    struct planted_figure figure = {"instruction_miss", 110, 390, 0};
    struct records records;
    struct model model;

    (void)state;
    planted_draw(&figure, 1, (uint64_t)time(NULL));
    print_message("%u cycles for a line of code\n", figure.value);
    calibrate_swept(&model, &records, "planted-code", &figure, 1, straight, NULL, NULL);
    check_within(&model, &figure, 0.1 * figure.value);

    /* Where a driver submits lists past Linux, nothing empties the instruction caches, and the rows
     * are of code that is there: no value explains that. */
    for (size_t i = 0; i < records.count; i++)
        records.record[i].loop_ns *= 0.27;
    calibrate(&model, &records);
    assert_null(calibration_of(&model, figure.name));
    model_free(&model);
    records_free(&records);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batch),
                                       cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_turns_behind_memory),
                                       cmocka_unit_test(test_messages),
                                       cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_ways),
                                       cmocka_unit_test(test_banks),
                                       cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_misses),
                                       cmocka_unit_test(test_misses_of_all),
                                       cmocka_unit_test(test_room),
                                       cmocka_unit_test(test_stores),
                                       cmocka_unit_test(test_writes),
                                       cmocka_unit_test(test_code)};

    if (argc != 2)
        return 2;
    base_path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
