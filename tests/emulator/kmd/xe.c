#include "xe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "i915.h"

void *xe_query(enum xe_query_kind kind, uint32_t *size)
{
    struct xe_device_query asked = {.query = kind};

    assert_int_equal(request(XE(XE_DEVICE_QUERY, asked), &asked), 0);
    void *reply = calloc(1, asked.size);
    assert_non_null(reply);
    asked.data = (uintptr_t)reply;
    assert_int_equal(request(XE(XE_DEVICE_QUERY, asked), &asked), 0);
    *size = asked.size;
    return reply;
}

uint32_t xe_create_buffer(uint64_t size, uint32_t placement)
{
    struct xe_gem_create argument = {.size = size, .placement = placement, .caching = 1};

    assert_int_equal(request(XE(XE_GEM_CREATE, argument), &argument), 0);
    return argument.handle;
}

uint32_t xe_create_vm(void)
{
    struct xe_vm_create argument = {.flags = XE_VM_LONG_RUNNING};

    assert_int_equal(request(XE(XE_VM_CREATE, argument), &argument), 0);
    return argument.vm;
}
