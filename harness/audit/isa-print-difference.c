#include "audit/isa-print.h"

#include "audit/isa-figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MNEMONICS_MAX 128
#define NAME_BYTES    32

/* What a difference can be taken between. */
enum side { SIDE_KERNEL, SIDE_TARGET, SIDE_SIZE, SIDE_COUNT };

static bool is_side(const struct isa_entry *entry, enum side side, const char *name)
{
    char size[16];

    switch (side) {
    case SIDE_KERNEL:
        return !strcmp(entry->kernel, name);
    case SIDE_TARGET:
        return !strcmp(entry->target, name);
    default:
        snprintf(size, sizeof(size), "%u", entry->size);
        return !strcmp(size, name);
    }
}

/* Whether both are audited and differ only in `side`. */
static bool is_pair(const struct isa_entry *a, const struct isa_entry *b, enum side side)
{
    return !a->refused && !b->refused && !strcmp(a->module, b->module) &&
           (side == SIDE_KERNEL || !strcmp(a->kernel, b->kernel)) &&
           (side == SIDE_TARGET || !strcmp(a->target, b->target)) &&
           (side == SIDE_SIZE || a->size == b->size);
}

/* Counts of the hot loop's mnemonics. */
struct mnemonics {
    struct {
        char name[NAME_BYTES];
        int in[2];
    } entry[MNEMONICS_MAX];
    size_t count;
};

/* Extracts the mnemonic: send.slm from "(W&~f0.0) send.slm (16|M0) …". */
static void mnemonic_of(const char *text, char name[NAME_BYTES])
{
    if (*text == '(')
        text += strcspn(text, ")") + (strchr(text, ')') ? 1 : 0);
    text += strspn(text, " ");
    snprintf(name, NAME_BYTES, "%.*s", (int)strcspn(text, " "), text);
}

static void count_mnemonics(struct mnemonics *mnemonics, const struct isa_audit *audit, int of)
{
    for (size_t i = 0; i < audit->line_count; i++) {
        char name[NAME_BYTES];
        size_t at = 0;

        mnemonic_of(audit->lines[i].text, name);
        while (at < mnemonics->count && strcmp(mnemonics->entry[at].name, name) != 0)
            at++;
        if (at == MNEMONICS_MAX)
            continue;
        if (at == mnemonics->count) {
            memcpy(mnemonics->entry[at].name, name, NAME_BYTES);
            mnemonics->count++;
        }
        mnemonics->entry[at].in[of]++;
    }
}

static const struct table_column difference_columns[] = {{"module", false}, {"of", false},
                                                         {"what", false},   {"before", true},
                                                         {"after", true},   {"change", true}};

struct difference {
    struct table table;
    const char *a, *b;
    enum side side;
};

static void add_row(struct difference *difference, const struct isa_entry *entry, const char *what,
                    double before, double after)
{
    struct table *table = &difference->table;
    const char *between = "";

    if (before == after || (isnan(before) && isnan(after)))
        return;
    table_text(table, "%s", entry->module);
    if (difference->side != SIDE_KERNEL)
        between = entry->kernel;
    if (difference->side != SIDE_SIZE && entry->size)
        table_text(table, "%s%s%u%s%s", between, between[0] ? ", " : "", entry->size,
                   difference->side != SIDE_TARGET ? ", " : "",
                   difference->side != SIDE_TARGET ? entry->target : "");
    else
        table_text(table, "%s%s%s", between,
                   between[0] && difference->side != SIDE_TARGET ? ", " : "",
                   difference->side != SIDE_TARGET ? entry->target : "");
    table_text(table, "%s", what);
    table_number(table, before);
    table_number(table, after);
    table_number(table, after - before);
}

static void add_pair(struct difference *difference, const struct isa_entry *a,
                     const struct isa_entry *b)
{
    struct mnemonics mnemonics = {.count = 0};

    for (size_t i = 0; i < ISA_FIGURE_COUNT; i++)
        add_row(difference, a, isa_figures[i].title, isa_figure(&a->audit, (enum isa_figure)i),
                isa_figure(&b->audit, (enum isa_figure)i));
    count_mnemonics(&mnemonics, &a->audit, 0);
    count_mnemonics(&mnemonics, &b->audit, 1);
    for (size_t i = 0; i < mnemonics.count; i++) {
        char what[NAME_BYTES + 8];

        snprintf(what, sizeof(what), "loop: %s", mnemonics.entry[i].name);
        add_row(difference, a, what, mnemonics.entry[i].in[0], mnemonics.entry[i].in[1]);
    }
}

/* Adds the pairs for one kind of side; returns their number. */
static size_t add_pairs(struct difference *difference, const struct isa_survey *survey)
{
    size_t pairs = 0;

    for (size_t i = 0; i < survey->count; i++) {
        const struct isa_entry *a = &survey->entries[i];

        if (!is_side(a, difference->side, difference->a))
            continue;
        for (size_t j = 0; j < survey->count; j++) {
            const struct isa_entry *b = &survey->entries[j];

            if (!is_side(b, difference->side, difference->b) || !is_pair(a, b, difference->side))
                continue;
            add_pair(difference, a, b);
            pairs++;
        }
    }
    return pairs;
}

enum status isa_print_difference(FILE *out, const struct isa_survey *survey, const char *a,
                                 const char *b, enum table_format format, struct error *error)
{
    struct table_column named[sizeof(difference_columns) / sizeof(difference_columns[0])];
    struct difference difference = {.a = a, .b = b};
    enum status status = STATUS_OK;
    size_t pairs = 0;

    memcpy(named, difference_columns, sizeof(difference_columns));
    if (table_is_for_readers(format)) {
        named[3].name = a;
        named[4].name = b;
    }
    table_init(&difference.table, named, sizeof(named) / sizeof(named[0]));
    for (; pairs == 0 && difference.side < SIDE_COUNT; difference.side++)
        if ((pairs = add_pairs(&difference, survey)) > 0)
            break;
    if (pairs == 0)
        status = error_set(error, STATUS_USAGE,
                           "--diff %s %s: give two kernels, targets or sub-group sizes that are "
                           "both audited here",
                           a, b);
    else if (difference.table.cell_count == 0 && table_is_for_readers(format))
        fprintf(out, "%s and %s: the same in every figure\n", a, b);
    else
        status = table_write(&difference.table, format, out, error);
    table_free(&difference.table);
    return status;
}
