/* Descriptions of jobs, without a device: what a module says of its kernels, and what is wrong with
 * words. argv[1] and argv[2] are sources of kernels. */
#include "audit/survey.h"
#include "job/half.h"
#include "job/job.h"
#include "job/source.h"
#include "spirv/spirv-file.h"

#include "test.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *source, *arguments;

static struct job_request request_of(const char *kernel)
{
    return (struct job_request){
        .source = source, .kernel = kernel, .global = "1024", .sizes = "16", .locals = {{"64"}, 1}};
}

static void test_signature(void **state)
{
    static const char *const names[] = {"in", "table", "out", "part", "n", "scale", "limits"};
    static const enum spirv_argument_kind kinds[] = {SPIRV_BUFFER, SPIRV_BUFFER, SPIRV_BUFFER,
                                                     SPIRV_LOCAL,  SPIRV_NUMBER, SPIRV_NUMBER,
                                                     SPIRV_VALUE};
    static const unsigned bytes[] = {4, 2, 8, 4, 4, 4};
    struct spirv_kernel kernel;
    struct error error;
    void *module;
    size_t size;

    (void)state;
    assert_int_equal(source_compile(arguments, NULL, 0, 16, &module, &size, &error), STATUS_OK);
    assert_int_equal(spirv_kernel_read(&kernel, module, size, "many", &error), STATUS_OK);
    assert_int_equal(kernel.argument_count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(kernel.argument[i].name, names[i]);
        assert_int_equal(kernel.argument[i].kind, kinds[i]);
        assert_true(i == 6 || kernel.argument[i].bytes == bytes[i]);
    }
    assert_true(kernel.argument[0].is_const && kernel.argument[1].is_const);
    assert_false(kernel.argument[2].is_const);
    assert_true(kernel.argument[5].is_float && !kernel.argument[4].is_float);
    assert_int_equal(spirv_kernel_read(&kernel, module, size, NULL, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "many, few"));
    free(module);
}

