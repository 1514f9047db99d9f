/* The host reference of family `slm` against a naive simulation of its kernels. */
#include "test.h"

#include "families/slm/slm-reference.h"

#include <stdlib.h>
#include <string.h>

/* Every work-item, iteration and access, one by one. */
static void simulate(const struct slm_shape *shape, enum slm_access access, bool padded,
                     uint32_t iterations, uint32_t seed, uint32_t *slots, uint32_t *gathered)
{
    for (uint32_t w = 0; w < shape->words; w++)
        slots[w] = (w + 977 + seed) * 0x9e3779b1u;
    for (uint32_t lid = 0; lid < shape->workgroup_size; lid++) {
        uint32_t x = 0, y = 0, z = UINT32_MAX, w = 0, span = 1u << shape->log2_span;
        uint32_t word = lid * shape->stride % span + lid * shape->power / span;

        for (uint32_t i = 0; i < iterations; i++) {
            for (uint32_t a = 0; a < 8; a++) {
                uint32_t first = word + i % 8;
                uint32_t at = padded ? first + first / 32 + 33 * a : first + 32 * a;

                assert_true((access == SLM_LOAD_X4 ? 4 * at + 3 : at) < shape->words);
                if (access == SLM_ADDRESSES || access == SLM_ADDRESSES_X4)
                    x ^= at;
                if (access == SLM_ADDRESSES_X4) {
                    y = at > y ? at : y;
                    z = at < z ? at : z;
                    w |= at;
                } else if (access == SLM_LOAD) {
                    x += slots[at];
                } else if (access == SLM_LOAD_X4) {
                    x += slots[4 * at];
                    y += slots[4 * at + 1];
                    z += slots[4 * at + 2];
                    w += slots[4 * at + 3];
                } else if (access == SLM_STORE) {
                    x ^= at;
                    slots[at] = seed;
                } else if (access == SLM_ATOMIC_ADD) {
                    x ^= at;
                    slots[at] += 2 * lid + 1;
                }
            }
        }
        gathered[lid] = x + 3 * y + 5 * z + 7 * w;
    }
}

static void assert_agrees(uint32_t stride, uint32_t iterations, enum slm_access access, bool padded)
{
    bool x4 = access == SLM_ADDRESSES_X4 || access == SLM_LOAD_X4;
    struct slm_shape shape = slm_shape_of(64, 16, stride, x4 ? 4 : 1);
    size_t bytes = shape.words * sizeof(uint32_t);
    uint32_t *slots = malloc(bytes), *contents = malloc(bytes);
    uint32_t gathered[64], expected[64];

    assert_non_null(slots);
    assert_non_null(contents);
    simulate(&shape, access, padded, iterations, 12345, slots, expected);
    slm_reference(&shape, access, padded, iterations, 1, 12345, contents, gathered);
    assert_memory_equal(contents, slots, bytes);
    assert_memory_equal(gathered, expected, sizeof(gathered));
    free(contents);
    free(slots);
}

static void test_agrees_with_simulation(void **state)
{
    static const uint32_t strides[] = {0, 1, 2, 3, 12, 32, 33, 64};
    static const uint32_t iterations[] = {0, 1, 7, 8, 9, 100};

    (void)state;
    for (size_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++) {
        for (size_t i = 0; i < sizeof(iterations) / sizeof(iterations[0]); i++) {
            for (int access = SLM_ADDRESSES; access <= SLM_ATOMIC_ADD; access++) {
                assert_agrees(strides[s], iterations[i], (enum slm_access)access, false);
                if (access != SLM_ADDRESSES_X4 && access != SLM_LOAD_X4)
                    assert_agrees(strides[s], iterations[i], (enum slm_access)access, true);
            }
        }
    }
}

/* No two work-items share a word, and those of a work-group lie as close as the stride allows. */
static void test_words_are_distinct(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 64; stride++) {
        struct slm_shape shape = slm_shape_of(256, 8, stride, 1);
        uint32_t span = 1u << shape.log2_span;
        bool taken[1024] = {false};

        assert_true(span == 256 || span < 2 * stride * 8);
        for (uint32_t lid = 0; lid < 256; lid++) {
            uint32_t word = lid * stride % span + lid * shape.power / span;

            assert_true(word < sizeof(taken));
            assert_false(taken[word]);
            taken[word] = true;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_simulation),
        cmocka_unit_test(test_words_are_distinct),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
