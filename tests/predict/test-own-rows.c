/* Rows of a kernel of the user's correct predictions of it at other sizes. On devices whose figures
 * differ from those of the model, which does not know it, the kernel is measured at some sizes and
 * predicted at others: there vesim's time is the truth. Arguments: the kernel's module, a
 * description, and results of the device that the model knows. */
#include "test.h"

#include "csv-file.h"
#include "planted.h"
#include "predict/neighbours.h"
#include "process.h"
#include "spirv/spirv-file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MODEL        "own-rows-model.json"
#define FITTED       "own-rows-fitted.json"
#define OTHER        "own-rows-other.spv"
#define SAID         "own-rows-said.txt"
#define WORDS_MOST   48

static const char *module_path, *base_path, *results_path;

struct launch {
    const char *global, *local;
    unsigned lanes;
};

static const struct launch measured[] = {
    {"1024", "128", 16}, {"2048", "128", 16}, {"4096", "128", 16}};
static const struct launch others[] = {{"4096", "64", 16},
                                       {"8192", "128", 16},
                                       {"512", "64", 16},
                                       {"16384", "256", 16},
                                       {"2048", "64", 8}};

/* Appends words up to a NULL. */
static void append(char **argv, const char *const *words)
{
    size_t count = 0;

    while (argv[count])
        count++;
    for (; *words; words++) {
        assert_true(count + 1 < WORDS_MOST);
        argv[count++] = (char *)(uintptr_t)*words;
    }
}

#define APPEND(argv, ...) append(argv, (const char *const[]){__VA_ARGS__, NULL})

static void append_launch(char **argv, const struct launch *launch)
{
    APPEND(argv, "--kernel", "n_body", "--global", launch->global, "--local", launch->local,
           "--arg", "0=256K", "--arg", "1=256K", "--arg", "2=512", "--buffer", "0=float:6");
}

static void run(char **argv)
{
    if (process_run(argv, NULL, SAID, SAID) != 0) {
        process_show_file(SAID);
        fail_msg("%s %s failed", argv[0], argv[1]);
    }
}

/* Measures the launch on the device; returns its time, ns. */
static double measure(const char *device, const struct launch *launch, const char *rows)
{
    char *argv[WORDS_MOST] = {NULL}, lanes[16];
    struct csv_file csv;

    snprintf(lanes, sizeof(lanes), "%u", launch->lanes);
    APPEND(argv, getenv("VEBENCH"), "kernel", module_path, "--sizes", lanes, "--emulate", device,
           "-f", "-o", rows);
    append_launch(argv, launch);
    run(argv);
    assert_int_equal(csv_file_load(&csv, rows), 0);
    double ns = strtod(csv_file_field(&csv, 0, "value"), NULL);
    csv_file_free(&csv);
    return ns;
}

static const char *rows_name(char name[32], size_t index)
{
    snprintf(name, 32, "own-rows-%zu.csv", index);
    return name;
}

/* Predicts the launch by a model, with the first `count` files of rows. */
static struct prediction_interval predict_by(const char *model, const char *module,
                                             const struct launch *launch, size_t count)
{
    char *argv[WORDS_MOST] = {NULL}, names[COUNT(measured)][32], unit[8], lanes[16];
    struct prediction_interval interval;

    snprintf(lanes, sizeof(lanes), "%u", launch->lanes);
    APPEND(argv, getenv("VEBENCH"), "predict", model, "--spirv", module, "--sizes", lanes);
    append_launch(argv, launch);
    for (size_t i = 0; i < count; i++)
        APPEND(argv, "--rows", rows_name(names[i], i));
    run(argv);
    char *text = process_read_file(SAID);
    assert_non_null(text);
    const char *line = strstr(text, "\nn_body:");
    assert_non_null(line);
    assert_int_equal(sscanf(line, " n_body: %lf %7s (%lf to %lf)", &interval.value, unit,
                            &interval.low, &interval.high),
                     4);
    double ns = !strcmp(unit, "us") ? 1e3 : !strcmp(unit, "ms") ? 1e6 : 1.0;
    interval.value *= ns;
    interval.low *= ns;
    interval.high *= ns;
    free(text);
    return interval;
}

static struct prediction_interval predict(const char *module, const struct launch *launch,
                                          size_t count)
{
    return predict_by(MODEL, module, launch, count);
}