/* The size is in the module, once, whatever it was before; and the module stays valid. */
static void test_resized(void **state)
{
    static const unsigned sizes[] = {8, 16, 32, 16};
    struct spirv_kernel kernel;
    struct spirv_file file;
    struct error error;
    void *module;
    size_t size;

    (void)state;
    assert_int_equal(source_compile(source, NULL, 0, 16, &module, &size, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        size_t bytes, before = size;
        void *resized = spirv_kernel_resized(module, size, "lanes", sizes[i], &bytes);

        assert_non_null(resized);
        assert_true(i == 0 || bytes == before);
        free(module);
        module = resized;
        size = bytes;
        assert_int_equal(spirv_kernel_read(&kernel, module, size, "lanes", &error), STATUS_OK);
        assert_int_equal(kernel.subgroup_size, sizes[i]);
        FILE *out = fopen("resized.spv", "wb");
        assert_int_equal(fwrite(module, 1, size, out), size);
        fclose(out);
        assert_int_equal(spirv_file_read(&file, "resized.spv", &error), STATUS_OK);
        assert_string_equal(file.objection, "");
        spirv_file_free(&file);
    }
    unlink("resized.spv");
    assert_null(spirv_kernel_resized(module, size, "absent", 16, &size));
    free(module);
}

/* A module that spirv-val refuses, since its version is older than what it uses, and compilers
 * accept, is audited. */
static void test_objection(void **state)
{
    const struct isa_request request = {
        .spirv_path = "objected.spv", .targets = "dg2", .kernel = "lanes"};
    struct isa_survey survey;
    struct error error;
    uint32_t *resized;
    void *module;
    size_t size;

    (void)state;
    assert_int_equal(source_compile(source, NULL, 0, 16, &module, &size, &error), STATUS_OK);
    resized = spirv_kernel_resized(module, size, "lanes", 16, &size);
    resized[1] = 0x10000; /* SPIR-V 1.0 */
    FILE *out = fopen("objected.spv", "wb");
    assert_int_equal(fwrite(resized, 1, size, out), size);
    fclose(out);
    assert_int_equal(isa_survey_make(&survey, &request, &error), STATUS_OK);
    assert_non_null(strstr(survey.objection, "SubgroupDispatch"));
    assert_int_equal(survey.count, 1);
    assert_int_equal(survey.entries[0].audit.width, 16);
    isa_survey_free(&survey);
    unlink("objected.spv");
    free(resized);
    free(module);
}

static void refused(const struct job_request *request, const char *says)
{
    struct job *job = malloc(sizeof(*job));
    struct error error;

    assert_int_not_equal(job_open(job, request, &error), STATUS_OK);
    if (!strstr(error.text, says))
        fail_msg("'%s' does not say '%s'", error.text, says);
    free(job);
}

/* Each mistake is named, with the way out. */
static void test_mistakes(void **state)
{
    struct job_request request = request_of("tripel");

    (void)state;
    refused(&request, "it has triple, planted, doubled, lanes, never");
    request = request_of("triple");
    refused(&request, "give its bytes, --arg out=BYTES");
    request.arguments = (struct job_words){{"out=4K"}, 1};
    refused(&request, "argument 1 (n) of triple is missing: give --arg n=NUMBER");
    request.arguments = (struct job_words){{"out=4K", "m=1"}, 2};
    refused(&request, "the arguments of triple are 0 (out), 1 (n)");
    request.arguments = (struct job_words){{"out=4K", "n=many"}, 2};
    refused(&request, "is a whole number, and many is none");
    request.arguments = (struct job_words){{"out=4K", "n=5"}, 2};
    request.global = "1000";
    refused(&request, "--global 1000 is no multiple of --local 64");
    request.global = "1024";
    request.sizes = "12";
    refused(&request, "12");
    request.sizes = NULL;
    request.grf = "64";
    refused(&request, "128, 256 or both");
    request.grf = NULL;
    request.tolerance = "2";
    refused(&request, "--tolerance 2");
    request.tolerance = NULL;
    request.buffers = (struct job_words){{"n=zeros"}, 1};
    refused(&request, "no global memory");
}

/* Of what a file and then the command line say of a buffer, the last counts. */
static void test_last_word(void **state)
{
    struct job_request request = request_of("triple");
    struct job *job = malloc(sizeof(*job));
    char expected[4096];
    struct error error;

    (void)state;
    assert_non_null(job);
    snprintf(expected, sizeof(expected), "out=@%s", source);
    request.arguments = (struct job_words){{"out=4K", "n=5"}, 2};
    request.buffers =
        (struct job_words){{"out=iota", "out=@no-such.bin", "out=zeros", expected}, 4};
    assert_int_equal(job_open(job, &request, &error), STATUS_OK);
    assert_int_equal(job->buffer[0].contents.rule, CONTENTS_ZEROS);
    assert_string_equal(job->buffer[0].expected, source);
    job_close(job);
    free(job);
}

/* Definitions, options and register files are variants; sizes and work-groups are points. */
static void test_choices(void **state)
{
    struct job_request request = request_of("planted");
    struct job *job = malloc(sizeof(*job));
    struct error error;
    size_t points = 0;

    (void)state;
    request.arguments = (struct job_words){{"0=4K", "n=0x400"}, 2};
    request.defines = (struct job_words){{"PLANTED=1,2,3", "OTHER=4"}, 2};
    request.grf = "128,256";
    request.sizes = "8,32";
    request.locals = (struct job_words){{"16:128:x2"}, 1};
    assert_int_equal(job_open(job, &request, &error), STATUS_OK);
    assert_int_equal(job->variant_count, 6);
    assert_int_equal(job->module_count, 6);
    assert_string_equal(job->variants[0].name, "PLANTED=1 OTHER=4 grf=128");
    assert_string_equal(job->variants[5].name, "PLANTED=3 OTHER=4 grf=256");
    assert_string_equal(job->variants[5].build_flags, "-ze-opt-large-register-file");
    assert_null(job->variants[0].build_flags);
    while (job->points[points])
        points++;
    assert_int_equal(points, 2 * 4);
    assert_string_equal(job->points[7], "subgroup_size=32 workgroup_size=128 workgroup_count=8");
    assert_int_equal(job->buffer[0].bytes, 4096);
    assert_int_equal(job->launch[0].argument[1].value, 1024);
    job_close(job);
    /* Shapes of as many work-items are variants, too. */
    request = request_of("planted");
    request.arguments = (struct job_words){{"0=4K", "n=0x400"}, 2};
    request.global = "64,64";
    request.locals = (struct job_words){{"16,4", "8,8"}, 2};
    assert_int_equal(job_open(job, &request, &error), STATUS_OK);
    assert_int_equal(job->variant_count, 2);
    assert_string_equal(job->variants[1].name, "local=8x8x1");
    struct launch launch = {{16, 64, 64, {0}}, &job->variants[1], 1, LAUNCH_MEASURE};
    struct geometry geometry = family_geometry(&job->family, &launch);
    assert_int_equal(geometry.size[1], 8);
    assert_int_equal(geometry.count[1], 8);
    job_close(job);
    free(job);
}

/* Launches that find other things in the caches are judged by themselves. */
static void test_caches(void **state)
{
    struct job_request request = request_of("planted");
    struct job *job = malloc(sizeof(*job));
    struct error error;

    (void)state;
    request.arguments = (struct job_words){{"out=4K", "n=1"}, 2};
    request.caches = "warm,cold";
    assert_int_equal(job_open(job, &request, &error), STATUS_OK);
    assert_int_equal(job->variant_count, 2);
    assert_string_equal(job->variants[0].name, "caches=warm");
    assert_string_equal(job->variants[0].operation, "planted caches=warm");
    assert_int_equal(job->variants[1].caches, CACHES_COLD);
    assert_string_equal(job->variants[1].operation, "planted caches=cold");
    assert_int_equal(job->module_count, 1);
    job_close(job);
    free(job);
    request.caches = "hot";
    refused(&request, "--caches hot: a launch finds them warm, flushed or cold");
}

static void test_image(void **state)
{
    struct job_request request = request_of("inverted");
    struct job *job = malloc(sizeof(*job));
    struct error error;

    (void)state;
    request.global = "16,8";
    request.locals = (struct job_words){{"4,4"}, 1};
    request.arguments = (struct job_words){{"in=16,8:rgba8u", "out=16,8:rg16f"}, 2};
    assert_int_equal(job_open(job, &request, &error), STATUS_OK);
    assert_true(job->buffer[0].is_image && job->buffer[1].is_image);
    assert_false(job->buffer[0].is_output);
    assert_true(job->buffer[1].is_output && job->buffer[1].is_float);
    assert_int_equal(job->buffer[0].bytes, 16 * 8 * 4);
    assert_int_equal(job->buffer[1].element_bytes, 2);
    job_close(job);
    free(job);
    request.arguments = (struct job_words){{"in=16:rgba8u", "out=16,8:rg16f"}, 2};
    refused(&request, "argument 0 (in) of inverted is an image: give --arg in=WIDTH,HEIGHT:FORMAT");
    request.arguments = (struct job_words){{"in=16,8:rgba9", "out=16,8:rg16f"}, 2};
    refused(&request, "a format is r, rg or rgba");
}

/* Bits as IEEE 754 has them. */
static void test_half(void **state)
{
    static const struct {
        float number;
        uint16_t bits;
    } known[] = {{0.0f, 0x0000},     {1.0f, 0x3c00},         {-2.0f, 0xc000},
                 {65504.0f, 0x7bff}, {65520.0f, 0x7c00},     {1e30f, 0x7c00},
                 {0x1p-14f, 0x0400}, {0x1p-24f, 0x0001},     {0x1p-26f, 0x0000},
                 {2049.0f, 0x6800},  {2051.0f, 0x6802},      {1.0f / 3.0f, 0x3555},
                 {-0.0f, 0x8000},    {-0x1.ff8p-15f, 0x83ff}};

    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        assert_int_equal(half_from_float(known[i].number), known[i].bits);
    for (uint32_t bits = 0; bits <= 0x7c00; bits++)
        assert_int_equal(half_from_float(half_to_float((uint16_t)bits)), bits);
}

/* A compiler that refuses some definitions leaves the others. */
static void test_refused_source(void **state)
{
    struct job_request request = request_of("planted");
    struct job *job = malloc(sizeof(*job));
    struct error error;

    (void)state;
    request.arguments = (struct job_words){{"out=4K", "n=1"}, 2};
    request.defines = (struct job_words){{"PLANTED=1,oops"}, 1};
    assert_int_equal(job_open(job, &request, &error), STATUS_OK);
    assert_null(job->modules[0].defect);
    assert_non_null(strstr(job->modules[1].defect, "undeclared identifier 'oops'"));
    job_close(job);
    free(job);
    request.defines = (struct job_words){{"PLANTED=oops"}, 1};
    refused(&request, "undeclared identifier 'oops'");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signature),      cmocka_unit_test(test_resized),
        cmocka_unit_test(test_objection),      cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_last_word),      cmocka_unit_test(test_choices),
        cmocka_unit_test(test_refused_source), cmocka_unit_test(test_caches),
        cmocka_unit_test(test_image),          cmocka_unit_test(test_half),
    };

    assert(argc == 3);
    source = argv[1];
    arguments = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
