/* Devices with drawn figures and drawn rules of the clock: the predictor knows what a sweep tells,
 * and has the usual rules. How many intervals hold the time that the device takes, and how wide are
 * they? Arguments: the kernels' module with sub-groups of 16 and of 32; the description that
 * figures are put into; and one of
 *     rules
 *     worlds STEP HELD UNDETERMINED WIDTH SEED...
 *     drawn STEP COUNT JOBS DOCUMENT
 *     default
 * `rules`: what each rule moves alone. `worlds`: one for each seed, and every STEPth launch; HELD %
 * of the intervals have to hold, no more than UNDETERMINED % may determine nothing, and the median
 * width be no more than WIDTH %. `drawn`: COUNT worlds of seeds drawn anew, in JOBS processes,
 * which have to reach what is wanted; their tables replace those in DOCUMENT. `default`: the device
 * as described, and the 24 known kernels with sub-groups of 16, after no more than the default
 * sweep. */
#include "test.h"

#include "base/stats.h"
#include "families/registry.h"
#include "foreign.h"
#include "predict/margin.h"
#include "process.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array)      (sizeof(array) / sizeof((array)[0]))

#define MOVED_LEAST       0.1
#define HELD_LEAST        0.9
#define WIDTH_MOST        0.3 /* median */
#define UNDETERMINED_MOST 0.08

/* Of the kernels with sub-groups of 16, once a default sweep is all that is known. */
#define UNDETERMINED_OF_KERNELS 2
#define MISSED_OF_KERNELS       2

/* An interval wider than this share of the time determines nothing. */
#define DETERMINED 1.0

enum {
    MOVED_KERNELS = 3,
    LANES_COUNT = 2,
    STATES = 2, /* fresh, repeated */
    LAUNCHES = LANES_COUNT * STATES,
    ORIGINS = 2, /* of a kernel: known while predictions were made; a newcomer */
    WORLDS_MOST = 64,
    RULES_MOST = 3,
    RULES_BYTES = 512
};

static struct kernel_module modules[LANES_COUNT]; /* of 16 lanes, of 32 */
static const char *base_path;

/* What can be altered, as a description says it with a number from `least` to `most`. The least
 * already moves these kernels. */
static const struct rule {
    const char *text;
    unsigned least, most;
    const char *moves[MOVED_KERNELS];
} rules[] = {
    {"bank_queue %u", 1, 4, {"gather", "atomics", "scatter"}},
    {"line_jitter %u", 150, 400, {"gather", "atomics", "reduction"}},
    {"pair_turn %u", 8, 12, {"product", "path_finder", "sort_local"}},
    {"barrier_square %u", 64, 200, {"scan", "sort_local", "path_finder"}},
};

/* Rows that a margin is learnt from, as the default sweep has them or fewer, besides what is
 * measured of any device. */
static const char *const held_out[][PLANTED_SWEEP_WORDS] = {
    {"transpose", "matmul", "grid_barrier", "divergence", "subgroup_map", "device_matrix",
     "--preset", "quick"},
    {"group_collective", "--axis", "subgroup_size=16"},
    {"transpose", "--axis", "subgroup_size=16", "--axis", "workgroup_size=4S", "--axis",
     "workgroup_count=32", "--axis", "side=512"},
    {"matmul", "--axis", "subgroup_size=16", "--axis", "workgroup_size=8S", "--axis",
     "workgroup_count=T/32", "--axis", "m=T", "--axis", "n=16", "--axis", "k=16"},
};

/* Predictions, and those of them whose interval determines anything. */
struct tally {
    size_t predicted, determined, held;
    double width[FOREIGN_COUNT * LAUNCHES * WORLDS_MOST]; /* of these */
};

struct world {
    uint64_t seed;
    bool is_done;
    char rules[RULES_BYTES];
    double shorter, longer; /* the margin of all rows; NaN: none */
    struct launches {
        size_t predicted, determined, held;
        double width[FOREIGN_COUNT];
    } of[ORIGINS][LAUNCHES];
};

/* In memory that processes share. */
static struct world *worlds;
static size_t world_count;

