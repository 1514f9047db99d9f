/* CSV: quoting, numbers in every locale, refusing to overwrite. */
#include "test.h"

#include "base/csv.h"
#include "sha256-hex.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test-csv.tmp";

static void assert_content(const char *expected)
{
    char text[500];
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    size_t bytes = fread(text, 1, sizeof(text) - 1, file);
    text[bytes] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void test_quoting(void **state)
{
    struct error error;
    struct csv csv;

    (void)state;
    unlink(path);
    assert_int_equal(csv_create(&csv, path, &error), STATUS_OK);
    csv_text(&csv, "plain");
    csv_text(&csv, "a,b");
    csv_text(&csv, "say \"x\"");
    csv_text(&csv, "two\nlines");
    csv_text(&csv, NULL);
    csv_text(&csv, "\xc2\xb5s");
    assert_int_equal(csv_end_row(&csv, &error), STATUS_OK);
    csv_unsigned(&csv, UINT64_MAX);
    csv_real(&csv, 0.1);
    csv_real(&csv, NAN);
    csv_real(&csv, -1234567.25);
    assert_int_equal(csv_end_row(&csv, &error), STATUS_OK);
    /* The rows are there before the file is closed. */
    assert_content("plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,\xc2\xb5s\r\n"
                   "18446744073709551615,0.1,,-1234567.25\r\n");
    assert_int_equal(csv_close(&csv, &error), STATUS_OK);
}

static void test_no_overwriting(void **state)
{
    struct error error;
    struct csv csv;

    (void)state;
    unlink(path);
    assert_int_equal(csv_create(&csv, path, &error), STATUS_OK);
    assert_int_equal(csv_close(&csv, &error), STATUS_OK);
    assert_int_equal(csv_create(&csv, path, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "exists"));
    unlink(path);
    assert_int_equal(csv_create(&csv, "no-such-folder/x.csv", &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "no-such-folder/x.csv"));
}

static void test_full_disk(void **state)
{
    struct error error;
    struct csv csv = {.file = fopen("/dev/full", "w"), .path = "/dev/full"};

    (void)state;
    if (!csv.file)
        skip();
    csv_text(&csv, "row");
    assert_int_equal(csv_end_row(&csv, &error), STATUS_FAILED);
    fclose(csv.file);
}

static void test_locale(void **state)
{
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8"};
    char text[CSV_REAL_BYTES];
    int found = 0;

    (void)state;
    for (size_t i = 0; !found && i < sizeof(commas) / sizeof(commas[0]); i++)
        found = setlocale(LC_ALL, commas[i]) != NULL;
    csv_format_real(1234.5, text);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "1234.5");
}

/* The examples of FIPS 180-2. */
static void test_sha256(void **state)
{
    char hex[SHA256_HEX_BYTES];
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

    (void)state;
    sha256_hex("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_hex("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256_hex(two_blocks, strlen(two_blocks), hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quoting),   cmocka_unit_test(test_no_overwriting),
        cmocka_unit_test(test_full_disk), cmocka_unit_test(test_locale),
        cmocka_unit_test(test_sha256),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
