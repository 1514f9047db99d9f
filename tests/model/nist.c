#include "nist.h"

#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool next_line(FILE *file, char *line, int bytes)
{
    do {
        if (!fgets(line, bytes, file))
            return false;
    } while (line[0] == '#');
    return true;
}

static void read_parameters(struct nist *set, FILE *file)
{
    char line[256];

    assert_true(set->parameters <= NIST_PARAMETERS_MAX);
    for (size_t i = 0; i < set->parameters; i++) {
        assert_true(next_line(file, line, sizeof(line)));
        assert_int_equal(sscanf(line, "%lf %lf", &set->certified[i], &set->deviation[i]), 2);
    }
}

static void read_rows(struct nist *set, FILE *file)
{
    assert_true(set->rows <= NIST_ROWS_MAX);
    for (size_t i = 0; i < set->rows; i++) {
        char line[256];
        int used = 0, at = 0;

        assert_true(next_line(file, line, sizeof(line)));
        assert_int_equal(sscanf(line, "%lf%n", &set->y[i], &at), 1);
        for (unsigned j = 0; j < set->predictors; j++) {
            assert_int_equal(sscanf(line + at, "%lf%n", &set->x[i][j], &used), 1);
            at += used;
        }
    }
}

void nist_read(struct nist *set, const char *folder, const char *name)
{
    char path[1024], line[256];

    memset(set, 0, sizeof(*set));
    set->predictors = 1;
    snprintf(path, sizeof(path), "%s/%s.dat", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot read %s", path);
    while (next_line(file, line, sizeof(line))) {
        sscanf(line, "polynomial %u", &set->polynomial);
        sscanf(line, "predictors %u", &set->predictors);
        sscanf(line, "r_squared %lf", &set->r_squared);
        if (sscanf(line, "parameters %zu", &set->parameters) == 1)
            read_parameters(set, file);
        if (sscanf(line, "rows %zu", &set->rows) == 1)
            read_rows(set, file);
    }
    fclose(file);
    assert_true(set->parameters > 0 && set->rows > set->parameters);
}

double nist_digits(double value, double certified)
{
    double error = fabs(value - certified) / (certified != 0.0 ? fabs(certified) : 1.0);

    if (!(error < 1.0))
        return 0.0;
    return error < 1e-15 ? 15.0 : -log10(error);
}
