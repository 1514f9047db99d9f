/* Bad results and models, given to every command that takes them: one clear message with file, line
 * and column, nothing written, and what was there before stays. */
#include "test.h"
#include "whole-file.h"

#include "commands/commands.h"
#include "families/registry.h"
#include "model/model.h"
#include "rows.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BAD    "test-bad-input.csv"
#define GOOD   "test-bad-input-good.csv"
#define MODEL  "test-bad-input.json"
#define FOLDER "test-bad-input.d"
#define OUTPUT FOLDER "/output"

static char good[16384]; /* the text of GOOD */

static void write_text(const char *path, const char *text)
{
    whole_file_write(path, text, strlen(text));
}

static void write_rows(const char *path, const char *uuid)
{
    struct row_writer writer;

    rows_open(&writer, path, "barrier");
    writer.device_uuid = uuid;
    for (unsigned n = 1; n <= 16; n *= 2)
        rows_add(&writer, &(struct row_values){.variant = "work_group_local",
                                               .parameters = "stride=1",
                                               .subgroup_size = 16,
                                               .workgroup_size = 16 * n,
                                               .workgroup_count = 1,
                                               .value = 20.0 + n,
                                               .half_width = 0.25});
    rows_close(&writer);
}

static int make_good(void **state)
{
    const char *const paths[] = {GOOD};
    FILE *sink = tmpfile();
    struct error error;

    (void)state;
    assert_non_null(sink);
    write_rows(GOOD, "uuid-1");
    char *text = whole_file_read(GOOD);
    assert_true(strlen(text) < sizeof(good));
    strcpy(good, text);
    free(text);
    if (command_fit(&(struct fit_request){.files = paths, .count = 1, .output = MODEL, .seed = 1},
                    sink, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    fclose(sink);
    mkdir(FOLDER, 0777);
    return 0;
}

static int remove_good(void **state)
{
    (void)state;
    unlink(GOOD);
    unlink(BAD);
    unlink(MODEL);
    rmdir(FOLDER);
    return 0;
}

static size_t files_in(const char *folder)
{
    DIR *directory = opendir(folder);
    size_t count = 0;

    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static enum status pass_by(void *context, const struct record *record, struct error *error)
{
    (void)context;
    (void)record;
    (void)error;
    return STATUS_OK;
}

/* VISIT is how the fleet reads, row by row. */
enum { FIT, CHECK, COMPARE_BASE, COMPARE_NEW, REPORT, ADVISE, VISIT, RUNS };

static enum status run(int command, const char *results, FILE *out, struct error *error)
{
    const char *const paths[] = {results};
    const char *const base_first[] = {results, GOOD}, *const new_last[] = {GOOD, results};
    const struct compare_request request = {.files =
                                                command == COMPARE_BASE ? base_first : new_last,
                                            .base_count = 1,
                                            .new_count = 1,
                                            .threshold = 0.01,
                                            .format = FORMAT_TABLE};
    struct report_summary summary;
    bool flag;

    switch (command) {
    case FIT:
        return command_fit(
            &(struct fit_request){.files = paths, .count = 1, .output = OUTPUT, .seed = 1}, out,
            error);
    case CHECK:
        return command_check(MODEL, "a380", paths, 1, 0.05, false, out, &flag, error);
    case COMPARE_BASE:
    case COMPARE_NEW:
        return command_compare(&request, out, &flag, error);
    case REPORT:
        return command_report(paths, 1, NULL, OUTPUT, TIME_AUTO, &summary, error);
    case VISIT:
        return records_visit(paths, 1, pass_by, NULL, error);
    default:
        return command_advise(MODEL, "barrier", paths, 1, out, error);
    }
}

/* Commands before `end` refuse BAD, with these words, in one line, and leave nothing. */
static void assert_refused_before(int end, const char *words)
{
    for (int command = 0; command < end; command++) {
        FILE *out = tmpfile();
        struct error error;

        assert_non_null(out);
        assert_int_equal(run(command, BAD, out, &error), STATUS_FAILED);
        if (!strstr(error.text, words) || strchr(error.text, '\n'))
            fail_msg("command %d: \"%s\" does not say \"%s\"", command, error.text, words);
        assert_int_equal(ftell(out), 0);
        assert_int_equal(files_in(FOLDER), 0);
        fclose(out);
    }
}

static void assert_refused(const char *words)
{
    assert_refused_before(RUNS, words);
}

/* GOOD with the first `from` at or after line `line` replaced. */
static void write_changed(unsigned line, const char *from, const char *to)
{
    char text[sizeof(good) + 256];
    const char *at = good;

    for (unsigned i = 1; i < line; i++)
        at = strchr(at, '\n') + 1;
    at = strstr(at, from);
    assert_non_null(at);
    snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    write_text(BAD, text);
}

static void assert_change_refused(const char *from, const char *to, const char *words)
{
    write_changed(3, from, to);
    assert_refused(words);
}

static void test_broken_files(void **state)
{
    (void)state;
    whole_file_write(BAD, good, 12);
    assert_refused(BAD ":1, field 2: the file ends within a row");
    write_text(BAD, "");
    assert_refused(BAD " is empty");
    whole_file_write(BAD, good, strlen(good) + 1);
    assert_refused("NUL");
    unlink(BAD);
    assert_refused("cannot read " BAD);
    mkdir(BAD, 0777);
    assert_refused("cannot read " BAD);
    rmdir(BAD);
}

/* A file whose reading fails, as on a broken disk: at address 0 a process has no memory. */
static void test_an_input_error(void **state)
{
    static const char *const path = "/proc/self/mem";
    struct records records;
    struct error error;

    (void)state;
    assert_int_equal(records_read(&records, &path, 1, &error), STATUS_FAILED);
    assert_string_equal(error.text, "cannot read /proc/self/mem: Input/output error");
}

static void test_numbers(void **state)
{
    (void)state;
    assert_change_refused(",2000,", ",nan,",
                          BAD ":3, column clock_mhz: 'nan' is not a finite number");
    assert_change_refused(",2000,", ",inf,", BAD ":3, column clock_mhz");
    assert_change_refused(",2000,", ",1e999,", "not a finite number");
    assert_change_refused(",2000,", ",0x7d0,", "not a finite number");
    assert_change_refused(",2000,", ",\" 2000\",", "not a finite number");
    assert_change_refused(",2000,", ",-1,", "column clock_mhz: '-1' is negative");
    assert_change_refused(",2000,", ",1e-300,", "column clock_mhz: '1e-300' is out of range");
    assert_change_refused(",2000,", ",1e300,", "column clock_mhz: '1e300' is out of range");
    assert_change_refused(",21.75,", ",-4e-324,", "column ci95_lo_ns: '-4e-324' is out of range");
    assert_change_refused(",2000,", ",\"1,5\",", "decimal comma");
    assert_change_refused(",2000,", ",1,5,", BAD ":3, field 35: the row has 35 fields");
    assert_change_refused(",16,32,1,", ",16,32.5,1,", BAD ":3, column workgroup_size: '32.5'");
    assert_change_refused(",16,32,1,", ",16,1e300,1,",
                          "column workgroup_size: '1e300' is not a whole");
    assert_change_refused(",16,32,1,", ",-16,32,1,",
                          "column subgroup_size: '-16' is not a whole number from 1");
    assert_change_refused(",16,32,1,", ",0,32,1,",
                          "column subgroup_size: '0' is not a whole number from 1");
    assert_change_refused(",16,32,1,", ",16,32,,", "column workgroup_count: ''");
    assert_change_refused(",100,1,", ",-100,1,", BAD ":3, column loop_ns: '-100' is negative");
    assert_change_refused(",21.75,", ",23.75,", BAD ":3, column ci95_lo_ns: '23.75' is above");
    assert_change_refused("stride=1", "stride", BAD ":3, column parameters");
    assert_change_refused("stride=1", "stride=nan", "column parameters");
    assert_change_refused("stride=1", "stride=1e30", "column parameters");
}

static void test_other_files(void **state)
{
    (void)state;
    write_changed(1, "benchmark", "family");
    assert_refused(BAD ":1: there is no column benchmark");
    write_changed(1, "benchmark", "variant");
    assert_refused(BAD ":1: two columns are called variant");
    write_text(BAD, "{\"format\": \"vebench-model-2\"}\n");
    assert_refused(BAD ":1");
}

static enum status take_record(void *context, const struct record *record, struct error *error)
{
    size_t *taken = context;

    (void)record;
    (void)error;
    ++*taken;
    return STATUS_OK;
}

/* So is BAD where rows are visited one by one, behind the first of them. */
static void assert_visit_refused(const char *words)
{
    const char *const paths[] = {BAD};
    struct error error;
    size_t taken = 0;

    assert_int_equal(records_visit(paths, 1, take_record, &taken, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, words));
    assert_int_equal(taken, 1);
}

static void test_rows(void **state)
{
    char text[2 * sizeof(good)];

    (void)state;
    /* A row that is there twice, and another device, both of which a fleet may have. */
    write_changed(3, ",16,32,1,", ",16,16,1,");
    assert_refused_before(VISIT, BAD ":2 and " BAD ":3 are the same");
    write_changed(3, "uuid-1", "uuid-2");
    assert_refused_before(VISIT, BAD ":3: this row is from GPU (emulated, uuid-2)");
    write_changed(3, "emulated", "hardware");
    assert_refused_before(VISIT, "give files of one device");
    assert_change_refused("emulated", "\xaemulated", BAD ":3, field 1: text that is not UTF-8");
    assert_change_refused("emulated", "\xed\xa0\x80", "not UTF-8");
    memset(text, 'x', 400);
    text[400] = '\0';
    assert_change_refused("uuid-1", text, BAD ":3, column device_uuid");
    assert_visit_refused(BAD ":3, column device_uuid");
}

/* A header of a million columns, and a field of a megabyte. */
static void test_long_ones(void **state)
{
    static char text[1u << 21];
    size_t used = 0;

    (void)state;
    while (used + 16 < sizeof(text))
        used += (size_t)snprintf(text + used, 16, "%zu,", used);
    strcpy(text + used - 1, "\n");
    write_text(BAD, text);
    assert_refused("more columns than any");
    memset(text, 'x', sizeof(text));
    strcpy(text + sizeof(text) - 3, "\n");
    write_text(BAD, text);
    assert_refused(BAD ":1, field 1: a field longer than 65536");
}

/* Columns in another order, more of them, a byte order mark, plain line ends: all fine. */
static void test_other_order(void **state)
{
    static const char extra[] = "later,";
    char text[sizeof(good) + 1024] = "\xef\xbb\xbf";
    FILE *sink = tmpfile();
    struct error error;

    (void)state;
    assert_non_null(sink);
    for (const char *at = good; *at;) {
        size_t line = strcspn(at, "\r");

        strcat(text, at == good ? extra : "7,");
        strncat(text, at, line);
        strcat(text, "\n");
        at += line + 2;
    }
    write_text(BAD, text);
    if (run(CHECK, BAD, sink, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    fclose(sink);
}

static void test_devices(void **state)
{
    FILE *out = tmpfile();
    char text[512] = "";
    struct error error;

    (void)state;
    assert_non_null(out);
    write_rows(BAD, "uuid-2");
    /* Another device of the model's type. */
    assert_int_equal(run(CHECK, BAD, out, &error), STATUS_OK);
    assert_int_equal(run(ADVISE, BAD, out, &error), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    out = tmpfile();
    assert_non_null(out);
    /* To compare two devices is allowed, but said. */
    assert_int_equal(run(COMPARE_NEW, BAD, out, &error), STATUS_OK);
    rewind(out);
    assert_non_null(fgets(text, sizeof(text), out));
    assert_non_null(strstr(text, "two devices"));
    fclose(out);
}

static void assert_model_refused(const char *words)
{
    const char *const paths[] = {GOOD};
    FILE *out = tmpfile();
    struct error error;
    bool flag;

    assert_non_null(out);
    assert_int_equal(command_check(BAD, "a380", paths, 1, 0.05, false, out, &flag, &error),
                     STATUS_FAILED);
    if (!strstr(error.text, words) || strchr(error.text, '\n'))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_int_equal(command_advise(BAD, "barrier", NULL, 0, out, &error), STATUS_FAILED);
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_int_equal(ftell(out), 0);
    fclose(out);
}

static void assert_model_change_refused(const char *from, const char *to, const char *words)
{
    char *text = whole_file_read(MODEL);
    size_t bytes = strlen(text) + strlen(to) + 1;
    char *changed = malloc(bytes);
    const char *at = strstr(text, from);

    assert_true(changed && at);
    snprintf(changed, bytes, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    write_text(BAD, changed);
    free(changed);
    free(text);
    assert_model_refused(words);
}

static void test_models(void **state)
{
    char *text = whole_file_read(MODEL);

    (void)state;
    whole_file_write(BAD, text, strlen(text) / 2);
    free(text);
    assert_model_refused(BAD ":");
    write_text(BAD, "");
    assert_model_refused(BAD ":1:0:");
    write_text(BAD, good);
    assert_model_refused(BAD ":1:");
    unlink(BAD);
    assert_model_refused("cannot read " BAD);
    mkdir(BAD, 0777);
    assert_model_refused(BAD " is not a model: it is a folder");
    rmdir(BAD);
    assert_model_change_refused("vebench-model-2", "vebench-model-1",
                                "its format is 'vebench-model-1', not 'vebench-model-2'");
    assert_model_change_refused("\"device_uuid\"", "\"device\"", "member device_uuid");
    assert_model_change_refused("\"clock_mhz\": 2000.0", "\"clock_mhz\": -3", "clock_mhz is not");
    assert_model_change_refused("per_thread\",", "base\",", "parameters[1].name is there twice");
    assert_model_change_refused("\"value\": ", "\"value\": null, \"x\": ", "parameters[0].value");
    assert_model_change_refused("\"value\": ", "\"value\": 1e999, \"x\": ", BAD ":");
    assert_model_change_refused("\"rows\": ", "\"rows\": -1, \"x\": ", "parameters[0].rows");
    assert_model_change_refused("\"interval95\": [", "\"interval95\": [1e30, ", "interval95");
    assert_model_change_refused("\"name\": \"", "\"name\": 3, \"x\": \"", "parameters[0].name");
}

/* What a parameter is about is read from members: none may be missing, or of another type. */
static void test_members(void **state)
{
    static const char *const members[] = {"term",    "larger_of_terms", "less_baseline_wait",
                                          "level",   "working_sets",    "stride",
                                          "threads", "left_out_share",  "margins"};
    char from[64], wrong[64], named[64];

    (void)state;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        snprintf(from, sizeof(from), "\"%s\": ", members[i]);
        snprintf(wrong, sizeof(wrong), "\"%s\": {}, \"x\": ", members[i]);
        snprintf(named, sizeof(named), "%s is ", members[i]);
        assert_model_change_refused(from, "\"x\": ", named);
        assert_model_change_refused(from, wrong, named);
    }
    assert_model_change_refused("\"level\": ", "\"level\": -1, \"x\": ", "parameters[0].level is");
    assert_model_change_refused(
        "\"level\": ", "\"level\": 4294967296, \"x\": ", "parameters[0].level is out of range");
    assert_model_change_refused(
        "\"stride\": ", "\"stride\": null, \"x\": ", "parameters[0].stride is no number");
    assert_model_change_refused("\"working_sets\": ", "\"working_sets\": [2, 1], \"x\": ",
                                "parameters[0].working_sets is not an interval");
    assert_model_change_refused(
        "\"threads\": ", "\"threads\": [-1, 1], \"x\": ", "parameters[0].threads is out of range");
}

#define MARGIN(members) "\"margins\": [{" members "}], \"x\": "

/* Lists and the members of what is in them. */
static void test_lists(void **state)
{
    static const char *const members[] = {
        "device_name", "device_uuid", "device_kind", "driver_version", "clock_mhz",
        "xe_cores",    "absent",      "sources",     "costs",          "parameters"};
    static const char long_name[] = "\"device_kind\": \"a word that is longer than any\", \"x\": ";
    char from[64], named[64];

    (void)state;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        snprintf(from, sizeof(from), "\"%s\": ", members[i]);
        snprintf(named, sizeof(named), "member %s is ", members[i]);
        assert_model_change_refused(from, "\"x\": ", named);
    }
    assert_model_change_refused("\"device_kind\": ", long_name, "member device_kind is too long");
    assert_model_change_refused(
        "\"file\": ", "\"x\": ", "member sources[].file is missing or not a text");
    assert_model_change_refused(
        "\"rows_used\": ", "\"rows_used\": -1, \"x\": ", "member sources[].rows_used is");
    assert_model_change_refused("\"absent\": [", "\"absent\": [{\"name\": \"n\", \"why\": \"w\"}, ",
                                "member absent[].command is missing or not a text");
    assert_model_change_refused(
        "\"margins\": ", MARGIN("\"rows\": 1, \"median\": 1, \"shorter\": 2, \"longer\": 2"),
        "member margins[].mechanism is missing or not a text");
    assert_model_change_refused(
        "\"margins\": ",
        MARGIN("\"mechanism\": \"m\", \"median\": 1, \"shorter\": 2, \"longer\": 2"),
        "member margins[].rows is");
    assert_model_change_refused(
        "\"margins\": ", MARGIN("\"mechanism\": \"m\", \"rows\": 1, \"shorter\": 2, \"longer\": 2"),
        "member margins[].median is missing or not a number");
    assert_model_change_refused(
        "\"margins\": ",
        MARGIN("\"mechanism\": \"m\", \"rows\": 1, \"median\": 1, \"shorter\": 0.9, \"longer\": 2"),
        "member margins[].shorter is below 1");
    assert_model_change_refused(
        "\"margins\": ",
        MARGIN("\"mechanism\": \"m\", \"rows\": 1, \"median\": 1, \"shorter\": 1, \"longer\": 0.9"),
        "member margins[].longer is below 1");
    assert_model_change_refused(
        "\"barriers\": ", "\"barriers\": [{\"cycles\": 3, \"rows\": 1}], \"x\": ",
        "member barriers[].threads is");
    assert_model_change_refused("\"barriers\": ",
                                "\"barriers\": [{\"threads\": 4, \"cycles\": 3, \"rows\": 1}, "
                                "{\"threads\": 4, \"cycles\": 5, \"rows\": 1}], \"x\": ",
                                "member barriers[].threads is not ascending");
    assert_model_change_refused(
        "\"calibrations\": ",
        "\"calibrations\": [{\"figure\": \"f\", \"value\": 3, \"interval\": [1, 2], "
        "\"rows\": 2, \"off\": 0}], \"x\": ",
        "member calibrations[].interval is not around the value");
    assert_model_change_refused(
        "\"calibrations\": ", "\"calibrations\": [{\"figure\": \"f\", \"value\": 3}], \"x\": ",
        "calibrations[].interval is");
    assert_model_change_refused("\"calibrations\": ", "\"calibrations\": 1, \"x\": ",
                                "member calibrations is missing or not a list");
}

/* 100 MB of a model that would be one, were it not so long: refused before it is read. */
static void test_huge_model(void **state)
{
    FILE *file = fopen(BAD, "wb");

    (void)state;
    assert_non_null(file);
    assert_true(fputs("{\"format\": \"vebench-model-2\"", file) >= 0);
    assert_int_equal(fseek(file, 100 * 1000 * 1000, SEEK_SET), 0); /* takes no room on the disk */
    assert_true(fputs("}", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_model_refused("longer than 67108864 bytes");
    unlink(BAD);
}

static void assert_unwritable(const char *path)
{
    const char *const paths[] = {GOOD};
    struct report_summary summary;
    FILE *out = tmpfile();
    struct error error;

    assert_non_null(out);
    assert_int_equal(
        command_fit(&(struct fit_request){.files = paths, .count = 1, .output = path, .seed = 1},
                    out, &error),
        STATUS_FAILED);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(command_report(paths, 1, NULL, MODEL, TIME_AUTO, &summary, &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, MODEL));
    assert_int_equal(ftell(out), 0);
    fclose(out);
}

static void test_output(void **state)
{
    char *before = whole_file_read(MODEL);
    struct stat kept;

    (void)state;
    assert_unwritable("no-such-folder/model.json");
    assert_unwritable(GOOD "/model.json");
    assert_unwritable(FOLDER);
    assert_int_equal(files_in(FOLDER), 0);
    char *after = whole_file_read(MODEL);
    assert_string_equal(before, after);
    free(before);
    free(after);
    /* Nothing is left beside it, and others may read it where any new file may be read. */
    assert_int_equal(stat(MODEL, &kept), 0);
    assert_int_equal(kept.st_mode & 0600, 0600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_files), cmocka_unit_test(test_an_input_error),
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_long_ones),
        cmocka_unit_test(test_other_order),  cmocka_unit_test(test_devices),
        cmocka_unit_test(test_models),       cmocka_unit_test(test_lists),
        cmocka_unit_test(test_members),      cmocka_unit_test(test_huge_model),
        cmocka_unit_test(test_output),
    };

    return cmocka_run_group_tests(tests, make_good, remove_good);
}
