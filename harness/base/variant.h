/* A variant of a benchmark family: what it does, by which method, on what data, and its kernel.
 * Rows, models and reports take this from here or from the columns made of it; a name is only a
 * name. */
#ifndef VEBENCH_VARIANT_H
#define VEBENCH_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

/* How a variant's value comes about. */
enum estimator {
    ESTIMATOR_SLOPE,   /* the slope of time over iterations minus the baseline's */
    ESTIMATOR_OBSERVE, /* what the family's observe() returns for a launch */
    ESTIMATOR_LAUNCH,  /* the device time of one launch: its kernel has no iterations */
};

/* The command list that kernels go through: recorded and then submitted whole, or immediate, where
 * each command is submitted as it is appended; `in order`, each command waits for the one before.
 */
enum list_kind { LIST_REGULAR, LIST_IMMEDIATE, LIST_IN_ORDER, LIST_IMMEDIATE_IN_ORDER };

/* "regular", "immediate", "in order", "immediate in order". */
const char *list_kind_name(enum list_kind kind);

static inline bool list_is_immediate(enum list_kind kind)
{
    return kind == LIST_IMMEDIATE || kind == LIST_IMMEDIATE_IN_ORDER;
}

static inline bool list_is_in_order(enum list_kind kind)
{
    return kind == LIST_IN_ORDER || kind == LIST_IMMEDIATE_IN_ORDER;
}

/* What a timed launch finds in the caches. */
enum caches {
    CACHES_WARM,    /* what the same launch has left there */
    CACHES_FLUSHED, /* its code, but other data: more than the last-level cache holds */
    CACHES_COLD,    /* the same, and another kernel's code */
    CACHES_LIST,    /* what a list with the same launch has left: data, and no code where the kernel
                       driver empties the instruction caches in between, as Linux does */
};

/* Instructions in a variant's machine code that its baseline lacks or has fewer of: extended
 * regular expressions matching lines of the disassembly. NULL: it compiles to nothing. */
struct evidence {
    const char *xe_hpg;  /* DG2 */
    const char *gen12lp; /* Tiger Lake */
};

/* Bits of variant.sizes. */
enum { SIZE_8 = 1, SIZE_16 = 2, SIZE_32 = 4 };

struct variant {
    const char *name;      /* unique in the family */
    const char *operation; /* what it does; NULL: its name says it */
    const char *type;      /* of its data: u8 to u64, i8, i32, f16 to f64; NULL: does not matter */
    const char *method;    /* how it does that, if there are several methods; NULL: there is one */
    const void *own; /* what else the family knows of it, of a type of its own; NULL: nothing */
    const char *entry_point;
    const char *means;     /* one line for `vebench list` */
    const char *baseline;  /* the variant whose slope in the same configuration is subtracted; NULL:
                              none, the value is the variant's own */
    const char *reference; /* the variant without a baseline whose loop this one's is compared with,
                              as a ratio; NULL: none */
    const char *unit;      /* NULL: the family's `unit`, or `baseline_unit` if baseline is NULL */
    struct evidence instructions;
    const char *build_flags;    /* for the driver's compiler, or NULL */
    const char *module;         /* what its modules are filed under; NULL: the family's name */
    unsigned sizes;             /* sub-group sizes that have a kernel, SIZE_* or'ed; 0: all */
    const char *no_size;        /* why the others have none */
    unsigned fewest_iterations; /* in a timed launch, if single iterations differ; 0: any number */
    bool is_posted; /* no work-item waits for its messages, so queues have to fill first */
    enum estimator estimator;
    enum caches caches;
    bool has_proof;   /* arguments() supports LAUNCH_PROOF for it */
    bool cooperative; /* all work-groups must be resident together: refused if they can't */
    bool may_spill;   /* register spilling is what is measured, not an accident */
    bool any_size;    /* the kernel requires no sub-group size: skipped unless the compiler chose
                         the configuration's */
    enum list_kind list;

    /* The variants of the family whose kernels run in the same list before its own and behind it,
     * in this order, each with its own geometry and arguments. End with NULL; NULL: none. */
    const struct variant *const *before, *const *after;
    bool times_before; /* its time begins with the first of `before`; otherwise with its own kernel
                        */
    bool is_part;      /* it only runs as one of these, and has no rows */
};

/* The operation, type and method as columns have them: "" for what does not apply. */
const char *variant_operation(const struct variant *variant);
const char *variant_type(const struct variant *variant);
const char *variant_method(const struct variant *variant);

/* Bytes of an element of a type; 0 for none. */
unsigned variant_type_bytes(const char *type);

/* The variants of a family whose rows and parameters are read by more than its run:
 * families/NAME-variants.c. */
struct variant_table {
    const char *family;
    const struct variant *variants;
    size_t count;
};

struct variant_tables {
    const struct variant_table *const *table;
    size_t count;
};

/* Those of this program, defined by its registry of families. */
extern const struct variant_tables family_variants;

/* The variant of that name, or NULL where no table has it. */
const struct variant *variant_find(const char *family, const char *name);

/* The first variant of the family that does the same as `like` with the same type of data by
 * another method, or NULL. */
const struct variant *variant_by(const char *family, const struct variant *like,
                                 const char *method);

/* Do the two the same with the same type of data, by whatever method? */
bool variant_same_task(const struct variant *a, const struct variant *b);

#endif
