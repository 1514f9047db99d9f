/* Results files read back: what is wrong with one is said with line and column. */
#include "test.h"

#include "base/text.h"
#include "compare/compare.h"
#include "rows/records-merge.h"
#include "rows/result-files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] =
    "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,subgroup_size,"
    "workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,unit,spill_bytes,"
    "verified,status,reason,parameters,baseline,loop_ns,work_units,work_bytes,work_messages,work_"
    "lines,"
    "work_barriers,work_exchanges,work_flops\r\n";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A row with mean and half width of its interval. */
static void add_row(char *text, const char *variant, double mean, double half, const char *status)
{
    sprintf(text + strlen(text),
            "emulated,GPU,uuid-1,1.3,2000,barrier,%s,16,64,1,3,%g,%g,%g,%g,ns/barrier,0,1,%s,,"
            "stride=4 bytes=65536,none,100,1,,,,,,\r\n",
            variant, mean, mean - half, mean + half, mean, status);
}

static enum status read_text(struct records *records, const char *text, struct error *error)
{
    static const char path[] = "test-records.tmp";
    const char *const paths[] = {path};

    write_file(path, text);
    enum status status = records_read(records, paths, 1, error);
    unlink(path);
    return status;
}

static void assert_refused(const char *text, const char *said)
{
    struct records records;
    struct error error;

    assert_int_equal(read_text(&records, text, &error), STATUS_FAILED);
    if (!strstr(error.text, said))
        fail_msg("\"%s\" does not say \"%s\"", error.text, said);
}

