#include "audit/isa-print.h"

#include "audit/isa-figures.h"

#include <math.h>
#include <string.h>

static const struct table_column loop_columns[] = {
    {"#", true},     {"at", true},    {"pipe", false}, {"cycles", true},
    {"reads", true}, {"waits", true}, {"for", false},  {"instruction", false},
};

static const struct table_column keyed_columns[] = {
    {"module", false},     {"kernel", false},     {"subgroup_size", true},
    {"target", false},     {"number", true},      {"pc", true},
    {"pipe", false},       {"pipe_cycles", true}, {"read_conflict_cycles", true},
    {"wait_cycles", true}, {"waits_for", false},  {"instruction", false},
};

static void add_lines(struct table *table, const struct isa_entry *entry, bool with_keys)
{
    for (size_t i = 0; i < entry->audit.line_count; i++) {
        const struct isa_line *line = &entry->audit.lines[i];

        if (with_keys) {
            table_text(table, "%s", entry->module);
            table_text(table, "%s", entry->kernel);
            table_number(table, entry->size ? entry->size : NAN);
            table_text(table, "%s", entry->target);
        }
        table_number(table, (double)i + 1.0);
        if (with_keys)
            table_number(table, line->pc);
        else
            table_text(table, "0x%04x", line->pc);
        table_text(table, "%s", isa_pipe_name(line->pipe));
        table_number(table, line->occupancy ? line->occupancy : NAN);
        table_number(table, line->conflicts ? line->conflicts : NAN);
        table_number(table, line->wait ? line->wait : NAN);
        table_number(table, line->waits_for >= 0 ? line->waits_for + 1.0 : NAN);
        table_text(table, "%s", line->text);
    }
}

static void put_bounds(FILE *out, const struct isa_audit *audit, const char *before)
{
    const struct isa_bounds *bounds = &audit->bounds;

    for (size_t i = 0; i < ISA_BOUND_COUNT; i++) {
        const struct isa_bound *bound = &bounds->bound[i];

        if (!(bound->cycles > 0.0))
            continue;
        fprintf(out, "%s%-13s %8.4g cycles, %s", before, isa_bound_name((enum isa_bound_kind)i),
                bound->cycles, bound->of);
        if (bound->line >= 0)
            fprintf(out, "; %.4g of them number %d", bound->share, bound->line + 1);
        fputs(i == (size_t)bounds->highest ? "  <- binds\n" : "\n", out);
    }
}

static enum status put_loop(FILE *out, const struct isa_entry *entry, enum table_format format,
                            struct error *error)
{
    const struct isa_audit *audit = &entry->audit;
    bool is_markdown = format == TABLE_MARKDOWN;
    struct table table;

    if (!audit->loop_count)
        return STATUS_OK;
    fprintf(out, "\n%s%s", is_markdown ? "### " : "", entry->kernel);
    if (entry->size)
        fprintf(out, ", sub-groups of %u", entry->size);
    fprintf(out,
            ", %s: loop %zu of %zu, an iteration takes %.4g cycles at least,%s %.4g where a "
            "thread is alone\n%s",
            entry->target, audit->hot_loop + 1, audit->loop_count,
            audit->bounds.bound[audit->bounds.highest].cycles, is_markdown ? "" : "\n ",
            audit->bounds.alone, is_markdown ? "\n" : "");
    put_bounds(out, audit, is_markdown ? "- " : "  ");
    fputs(is_markdown ? "\n" : "", out);
    table_init(&table, loop_columns, sizeof(loop_columns) / sizeof(loop_columns[0]));
    add_lines(&table, entry, false);
    enum status status = table_write(&table, format, out, error);
    table_free(&table);
    return status;
}

enum status isa_print_loops(FILE *out, const struct isa_survey *survey, enum table_format format,
                            struct error *error)
{
    enum status status = STATUS_OK;
    struct table table;

    for (size_t i = 0; table_is_for_readers(format) && status == STATUS_OK && i < survey->count;
         i++)
        status = put_loop(out, &survey->entries[i], format, error);
    if (table_is_for_readers(format))
        return status;
    table_init(&table, keyed_columns, sizeof(keyed_columns) / sizeof(keyed_columns[0]));
    for (size_t i = 0; i < survey->count; i++)
        add_lines(&table, &survey->entries[i], true);
    status = table_write(&table, format, out, error);
    table_free(&table);
    return status;
}
