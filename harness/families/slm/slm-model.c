/* Family `slm`: fits its rows. An access to shared local memory takes its own time or, if that is
 * longer, the time for the banks of the Xe-core to serve all accesses in turns, in each of which a
 * bank supplies one word. The number of turns of an access follows from its addresses and the
 * number of banks, which is the one that explains all rows best: turns grow with the stride until
 * it is as wide as the banks. */
#include "families/slm/slm-variants.h"

#include "model/advise.h"
#include "model/family-model.h"
#include "model/fit-bound.h"

#include <math.h>
#include <string.h>

#define FAMILY        "slm"
#define MESSAGE_LANES 16u
#define WORDS_MAX     (4u * MESSAGE_LANES)
#define STRIDE_MAX    65536.0
#define TELLS_APART                                                                                \
    1.5 /* ratio of sums of squares between the best number of banks and the next                  \
         */
#define MORE_STRIDES "vebench run slm --axis stride=2,4,8,16,33,64,128 --axis workgroup_size=4S,16S"
#define BANKS_LEAST  16u /* that a message takes: a row of 64 bytes */

static const unsigned bank_counts[] = {8, 16, 32, 64, 128};

#define BANK_COUNTS (sizeof(bank_counts) / sizeof(bank_counts[0]))

static const struct bound_terms terms = {
    .floor = {"access", "/access", ""},
    .slope = {"turn", "/turn", "t"},
    .command = MORE_STRIDES,
};

/* What is known of the row's variant; of another program's, that of a plain access. */
static const struct slm_variant *slm_of(const struct record *r)
{
    static const struct slm_variant plain = {SLM_LOAD, false, 1, 1};

    return r->descriptor ? r->descriptor->own : &plain;
}

/* The words that the lanes of one message request. */
static unsigned words_of(const struct record *r, unsigned *words)
{
    unsigned lanes = r->subgroup_size < MESSAGE_LANES ? r->subgroup_size : MESSAGE_LANES;
    const struct slm_variant *slm = slm_of(r);
    unsigned count = 0;
    unsigned stride = (unsigned)fmin(record_parameter(r, "stride", 1.0), STRIDE_MAX);

    for (unsigned lane = 0; lane < lanes; lane++) {
        for (unsigned i = 0; i < slm->width; i++) {
            unsigned word = lane * stride * slm->width + i;

            words[count++] = slm->padded ? word + word / SLM_PADDED_EVERY : word;
        }
    }
    return count;
}

/* The most words that a message requests of any bank. Loads or stores of the same word count once,
 * atomics each time. */
static unsigned most_of_bank(const struct record *r, unsigned banks)
{
    unsigned words[WORDS_MAX], of_bank[128] = {0}, most = 0;
    unsigned count = words_of(r, words);
    bool is_atomic = slm_of(r)->access == SLM_ATOMIC_ADD;

    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0;

        while (!is_atomic && before < i && words[before] != words[i])
            before++;
        if (!is_atomic && before < i)
            continue;
        of_bank[words[i] % banks]++;
        if (of_bank[words[i] % banks] > most)
            most = of_bank[words[i] % banks];
    }
    return most;
}

/* Turns of one message: a part of one if it would take as long with a part of the banks, as others
 * have the rest. */
static double turns_of_message(const struct record *r, unsigned banks)
{
    unsigned most = most_of_bank(r, banks), needed = banks;

    while (most == 1 && needed / 2 >= BANKS_LEAST && most_of_bank(r, needed / 2) == 1)
        needed /= 2;
    return (double)most * needed / banks;
}

/* Turns that the banks of an Xe-core need while each of its hardware threads makes one access. */
static double turns_of(const struct record *r, unsigned banks)
{
    double cores = r->workgroup_count;

    if (r->xe_cores && cores > r->xe_cores)
        cores = r->xe_cores;
    return r->work_messages / r->work_units / cores * turns_of_message(r, banks);
}

static void fill_loads(struct row_set *rows, const struct fit *fit, unsigned banks)
{
    for (size_t i = 0; i < rows->count; i++)
        rows->columns[i] = turns_of(&fit->records->record[rows->index[i]], banks);
}

/* Replaces values by the time of the loop including the access, per access: what other fits
 * subtract hides behind it here. */
static bool use_loops(struct row_set *rows, const struct fit *fit)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];

        if (!(r->loop_ns > 0.0) || !(r->work_units > 0.0) || !(r->work_messages > 0.0))
            return false;
        rows->y[i] = r->loop_ns / r->work_units * (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
    }
    return true;
}

/* The misfit of all accesses for each number of banks. */
static enum status weigh_banks(struct fit *fit, double *misfits)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        if (!use_loops(&group.rows, fit))
            continue;
        for (size_t i = 0; status == STATUS_OK && i < BANK_COUNTS; i++) {
            fill_loads(&group.rows, fit, bank_counts[i]);
            status = fit_bound_misfit(fit, &group.rows, &misfits[i]);
        }
    }
    fit_end(&group);
    return status;
}

/* The index of the number of banks, or BANK_COUNTS where the rows cannot tell. */
static size_t choose_banks(const double *misfits)
{
    size_t best = 0;

    for (size_t i = 1; i < BANK_COUNTS; i++) {
        if (misfits[i] < misfits[best])
            best = i;
    }
    for (size_t i = 0; i < BANK_COUNTS; i++) {
        if (i != best && !(misfits[i] > TELLS_APART * misfits[best]))
            return BANK_COUNTS;
    }
    return best;
}

