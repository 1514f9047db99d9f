/* Which device a selector means, and what rows say of a device. */
#include "test.h"

#include "ze/conditions.h"
#include "ze/device.h"

#include <stdio.h>
#include <string.h>

static struct device_list list;

static int fill_list(void **state)
{
    static const char *const names[] = {"Intel(R) Arc(TM) A770 Graphics",
                                        "Intel(R) Arc(TM) A380 Graphics",
                                        "Intel(R) UHD Graphics 770"};

    (void)state;
    memset(&list, 0, sizeof(list));
    list.count = 3;
    for (unsigned i = 0; i < 3; i++) {
        struct device *device = &list.device[i];

        snprintf(device->name, sizeof(device->name), "%s", names[i]);
        snprintf(device->uuid, sizeof(device->uuid), "8680a056-0000-0000-0000-00000000000%u", i);
        snprintf(device->pci_address, sizeof(device->pci_address), "0000:0%u:00.0", i + 3);
    }
    return 0;
}

static void assert_chosen(const char *selector, size_t expected)
{
    struct error error;
    size_t index = 99;

    if (device_select(&list, selector, &index, &error) != STATUS_OK)
        fail_msg("%s: %s", selector, error.text);
    assert_int_equal(index, expected);
}

static void assert_refused(const char *selector, const char *named)
{
    struct error error;
    size_t index;

    assert_int_equal(device_select(&list, selector, &index, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, named));
    for (size_t i = 0; i < list.count; i++)
        assert_non_null(strstr(error.text, list.device[i].name));
}

static void test_selectors(void **state)
{
    (void)state;
    assert_chosen("0", 0);
    assert_chosen("2", 2);
    assert_chosen("8680A056-0000-0000-0000-000000000001", 1);
    assert_chosen("0000:05:00.0", 2);
    assert_chosen("04:00.0", 1);
    assert_chosen("a380", 1);
    assert_chosen("UHD", 2);
    assert_refused("770", "more than one");
    assert_refused("arc", "more than one");
    assert_refused("3", "matches");
    assert_refused("xe2", "no GPU");
    assert_refused("", "no GPU");
}

static void test_best(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        list.device[i].slices = 1;
        list.device[i].subslices_per_slice = 8 + 4 * i;
    }
    list.device[2].is_integrated = true;
    assert_chosen("best", 1);
    /* Two tiles. */
    list.device[0].subslices_per_slice = list.device[1].subslices_per_slice;
    assert_chosen("best", 0);
    list.device[0].is_integrated = list.device[1].is_integrated = true;
    assert_chosen("best", 2);
}

/* As with ZE_FLAT_DEVICE_HIERARCHY=FLAT: nothing calls them tiles. */
static void test_tiles_share_an_address(void **state)
{
    int drivers[2];

    (void)state;
    strcpy(list.device[1].pci_address, list.device[0].pci_address);
    list.device[1].tile = 1;
    list.device[1].driver = (ze_driver_handle_t)(void *)&drivers[1];
    device_list_find_tiles(&list);
    assert_false(list.device[0].is_tile || list.device[1].is_tile); /* one GPU, two drivers */
    list.device[1].driver = list.device[0].driver;
    device_list_find_tiles(&list);
    assert_true(list.device[0].is_tile && list.device[1].is_tile && !list.device[2].is_tile);
    assert_refused("0000:03:00.0", "tile 1");
    for (unsigned i = 0; i < 3; i++)
        list.device[i].pci_address[0] = '\0'; /* unknown addresses are not one */
    list.device[0].is_tile = list.device[1].is_tile = false;
    device_list_find_tiles(&list);
    assert_false(list.device[0].is_tile || list.device[2].is_tile);
}

static void assert_conditions(const struct conditions *conditions,
                              const struct surroundings *surroundings, const char *expected)
{
    char text[200], little[8];

    conditions_text(conditions, surroundings, &list.device[0], text, sizeof(text));
    assert_string_equal(text, expected);
    conditions_text(conditions, surroundings, &list.device[0], little, sizeof(little));
    assert_memory_equal(little, text, strlen(little));
}

static void test_conditions_are_named(void **state)
{
    (void)state;
    assert_conditions(&(struct conditions){.engine_count = 0}, &(struct surroundings){0}, "");
    list.device[0].tile_count = 2;
    assert_conditions(&(struct conditions){1, 4, ECC_ON, 189.6},
                      &(struct surroundings){1u << 1 | 1u << 6, 3, 0.125},
                      "implicit_scaling=2 engine_group=1/4 ecc=on power_limit=190W "
                      "throttled=burst_power,hardware clients=3 client_busy=12%");
    list.device[0].is_tile = true;
    list.device[0].tile = 1;
    assert_conditions(&(struct conditions){.ecc = ECC_OFF}, &(struct surroundings){0},
                      "tile=1 ecc=off");
    list.device[0].tile = TILE_UNKNOWN;
    assert_conditions(&(struct conditions){.engine_count = 0}, &(struct surroundings){0},
                      "tile=unknown");
    /* Nothing that is on a tile is surely its own. */
    assert_true(device_has_part(&list.device[0], false, 0));
    assert_false(device_has_part(&list.device[0], true, 0));
}

static void test_default(void **state)
{
    (void)state;
    assert_refused(NULL, "--device");
    list.count = 1;
    assert_chosen(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_selectors, fill_list),
        cmocka_unit_test_setup(test_best, fill_list),
        cmocka_unit_test_setup(test_tiles_share_an_address, fill_list),
        cmocka_unit_test_setup(test_conditions_are_named, fill_list),
        cmocka_unit_test_setup(test_default, fill_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