static void assert_says(const char *text)
{
    if (!process_file_says(SAID, text)) {
        process_show_file(SAID);
        fail_msg("it does not say '%s'", text);
    }
}

static bool holds(const struct prediction_interval *interval, double truth)
{
    return interval->low <= truth && truth <= interval->high;
}

static void write_module(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, size, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

/* The model, and a module that only says that it is by another compiler. */
static int set_up(void **state)
{
    char *fit[WORDS_MOST] = {NULL};
    struct spirv_file file;
    struct error error;

    (void)state;
    APPEND(fit, getenv("VEBENCH"), "fit", results_path, "-f", "-o", MODEL);
    run(fit);
    assert_int_equal(spirv_file_load(&file, module_path, NULL, &error), STATUS_OK);
    file.bytes[8] ^= 1; /* the compiler's version */
    write_module(OTHER, file.bytes, file.module.size_bytes);
    spirv_file_free(&file);
    return 0;
}

/* Arithmetic and the L3 take up to twice and three times as long as the model says, which is sure
 * of both. */
static void describe(const char *name, uint64_t seed)
{
    struct planted_figure figures[] = {
        {"fpu_latency", 16, 30, 0}, {"math_latency", 25, 50, 0}, {"l3_hit_latency", 300, 600, 0}};

    planted_draw(figures, COUNT(figures), seed);
    planted_describe(name, base_path, figures, COUNT(figures));
}

static void test_other_sizes(void **state)
{
    size_t held = 0, held_without = 0, asked = 0;
    double off = 0.0, off_without = 0.0;

    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        char name[32], device[48], rows[32];

        snprintf(name, sizeof(name), "own-rows-%u", (unsigned)seed);
        snprintf(device, sizeof(device), "./%s.device", name);
        describe(name, seed);
        for (size_t i = 0; i < COUNT(measured); i++)
            measure(device, &measured[i], rows_name(rows, i));
        for (size_t i = 0; i < COUNT(others); i++, asked++) {
            double truth = measure(device, &others[i], "own-rows-truth.csv");
            struct prediction_interval without = predict(module_path, &others[i], 0);
            struct prediction_interval with = predict(module_path, &others[i], COUNT(measured));

            assert_says("from 3 measured launches of this kernel, which took 1.");
            print_message("%s, %2u lanes, %5s by %3s: %7.0f ns; by the model %7.0f (%7.0f to "
                          "%7.0f), with rows %7.0f (%7.0f to %7.0f)%s\n",
                          name, others[i].lanes, others[i].global, others[i].local, truth,
                          without.value, without.low, without.high, with.value, with.low, with.high,
                          holds(&with, truth) ? "" : ": NOT HELD");
            held += holds(&with, truth);
            held_without += holds(&without, truth);
            off += fabs(log(with.value / truth));
            off_without += fabs(log(without.value / truth));
        }
    }
    print_message("%zu of %zu intervals hold with rows, %zu without; mean error %.1f %% and %.1f "
                  "%%\n",
                  held, asked, held_without, 100.0 * off / (double)asked,
                  100.0 * off_without / (double)asked);
    assert_int_equal(held, asked);
    assert_true(held_without <= asked / 2);
    assert_true(off < off_without / 2.0);
}

/* Rows of another kernel, source or device say nothing of this one. */
static void test_refused(void **state)
{
    const struct launch *launch = &others[0];
    char *scan[WORDS_MOST] = {NULL};

    (void)state;
    measure("a380", &measured[0], "own-rows-0.csv");
    struct prediction_interval without = predict(OTHER, launch, 0);
    struct prediction_interval with = predict(OTHER, launch, 1);
    assert_says("from no measured launch of this kernel");
    assert_says("1 row of a kernel of this name not used: it had another source");
    assert_true(with.value == without.value && with.low == without.low &&
                with.high == without.high);
    APPEND(scan, getenv("VEBENCH"), "predict", MODEL, "--spirv", module_path, "--kernel", "scan",
           "--global", "1024", "--local", "64", "--arg", "2=1K", "--rows", "own-rows-0.csv");
    run(scan);
    assert_says("from no measured launch of this kernel");
    measure("iris-xe", &measured[0], "own-rows-0.csv");
    scan[6] = (char[]){"n_body"};
    APPEND(scan, "--arg", "2=512");
    assert_int_equal(process_run(scan, NULL, SAID, SAID), 1);
    assert_says("own-rows-0.csv: the model is of ");
}