static size_t count_rows(const struct fit *fit)
{
    size_t count = 0;

    for (size_t i = 0; i < fit->records->count; i++) {
        const struct record *r = &fit->records->record[i];

        count += r->usable && !strcmp(r->benchmark, FAMILY);
    }
    return count;
}

static enum status add_banks(struct fit *fit, size_t best)
{
    static const struct row_set nothing;
    struct parameter *p = fit_add(fit, FAMILY ".banks", "", "", &nothing);

    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->unit, sizeof(p->unit), "banks");
    snprintf(p->form, sizeof(p->form), "of 8, 16, 32, 64, 128 the one that explains all accesses");
    p->value = p->interval.low = p->interval.high = bank_counts[best];
    p->rows = count_rows(fit);
    return STATUS_OK;
}

static enum status fit_accesses(struct fit *fit, size_t banks)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        if (!use_loops(&group.rows, fit))
            continue;
        fill_loads(&group.rows, fit, bank_counts[banks]);
        status = fit_bound(fit, &group.rows, group.name, &terms);
    }
    fit_end(&group);
    return status;
}

static enum status fit_slm(struct fit *fit)
{
    double misfits[BANK_COUNTS] = {0};

    if (!count_rows(fit))
        return fit_absent(fit, FAMILY, "no usable row of this family", "vebench run " FAMILY);
    enum status status = weigh_banks(fit, misfits);
    size_t banks = choose_banks(misfits);
    if (status == STATUS_OK && banks == BANK_COUNTS)
        return fit_absent(fit, FAMILY ".banks",
                          "the strides do not tell how many there are, so turns are unknown",
                          MORE_STRIDES);
    if (status == STATUS_OK)
        status = add_banks(fit, banks);
    return status == STATUS_OK ? fit_accesses(fit, banks) : status;
}

/* Predicts the time of the loop, per access. */
static bool predict_slm(const struct model *model, const struct record *r, double *value)
{
    const struct parameter *banks = model_find(model, FAMILY ".banks");
    char name[MODEL_NAME_BYTES];

    if (!banks || !(banks->value >= 1.0 && banks->value <= bank_counts[BANK_COUNTS - 1]) ||
        !(r->work_messages > 0.0) || !(r->work_units > 0.0))
        return false;
    parameter_name(name, FAMILY, r->variant, r->subgroup_size);
    return predict_bound(model, name, &terms, turns_of(r, (unsigned)banks->value), value);
}

#define LANES       16u /* per message */
#define STRIDES_MAX 64u /* words */
#define BANKS_MAX   1024u

/* Advises which strides to avoid, and from how many hardware threads on they matter. */

/* Turns of one message whose lanes are `stride` words apart. */
static unsigned turns_at(unsigned stride, unsigned banks)
{
    unsigned most = 0;

    for (unsigned bank = 0; bank < banks; bank++) {
        unsigned turns = 0;

        for (unsigned lane = 0; lane < LANES; lane++)
            turns += lane * stride % banks == bank;
        most = turns > most ? turns : most;
    }
    return most;
}

static void advise_strides(struct advising *a, unsigned banks)
{
    bool any = false;

    fprintf(a->out,
            "%u banks: a message of %u lanes takes a turn at most at strides of 1 word and all odd "
            "ones; "
            "avoid",
            banks, LANES);
    for (unsigned stride = 2; stride <= STRIDES_MAX; stride *= 2) {
        unsigned turns = turns_at(stride, banks);

        if (turns < 2)
            continue;
        fprintf(a->out, "%s %s %u (%u turns)", any ? "," : "",
                stride == STRIDES_MAX ? "multiples of" : "odd multiples of", stride, turns);
        any = true;
    }
    fprintf(a->out, "%s; a word of padding after every 32 makes such a stride odd\n",
            any ? "" : " none");
}

/* Conflicts are hidden while the turns of all threads take less than one access. */
static void advise_access(struct advising *a, const struct parameter *access,
                          const struct parameter_parts *parts, unsigned banks)
{
    const struct parameter *turn =
        parameter_find(a->model, FAMILY, parts->variant, parts->subgroup_size, "turn");
    double messages = ceil((double)parts->subgroup_size / LANES);

    fprintf(a->out, "%s, sub-group %u: an access takes ", parts->variant, parts->subgroup_size);
    estimate_print(a->out, &(struct estimate){access->value, access->interval});
    fprintf(a->out, " %s", access->unit);
    if (turn && turn->value > 0.0) {
        double threads = access->value / (turn->value * messages);

        fprintf(a->out,
                "; the banks bind from %.3g hardware threads on at 1 turn, %.3g at 2, %.3g at %u",
                threads, threads / 2.0, threads / turns_at(banks, banks), turns_at(banks, banks));
    }
    fputc('\n', a->out);
}

static enum status advise_slm(struct advising *a)
{
    const struct parameter *banks = model_find(a->model, FAMILY ".banks");
    struct parameter_parts parts;

    if (!banks || !(banks->value >= 1.0 && banks->value <= BANKS_MAX))
        return STATUS_OK;
    a->said++;
    advise_strides(a, (unsigned)banks->value);
    for (size_t i = 0; i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (parameter_parts(p, FAMILY, &parts) && !strcmp(p->term, "access"))
            advise_access(a, p, &parts, (unsigned)banks->value);
    }
    return STATUS_OK;
}

const struct family_model family_slm_model = {
    .family = FAMILY,
    .rank = 40,
    .fit = fit_slm,
    .predict = predict_slm,
    .predicts_loop = true,
    .advise = advise_slm,
};
