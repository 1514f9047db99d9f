/* What vebench kernel answers of rows with planted times: the whole text and the whole page, and
 * which kernels are explained.
 *
 * test-answer FOLDER KERNELS.cl [--write]: FOLDER has answer.txt and answer.html, the expected
 * ones; with --write they are made anew. */
#include "answer/kernel-answer.h"
#include "answer/kernel-explain.h"
#include "families/registry.h"

#include "failing-memory.h"
#include "test.h"
#include "whole-file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS "test-answer.csv"
#define MADE "test-answer.made"

static const char *folder, *source;
static bool writes;

/* A launch and its time; 0: it failed. */
struct planted {
    const char *variant, *operation;
    unsigned lanes, group;
    double us, half_us;
};

static void write_rows(const char *family, const struct planted *planted, size_t count)
{
    FILE *file = fopen(ROWS, "wb");

    assert_non_null(file);
    fputs(
        "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,op,"
        "subgroup_size,workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,"
        "unit,spill_bytes,verified,status,reason,parameters,baseline,loop_ns,work_units,work_bytes,"
        "work_messages,work_lines,work_barriers,work_exchanges,work_flops\r\n",
        file);
    for (size_t i = 0; i < count; i++) {
        const struct planted *p = &planted[i];
        double ns = 1000.0 * p->us, half = 1000.0 * p->half_us;

        fprintf(file, "emulated,An <A380> & more,uuid,1.3,2000,%s,%s,%s,%u,%u,%u,", family,
                p->variant, p->operation, p->lanes, p->group, 4096 / p->group);
        if (p->us > 0.0)
            fprintf(file, "12,%g,%g,%g,%g,ns/launch,0,1,ok,,,,,1,,,,,,\r\n", ns, ns - half,
                    ns + half, ns);
        else
            fputs("0,,,,,ns/launch,0,,failed,\"no <memory>\",,,,1,,,,,,\r\n", file);
    }
    assert_int_equal(fclose(file), 0);
}

/* Two ways in two launches, after one that nobody times. */
static struct variant variants[] = {{.name = "TILE=4", .operation = "warm"},
                                    {.name = "TILE=8", .operation = "warm"},
                                    {.name = "first of TILE=4"},
                                    {.name = "first of TILE=8"}};
static struct job two_ways = {
    .launch = {{.kernel = {.name = "first"}}, {.kernel = {.name = "sum"}}},
    .launch_count = 2,
    .subject = 1,
    .shape_count = 2,
    .size = {16, 32},
    .size_count = 2,
    .variants = variants,
    .variant_count = 2,
    .title = "sum <of> all",
    .family = {.name = "sum", .variants = variants, .variant_count = 2},
};

static const struct planted two_ways_rows[] = {
    {"TILE=4", "warm", 16, 64, 20.0, 0.1},  {"TILE=4", "warm", 16, 128, 20.05, 0.1},
    {"TILE=8", "warm", 16, 64, 30.0, 0.2},  {"TILE=4", "warm", 32, 64, 25.0, 0.15},
    {"TILE=8", "warm", 32, 128, 80.0, 0.5}, {"TILE=8", "warm", 32, 64, 0.0, 0.0}};

static struct isa_line hot[] = {{.text = "mad (16|M0) r10:f r12:f r14:f r16:f"}};

/* Machine code as an audit of the subject (in a loop) or of the first kernel (without) finds it. */
static struct isa_entry code_of(char *kernel, unsigned size, bool has_loop)
{
    struct isa_entry entry = {.target = "dg2", .kernel = kernel, .size = size};
    struct isa_audit *a = &entry.audit;

