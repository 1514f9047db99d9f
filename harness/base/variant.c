#include "base/variant.h"

#include <string.h>

const char *list_kind_name(enum list_kind kind)
{
    static const char *const names[] = {"regular", "immediate", "in order", "immediate in order"};

    return names[kind];
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

const char *variant_operation(const struct variant *variant)
{
    return variant->operation ? variant->operation : variant->name;
}

const char *variant_type(const struct variant *variant)
{
    return or_empty(variant->type);
}

const char *variant_method(const struct variant *variant)
{
    return or_empty(variant->method);
}

unsigned variant_type_bytes(const char *type)
{
    static const struct {
        const char *type;
        unsigned bytes;
    } types[] = {{"u8", 1},  {"i8", 1},  {"u16", 2}, {"f16", 2}, {"u32", 4},
                 {"i32", 4}, {"f32", 4}, {"u64", 8}, {"i64", 8}, {"f64", 8}};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (!strcmp(types[i].type, type))
            return types[i].bytes;
    }
    return 0;
}

static const struct variant_table *table_of(const char *family)
{
    for (size_t i = 0; i < family_variants.count; i++) {
        if (!strcmp(family_variants.table[i]->family, family))
            return family_variants.table[i];
    }
    return NULL;
}

const struct variant *variant_find(const char *family, const char *name)
{
    const struct variant_table *table = table_of(family);

    for (size_t i = 0; table && i < table->count; i++) {
        if (!strcmp(table->variants[i].name, name))
            return &table->variants[i];
    }
    return NULL;
}

const struct variant *variant_by(const char *family, const struct variant *like, const char *method)
{
    const struct variant_table *table = table_of(family);

    for (size_t i = 0; table && i < table->count; i++) {
        if (variant_same_task(&table->variants[i], like) &&
            !strcmp(variant_method(&table->variants[i]), method))
            return &table->variants[i];
    }
    return NULL;
}

bool variant_same_task(const struct variant *a, const struct variant *b)
{
    return !strcmp(variant_operation(a), variant_operation(b)) &&
           !strcmp(variant_type(a), variant_type(b));
}
