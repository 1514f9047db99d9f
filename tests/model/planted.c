#include "planted.h"

#include "families/registry.h"
#include "process.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 32
#define SWEEPS_MAX    24
#define TOLERANCE     0.02

void planted_draw(struct planted_figure *figures, size_t count, uint64_t seed)
{
    struct prng prng;

    prng_seed(&prng, seed);
    for (size_t i = 0; i < count; i++)
        figures[i].value =
            figures[i].least + prng_below(&prng, figures[i].most - figures[i].least + 1);
}

double planted_value(const struct planted_figure *figures, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(figures[i].name, name))
            return figures[i].value;
    }
    fail_msg("no figure %s is planted", name);
    return NAN;
}

/* The figure that the line gives, or NULL. */
static const struct planted_figure *figure_of(const char *line,
                                              const struct planted_figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t bytes = strlen(figures[i].name);

        if (!strncmp(line, figures[i].name, bytes) && (line[bytes] == ' ' || line[bytes] == '='))
            return &figures[i];
    }
    return NULL;
}

void planted_describe(const char *name, const char *base, const struct planted_figure *figures,
                      size_t count)
{
    planted_describe_rules(name, base, figures, count, NULL);
}

void planted_describe_rules(const char *name, const char *base,
                            const struct planted_figure *figures, size_t count, const char *rules)
{
    FILE *from = fopen(base, "r");
    char path[256], line[512], unit[64];
    size_t changed = 0;

    snprintf(path, sizeof(path), "%s.device", name);
    FILE *to = fopen(path, "w");
    assert_non_null(from);
    assert_non_null(to);
    while (fgets(line, sizeof(line), from) && line[0] != '[') { /* another GPU's figures */
        const struct planted_figure *figure = figure_of(line, figures, count);

        if (figure && sscanf(line, "%*s = %*s %63s", unit) == 1) {
            fprintf(to, "%s = %u %s | planted\n", figure->name, figure->value, unit);
            changed++;
        } else if (!strncmp(line, "name = ", 7)) {
            fprintf(to, "name = planted\n");
            if (rules)
                fprintf(to, "rules = %s\n", rules);
        } else {
            fputs(line, to);
        }
    }
    fclose(from);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(changed, count);
}

void planted_sweep(const char *name, char *output, const char *const *arguments)
{
    char device[256], log[256];
    char *argv[ARGUMENTS_MAX] = {getenv("VESIM"),   "--device", device,     "--",
                                 getenv("VEBENCH"), "run",      "--output", output};
    size_t count = 8;

    assert_non_null(argv[0]);
    assert_non_null(argv[4]);
    snprintf(device, sizeof(device), "./%s.device", name);
    snprintf(log, sizeof(log), "%s.log", name);
    for (; *arguments; arguments++) {
        assert_true(count + 1 < ARGUMENTS_MAX);
        argv[count++] = (char *)(uintptr_t)*arguments;
    }
    remove(output); /* vebench does not write over results */
    if (process_run(argv, NULL, log, log) != 0) {
        process_show_file(log);
        fail_msg("the sweep of %s failed", name);
    }
}

static void fit_files(struct model *model, const char *const *paths, size_t count)
{
    struct records records;
    struct error error;

    if (records_read(&records, paths, count, &error) != STATUS_OK ||
        fit_model(model, &family_models, &records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    records_free(&records);
}

void planted_fit(struct model *model, const char *name, const char *const *arguments)
{
    char output[256];
    const char *const paths[] = {output};

    snprintf(output, sizeof(output), "%s.csv", name);
    planted_sweep(name, output, arguments);
    fit_files(model, paths, 1);
}

void planted_fit_sweeps(struct model *model, const char *name,
                        const char *const (*sweeps)[PLANTED_SWEEP_WORDS], size_t count)
{
    char output[SWEEPS_MAX][256];
    const char *paths[SWEEPS_MAX];

    assert_true(count <= SWEEPS_MAX);
    for (size_t i = 0; i < count; i++) {
        snprintf(output[i], sizeof(output[i]), "%s-%zu.csv", name, i);
        planted_sweep(name, output[i], sweeps[i]);
        paths[i] = output[i];
    }
    fit_files(model, paths, count);
}

void planted_assert(const struct model *model, const char *name, double truth)
{
    const struct parameter *p = model_find(model, "%s", name);

    if (!p)
        fail_msg("no %s was fitted", name);
    print_message("%-44s planted %8g, fitted %10.4f [%10.4f, %10.4f]\n", name, truth, p->value,
                  p->interval.low, p->interval.high);
    assert_true((p->interval.low <= truth && p->interval.high >= truth) ||
                fabs(p->value - truth) <= TOLERANCE * truth);
}

double planted_fitted(const struct model *model, const char *name)
{
    const struct parameter *p = model_find(model, "%s", name);

    if (!p)
        fail_msg("no %s was fitted", name);
    return p->value;
}

void planted_assert_difference(const struct model *models, const char *name, double truth)
{
    double difference = planted_fitted(&models[1], name) - planted_fitted(&models[0], name);

    print_message("%-44s difference planted %g, fitted %.3f\n", name, truth, difference);
    assert_near(difference, truth, TOLERANCE * fabs(truth));
}
