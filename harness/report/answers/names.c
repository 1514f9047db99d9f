#include "report/answers/names.h"

#include "drawing/html.h"
#include "family/family.h"

#include <stdlib.h>
#include <string.h>

static const struct variant *variant_of(const struct family_list *families, const struct record *r)
{
    const struct family *family = families ? family_find(families, r->benchmark) : NULL;

    size_t variant = family ? family_variant(family, r->variant) : VARIANTS_MAX;

    return variant == VARIANTS_MAX ? NULL : &family->variants[variant];
}

const char *name_means(const struct family_list *families, const struct record *record)
{
    const struct variant *variant = variant_of(families, record);

    return variant ? variant->means : NULL;
}

/* Has an earlier variant the same operation and method, or the same words? */
static bool is_listed(const struct variant *const *list, size_t count, const struct variant *v)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(list[i]->means, v->means) ||
            (!strcmp(variant_operation(list[i]), variant_operation(v)) &&
             !strcmp(variant_method(list[i]), variant_method(v))))
            return true;
    }
    return false;
}

static void put_variant(FILE *out, const struct variant *v)
{
    const char *method = variant_method(v);

    fputs("<dt>", out);
    html_put_spaced(out, variant_operation(v));
    fputs(method[0] ? ", " : "", out);
    html_put_spaced(out, method);
    fputs("</dt><dd>", out);
    html_put(out, v->means);
    fputs("</dd>\n", out);
}

static void put_variants(FILE *out, const struct plot_source *source, const struct family *family)
{
    const struct variant **list = calloc(family->variant_count + 1, sizeof(const struct variant *));
    size_t count = 0;

    for (size_t i = 0; list && i < source->records->count; i++) {
        const struct record *r = &source->records->record[i];
        const struct variant *v = NULL;

        if (r->usable && !strcmp(r->benchmark, family->name))
            v = variant_of(source->families, r);
        if (!v || is_listed(list, count, v))
            continue;
        put_variant(out, v);
        list[count++] = v;
    }
    free(list);
}

/* Axes of the family's own; the first three are on every page, and said there. */
static void put_axes(FILE *out, const struct family *family)
{
    for (size_t i = 3; i < family->axis_count; i++) {
        fputs("<dt>", out);
        html_put_spaced(out, family->axes[i].name);
        fputs("</dt><dd>", out);
        html_put(out, family->axes[i].means);
        fputs("</dd>\n", out);
    }
}

void names_put(FILE *out, const struct plot_source *source, const char *family)
{
    const struct family *found = source->families ? family_find(source->families, family) : NULL;

    if (!found)
        return;
    fputs("<details><summary>What the names stand for</summary><dl class=\"names\">\n", out);
    put_variants(out, source, found);
    put_axes(out, found);
    fputs("</dl></details>\n", out);
}
