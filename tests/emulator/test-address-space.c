#include "memory/address-space.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static uint8_t host[65536];

static int add(struct address_space *space, uint64_t address, uint64_t size, size_t at)
{
    const struct mapping mapping = {.address = address, .size = size, .host = host + at};

    return address_space_add(space, &mapping);
}

static void finds_what_was_added(void **state)
{
    struct address_space space = {0};

    (void)state;
    assert_int_equal(add(&space, 0x5000, 0x1000, 0x100), 0);
    assert_int_equal(add(&space, 0x1000, 0x1000, 0x200), 0);
    assert_int_equal(add(&space, 0x3000, 0x2000, 0x300), 0); /* touches the first */
    assert_int_equal(space.count, 3);
    for (size_t i = 1; i < space.count; i++)
        assert_true(space.mappings[i - 1].address < space.mappings[i].address);

    assert_ptr_equal(address_space_host(&space, 0x1000, 0x1000), host + 0x200);
    assert_ptr_equal(address_space_host(&space, 0x1fff, 1), host + 0x11ff);
    assert_ptr_equal(address_space_host(&space, 0x3010, 8), host + 0x310);
    assert_null(address_space_host(&space, 0xfff, 1));
    assert_null(address_space_host(&space, 0x2000, 1));
    assert_null(address_space_host(&space, 0x6000, 1));
    address_space_release(&space);
    assert_int_equal(space.count, 0);
}

static void refuses_spans_beyond_one_mapping(void **state)
{
    struct address_space space = {0};

    (void)state;
    assert_int_equal(add(&space, 0x1000, 0x1000, 0), 0);
    assert_int_equal(add(&space, 0x2000, 0x1000, 0x1000), 0);
    assert_null(address_space_host(&space, 0x1ffc, 8));
    assert_null(address_space_host(&space, 0x1000, UINT64_MAX));
    assert_null(address_space_host(&space, 0x2fff, UINT64_MAX));
    assert_non_null(address_space_host(&space, 0x1ffc, 4));
    assert_int_equal(address_space_run(&space, 0x1ffc, 8), 4);
    assert_int_equal(address_space_run(&space, 0x2ffc, 4), 4);
    assert_int_equal(address_space_run(&space, 0x3000, 4), 0);
    address_space_release(&space);
}

static void refuses_overlaps(void **state)
{
    struct address_space space = {0};

    (void)state;
    assert_int_equal(add(&space, 0x2000, 0x2000, 0), 0);
    assert_int_equal(add(&space, 0x2000, 0x2000, 0), -EEXIST);
    assert_int_equal(add(&space, 0x3fff, 1, 0), -EEXIST);
    assert_int_equal(add(&space, 0x1000, 0x1001, 0), -EEXIST);
    assert_int_equal(add(&space, 0x1000, 0x9000, 0), -EEXIST);
    assert_int_equal(add(&space, 0x2800, 0x100, 0), -EEXIST);
    assert_int_equal(add(&space, 0x1000, 0x1000, 0), 0);
    assert_int_equal(space.count, 2);
    address_space_release(&space);
}

/* What is mapped stays; all else in the range is at its own address. */
static void mirrors_what_is_free(void **state)
{
    struct address_space space = {0};
    uint8_t *const far = (uint8_t *)(uintptr_t)0x7000;

    (void)state;
    assert_int_equal(add(&space, 0x1000, 0x1000, 0x100), 0); /* reaches into the range */
    assert_int_equal(add(&space, 0x4000, 0x1000, 0x200), 0);
    assert_int_equal(add(&space, 0x5000, 0x1000, 0x300), 0);
    assert_int_equal(add(&space, 0x9000, 0x1000, 0x400), 0); /* behind it */
    assert_int_equal(address_space_mirror(&space, 0x1800, 0x8000, 0x100000), 0);
    assert_int_equal(space.count, 6);
    for (size_t i = 1; i < space.count; i++)
        assert_true(space.mappings[i - 1].address < space.mappings[i].address);
    assert_ptr_equal(address_space_host(&space, 0x1800, 1), host + 0x900);
    assert_ptr_equal(address_space_host(&space, 0x2000, 0x2000), far - 0x5000);
    assert_ptr_equal(address_space_host(&space, 0x5000, 1), host + 0x300);
    assert_ptr_equal(address_space_host(&space, 0x7000, 0x1000), far);
    assert_int_equal(address_space_find(&space, 0x7000, 1)->physical, 0x106000);
    assert_null(address_space_host(&space, 0xfff, 1));
    assert_null(address_space_host(&space, 0x8000, 1));
    address_space_release(&space);
    assert_int_equal(address_space_mirror(&space, 0x1000, 0x2000, 0), 0);
    assert_int_equal(space.count, 1);
    address_space_release(&space);
}

static void takes_canonical_addresses(void **state)
{
    struct address_space space = {0};

    (void)state;
    assert_int_equal(add(&space, UINT64_C(0xffff800000000000), 0x1000, 0), 0);
    assert_ptr_equal(address_space_host(&space, UINT64_C(0x800000000000), 4), host);
    assert_ptr_equal(address_space_host(&space, UINT64_C(0xffff800000000ffc), 4), host + 0xffc);
    assert_int_equal(add(&space, UINT64_C(0x800000000000), 0x1000, 0), -EEXIST);
    /* the last page there is, and one byte more */
    assert_int_equal(add(&space, UINT64_C(0xfffffffff000), 0x1000, 0), 0);
    assert_int_equal(add(&space, UINT64_C(0xffffffffe000), 0x3001, 0), -EINVAL);
    assert_int_equal(add(&space, 0x1000, 0, 0), -EINVAL);
    address_space_release(&space);
}

static void holds_many(void **state)
{
    struct address_space space = {0};

    (void)state;
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(add(&space, (i * 7919 % 1000) * 0x1000, 0x1000, 0), 0);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(address_space_find(&space, i * 0x1000 + 5, 1)->address, i * 0x1000);
    assert_null(address_space_find(&space, 1000 * 0x1000, 1));
    address_space_release(&space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_added),
        cmocka_unit_test(refuses_overlaps),
        cmocka_unit_test(refuses_spans_beyond_one_mapping),
        cmocka_unit_test(mirrors_what_is_free),
        cmocka_unit_test(takes_canonical_addresses),
        cmocka_unit_test(holds_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
