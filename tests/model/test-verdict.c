/* One verdict, whoever is asked: heat map, findings, advice, and the comparison of sizes.
 *
 * test-verdict [RESULTS.csv...]: with files, they agree on the rows of each. Without, on rows of
 * planted truths: costs by size, method, work and occupancy, with noise. There, too, nothing ranks
 * unequal work, and at least 95 % of what is claimed is right. */
#include "test.h"

#include "base/prng.h"
#include "base/robust.h"
#include "base/stats.h"
#include "compare/compare.h"
#include "families/registry.h"
#include "model/advise.h"
#include "model/verdict.h"
#include "report/findings.h"
#include "report/page-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CSV          "test-verdict.csv"

#define SIZES        3

static const unsigned sizes[SIZES] = {8, 16, 32};

struct tally {
    size_t questions, decided, wrong;
    size_t comparisons, wrong_comparisons;
    size_t cells, advices, headlines;
};

/* What a row did in all, from its columns. */
static double work_in_all(const struct record *r)
{
    if (r->work_flops > 0.0)
        return r->work_flops;
    if (r->work_bytes > 0.0)
        return r->work_bytes;
    if (r->work_exchanges > 0.0)
        return r->work_exchanges * r->subgroup_size;
    return (r->work_units > 0.0 ? r->work_units : 1.0) * r->workgroup_size * r->workgroup_count;
}

static void assert_equal_work(const struct record *a, const struct record *b)
{
    assert_string_equal(a->benchmark, b->benchmark);
    assert_string_equal(a->operation, b->operation);
    assert_string_equal(a->type, b->type);
    assert_string_equal(a->parameters, b->parameters);
    assert_true(work_in_all(a) == work_in_all(b));
    assert_true(fmin(a->workgroup_count, a->xe_cores) == fmin(b->workgroup_count, b->xe_cores));
}

static void assert_ranked_fairly(const struct verdicts *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct verdict *v = &all->verdict[i];

        assert_true(v->winners > 0);
        for (size_t c = 0; c < v->count; c++) {
            assert_equal_work(v->candidate[0].row, v->candidate[c].row);
            if (strcmp(v->candidate[c].row->status, "ok") != 0) /* faster than its baseline */
                assert_true(v->candidate[c].row->ci95_hi_ns < 0.0 && v->candidate[c].is_free);
            assert_true(v->candidate[c].row->ci95_hi_ns > -1.0);
        }
    }
}

/* The question as all of them write it. */
static const char *question_text(const struct verdict *v, char text[2 * VERDICT_TEXT_BYTES])
{
    char title[VERDICT_TEXT_BYTES], scope[VERDICT_TEXT_BYTES];

    snprintf(text, 2 * VERDICT_TEXT_BYTES, "%s; %s", verdict_title(v, title),
             verdict_scope(v, scope));
    return text;
}

static void assert_advice_agrees(const struct verdicts *all, const struct records *records,
                                 struct tally *tally)
{
    struct model model;
    struct error error;