/* A model that was fitted to the rows as well predicts as with them, whether they are named again
 * or not; of another source's module it has no launch. */
static void test_fitted(void **state)
{
    const struct launch *launch = &others[1];
    char *fit[WORDS_MOST] = {NULL}, rows[COUNT(measured)][32];
    struct prediction_interval with, kept, both;

    (void)state;
    describe("own-rows-fitted", 4);
    APPEND(fit, getenv("VEBENCH"), "fit", results_path, "-f", "-o", FITTED);
    for (size_t i = 0; i < COUNT(measured); i++) {
        measure("./own-rows-fitted.device", &measured[i], rows_name(rows[i], i));
        APPEND(fit, rows[i]);
    }
    run(fit);
    assert_says("kernel:n_body: 3 measured launches, from which predictions of it start");
    with = predict(module_path, launch, COUNT(measured));
    kept = predict_by(FITTED, module_path, launch, 0);
    assert_says("from 3 measured launches of this kernel");
    assert_true(kept.value == with.value && kept.low == with.low && kept.high == with.high);
    both = predict_by(FITTED, module_path, launch, COUNT(measured));
    assert_says("from 3 measured launches of this kernel");
    assert_true(both.value == with.value && both.low == with.low && both.high == with.high);
    predict_by(FITTED, OTHER, launch, 0);
    assert_says("3 rows of a kernel of this name not used: it had another source");
}

#define SOURCE "own-rows.cl"

static void write_source(void)
{
    FILE *file = fopen(SOURCE, "w");

    assert_non_null(file);
    fputs("kernel void scaled(global const float *in, global float *out) {\n"
          "    if (get_global_id(0) % SUB_GROUP_SIZE < SUB_GROUP_SIZE)\n"
          "        out[get_global_id(0)] = in[get_global_id(0)] * SCALE;\n"
          "}\n",
          file);
    assert_int_equal(fclose(file), 0);
}

/* Of OpenCL C, each sub-group size has a module of its own, and so has what is defined. */
static void test_source(void **state)
{
    char *kernel[WORDS_MOST] = {NULL}, scale[16];

    (void)state;
    write_source();
    APPEND(kernel, getenv("VEBENCH"), "kernel", SOURCE, "--sizes", "8,16", "--global", "4096",
           "--local", "64", "-D", "SCALE=1", "--arg", "in=16K", "--arg", "out=16K", "--emulate",
           "a380", "-f", "-o", "own-rows-0.csv");
    run(kernel);
    for (unsigned i = 0; i < 2; i++) {
        char *asked[WORDS_MOST] = {NULL};

        snprintf(scale, sizeof(scale), "SCALE=%u", i + 1);
        APPEND(asked, getenv("VEBENCH"), "predict", MODEL, "--spirv", SOURCE, "--kernel", "scaled",
               "--sizes", "16", "-D", scale, "--global", "16384", "--local", "64", "--rows",
               "own-rows-0.csv");
        run(asked);
        assert_says(i == 0 ? "from 2 measured launches of this kernel"
                           : "2 rows of a kernel of this name not used: it had another source");
    }
}

#define STREAM "own-rows-stream.cl"

/* The time of a million additions to memory as predicted with events of this scope, ns. */
static double predict_scope(const char *scope)
{
    char *asked[WORDS_MOST] = {NULL}, unit[8];
    double value;

    APPEND(asked, getenv("VEBENCH"), "predict", MODEL, "--spirv", STREAM, "--kernel", "stream",
           "--sizes", "32", "--global", "1048576", "--local", "256", "--arg", "0=4M", "--arg",
           "1=4M", "--buffer", "0=float:6", "--event-scope", scope);
    run(asked);
    char *text = process_read_file(SAID);
    const char *line = text ? strstr(text, "\nstream:") : NULL;
    assert_non_null(line);
    assert_int_equal(sscanf(line, " stream: %lf %7s", &value, unit), 2);
    assert_string_equal(unit, "us");
    free(text);
    return 1e3 * value;
}

/* A driver writes the L3 back at the end of a list, as there is one behind each launch that vebench
 * measures: the next one finds no dirty lines in its way. */
