#include "programs.h"

static void identity(void)
{
    static const struct {
        uint32_t groups[3], local[3];
    } shapes[] = {{{3, 1, 1}, {64, 1, 1}}, {{2, 1, 1}, {1, 1, 1}},  {{5, 1, 1}, {37, 1, 1}},
                  {{2, 3, 1}, {8, 4, 1}},  {{1, 2, 1}, {7, 5, 1}},  {{2, 2, 2}, {4, 4, 4}},
                  {{1, 2, 3}, {3, 5, 2}},  {{1, 1, 4}, {1, 1, 30}}, {{2, 1, 1}, {1, 128, 1}},
                  {{1, 1, 2}, {10, 3, 7}}, {{1, 3, 1}, {256, 1, 1}}};

    for (size_t test = 0; test < sizeof(shapes) / sizeof(shapes[0]); test++) {
        const uint32_t *groups = shapes[test].groups, *local = shapes[test].local;
        uint32_t size[3], items = 1;

        for (unsigned d = 0; d < 3; d++)
            items *= size[d] = groups[d] * local[d];
        uint32_t *out = runtime_buffer(items * 48);
        runtime_launch(&(struct launch){"shapes",
                                        "identity",
                                        {groups[0], groups[1], groups[2]},
                                        {local[0], local[1], local[2]},
                                        {BUFFER(out)}});
        for (uint32_t i = 0; i < items; i++) {
            uint32_t id[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]}, in[3],
                     expected[11];

            for (unsigned d = 0; d < 3; d++) {
                expected[d] = in[d] = id[d] % local[d];
                expected[3 + d] = id[d] / local[d];
                expected[6 + d] = local[d] << 16 | groups[d];
            }
            expected[9] = (in[2] * local[1] + in[1]) * local[0] + in[0];
            expected[10] = i;
            expect_bytes("a work-item", out + i * 12, expected, 4, 11);
            assert_true(out[i * 12 + 11] >= 1 && out[i * 12 + 11] <= 3);
        }
    }
}

static void sub_group_identity(void)
{
    static const uint32_t sizes[] = {64, 33, 5, 100};

    for (unsigned test = 0; test < 4; test++) {
        uint32_t local = sizes[test], *out = runtime_buffer(local * 32);

        runtime_launch(
            &(struct launch){"shapes", "sub_group_identity", {2}, {local}, {BUFFER(out)}});
        uint32_t width = runtime_sub_group_size();
        if (width == 0) /* the first sub-group shows the compiler's choice */
            for (width = 8; width < local && out[width * 4 + 1] == 0;)
                width *= 2;
        for (uint32_t i = 0; i < 2 * local; i++) {
            uint32_t at = i % local, first = at / width * width;
            uint32_t expected[4] = {at % width, at / width, (local + width - 1) / width,
                                    local - first < width ? local - first : width};

            expect_bytes("a work-item", out + i * 4, expected, 4, 4);
        }
    }
}

static void only_y(void)
{
    uint32_t *out = runtime_buffer(24 * 4);

    runtime_launch(&(struct launch){"shapes", "only_y", {3, 2, 2}, {5, 12, 1}, {BUFFER(out)}});
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(out[i], (i % 12 + 1) * 30);
}

const struct program_test shapes_tests[] = {
    {"identity", identity},
    {"sub_group_identity", sub_group_identity},
    {"only_y", only_y},
    {NULL, NULL},
};