static void test_rows(void **state)
{
    struct records records;
    struct error error;
    char text[4000];

    (void)state;
    strcpy(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    add_row(text, "b", 40.0, 1.0, "unreliable");
    assert_int_equal(read_text(&records, text, &error), STATUS_OK);
    assert_int_equal(records.count, 2);
    assert_int_equal(records.unusable, 1);
    assert_string_equal(records.device_kind, "emulated");
    assert_true(records.record[0].usable);
    assert_near(records.record[0].ci95_hi_ns, 31.0, 1e-9);
    assert_near(record_parameter(&records.record[0], "bytes", 0.0), 65536.0, 0.0);
    assert_near(record_parameter(&records.record[0], "stride", 0.0), 4.0, 0.0);
    assert_near(record_parameter(&records.record[0], "byte", -1.0), -1.0, 0.0);
    records_free(&records);
}

/* A file of an interrupted run may have a header alone: to some commands that is an answer. */
static void test_no_rows(void **state)
{
    static const char path[] = "test-records.tmp";
    const char *const paths[] = {path};
    struct records records;
    struct error error;

    (void)state;
    write_file(path, header);
    assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
    assert_int_equal(records.count, 0);
    records_free(&records);
    assert_int_equal(records_read_some(&records, paths, 1, &error), STATUS_FAILED);
    assert_string_equal(error.text, "test-records.tmp: no rows: nothing was measured");
    unlink(path);
}

/* The column of methods has had another name. */
static void test_renamed(void **state)
{
    static const char *const names[] = {"method", "way"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct records records;
        struct error error;
        char text[4000], row[2000] = "";

        add_row(row, "shuffle_u32_slm", 30.0, 1.0, "ok");
        sprintf(text, "%.*s,op,type,%s\r\n%.*s,shuffle,u32,by_hand\r\n", (int)strlen(header) - 2,
                header, names[i], (int)strlen(row) - 2, row);
        assert_int_equal(read_text(&records, text, &error), STATUS_OK);
        assert_string_equal(records.record[0].operation, "shuffle");
        assert_string_equal(records.record[0].method, "by_hand");
        records_free(&records);
    }
}

static void test_refusals(void **state)
{
    char text[4000];

    (void)state;
    assert_refused("", "empty");
    assert_refused("a,b\r\n1,2\r\n", "no column device_kind");
    assert_refused("device_kind,device", ":1, field 2: the file ends within a row");
    strcpy(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    add_row(text, "a", 31.0, 1.0, "ok");
    assert_refused(text, "same measurement");
    strcpy(text, header);
    add_row(text, "a", NAN, 1.0, "ok");
    assert_refused(text, ":2, column ns_mean");
    strcpy(text, header);
    add_row(text, "a", INFINITY, 1.0, "ok");
    assert_refused(text, "not a finite number");
    strcpy(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    memcpy(strstr(text, ",100,1,"), ",-10,1,", 7);
    assert_refused(text, ":2, column loop_ns: '-10' is negative");
    strcpy(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    memcpy(strstr(text, ",100,1,"), ",1,0,1,", 7);
    assert_refused(text, "decimal comma");
    strcpy(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    add_row(text, "b", 30.0, 1.0, "ok");
    memcpy(strstr(strstr(text, "uuid-1") + 6, "uuid-1"), "uuid-2", 6);
    assert_refused(text, "files of one device");
    assert_refused("a,b\r\n\"1,2\r\n", "within quotes");
    assert_refused("a,b\r\n\"1\"x,2\r\n", "closing quote");
    assert_refused("a,a\r\n1,2\r\n", "two columns");
}

/* A sweep shared by two devices of one type, a file each, is for a fit; no file is of two. */
static void test_two_devices(void **state)
{
    static const char *const paths[] = {"test-records-1.tmp", "test-records-2.tmp"};
    struct records records;
    struct repeats repeats;
    struct error error;
    char text[4000];

    (void)state;
    strcpy(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    write_file(paths[0], text);
    strcpy(text, header);
    add_row(text, "b", 30.0, 1.0, "ok");
    memcpy(strstr(text, "uuid-1"), "uuid-2", 6);
    write_file(paths[1], text);
    assert_int_equal(records_read(&records, paths, 2, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "files of one device"));
    assert_int_equal(records_read_type(&records, paths, 2, &repeats, &error), STATUS_OK);
    assert_int_equal(records.count, 2);
    assert_string_equal(records.device_uuid, "uuid-1");
    records_free(&records);
    add_row(text, "c", 30.0, 1.0, "ok"); /* of the first again */
    write_file(paths[1], text);
    assert_int_equal(records_read_type(&records, paths, 2, &repeats, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "files of one device"));
    strcpy(text, header);
    add_row(text, "a", 31.0, 1.0, "ok");
    memcpy(strstr(text, "uuid-1"), "uuid-2", 6);
    write_file(paths[1], text);
    assert_int_equal(records_read_type(&records, paths, 2, &repeats, &error), STATUS_OK);
    assert_int_equal(records.count, 1);
    records_free(&records);
    memcpy(strstr(text, "GPU"), "CPU", 3);
    write_file(paths[1], text);
    assert_int_equal(records_read_type(&records, paths, 2, &repeats, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "CPU"));
    unlink(paths[0]);
    unlink(paths[1]);
}

/* Names cannot steer a terminal; other bytes stay as they are. */
static void test_tame(void **state)
{
    char text[] = "a\x1b[2J\tb\r\n\rc\x7f\xc2\x9b\xc3\xa9\n";

    (void)state;
    text_tame(text, strlen(text));
    assert_string_equal(text, "a?[2J\tb\r\n?c???\xc3\xa9\n");
}

static unsigned torn_line;

static void note_torn_row(const char *path, unsigned line)
{
    (void)path;
    torn_line = line;
}

/* Whatever a run that was ended has left of its last row, the others hold. */
/* Of a report of vebench doctor --measure. */
static void test_comments_before_the_header(void **state)
{
    struct records records;
    struct error error;
    char text[4000];

    (void)state;
    strcpy(text, "# ok     timer: \"fine\", \n#\n");
    size_t comments = strlen(text);
    strcat(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    assert_int_equal(read_text(&records, text, &error), STATUS_OK);
    assert_int_equal(records.count, 1);
    assert_int_equal(records.record[0].line, 4);
    records_free(&records);
    strcat(text, "# no comment\n");
    assert_int_equal(read_text(&records, text, &error), STATUS_FAILED);
    text[comments] = '\0';
    assert_int_equal(read_text(&records, text, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "comments only"));
}

static void test_torn_last_row(void **state)
{
    struct records records;
    struct error error;
    char text[4000];

    (void)state;
    strcpy(text, header);
    add_row(text, "a", 30.0, 1.0, "ok");
    size_t whole = strlen(text);
    add_row(text, "b", 40.0, 1.0, "ok");
    size_t all = strlen(text);
    csv_on_torn_row = note_torn_row;
    for (size_t bytes = all - 1; bytes > whole; bytes--) {
        text[bytes] = '\0';
        torn_line = 0;
        assert_int_equal(read_text(&records, text, &error), STATUS_OK);
        assert_int_equal(records.count, 1);
        assert_true(records.tables[0].is_torn);
        assert_int_equal(records.tables[0].bytes, whole);
        assert_int_equal(torn_line, 3);
        records_free(&records);
    }
    text[whole] = '\0';
    assert_int_equal(read_text(&records, text, &error), STATUS_OK);
    assert_false(records.tables[0].is_torn);
    assert_int_equal(records.tables[0].bytes, whole);
    assert_int_equal(records.tables[0].begins[1], strlen(header));
    records_free(&records);
    csv_on_torn_row = NULL;
}

static void test_long_field(void **state)
{
    size_t bytes = 1u << 20;
    char *text = malloc(bytes + 100);

    (void)state;
    assert_non_null(text);
    strcpy(text, "a,b\r\n");
    memset(text + 5, 'x', bytes);
    strcpy(text + 5 + bytes, ",2\r\n");
    assert_refused(text, "longer than 65536");
    free(text);
}

static void test_quotes(void **state)
{
    static const char path[] = "test-records-quotes.tmp";
    struct csv_table table;
    struct error error;

    (void)state;
    write_file(path, "a,\"b,\"\"c\"\"\"\r\n\"1\n2\",\r\n3,4\n");
    assert_int_equal(csv_read(&table, path, &error), STATUS_OK);
    unlink(path);
    assert_int_equal(table.row_count, 2);
    assert_int_equal(csv_table_column(&table, "b,\"c\""), 1);
    assert_string_equal(csv_table_cell(&table, 0, 0), "1\n2");
    assert_string_equal(csv_table_cell(&table, 0, 1), "");
    assert_string_equal(csv_table_cell(&table, 1, 1), "4");
    assert_int_equal(table.lines[2], 4);
    csv_table_free(&table);
}

/* Reads a file in blocks; the sum of its last column, and checks that it has as many rows. */
static double sum_blocks(const char *path, size_t expected)
{
    struct csv_blocks *blocks;
    const struct csv_table *block;
    struct error error;
    size_t rows = 0;
    double sum = 0.0;

    assert_int_equal(csv_blocks_open(&blocks, path, &error), STATUS_OK);
    while (csv_blocks_next(blocks, &block, &error) == STATUS_OK && block) {
        for (size_t i = 0; i < block->row_count; i++, rows++) {
            double number;

            assert_string_equal(csv_table_cell(block, i, 0), rows % 3 ? "plain" : "two\n\"lines\"");
            assert_int_equal(block->lines[i + 1], 2 + rows + (rows + 2) / 3);
            assert_int_equal(csv_table_number(block, i, 1, NAN, &number, &error), STATUS_OK);
            sum += number;
        }
        assert_int_equal(csv_table_column(block, "number"), 1);
    }
    assert_int_equal(rows, expected);
    csv_blocks_close(blocks);
    return sum;
}

/* Blocks end anywhere in the file: within rows, and within quotes. */
static void test_blocks(void **state)
{
    enum { ROWS = 700000 };
    static const char path[] = "test-records-blocks.tmp";
    FILE *file = fopen(path, "w");

    (void)state;
    assert_non_null(file);
    fputs("text,number\r\n", file);
    for (unsigned i = 0; i < ROWS; i++)
        fprintf(file, "%s,%u\r\n", i % 3 ? "plain" : "\"two\n\"\"lines\"\"\"", i);
    fputs("torn", file);
    fclose(file);
    assert_true(sum_blocks(path, ROWS) == (double)ROWS * (ROWS - 1) / 2);
    unlink(path);
}

static void test_long_rows_in_blocks(void **state)
{
    static const char path[] = "test-records-long.tmp";
    struct csv_blocks *blocks;
    const struct csv_table *block;
    struct error error;
    FILE *file = fopen(path, "w");

    (void)state;
    assert_non_null(file);
    fputs("text\r\n\"", file);
    for (unsigned i = 0; i < 2 * CSV_BLOCK_BYTES / 8; i++)
        fputs("endless\n", file);
    fclose(file);
    assert_int_equal(csv_blocks_open(&blocks, path, &error), STATUS_OK);
    assert_int_equal(csv_blocks_next(blocks, &block, &error), STATUS_OK); /* the header */
    assert_int_equal(csv_blocks_next(blocks, &block, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "line 2 is too long"));
    csv_blocks_close(blocks);
    unlink(path);
}

/* Digits as this program writes them, and whatever else is a number: as strtod() reads them. */
static void test_numbers(void **state)
{
    static const char *const texts[] = {"0",           "-0",
                                        "0.1",         "-17.25",
                                        "123456789.5", "1e22",
                                        "1e23",        "1.5e-07",
                                        "2e+05",       ".5",
                                        "5.",          "1E3",
                                        "1e-300",      "+4",
                                        "1.7e308",     "0.30000000000000004",
                                        "72.26202808", "9007199254740993",
                                        "4.9e-20",     "1234567890123456789012345",
                                        "3e-9"};
    static const char *const wrong[] = {"1e", "e5", ".", "-", "1..2", "0x10", "1e5x", "nan", " 1"};
    static const char path[] = "test-records-numbers.tmp";
    struct csv_table table;
    struct error error;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        char text[80];
        double number = 0.0, expected = strtod(texts[i], NULL);

        snprintf(text, sizeof(text), "a\n%s\n", texts[i]);
        write_file(path, text);
        assert_int_equal(csv_read(&table, path, &error), STATUS_OK);
        assert_int_equal(csv_table_number(&table, 0, 0, NAN, &number, &error), STATUS_OK);
        assert_memory_equal(&number, &expected, sizeof(number));
        csv_table_free(&table);
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        char text[80];
        double number;

        snprintf(text, sizeof(text), "a\n%s\n", wrong[i]);
        write_file(path, text);
        assert_int_equal(csv_read(&table, path, &error), STATUS_OK);
        assert_int_equal(csv_table_number(&table, 0, 0, NAN, &number, &error), STATUS_FAILED);
        csv_table_free(&table);
    }
    unlink(path);
}

static void assert_files(const char *folder, const char *expected)
{
    struct result_files files;
    struct error error;
    char all[200] = "";

    assert_int_equal(result_files_list(&files, &folder, 1, &error), STATUS_OK);
    for (size_t i = 0; i < files.count; i++) {
        strcat(all, files.path[i] + strlen(folder));
        strcat(all, " ");
    }
    assert_string_equal(all, expected);
    result_files_free(&files);
}

static void test_folders(void **state)
{
    static const char folder[] = "test-records-folder.tmp";
    const char *const words[] = {folder};
    struct result_files files;
    struct error error;

    (void)state;
    assert_int_equal(system("rm -rf test-records-folder.tmp && mkdir test-records-folder.tmp"), 0);
    assert_int_equal(result_files_list(&files, words, 1, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "has no results"));
    result_files_free(&files);
    write_file("test-records-folder.tmp/b.csv", "");
    write_file("test-records-folder.tmp/a.csv.zst", "");
    write_file("test-records-folder.tmp/notes.txt", "");
    write_file("test-records-folder.tmp/.hidden.csv", "");
    assert_files(folder, "/a.csv.zst /b.csv ");
    /* By name, in whatever order the folder has them. */
    write_file("test-records-folder.tmp/e.csv", "");
    write_file("test-records-folder.tmp/c.csv", "");
    write_file("test-records-folder.tmp/f.csv", "");
    write_file("test-records-folder.tmp/d.csv", "");
    write_file("test-records-folder.tmp/aa.csv", "");
    assert_files(folder, "/a.csv.zst /aa.csv /b.csv /c.csv /d.csv /e.csv /f.csv ");
    /* A manifest says what there has to be; files may have been compressed since. */
    write_file("test-records-folder.tmp/manifest.csv", "file,rows\na.csv,5\n");
    assert_files(folder, "/a.csv.zst ");
    write_file("test-records-folder.tmp/manifest.csv", "file,rows\na.csv,5\nlost.csv,5\n");
    assert_int_equal(result_files_list(&files, words, 1, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "/lost.csv, which is not there"));
    result_files_free(&files);
    write_file("test-records-folder.tmp/manifest.csv", "file,rows\n../a.csv,5\n");
    assert_int_equal(result_files_list(&files, words, 1, &error), STATUS_FAILED);
    result_files_free(&files);
    assert_int_equal(system("rm -rf test-records-folder.tmp"), 0);
}

static void test_compressed(void **state)
{
    static const char path[] = "test-records.csv.zst";
    struct csv_table table;
    struct error error;

    (void)state;
    if (system("printf 'a,b\\n1,2\\n' | zstd -q -f -o test-records.csv.zst 2>/dev/null") != 0)
        skip();
    if (csv_read(&table, path, &error) != STATUS_OK) {
        assert_non_null(strstr(error.text, "without libzstd"));
        unlink(path);
        skip();
    }
    assert_int_equal(table.row_count, 1);
    assert_string_equal(csv_table_cell(&table, 0, 1), "2");
    csv_table_free(&table);
    assert_int_equal(truncate(path, 12), 0);
    assert_int_equal(csv_read(&table, path, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "cut off"));
    write_file(path, "a,b\n1,2\n");
    assert_int_equal(csv_read(&table, path, &error), STATUS_FAILED);
    unlink(path);
}

static enum change compare_two(double base, double base_half, double new, double new_half)
{
    const struct compare_options options = {.threshold = 0.01};
    struct comparisons comparisons;
    struct records first, second;
    struct error error;
    char text[4000];

    strcpy(text, header);
    add_row(text, "a", base, base_half, "ok");
    assert_int_equal(read_text(&first, text, &error), STATUS_OK);
    strcpy(text, header);
    add_row(text, "a", new, new_half, "ok");
    assert_int_equal(read_text(&second, text, &error), STATUS_OK);
    assert_int_equal(compare_records_of(&comparisons, &first, &second, &options, &error),
                     STATUS_OK);
    assert_int_equal(comparisons.count, 1);
    enum change verdict = comparisons.comparison[0].verdict;
    comparisons_free(&comparisons);
    records_free(&first);
    records_free(&second);
    return verdict;
}

static void test_verdicts(void **state)
{
    (void)state;
    assert_int_equal(compare_two(100, 0.1, 100.2, 0.1), CHANGE_SAME);
    assert_int_equal(compare_two(100, 0.1, 95, 0.1), CHANGE_FASTER);
    assert_int_equal(compare_two(100, 0.1, 105, 0.1), CHANGE_SLOWER);
    assert_int_equal(compare_two(100, 8, 105, 8), CHANGE_UNCLEAR);
    /* Below resolution in both: the same, measured by the loop of 100 ns. */
    assert_int_equal(compare_two(0.01, 0.05, -0.02, 0.05), CHANGE_SAME);
}

/* Fifteen changes of two and a half standard deviations, each of which chance makes once in eighty:
 * among so many one is no surprise, and none is believed; one of six is. */
static void test_correction(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                        "i", "j", "k", "l", "m", "n", "o"};
    const struct compare_options options = {.threshold = 0.01};
    const size_t count = sizeof(names) / sizeof(names[0]);
    struct comparisons comparisons;
    struct records first, second;
    struct error error;
    char text[4000];

    (void)state;
    assert_int_equal(compare_two(100, 1, 101.8, 1), CHANGE_SLOWER);
    strcpy(text, header);
    for (size_t i = 0; i < count; i++)
        add_row(text, names[i], 100, 1, "ok");
    assert_int_equal(read_text(&first, text, &error), STATUS_OK);
    strcpy(text, header);
    for (size_t i = 0; i < count; i++)
        add_row(text, names[i], i == 3 ? 104.5 : 101.8, 1, "ok");
    assert_int_equal(read_text(&second, text, &error), STATUS_OK);
    assert_int_equal(compare_records_of(&comparisons, &first, &second, &options, &error),
                     STATUS_OK);
    assert_int_equal(comparisons.verdicts[CHANGE_SLOWER], 1);
    assert_int_equal(comparisons.verdicts[CHANGE_UNCLEAR], count - 1);
    assert_int_equal(comparisons.comparison[3].verdict, CHANGE_SLOWER);
    comparisons_free(&comparisons);
    records_free(&first);
    records_free(&second);
}

/* Rows of size 16 against those of size 32, for the same work: as many threads do not suffice. */
static void test_sizes(void **state)
{
    const struct compare_options options = {.threshold = 0.01, .base_size = 16, .new_size = 32};
    struct comparisons comparisons;
    struct records records;
    struct error error;
    char text[4000];

    (void)state;
    strcpy(text, header);
    for (unsigned i = 0; i < 5; i++)
        add_row(text, (const char *const[]){"a", "b", "c", "d", "e"}[i], 100.0 + 10.0 * i, 0.1,
                "ok");
    assert_int_equal(read_text(&records, text, &error), STATUS_OK);
    /* a: 64 work-items at both sizes; c: 4 threads at both; e: nothing of size 32. */
    records.record[1].subgroup_size = records.record[3].subgroup_size = 32;
    records.record[1].variant = records.record[1].operation = records.record[0].variant;
    records.record[3].variant = records.record[3].operation = records.record[2].variant;
    records.record[3].workgroup_size = 128;
    assert_int_equal(compare_records_of(&comparisons, &records, &records, &options, &error),
                     STATUS_OK);
    assert_int_equal(comparisons.count, 1);
    assert_int_equal(comparisons.only_base, 2);
    assert_int_equal(comparisons.only_new, 1);
    assert_ptr_equal(comparisons.comparison[0].new, &records.record[1]);
    assert_int_equal(comparisons.verdicts[CHANGE_SLOWER], 1);
    comparisons_free(&comparisons);
    records_free(&records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correction),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_no_rows),     cmocka_unit_test(test_renamed),
        cmocka_unit_test(test_tame),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_two_devices), cmocka_unit_test(test_torn_last_row),
        cmocka_unit_test(test_quotes),      cmocka_unit_test(test_long_field),
        cmocka_unit_test(test_verdicts),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_blocks),      cmocka_unit_test(test_long_rows_in_blocks),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_folders),
        cmocka_unit_test(test_compressed),  cmocka_unit_test(test_comments_before_the_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