static void test_event_scope(void **state)
{
    char *kernel[WORDS_MOST] = {NULL};
    struct csv_file csv;
    FILE *file = fopen(STREAM, "w");

    (void)state;
    assert_non_null(file);
    fputs("kernel void stream(global const float *in, global float *out) {\n"
          "    out[get_global_id(0)] = in[get_global_id(0)] + 1.0f;\n"
          "}\n",
          file);
    assert_int_equal(fclose(file), 0);
    APPEND(kernel, getenv("VEBENCH"), "kernel", STREAM, "--sizes", "32", "--global", "1048576",
           "--local", "256", "--arg", "in=4M", "--arg", "out=4M", "--buffer", "in=float:6",
           "--emulate", "a380", "-f", "-o", "own-rows-0.csv");
    run(kernel);
    assert_int_equal(csv_file_load(&csv, "own-rows-0.csv"), 0);
    double ns = strtod(csv_file_field(&csv, 0, "value"), NULL);
    csv_file_free(&csv);
    double list = predict_scope("list"), device = predict_scope("device");
    print_message("%.0f ns; behind the end of a list %.0f, within one %.0f\n", ns, list, device);
    assert_near(list, ns, 0.06 * ns);
    assert_true(device > 1.1 * ns);
}

/* The same launch again: its time, and no narrower than it was measured. */
static void test_same(void **state)
{
    struct csv_file csv;

    (void)state;
    describe("own-rows-same", 3);
    double ns = measure("./own-rows-same.device", &measured[0], "own-rows-0.csv");
    struct prediction_interval with = predict(module_path, &measured[0], 1);
    assert_int_equal(csv_file_load(&csv, "own-rows-0.csv"), 0);
    double low = strtod(csv_file_field(&csv, 0, "ci95_lo_ns"), NULL);
    double high = strtod(csv_file_field(&csv, 0, "ci95_hi_ns"), NULL);
    csv_file_free(&csv);
    assert_says("from a measured launch of this kernel");
    assert_near(with.value, ns, 1e-3 * ns);
    assert_true(with.low <= low && high <= with.high);
}

/* Worked by hand: ratios of 1.2 and, one and four doublings away, 1.2 times exp(0.1) and exp(-0.2):
 * steps of 0.1 in logarithms, times Student's 4.303 for two. The launch is four doublings away, so
 * two steps; the row's own interval adds in quadrature. */
static void test_steps(void **state)
{
    struct neighbours neighbours = {
        .size = {16, {64, 1, 1}, {16, 1, 1}},
        .at = {{{16, {64, 1, 1}, {1, 1, 1}}, 120.0, 120.0 / exp(0.3), 120.0 * exp(0.4), 100.0, "a"},
               {{16, {32, 1, 1}, {1, 1, 1}}, 120.0 * exp(0.1), 1.0, 1e3, 100.0, "a"},
               {{16, {64, 16, 1}, {1, 1, 1}}, 120.0 * exp(-0.2), 1.0, 1e3, 100.0, "a"}},
        .count = 3,
        .mechanism = "a"};
    struct prediction_interval interval = {.value = 10.0, .low = 10.0, .high = 10.0};

    (void)state;
    assert_true(neighbours_tell(&neighbours));
    neighbours_widen(&neighbours, &interval);
    assert_near(log(10.0 / interval.low), hypot(0.3, 0.8605), 1e-3);
    assert_near(log(interval.high / 10.0), hypot(0.4, 0.8605), 1e-3);
    neighbours.mechanism = "b"; /* the correction, log 1.2, is the largest step */
    interval = (struct prediction_interval){.value = 10.0, .low = 10.0, .high = 10.0};
    assert_false(neighbours_tell(&neighbours));
    neighbours_widen(&neighbours, &interval);
    assert_near(log(interval.high / 10.0), hypot(0.4, 2.0 * log(1.2)), 1e-9);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_sizes), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_same),        cmocka_unit_test(test_source),
        cmocka_unit_test(test_fitted),      cmocka_unit_test(test_steps),
        cmocka_unit_test(test_event_scope),
    };

    if (argc != 4)
        return 2;
    module_path = argv[1];
    base_path = argv[2];
    results_path = argv[3];
    return cmocka_run_group_tests(tests, set_up, NULL);
}
