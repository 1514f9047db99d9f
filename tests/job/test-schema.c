/* docs/job.schema.json has the keys that a job's file can have, and no others; and the jobs in
 * examples/kernels have no others either. argv[1] is the schema, argv[2] the folder of examples. */
#include "job/file.h"

#include "test.h"

#include <assert.h>
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *schema_path, *folder;

/* The part of the schema that says what an owner can have. */
static const json_t *keys_of(const json_t *schema, enum job_key_owner owner)
{
    const json_t *parts = json_object_get(schema, "$defs");

    if (owner == JOB_LAUNCH_KEYS)
        return json_object_get(parts, "launch");
    return owner == JOB_MEMORY_KEYS ? json_object_get(parts, "memory") : schema;
}

static void test_same_keys(void **state)
{
    json_error_t wrong;
    json_t *schema = json_load_file(schema_path, JSON_REJECT_DUPLICATES, &wrong);

    (void)state;
    if (!schema)
        fail_msg("%s:%d: %s", schema_path, wrong.line, wrong.text);
    for (int owner = 0; owner < JOB_KEY_OWNERS; owner++) {
        const json_t *object = keys_of(schema, (enum job_key_owner)owner);
        const json_t *properties = json_object_get(object, "properties");
        size_t count;
        const char *const *keys = job_file_keys((enum job_key_owner)owner, &count);

        assert_true(json_is_false(json_object_get(object, "additionalProperties")));
        for (size_t i = 0; i < count; i++) {
            if (!json_object_get(properties, keys[i]))
                fail_msg("the schema has no %s", keys[i]);
        }
        assert_int_equal(json_object_size(properties), count);
    }
    json_decref(schema);
}

/* As many launches as the schema allows. */
static void test_same_limit(void **state)
{
    json_t *schema = json_load_file(schema_path, 0, NULL);
    const json_t *launches = json_object_get(json_object_get(schema, "properties"), "launches");

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(launches, "maxItems")), JOB_LAUNCHES_MAX);
    json_decref(schema);
}

/* Reading refuses keys that are not in the program's tables, which are those of the schema. */
static void test_examples(void **state)
{
    DIR *entries = opendir(folder);
    size_t read = 0;

    (void)state;
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[4096];
        struct job_file *file = malloc(sizeof(*file));
        struct error error;

        assert_non_null(file);
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (job_is_file(path)) {
            if (job_file_read(file, path, &error) != STATUS_OK)
                fail_msg("%s", error.text);
            job_file_free(file);
            read++;
        }
        free(file);
    }
    closedir(entries);
    assert_true(read > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_keys),
        cmocka_unit_test(test_same_limit),
        cmocka_unit_test(test_examples),
    };

    assert(argc == 3);
    schema_path = argv[1];
    folder = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
