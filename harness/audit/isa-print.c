#include "audit/isa-print.h"

#include "audit/isa-figures.h"
#include "audit/isa-text.h"

#include <math.h>
#include <string.h>

static const struct table_column reader_columns[] = {
    {"kernel", false},      {"size", true},      {"instr.", true},    {"loop", true},
    {"in the loop", false}, {"messages", false}, {"registers", true}, {"SLM", true},
    {"issue", true},        {"reads", true},     {"messages", true},  {"latency", true},
    {"alone", true},        {"bound by", false},
};

static void add_bounds(struct table *table, const struct isa_audit *audit)
{
    static const enum isa_figure bounds[] = {ISA_FIGURE_issue_cycles, ISA_FIGURE_reads_cycles,
                                             ISA_FIGURE_messages_cycles, ISA_FIGURE_latency_cycles,
                                             ISA_FIGURE_alone_cycles};

    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        double cycles = isa_figure(audit, bounds[i]);

        if (isnan(cycles))
            table_text(table, "-");
        else
            table_number(table, round(cycles * 10.0) / 10.0);
    }
}

static void add_reader_row(struct table *table, const struct isa_entry *entry)
{
    const struct isa_audit *audit = &entry->audit;
    const struct isa_mix *mix = audit->loop_count ? &audit->hot : &audit->all;
    char text[ISA_TEXT_BYTES];

    table_text(table, "%s", entry->kernel);
    if (audit->required_width && audit->required_width != audit->width)
        table_text(table, "%u, not %u", audit->width, audit->required_width);
    else
        table_number(table, audit->width);
    table_number(table, audit->all.instructions);
    table_text(table, audit->loop_count ? "%u" : "-", audit->hot.instructions);
    table_text(table, "%s", isa_pipes_text(mix, text));
    table_text(table, "%s", isa_messages_text(mix, text));
    if (audit->scratch_bytes)
        table_text(table, "%u/%u + %u B", audit->registers_used, audit->registers,
                   audit->scratch_bytes);
    else
        table_text(table, "%u/%u", audit->registers_used, audit->registers);
    table_number(table, audit->slm_bytes);
    add_bounds(table, audit);
    table_text(table, "%s", isa_bound_text(audit, text));
}

static void put_refusals(FILE *out, const struct isa_survey *survey, enum table_format format)
{
    for (size_t i = 0; i < survey->count; i++) {
        const struct isa_entry *entry = &survey->entries[i];

        if (!entry->refused)
            continue;
        fprintf(out, "%s%s", format == TABLE_MARKDOWN ? "\n" : "", entry->module);
        if (entry->size)
            fprintf(out, ", sub-groups of %u", entry->size);
        fprintf(out, "%s%s, %s: refused: %s\n", entry->kernel[0] ? ", " : "", entry->kernel,
                entry->target, entry->refused);
    }
}

static bool is_alike(const struct isa_entry *a, const struct isa_entry *b)
{
    return !strcmp(a->module, b->module) && !strcmp(a->target, b->target);
}

/* Adds the rows of one module and target, starting at entry `first`; returns the first entry after
 * them. */
static size_t add_module(struct table *table, const struct isa_survey *survey, size_t first)
{
    size_t i = first;

    for (; i < survey->count && is_alike(&survey->entries[i], &survey->entries[first]); i++) {
        if (!survey->entries[i].refused)
            add_reader_row(table, &survey->entries[i]);
    }
    return i;
}

static const char legend[] =
    "issue, reads, messages, latency: lower bounds on the cycles of an iteration of the loop, for "
    "one\nthread of each vector engine on a full Xe-core, by its busiest pipe, by that pipe with "
    "colliding\noperand reads, by the units that take messages, and by the dependencies of one "
    "thread divided\nby the threads of an engine. alone: for a thread that has the Xe-core to "
    "itself.\nbound by: the largest of them, and the instruction with the largest share of it.\n"
    "registers: used/given, and bytes of scratch memory; SLM: bytes of a work-group, arguments\n"
    "excluded. All by the emulator's figures.\n";

static enum status print_for_readers(FILE *out, const struct isa_survey *survey,
                                     enum table_format format, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < survey->count;) {
        struct table table;
        size_t first = i;

        table_init(&table, reader_columns, sizeof(reader_columns) / sizeof(reader_columns[0]));
        i = add_module(&table, survey, i);
        if (table.cell_count) {
            fprintf(out, "\n%s%s, %s\n%s", format == TABLE_MARKDOWN ? "## " : "",
                    survey->entries[first].module, survey->entries[first].target,
                    format == TABLE_MARKDOWN ? "\n" : "");
            status = table_write(&table, format, out, error);
        }
        table_free(&table);
    }
    put_refusals(out, survey, format);
    fprintf(out, "\n%s", legend);
    return status;
}

static const char *const key_columns[] = {"module", "kernel", "subgroup_size", "target"};

enum { KEYS = sizeof(key_columns) / sizeof(key_columns[0]), LAST_TEXTS = 3 };

static void add_full_row(struct table *table, const struct isa_entry *entry)
{
    const struct isa_audit *audit = &entry->audit;

    table_text(table, "%s", entry->module);
    table_text(table, "%s", entry->kernel);
    table_number(table, entry->size ? entry->size : NAN);
    table_text(table, "%s", entry->target);
    for (size_t i = 0; i < ISA_FIGURE_COUNT; i++)
        table_number(table, entry->refused ? NAN : isa_figure(audit, (enum isa_figure)i));
    table_text(table, "%s", audit->line_count ? isa_bound_name(audit->bounds.highest) : "");
    table_text(table, "%s", audit->line_count ? isa_audit_binds(audit) : "");
    table_text(table, "%s", entry->refused ? entry->refused : "");
}

static enum status print_for_programs(FILE *out, const struct isa_survey *survey,
                                      enum table_format format, struct error *error)
{
    struct table_column columns[KEYS + ISA_FIGURE_COUNT + LAST_TEXTS] = {
        [KEYS + ISA_FIGURE_COUNT] = {"bound_by", false},
        {"binding_instruction", false},
        {"refused", false},
    };
    struct table table;

    for (size_t i = 0; i < KEYS; i++)
        columns[i] =
            (struct table_column){key_columns[i], !strcmp(key_columns[i], "subgroup_size")};
    for (size_t i = 0; i < ISA_FIGURE_COUNT; i++)
        columns[KEYS + i] = (struct table_column){isa_figures[i].name, true};
    table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < survey->count; i++)
        add_full_row(&table, &survey->entries[i]);
    enum status status = table_write(&table, format, out, error);
    table_free(&table);
    return status;
}

enum status isa_print_survey(FILE *out, const struct isa_survey *survey, enum table_format format,
                             struct error *error)
{
    if (!table_is_for_readers(format))
        return print_for_programs(out, survey, format, error);
    return print_for_readers(out, survey, format, error);
}