/* Adds what those of worlds[first] to worlds[first + count - 1] have that are done, of one kind of
 * launch or, for LAUNCHES, of all, and of kernels of one origin or, for ORIGINS, of all. */
static struct tally *tally_of(size_t first, size_t count, size_t origin, size_t launch)
{
    static struct tally tally;

    tally = (struct tally){0};
    for (size_t i = 0; i < count * ORIGINS * LAUNCHES; i++) {
        size_t own_origin = i / LAUNCHES % ORIGINS, own_launch = i % LAUNCHES;
        const struct world *world = &worlds[first + i / LAUNCHES / ORIGINS];
        const struct launches *own = &world->of[own_origin][own_launch];

        if (!world->is_done || (origin != ORIGINS && origin != own_origin) ||
            (launch != LAUNCHES && launch != own_launch))
            continue;
        for (size_t w = 0; w < own->determined; w++)
            tally.width[tally.determined++] = own->width[w];
        tally.predicted += own->predicted;
        tally.held += own->held;
    }
    return &tally;
}

static double median_width(struct tally *tally)
{
    return tally->determined ? stats_select_quantile(tally->width, tally->determined, 0.5) : NAN;
}

static size_t add_rule(char *text, size_t used, const struct rule *rule, unsigned value)
{
    char one[96];

    /* The table above has the formats. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(one, sizeof(one), rule->text, value);
#pragma GCC diagnostic pop
    return used + (size_t)snprintf(text + used, RULES_BYTES - used, "%s%s", used ? ", " : "", one);
}

/* One to RULES_MOST of the rules, in any combination. */
static void draw_rules(char *text, uint64_t seed)
{
    size_t order[COUNT(rules)], used = 0;
    struct prng prng;

    prng_seed(&prng, seed);
    prng_permutation(&prng, order, COUNT(rules));
    for (size_t i = 1 + prng_below(&prng, RULES_MOST); i > 0; i--) {
        const struct rule *rule = &rules[order[i - 1]];

        used = add_rule(text, used, rule,
                        rule->least + prng_below(&prng, rule->most - rule->least + 1));
    }
}

/* The predictor of a device that a description tells all about. */
static struct predictor *open_device(const char *name)
{
    struct model nothing;
    char path[256];

    snprintf(path, sizeof(path), "./%s.device", name);
    model_init(&nothing, &family_models);
    return foreign_predictor(&nothing, path);
}

static struct outcome time_kernel(struct predictor *device, const char *kernel)
{
    struct kernel_launch made;

    foreign_make(&made, &modules[0], device, foreign_request(kernel), NULL);
    struct outcome outcome = foreign_time(device, &made);
    kernel_launch_free(&made);
    return outcome;
}

/* Each rule alone moves some kernels, fresh or repeated. */
static void test_rules(void **state)
{
    (void)state;
    planted_describe("rules-usual", base_path, NULL, 0);
    struct predictor *usual = open_device("rules-usual");
    for (size_t r = 0; r < COUNT(rules); r++) {
        char text[RULES_BYTES];

        add_rule(text, 0, &rules[r], rules[r].least);
        planted_describe_rules("rules-altered", base_path, NULL, 0, text);
        struct predictor *altered = open_device("rules-altered");
        for (size_t i = 0; i < MOVED_KERNELS; i++) {
            struct outcome before = time_kernel(usual, rules[r].moves[i]);
            struct outcome after = time_kernel(altered, rules[r].moves[i]);
            double fresh = after.cold_cycles / before.cold_cycles - 1.0;
            double repeated = after.cycles / before.cycles - 1.0;

            print_message("| %s | %s | %+.0f %% | %+.0f %% |\n", text, rules[r].moves[i],
                          100.0 * fresh, 100.0 * repeated);
            assert_true(fmax(fabs(fresh), fabs(repeated)) >= MOVED_LEAST);
        }
        predictor_close(altered);
    }
    predictor_close(usual);
}

enum { WORLD_FILES = FOREIGN_SWEEPS + COUNT(held_out), FILE_BYTES = 96 };

/* The model that `vebench fit` makes of these results. */
static void fit_files(struct model *model, const char *name, char (*output)[FILE_BYTES],
                      size_t files)
{
    char path[96], log[96];
    char *argv[WORLD_FILES + 5] = {getenv("VEBENCH"), "fit"};
    struct error error;

    for (size_t i = 0; i < files; i++)
        argv[2 + i] = output[i];
    snprintf(path, sizeof(path), "%s.json", name);
    snprintf(log, sizeof(log), "%s-fit.log", name);
    remove(path); /* vebench does not write over a model */
    argv[files + 2] = "-o";
    argv[files + 3] = path;
    if (process_run(argv, NULL, log, log) != 0) {
        process_show_file(log);
        fail_msg("the fit of %s failed", name);
    }
    if (model_read(model, &family_models, path, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* The model of a sweep of the device. */
static void fit_world(struct model *model, const char *name)
{
    char output[WORLD_FILES][FILE_BYTES];

    for (size_t i = 0; i < WORLD_FILES; i++) {
        snprintf(output[i], sizeof(output[i]), "%s-%zu.csv", name, i);
        planted_sweep(name, output[i],
                      i < FOREIGN_SWEEPS ? foreign_sweeps[i] : held_out[i - FOREIGN_SWEEPS]);
    }
    fit_files(model, name, output, WORLD_FILES);
}

/* A prediction of launches of a kernel against what the device takes. */
static void hold_against(struct launches *launches, const struct prediction_interval *interval,
                         double truth, const char *kernel, size_t launch)
{
    double low = interval->low, high = interval->high;
    double width = (interval->high - interval->low) / interval->value;
    bool determined = interval->draws && width <= DETERMINED;
    bool held = low <= truth && truth <= high;

    print_message("%-16s %s %-8s time %9.0f predicted %9.0f (%9.0f to %9.0f) error %+6.1f %% width "
                  "%5.1f %%%s\n",
                  kernel, launch / STATES ? "32" : "16", launch % STATES ? "repeated" : "fresh",
                  truth, interval->value, low, high, 100.0 * (interval->value / truth - 1.0),
                  100.0 * width,
                  !determined ? ", not determined"
                  : held      ? ""
                              : ", NOT HELD");
    launches->predicted++;
    if (!determined)
        return;
    launches->width[launches->determined++] = width;
    launches->held += held;
}

static void predict_launch(struct world *world, size_t number, const struct model *model,
                           struct predictor *predictor, struct predictor *device)
{
    const struct predict_request *asked = &foreign_requests[number / LANES_COUNT];
    size_t lanes = number % LANES_COUNT, launch = lanes * STATES;
    struct launches *launches = world->of[number / LANES_COUNT >= FOREIGN_KNOWN];
    struct prediction_interval repeated, fresh;
    struct launch_sample sample;
    struct kernel_launch made;

    foreign_make(&made, &modules[lanes], predictor, asked, NULL);
    foreign_predict(predictor, &made, &sample, &repeated);
    sample_fresh(&sample, &repeated, &fresh);
    const struct outcome *predicted = &sample.outcome;
    margin_widen(model, predicted->part, predicted->part_count, &repeated, NULL);
    margin_widen(model, predicted->cold_part, predicted->cold_part_count, &fresh, NULL);
    struct outcome outcome = foreign_time(device, &made);
    hold_against(&launches[launch], &fresh, outcome.cold_cycles, asked->kernel, launch);
    hold_against(&launches[launch + 1], &repeated, outcome.cycles, asked->kernel, launch + 1);
    kernel_launch_free(&made);
}

/* "13 of 14 held, 6 not determined, median width 23 %" */
static void print_tally(struct tally *tally)
{
    print_message("%zu of %zu held, %zu not determined, median width %.0f %%\n", tally->held,
                  tally->determined, tally->predicted - tally->determined,
                  100.0 * median_width(tally));
}

/* Figures that the model does not say are possible, which may be why a launch is missed: wrong
 * ones, or those that take up an altered rule. */
static void print_wrong(const struct predictor *predictor, const struct predictor *device)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);

    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        const struct uncertain_figure *figure = uncertainty_of(uncertainty, i);
        double value = predictor_figure(predictor, i), truth = predictor_figure(device, i);
        double low = figure ? figure->low : value, high = figure ? figure->high : value;

        if (truth < floor(low) || truth > ceil(high))
            print_message("%s is %.0f, not %.0f (%.0f to %.0f)\n", vesim_figures[i].name, truth,
                          value, low, high);
    }
}

/* Every `step`th launch; which, the seed says. */
static void try_world(struct world *world, uint64_t seed, size_t step)
{
    struct planted_figure figures[VESIM_FIGURE_COUNT];
    struct model model;
    char name[64];

    world->seed = seed;
    snprintf(name, sizeof(name), "world-%" PRIu64, seed);
    draw_rules(world->rules, seed);
    planted_describe_rules(name, base_path, figures, foreign_draw(figures, base_path, seed),
                           world->rules);
    print_message("world %" PRIu64 ": %s\n", seed, world->rules);
    fit_world(&model, name);
    struct predictor *predictor = foreign_predictor(&model, base_path);
    struct predictor *device = open_device(name);
    print_wrong(predictor, device);
    for (size_t i = seed % step; i < FOREIGN_COUNT * LANES_COUNT; i += step)
        predict_launch(world, i, &model, predictor, device);
    predictor_close(device);
    predictor_close(predictor);
    world->shorter = model.margin_count ? model.margin[0].shorter : NAN;
    world->longer = model.margin_count ? model.margin[0].longer : NAN;
    world->is_done = true;
    model_free(&model);
}

static void check_all(double held_least, double undetermined_most, double width_most)
{
    struct tally *all = tally_of(0, world_count, ORIGINS, LAUNCHES);

    print_tally(all);
    assert_true((double)(all->predicted - all->determined) <=
                undetermined_most * (double)all->predicted);
    assert_true((double)all->held >= held_least * (double)all->determined);
    assert_true(median_width(all) <= width_most);
}

static void test_worlds(void **state)
{
    char **arguments = (char **)*state;
    size_t step = strtoull(arguments[0], NULL, 10);

    assert_true(step > 0);
    for (char **seed = arguments + 4; *seed && world_count < WORLDS_MOST; seed++) {
        try_world(&worlds[world_count++], strtoull(*seed, NULL, 10), step);
        print_tally(tally_of(world_count - 1, 1, ORIGINS, LAUNCHES));
    }
    check_all(atof(arguments[1]) / 100.0, atof(arguments[2]) / 100.0, atof(arguments[3]) / 100.0);
}

static void put_tally(FILE *out, struct tally *tally)
{
    fprintf(out, "%zu of %zu | %zu | ", tally->held, tally->determined,
            tally->predicted - tally->determined);
    if (tally->determined)
        fprintf(out, "%.0f %% |", 100.0 * median_width(tally));
    else
        fprintf(out, "- |");
}

static void put_worlds(FILE *out)
{
    fprintf(out, "| world | altered rules | margin | inside | not determined | median width |\n"
                 "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < world_count; i++) {
        if (!worlds[i].is_done)
            continue;
        fprintf(out, "| %" PRIu64 " | %s | -%.0f to +%.0f %% | ", worlds[i].seed, worlds[i].rules,
                100.0 * (1.0 - 1.0 / worlds[i].shorter), 100.0 * (worlds[i].longer - 1.0));
        put_tally(out, tally_of(i, 1, ORIGINS, LAUNCHES));
        fputc('\n', out);
    }
}

static void put_launches(FILE *out)
{
    static const char *const names[LAUNCHES + 1] = {"16 lanes, fresh", "16 lanes, repeated",
                                                    "32 lanes, fresh", "32 lanes, repeated", "all"};
    static const char *const origins[ORIGINS] = {"of the 24 kernels", "of the ten newcomers"};

    fprintf(out, "| launches | inside | not determined | median width |\n|---|---|---|---|\n");
    for (size_t i = 0; i <= LAUNCHES; i++) {
        fprintf(out, "| %s | ", names[i]);
        put_tally(out, tally_of(0, world_count, ORIGINS, i));
        fputc('\n', out);
    }
    for (size_t i = 0; i < ORIGINS; i++) {
        fprintf(out, "| %s | ", origins[i]);
        put_tally(out, tally_of(0, world_count, i, LAUNCHES));
        fputc('\n', out);
    }
}

/* One world, in a process of its own. */
static void begin_world(struct world *world, size_t step)
{
    pid_t child = fork();

    assert_true(child >= 0);
    if (child)
        return;
    try_world(world, world->seed, step);
    _exit(0);
}

static void write_tables(const char *document)
{
    foreign_replace_table(document, "| world | altered", put_worlds);
    foreign_replace_table(document, "| launches | inside", put_launches);
}

/* The document has the tables of the worlds that are done so far, however the program ends. */
static void test_drawn(void **state)
{
    char **arguments = (char **)*state;
    size_t step = strtoull(arguments[0], NULL, 10), jobs = strtoull(arguments[2], NULL, 10);
    size_t begun = 0;
    struct prng prng;

    world_count = strtoull(arguments[1], NULL, 10);
    assert_true(step > 0 && jobs > 0 && world_count > 0 && world_count <= WORLDS_MOST);
    prng_seed(&prng, (uint64_t)time(NULL));
    for (size_t i = 0; i < world_count; i++)
        worlds[i].seed = prng_below(&prng, 1000000);
    while (begun < world_count && begun < jobs)
        begin_world(&worlds[begun++], step);
    while (wait(NULL) > 0) {
        write_tables(arguments[3]);
        if (begun < world_count)
            begin_world(&worlds[begun++], step);
    }
    for (size_t i = 0; i < world_count; i++)
        assert_true(worlds[i].is_done);
    check_all(HELD_LEAST, UNDETERMINED_MOST, WIDTH_MOST);
}

static void test_default(void **state)
{
    static const char *const sweep[] = {"--preset", "default", NULL};
    const char *name = "world-default";
    char output[1][FILE_BYTES] = {"world-default.csv"};
    struct model model;

    (void)state;
    planted_describe(name, base_path, NULL, 0);
    planted_sweep(name, output[0], sweep);
    fit_files(&model, name, output, 1);
    struct predictor *predictor = foreign_predictor(&model, base_path);
    struct predictor *device = open_device(name);
    for (size_t i = 0; i < FOREIGN_KNOWN * LANES_COUNT; i += LANES_COUNT)
        predict_launch(&worlds[0], i, &model, predictor, device);
    world_count = 1;
    worlds[0].is_done = true;
    for (size_t launch = 0; launch < STATES; launch++) {
        struct tally *tally = tally_of(0, 1, ORIGINS, launch);

        print_tally(tally);
        assert_int_equal(tally->predicted, FOREIGN_KNOWN);
        assert_true(tally->predicted - tally->determined <= UNDETERMINED_OF_KERNELS);
        assert_true(tally->determined - tally->held <= MISSED_OF_KERNELS);
        assert_true(median_width(tally) <= WIDTH_MOST);
    }
    predictor_close(device);
    predictor_close(predictor);
    model_free(&model);
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        int arguments; /* at least */
        struct CMUnitTest test;
    } modes[] = {
        {"rules", 0, cmocka_unit_test(test_rules)},
        {"worlds", 5, cmocka_unit_test_prestate(test_worlds, argv + 5)},
        {"drawn", 4, cmocka_unit_test_prestate(test_drawn, argv + 5)},
        {"default", 0, cmocka_unit_test(test_default)},
    };
    int status = 2;

    if (argc < 5)
        return status;
    modules[0] = foreign_module(argv[1]);
    modules[1] = foreign_module(argv[2]);
    base_path = argv[3];
    worlds = mmap(NULL, WORLDS_MOST * sizeof(*worlds), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (worlds == MAP_FAILED)
        return status;
    for (size_t i = 0; i < COUNT(modes); i++) {
        const struct CMUnitTest tests[] = {modes[i].test};

        if (strcmp(argv[4], modes[i].name) == 0 && argc - 5 >= modes[i].arguments)
            status = cmocka_run_group_tests(tests, NULL, NULL);
    }
    free(modules[0].spirv);
    free(modules[1].spirv);
    return status;
}
