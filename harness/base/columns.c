#include "base/columns.h"

#include <math.h>

#define REQUIRED true
#define OPTIONAL false

#define COLUMN(name, type, need, unit, meaning)                                                    \
    {#name, COLUMN_##type, need, offsetof(struct results_row, name), unit, meaning},
const struct column results_columns[RESULTS_COLUMNS] = {
#include "base/results-columns.def"
};
#undef COLUMN

#define COLUMN(name, type, need, unit, meaning)                                                    \
    {#name, COLUMN_##type, need, offsetof(struct samples_row, name), unit, meaning},
const struct column samples_columns[SAMPLES_COLUMNS] = {
#include "base/samples-columns.def"
};
#undef COLUMN

#define COLUMN(name, type, need, unit, meaning)                                                    \
    {#name, COLUMN_##type, need, offsetof(struct counters_row, name), unit, meaning},
const struct column counters_columns[COUNTERS_COLUMNS] = {
#include "base/counters-columns.def"
};
#undef COLUMN

void columns_clear(const struct column *columns, size_t count, void *row)
{
    for (size_t i = 0; i < count; i++) {
        void *field = (char *)row + columns[i].offset;

        switch (columns[i].type) {
        case COLUMN_TEXT:
            *(const char **)field = NULL;
            break;
        case COLUMN_SIZE:
        case COLUMN_COUNT:
            *(unsigned *)field = 0;
            break;
        case COLUMN_COUNT64:
            *(uint64_t *)field = 0;
            break;
        case COLUMN_AMOUNT:
        case COLUMN_REAL:
            *(double *)field = NAN;
            break;
        }
    }
}

void columns_print(const struct column *columns, size_t count, FILE *out)
{
    fputs("| column | unit | meaning |\n|---|---|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct column *c = &columns[i];

        fprintf(out, "| %s | %s%s| %s |\n", c->name, c->unit, *c->unit ? " " : "", c->meaning);
    }
}