    a->width = size;
    a->registers = 128;
    a->registers_used = 40 + size;
    a->scratch_bytes = 32;
    a->all = (struct isa_mix){.instructions = 70 + size, .message = {5, 1}};
    a->hot = (struct isa_mix){.instructions = 20, .message = {3}};
    a->loop_count = has_loop;
    a->lines = hot;
    a->line_count = 1;
    a->bounds.highest = ISA_BOUND_READS;
    a->bounds.bound[ISA_BOUND_ISSUE] = (struct isa_bound){.cycles = 11.0, .line = -1};
    a->bounds.bound[ISA_BOUND_READS] = (struct isa_bound){.cycles = 24.0, .line = 0};
    return entry;
}

static struct outcome outcome_planted(void)
{
    return (struct outcome){
        .part = {{"memory <reads>", 0.6}, {"float", 0.385}, {"barrier", 0.008}, {"launch", 0.007}},
        .part_count = 4,
        .resource = {{"memory", true, 0.8}, {"float", false, 0.4}},
        .resource_count = 2};
}

static void rank(struct kernel_answer *answer, const char *operation)
{
    struct answer_part *part = &answer->part[answer->part_count++];
    struct error error;

    part->operation = operation;
    assert_int_equal(verdict_make(&part->verdict, &answer->records, "sum", operation, &error),
                     STATUS_OK);
}