    model_init(&model, &family_models);
    strcpy(model.device_name, records->device_name);
    strcpy(model.device_uuid, records->device_uuid);
    strcpy(model.device_kind, records->device_kind);
    for (size_t i = 0; i < all->count; i++) {
        struct advice advice;

        if (i > 0 && !strcmp(all->verdict[i].question.family, all->verdict[i - 1].question.family))
            continue;
        if (advise(&advice, &model, records, all->verdict[i].question.family, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        size_t ranking = 0;
        for (size_t j = i; j < all->count && !strcmp(all->verdict[j].question.family,
                                                     all->verdict[i].question.family);
             j++, ranking++) {
            const struct verdict *v = &all->verdict[j];
            char question[2 * VERDICT_TEXT_BYTES], choice[VERDICT_TEXT_BYTES];
            char line[2 * VERDICT_TEXT_BYTES];

            const char *at = strstr(advice.text, question_text(v, question));
            assert_non_null(at);
            at = strchr(at, '\n');
            assert_non_null(at);
            snprintf(line, sizeof(line), v->count > 1 ? "    best %s: " : "    only %s: ",
                     verdict_choice(v, &v->candidate[0], choice));
            assert_int_equal(strncmp(at + 1, line, strlen(line)), 0);
            const struct choices *ranked = &advice.ranking[ranking].choices;
            assert_int_equal(ranked->count, v->count);
            assert_int_equal(choices_best(ranked, NULL, ASPECT_ANY)->subgroup_size,
                             v->candidate[0].subgroup_size);
            tally->advices++;
        }
        assert_int_equal(ranking, advice.ranking_count);
        advice_free(&advice);
    }
    model_free(&model);
}

static const struct verdict *find_by_text(const struct verdicts *all, const char *text)
{
    for (size_t i = 0; i < all->count; i++) {
        char question[2 * VERDICT_TEXT_BYTES];

        question_text(&all->verdict[i], question);
        if (!strncmp(text, question, strlen(question)) && text[strlen(question)] == '"')
            return &all->verdict[i];
    }
    return NULL;
}

/* Every row of the map outlines the sizes that win. */
static void assert_map_agrees(const struct verdicts *all, const struct records *records,
                              struct tally *tally)
{
    static const char row[] = "<tr><th scope=\"row\" title=\"";
    const struct plot_source source = {.records = records, .pages = &family_pages};
    struct error error;
    char *html;
    size_t bytes;
    FILE *out = open_memstream(&html, &bytes);

    assert_non_null(out);
    assert_int_equal(page_put_heat(out, &source, &error), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    for (const char *at = strstr(html, row); at; at = strstr(at, row)) {
        at += strlen(row);
        const struct verdict *v = find_by_text(all, at);
        assert_non_null(v);
        for (size_t s = 0; s < SIZES; s++) {
            const struct verdict_candidate *c = verdict_best_at(v, sizes[s]);

            at = strstr(at, "<td class=\"");
            assert_non_null(at);
            at += strlen("<td class=\"");
            size_t class = strcspn(at, "\"");
            bool is_best = class == strlen("h0 best") && !strncmp(at + 2, " best", 5);
            /* What costs nothing is free, at whatever size: nobody is the best at it. */
            bool is_free = c && (c->is_free || (c->wins && c->cost.interval.low <= 0.0));
            const char *said = strchr(at, '>');
            assert_int_equal(!strncmp(said, ">free<", 6), is_free);
            assert_int_equal(is_best, c && c->wins && !is_free);
            tally->cells++;
        }
    }
    free(html);
}

/* Where a headline chooses, it chooses the winners of a question that it names. */
static void assert_headlines_agree(const struct verdicts *all, const struct records *records,
                                   struct tally *tally)
{
    struct findings findings;

    findings_collect(&findings, &family_pages, records);
    for (size_t i = 0; i < findings.count; i++) {
        const char *at = strstr(findings.line[i].advice, ", choose ");
        bool found = false;

        if (!at)
            continue;
        at += strlen(", choose ");
        for (size_t j = 0; j < all->count && !found; j++) {
            char sentence[VERDICT_TEXT_BYTES], title[VERDICT_TEXT_BYTES];

            verdict_sentence(&all->verdict[j], sentence);
            verdict_title(&all->verdict[j], title);
            found = !strncmp(at, sentence, strlen(sentence)) &&
                    !strncmp(findings.line[i].evidence, title, strlen(title));
        }
        assert_true(found);
        tally->headlines++;
    }
}

static const struct verdict *verdict_of(const struct verdicts *all, const struct record *row)
{
    for (size_t i = 0; i < all->count; i++) {
        for (size_t c = 0; c < all->verdict[i].count; c++) {
            if (all->verdict[i].candidate[c].row == row)
                return &all->verdict[i];
        }
    }
    return NULL;
}

/* The true cost of a planted row; NULL where nothing was planted. */
typedef double (*truth_of)(const struct record *row);

static void check_comparison(const struct verdicts *all, const struct comparison *c,
                             struct tally *tally, truth_of truth)
{
    const struct verdict *v = verdict_of(all, c->base);

    assert_non_null(v);
    assert_equal_work(c->base, c->new);
    assert_ptr_equal(verdict_best_at(v, c->base->subgroup_size)->row, c->base);
    assert_ptr_equal(verdict_best_at(v, c->new->subgroup_size)->row, c->new);
    if (c->base == v->candidate[0].row)
        assert_int_equal(c->verdict == CHANGE_SLOWER,
                         !verdict_best_at(v, c->new->subgroup_size)->wins);
    if (c->new == v->candidate[0].row)
        assert_int_equal(c->verdict == CHANGE_FASTER,
                         !verdict_best_at(v, c->base->subgroup_size)->wins);
    if (truth && (c->verdict == CHANGE_SLOWER || c->verdict == CHANGE_FASTER)) {
        tally->comparisons++;
        tally->wrong_comparisons +=
            (truth(c->new) > truth(c->base)) != (c->verdict == CHANGE_SLOWER);
    }
}

static void assert_comparisons_agree(const struct verdicts *all, const struct records *records,
                                     struct tally *tally, truth_of truth)
{
    for (size_t a = 0; a < SIZES; a++) {
        for (size_t b = 0; b < SIZES; b++) {
            const struct compare_options options = {
                .threshold = VERDICT_TIE, .base_size = sizes[a], .new_size = sizes[b]};
            struct comparisons comparisons;
            struct error error;

            if (a == b)
                continue;
            assert_int_equal(compare_records_of(&comparisons, records, records, &options, &error),
                             STATUS_OK);
            for (size_t i = 0; i < comparisons.count; i++)
                check_comparison(all, &comparisons.comparison[i], tally, truth);
            comparisons_free(&comparisons);
        }
    }
}

static void assert_all_agree(const char *path, struct tally *tally, truth_of truth)
{
    const char *const paths[] = {path};
    struct records records;
    struct verdicts all;
    struct error error;

    if (records_read(&records, paths, 1, &error) != STATUS_OK ||
        verdicts_make(&all, &records, NULL, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_ranked_fairly(&all);
    assert_advice_agrees(&all, &records, tally);
    assert_map_agrees(&all, &records, tally);
    assert_headlines_agree(&all, &records, tally);
    assert_comparisons_agree(&all, &records, tally, truth);
    for (size_t i = 0; truth && i < all.count; i++) {
        const struct verdict *v = &all.verdict[i];
        double least = INFINITY, least_winner = INFINITY;

        for (size_t c = 0; c < v->count; c++) {
            least = fmin(least, truth(v->candidate[c].row));
            if (v->candidate[c].wins)
                least_winner = fmin(least_winner, truth(v->candidate[c].row));
        }
        tally->questions++;
        tally->decided += verdict_decides(v);
        tally->wrong += verdict_decides(v) && least_winner > least;
    }
    verdicts_free(&all);
    records_free(&records);
}

#define METHODS  3
#define WORKS    4
#define LAUNCHES 2
#define TRUTHS   150
#define CAPACITY 128
#define CORES    8

static const char *const methods[METHODS] = {"function", "slm", "slm_group"};
static const unsigned works[WORKS] = {32, 128, 512, 1024};

/* ns of an exchange, by method, size, work-items of the group, and Xe-cores. */
static double planted[METHODS][SIZES][WORKS][LAUNCHES];

static double true_cost(const struct record *r)
{
    size_t method = 0, size = 0, work = 0;

    while (strcmp(methods[method], r->method) != 0)
        method++;
    while (sizes[size] != r->subgroup_size)
        size++;
    while (works[work] != r->workgroup_size)
        work++;
    return planted[method][size][work][r->workgroup_count > 1];
}

static double uniform(struct prng *prng)
{
    return (double)(prng_next(prng) >> 11) * 0x1p-53;
}

static double normal(struct prng *prng)
{
    return sqrt(-2.0 * log(1.0 - uniform(prng))) * cos(6.283185307179586 * uniform(prng));
}

/* A latency, and a time for each thread that an engine or a memory serves: worlds apart, or so
 * close that noise hides which is less. */
static double plant(struct prng *prng)
{
    double spread = pow(10.0, -2.5 + 3.0 * uniform(prng)), each = 0.2 * uniform(prng);

    for (size_t m = 0; m < METHODS; m++) {
        for (size_t s = 0; s < SIZES; s++) {
            double latency = 20.0 * (1.0 + spread * uniform(prng));
            double turn = each * sizes[s] / 8.0 * (1.0 + spread * uniform(prng));

            for (size_t w = 0; w < WORKS; w++) {
                double threads = fmax(1.0, (double)works[w] / sizes[s]);

                planted[m][s][w][0] = latency + turn * threads;
                planted[m][s][w][1] = planted[m][s][w][0] * (1.0 + spread * uniform(prng));
            }
        }
    }
    return spread;
}

/* A row that would win, if it were possible. */
static void write_impossible(FILE *file, size_t m, size_t s, size_t w, size_t launch, bool negative)
{
    unsigned groups = launch ? CORES : 1;
    double value = negative ? -5.0 : 0.3;

    fprintf(
        file,
        "emulated,GPU,uuid,1.3,2000,exchange,shuffle_u32_%s,%u,%u,%u,10,%g,%g,%g,%g,ns/exchange,"
        "0,1,%s,,none_u32,100,4,,,,,%u,,%d,%d,shuffle,u32,%s\r\n",
        methods[m], sizes[s], works[w], groups, value, value - 0.1, value + 0.1, value,
        negative ? "ok" : "unreliable", 4 * groups * ((works[w] + sizes[s] - 1) / sizes[s]), CORES,
        CAPACITY, methods[m]);
}

/* A row with the mean of `samples` rounds with noise, and its interval from these rounds. */
static void write_row(FILE *file, struct prng *prng, size_t m, size_t s, size_t w, size_t launch,
                      unsigned samples, double noise)
{
    double truth = planted[m][s][w][launch], sum = 0.0, squares = 0.0;
    unsigned groups = launch ? CORES : 1, size = sizes[s], items = works[w];

    for (unsigned i = 0; i < samples; i++) {
        double value = truth * (1.0 + noise * normal(prng));

        sum += value;
        squares += (value - truth) * (value - truth);
    }
    double mean = sum / samples;
    double variance = squares / samples - (mean - truth) * (mean - truth);
    double half = stats_t975(robust_degrees(samples)) * sqrt(fmax(0.0, variance) / (samples - 1.0));
    fprintf(file,
            "emulated,GPU,uuid,1.3,2000,exchange,shuffle_u32_%s,%u,%u,%u,%u,%.12g,%.12g,%.12g,"
            "%.12g,ns/exchange,0,1,ok,,none_u32,%.12g,4,,,,,%u,,%d,%d,shuffle,u32,%s\r\n",
            methods[m], size, items, groups, samples, mean, mean - half, mean + half, mean,
            4.0 * mean + 100.0, 4 * groups * ((items + size - 1) / size), CORES, CAPACITY,
            methods[m]);
}

static FILE *open_rows(void)
{
    FILE *file = fopen(CSV, "wb");

    assert_non_null(file);
    fputs(
        "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,"
        "subgroup_size,workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,"
        "unit,spill_bytes,verified,status,parameters,baseline,loop_ns,work_units,work_bytes,"
        "work_messages,work_lines,work_barriers,work_exchanges,work_flops,xe_cores,"
        "threads_per_xe_core,op,type,method\r\n",
        file);
    return file;
}

/* An operation that is 1.2 % of its loop faster than its baseline costs nothing, whatever its row's
 * status: another method of it does not become the best for want of it. One that is 20 % faster has
 * the wrong baseline, and no part. */
static void test_faster_than_the_baseline(void **state)
{
    static const char row[] =
        "emulated,GPU,uuid,1.3,2000,exchange,broadcast_u32_%s,32,32,1,10,%g,%g,%g,%g,ns/exchange,0,"
        "1,%s,,none_u32,100,4,,,,,4,,8,1024,broadcast,u32,%s\r\n";
    static const char *const paths[] = {CSV};

    (void)state;
    for (int far = 0; far < 2; far++) {
        double below = far ? -5.0 : -0.3;
        struct records records;
        struct verdicts all;
        struct error error;
        FILE *file = open_rows();

        fprintf(file, row, "slm", 28.0, 27.9, 28.1, 28.0, "ok", "slm");
        fprintf(file, row, "function", below, below - 0.01, below + 0.01, below, "unreliable",
                "function");
        assert_int_equal(fclose(file), 0);
        assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
        assert_int_equal(verdicts_make(&all, &records, NULL, &error), STATUS_OK);
        const struct verdict_candidate *best = verdict_best_at(&all.verdict[0], 32);
        assert_int_equal(all.count, 1);
        assert_int_equal(all.verdict[0].count, far ? 1 : 2);
        assert_string_equal(best->method, far ? "slm" : "function");
        assert_int_equal(best->is_free, !far);
        verdicts_free(&all);
        records_free(&records);
    }
    remove(CSV);
}

static void write_truths(struct prng *prng, double spread)
{
    FILE *file = open_rows();
    double noise = fmin(0.1, spread * pow(10.0, -1.5 + 1.5 * uniform(prng)));

    for (size_t m = 0; m < METHODS; m++) {
        for (size_t s = 0; s < SIZES; s++) {
            for (size_t w = 0; w < WORKS; w++) {
                for (size_t launch = 0; launch < LAUNCHES; launch++) {
                    double kind = uniform(prng);

                    /* Sweeps have holes. */
                    if (kind < 0.04)
                        write_impossible(file, m, s, w, launch, kind < 0.02);
                    else if (kind < 0.9)
                        write_row(file, prng, m, s, w, launch, 10, noise);
                }
            }
        }
    }
    assert_int_equal(fclose(file), 0);
}

static void test_planted(void **state)
{
    struct tally tally = {0};
    struct prng prng;

    (void)state;
    prng_seed(&prng, 27);
    for (size_t i = 0; i < TRUTHS; i++) {
        write_truths(&prng, plant(&prng));
        assert_all_agree(CSV, &tally, true_cost);
    }
    remove(CSV);
    print_message("%zu questions, %zu decided, %zu wrongly; %zu changes, %zu wrong; %zu cells, "
                  "%zu headlines\n",
                  tally.questions, tally.decided, tally.wrong, tally.comparisons,
                  tally.wrong_comparisons, tally.cells, tally.headlines);
    assert_true(2 * tally.decided > tally.questions);
    assert_true(20 * tally.wrong <= tally.decided);
    assert_true(20 * tally.wrong_comparisons <= tally.comparisons);
    assert_true(tally.comparisons > 10 * TRUTHS && tally.headlines > TRUTHS / 8);
    assert_true(tally.cells > TRUTHS * SIZES && tally.advices == tally.questions);
}

static int result_count;
static char **results;

static void test_results(void **state)
{
    (void)state;
    for (int i = 0; i < result_count; i++) {
        struct tally tally = {0};

        assert_all_agree(results[i], &tally, NULL);
        print_message("%s: %zu questions, %zu cells, %zu headlines\n", results[i], tally.advices,
                      tally.cells, tally.headlines);
        assert_true(tally.advices > 0 && tally.cells > 0 && tally.headlines > 0);
    }
}

/* Of two rungs each choice wins one and loses the other. That is a border between launches of about
 * as many threads, and none between one of 32 threads and one of a single thread. */
static void test_border(void **state)
{
    static const double threads[] = {32.0, 16.0, 1.0};
    static const bool is_border[] = {true, true, false};

    (void)state;
    for (size_t i = 0; i < COUNT(threads); i++) {
        struct verdict_candidate of[2][2] = {
            {{.variant = "block2", .subgroup_size = 16, .occupancy = {1.0, 32.0, 128.0}},
             {.variant = "block4", .subgroup_size = 16, .occupancy = {1.0, 32.0, 128.0}}},
            {{.variant = "block4", .subgroup_size = 16, .occupancy = {1.0, threads[i], 128.0}},
             {.variant = "block2", .subgroup_size = 16, .occupancy = {1.0, threads[i], 128.0}}}};
        struct verdict rungs[] = {{.question = {.kind = WORK_BYTES, .work = 1e5},
                                   .candidate = of[0],
                                   .count = 2,
                                   .winners = 1},
                                  {.question = {.kind = WORK_BYTES, .work = 2e5},
                                   .candidate = of[1],
                                   .count = 2,
                                   .winners = 1}};
        const struct verdicts all = {rungs, 2};
        struct verdict_stretch stretches[VERDICT_STRETCHES_MAX];

        assert_int_equal(verdict_stretches(&all, 0, 2, stretches), 2);
        assert_int_equal(stretches[1].is_border, is_border[i]);
    }
}

/* 100 bytes in 10 ns; if the time may be 0, the rate may be any above its lower end. */
static void test_rate(void **state)
{
    struct verdict_candidate certain = {.cost = {10.0, {8.0, 12.5}}};
    struct verdict_candidate vague = {.cost = {10.0, {-5.0, 25.0}}};
    struct verdict verdict = {
        .question = {.kind = WORK_BYTES, .work = 100.0}, .candidate = &certain, .count = 1};
    struct estimate rate = verdict_shown(&verdict, &certain);

    (void)state;
    assert_float_equal(rate.value, 10.0, 1e-12);
    assert_float_equal(rate.interval.low, 8.0, 1e-12);
    assert_float_equal(rate.interval.high, 12.5, 1e-12);
    rate = verdict_shown(&verdict, &vague);
    assert_float_equal(rate.value, 10.0, 1e-12);
    assert_float_equal(rate.interval.low, 4.0, 1e-12);
    assert_true(isinf(rate.interval.high) && rate.interval.high > 0.0);
}

/* 10 against 20: the gain is that of the unfavourable ends, and the same however often they are
 * ranked. */
static void test_ranked_again(void **state)
{
    struct verdict_candidate candidates[] = {
        {.variant = "slow", .subgroup_size = 8, .cost = {20.0, {19.8, 20.2}}, .degrees = 10.0},
        {.variant = "fast", .subgroup_size = 16, .cost = {10.0, {9.9, 10.1}}, .degrees = 10.0}};
    struct verdict verdict = {.candidate = candidates, .count = 2};

    (void)state;
    for (unsigned time = 0; time < 3; time++) {
        verdict_rank(&verdict);
        assert_int_equal(verdict.winners, 1);
        assert_string_equal(verdict.candidate[0].variant, "fast");
        assert_true(verdict.candidate[0].wins && !verdict.candidate[1].wins);
        assert_float_equal(verdict.gain, 19.8 / 10.1 - 1.0, 1e-12);
        assert_true(verdict_decides(&verdict));
        assert_int_equal(verdict_sizes(&verdict), 2);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest planted_test[] = {
        cmocka_unit_test(test_planted), cmocka_unit_test(test_faster_than_the_baseline),
        cmocka_unit_test(test_rate), cmocka_unit_test(test_border),
        cmocka_unit_test(test_ranked_again)};
    const struct CMUnitTest results_test[] = {cmocka_unit_test(test_results)};

    result_count = argc - 1;
    results = argv + 1;
    return argc > 1 ? cmocka_run_group_tests(results_test, NULL, NULL)
                    : cmocka_run_group_tests(planted_test, NULL, NULL);
}
