#include "commands/plausible-command.h"

#include "base/table.h"
#include "compare/plausible.h"

#include <math.h>
#include <string.h>

static enum status put_published(FILE *out, const struct plausibilities *all,
                                 enum table_format format, struct error *error)
{
    static const struct table_column columns[] = {
        {"figure", false},   {"this", true},     {"published", true}, {"unit", false},
        {"deviation", true}, {"verdict", false}, {"row", false},      {"published by", false},
    };
    bool readers = table_is_for_readers(format);
    struct table table;

    table_init(&table, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < all->count; i++) {
        const struct plausibility *p = &all->of[i];

        table_text(&table, "%s", p->published->what);
        table_number(&table, p->measured);
        table_number(&table, p->published->value);
        table_text(&table, "%s", p->published->unit);
        if (readers && p->record)
            table_text(&table, "%+.0f %%", 100.0 * p->deviation);
        else
            table_number(&table, p->deviation);
        table_text(&table, "%s",
                   !p->record       ? "not measured"
                   : p->out_of_line ? "OUT OF LINE"
                                    : "in line");
        if (p->record)
            table_text(&table, "%s/%s, line %u", p->published->benchmark, p->published->variant,
                       p->record->line);
        else
            table_text(&table, "%s/%s", p->published->benchmark, p->published->variant);
        table_text(&table, "%s", p->published->source);
    }
    enum status status = table_write(&table, format, out, error);
    table_free(&table);
    return status;
}

static void put_sum(FILE *out, const struct plausibilities *all, const struct records *records)
{
    fprintf(out,
            "\n%s%s: %zu of %zu figures are out of line, by more than differences between the "
            "kernels explain; %zu have no row here.\n",
            all->device,
            device_kind_is_emulated(records->device_kind)
                ? ", EMULATED: the emulator's times, not a GPU's"
                : "",
            all->out_of_line, all->measured, all->count - all->measured);
    if (all->measured < all->count)
        fputs("vebench run device_arithmetic device_bandwidth latency --axis "
              "working_set=16K,64K,1M,16M,64M,256M measures them; on an emulated device that takes "
              "hours.\n",
              out);
}

enum status command_plausible(const struct cli *cli, FILE *out, bool *out_of_line,
                              struct error *error)
{
    enum table_format format = (enum table_format)cli->format;
    struct plausibilities all;
    struct records records;
    enum status status = records_read_some(&records, cli->words.word, cli->words.count, error);

    *out_of_line = false;
    if (status != STATUS_OK)
        return status;
    status = plausible_check(&all, &records, error);
    if (status == STATUS_OK)
        status = put_published(out, &all, format, error);
    if (status == STATUS_OK && table_is_for_readers(format))
        put_sum(out, &all, &records);
    *out_of_line = status == STATUS_OK && all.out_of_line > 0;
    records_free(&records);
    return status;
}