static void make_answer(struct kernel_answer *answer, struct isa_entry entries[4])
{
    const char *const path = ROWS;
    struct error error;

    *answer = (struct kernel_answer){.job = &two_ways, .target = "dg2", .unit = TIME_US};
    write_rows("sum", two_ways_rows, sizeof(two_ways_rows) / sizeof(two_ways_rows[0]));
    if (records_read(&answer->records, &path, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    answer->part = calloc(2, sizeof(*answer->part));
    rank(answer, "warm");
    entries[0] = code_of("TILE=4", 16, true);
    entries[1] = code_of("first of TILE=4", 16, false);
    entries[2] = code_of("TILE=8", 32, true);
    entries[3] = code_of("first of TILE=8", 32, true);
    entries[3].refused = "it is not audited";
    answer->survey.entries = entries;
    answer->survey.count = 4;
}

static void explain_all(struct kernel_answer *answer)
{
    struct answer_part *part = &answer->part[0];

    part->explained_count = 2;
    part->explained[0] = (struct explained){.candidate = &part->verdict.candidate[0],
                                            .code = &answer->survey.entries[0],
                                            .is_predicted = true,
                                            .outcome = outcome_planted(),
                                            .predicted_ns = 22000.0};
    part->explained[1] =
        (struct explained){.candidate = &part->verdict.candidate[part->verdict.count - 1],
                           .code = &answer->survey.entries[2],
                           .why = "it has <images>"};
}

static void free_answer(struct kernel_answer *answer)
{
    for (size_t p = 0; p < answer->part_count; p++)
        free(answer->part[p].verdict.candidate);
    free(answer->part);
    records_free(&answer->records);
    unlink(ROWS);
}

/* Takes what is between `begin` and `end` out of a text, if it has that. */
static void cut_out(char *text, const char *begin, const char *end)
{
    char *from = strstr(text, begin), *to = from ? strstr(from, end) : NULL;

    if (to)
        memmove(from + strlen(begin), to, strlen(to) + 1);
}

/* The whole of what was made is what the folder has, but for a page's style. */
static void expect_file(const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    char *made = whole_file_read(MADE);
    cut_out(made, "<style>", "</style>");
    if (writes) {
        FILE *file = fopen(path, "wb");

        fputs(made, file);
        fclose(file);
    }
    char *expected = whole_file_read(path);
    assert_string_equal(made, expected);
    free(made);
    free(expected);
    unlink(MADE);
}

static void test_text(void **state)
{
    struct isa_entry entries[4];
    struct kernel_answer answer;
    struct error error;

    (void)state;
    make_answer(&answer, entries);
    explain_all(&answer);
    FILE *out = fopen(MADE, "wb");
    assert_int_equal(kernel_answer_print(out, &answer, &error), STATUS_OK);
    fclose(out);
    free_answer(&answer);
    expect_file("answer.txt");
}

static void test_page(void **state)
{
    struct isa_entry entries[4];
    struct kernel_answer answer;
    struct error error;

    (void)state;
    make_answer(&answer, entries);
    explain_all(&answer);
    assert_int_equal(kernel_answer_page(MADE, &answer, &error), STATUS_OK);
    free_answer(&answer);
    expect_file("answer.html");
}

/* What is said of the best: all alike, alone, and how much slower the next is at least, from the
 * unfavourable ends of both intervals: 24.85 us of 20.1. */
static void test_gain(void **state)
{
    struct isa_entry entries[4];
    struct kernel_answer answer;
    char text[ANSWER_TEXT_BYTES];

    (void)state;
    make_answer(&answer, entries);
    struct verdict *v = &answer.part[0].verdict;
    assert_int_equal(v->winners, 2);
    assert_string_equal(answer_gain(&answer, v, text),
                        "Slower: 32 lanes, work-groups of 64, TILE=4, by at least 23.6 %.\n"
                        "Best, with those that cannot be told from it: 2, marked with a star.");
    v->gain = 0.0;
    v->winners = 1;
    assert_string_equal(answer_gain(&answer, v, text),
                        "Slower: 16 lanes, work-groups of 128, TILE=4, slightly.");
    v->winners = v->count;
    assert_string_equal(answer_gain(&answer, v, text), "The others cannot be told apart from it.");
    v->count = 1;
    assert_string_equal(answer_gain(&answer, v, text),
                        "Nothing else was measured to hold it against.");
    v->count = 5;
    free_answer(&answer);
}

static void test_limit(void **state)
{
    struct outcome outcome = outcome_planted();
    char text[ANSWER_TEXT_BYTES];

    (void)state;
    assert_string_equal(answer_limit(&outcome, text),
                        "bound by memory, 25 % from its bound; then float, 40 %");
    outcome.resource_count = 1;
    assert_string_equal(answer_limit(&outcome, text), "bound by memory, 25 % from its bound");
    outcome.resource[0].is_bound = false;
    assert_string_equal(answer_limit(&outcome, text), "memory takes 80 %");
    outcome.resource_count = 0;
    assert_string_equal(answer_limit(&outcome, text), "");
}

/* Opens a job, plants rows of its first kernel, and makes the answer that they give. */
static void answer_planted(struct kernel_answer *answer, struct job *job,
                           const struct job_request *request,
                           const struct answer_settings *settings, const struct planted *rows,
                           size_t count)
{
    struct planted named[6];
    struct error error;

    assert_in_range(count, 1, sizeof(named) / sizeof(named[0]));
    if (job_open(job, request, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < count; i++) {
        named[i] = rows[i];
        named[i].variant = job->variants[0].name;
        named[i].operation = job->variants[0].operation;
    }
    write_rows(job->family.name, named, count);
    if (kernel_answer_make(answer, ROWS, job, settings, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static const struct planted one_row = {"", "", 16, 64, 7.0, 0.1};

/* Of a real job: its two best kernels and its worst are explained, each once however many
 * work-groups it ran with, and predicted as launches of the job's size. */
static void test_explained(void **state)
{
    static const struct planted rows[] = {
        {"doubled", "doubled", 16, 64, 7.0, 0.1},  {"doubled", "doubled", 16, 128, 7.05, 0.1},
        {"doubled", "doubled", 32, 64, 8.0, 0.1},  {"doubled", "doubled", 16, 256, 9.0, 0.1},
        {"doubled", "doubled", 32, 256, 9.5, 0.1}, {"doubled", "doubled", 8, 64, 12.0, 0.1}};
    static const unsigned lanes[] = {16, 32, 8};
    const struct job_request request = {
        .source = source,
        .kernel = "doubled",
        .global = "1048576",
        .sizes = "8,16,32",
        .locals = {{"64", "128", "256"}, 3},
        .arguments = {{"in=4M", "out=4M"}, 2},
    };
    const struct answer_settings settings = {
        .target = "dg2", .base = "a380", .figures = &family_figures, .unit = TIME_AUTO};
    struct kernel_answer answer;
    struct job job;

    (void)state;
    answer_planted(&answer, &job, &request, &settings, rows, 6);
    assert_int_equal(answer.unit, TIME_US);
    assert_int_equal(answer.part_count, 1);
    const struct answer_part *part = &answer.part[0];
    assert_int_equal(part->verdict.count, 6);
    assert_int_equal(part->explained_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct explained *e = &part->explained[i];

        if (!e->is_predicted)
            fail_msg("%s", e->why);
        assert_int_equal(e->candidate->subgroup_size, lanes[i]);
        assert_int_equal(e->candidate->workgroup_size, 64);
        assert_int_equal(e->code->audit.width, lanes[i]);
        assert_ptr_equal(answer_code(&answer, e, 0), e->code);
        /* 8 MiB: at no more than 64 bytes a clock and Xe-core (8 of them at 2.45 GHz), and in at
         * most twice the time that they take at memory's bandwidth. */
        assert_true(e->predicted_ns > 8388608.0 / (64.0 * 8.0 * 2.45));
        assert_true(e->predicted_ns < 2.0 * 8388608.0 / 186.0);
    }
    kernel_answer_free(&answer);
    job_close(&job);
    unlink(ROWS);
}

/* Loops as often as its arguments say, each in its way. */
static const char loops[] =
    "struct pair { uint first, second; };\n"
    "struct four { uint first, second, third, fourth; };\n"
    "kernel void loops(global uint *out, uint n, struct pair pair, global const uint *in,\n"
    "                  local uint *part)\n"
    "{\n"
    "    uint value = get_global_id(0), times = n + pair.second + in[64];\n"
    "    part[get_local_id(0)] = value;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = 0; i < times; i++)\n"
    "        value = value * 1664525 + (value >> 7) + part[i % get_local_size(0)];\n"
    "    out[get_global_id(0)] = value;\n"
    "}\n"
    "kernel void large(global uint *out, struct four four) { out[0] = four.third; }\n"
    "kernel void image(global float *out, read_only image2d_t in)\n"
    "{\n"
    "    out[0] = read_imagef(in, (int2)(0, 0)).x;\n"
    "}\n";

#define LOOPS "test-answer.cl"
#define PAIR  "test-answer.pair"

/* The time that is predicted of a job in LOOPS, or NAN and why not. */
static double predict(const char *kernel, const struct job_words *arguments, const char *buffer,
                      char why[ERROR_TEXT_BYTES])
{
    static const struct answer_settings settings = {
        .target = "dg2", .base = "a380", .figures = &family_figures, .unit = TIME_NS};
    const struct job_request request = {.source = LOOPS,
                                        .kernel = kernel,
                                        .global = "256",
                                        .sizes = "16",
                                        .locals = {{"64"}, 1},
                                        .arguments = *arguments,
                                        .buffers = {{buffer}, buffer ? 1 : 0}};
    struct kernel_answer answer;
    struct job job;

    answer_planted(&answer, &job, &request, &settings, &one_row, 1);
    assert_int_equal(answer.unit, TIME_NS);
    const struct explained *e = &answer.part[0].explained[0];
    assert_int_equal(answer.part[0].explained_count, 1);
    strcpy(why, e->why);
    double ns = e->is_predicted ? e->predicted_ns : NAN;
    kernel_answer_free(&answer);
    job_close(&job);
    unlink(ROWS);
    return ns;
}

/* What each argument is counts: 1024 rounds of the loop more, whoever asks for them, take
 * equally long. */
static void test_arguments(void **state)
{
    static const uint32_t few[2] = {9999, 10}, many[2] = {9999, 1034};
    static const struct job_words usual = {
        {"out=4K", "n=10", "pair=@" PAIR, "in=64K", "part=4*local"}, 5};
    struct job_words changed = usual;
    char why[ERROR_TEXT_BYTES];

    (void)state;
    whole_file_write(LOOPS, loops, strlen(loops));
    whole_file_write(PAIR, (const char *)few, sizeof(few));
    double least = predict("loops", &usual, "in=zeros", why);
    if (isnan(least))
        fail_msg("%s", why);
    changed.word[1] = "n=1034";
    double by_number = predict("loops", &changed, "in=zeros", why);
    assert_true(by_number > 10.0 * least);
    changed = usual;
    whole_file_write(PAIR, (const char *)many, sizeof(many));
    double by_data = predict("loops", &usual, "in=zeros", why);
    whole_file_write(PAIR, (const char *)few, sizeof(few));
    assert_near(by_data, by_number, 0.02 * by_number);
    /* 64 of them are 64 rounds more. */
    double by_contents = predict("loops", &usual, "in=iota", why);
    assert_near(by_contents - least, 64.0 / 1024.0 * (by_number - least),
                0.3 * (by_contents - least));
    unlink(PAIR);
}

/* Explains an answer anew, with memory running out at an allocation: it fails, says so, or says
 * what it ever says. */
static void explain_without_memory(struct kernel_answer *answer,
                                   const struct answer_settings *settings, unsigned long allocation)
{
    struct explained *e = &answer->part[0].explained[0];
    double usual_ns = e->predicted_ns;
    struct error error;

    e->is_predicted = false;
    strcpy(e->why, "");
    memory_fails_at(allocation);
    enum status status = kernel_explain(answer, settings, &error);
    if (status == STATUS_OK && e->is_predicted)
        assert_near(e->predicted_ns, usual_ns, 0.0);
    else if (status == STATUS_OK)
        assert_non_null(strstr(e->why, "out of memory"));
    else
        assert_int_equal(status, STATUS_NO_MEMORY);
    assert_true(status != STATUS_OK || allocation > 2); /* nothing can be told without the first */
    e->predicted_ns = usual_ns;
}

static void test_no_memory(void **state)
{
    static const struct answer_settings settings = {
        .target = "dg2", .base = "a380", .figures = &family_figures, .unit = TIME_NS};
    const struct job_request request = {
        .source = source,
        .kernel = "doubled",
        .global = "4096",
        .sizes = "16",
        .locals = {{"64"}, 1},
        .arguments = {{"in=16K", "out=16K"}, 2},
    };
    struct kernel_answer answer;
    struct job job;

    (void)state;
    answer_planted(&answer, &job, &request, &settings, &one_row, 1);
    for (unsigned long at = 1; memory_has_failed(); at += at < 16 ? 1 : at)
        explain_without_memory(&answer, &settings, at);
    memory_fails_at(0);
    kernel_answer_free(&answer);
    job_close(&job);
    unlink(ROWS);
}

static void test_not_predicted(void **state)
{
    static const uint32_t numbers[4] = {1, 2, 3, 4};
    static const struct job_words large = {{"out=4K", "four=@" PAIR}, 2};
    static const struct job_words image = {{"out=4K", "in=16,16:rgba8"}, 2};
    char why[ERROR_TEXT_BYTES];

    (void)state;
    whole_file_write(PAIR, (const char *)numbers, sizeof(numbers));
    assert_true(isnan(predict("large", &large, NULL, why)));
    assert_string_equal(why,
                        "structures and vectors of more than 8 bytes by value are not predicted");
    assert_true(isnan(predict("image", &image, NULL, why)));
    assert_string_equal(why, "kernels with images are not predicted");
    unlink(PAIR);
    unlink(LOOPS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments), cmocka_unit_test(test_not_predicted),
        cmocka_unit_test(test_text),      cmocka_unit_test(test_page),
        cmocka_unit_test(test_gain),      cmocka_unit_test(test_limit),
        cmocka_unit_test(test_explained), cmocka_unit_test(test_no_memory),
    };

    assert(argc >= 3);
    folder = argv[1];
    source = argv[2];
    writes = argc > 3;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
