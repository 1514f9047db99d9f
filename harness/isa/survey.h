/* Audits of many kernels: families of benchmarks or a module of one's own, over sub-group sizes and
 * targets. */
#ifndef VEBENCH_ISA_SURVEY_H
#define VEBENCH_ISA_SURVEY_H

#include "isa/audit.h"
#include "measure/family.h"

struct isa_request {
    const struct family *const *families; /* `family_count`, or a module: */
    size_t family_count;
    const char *spirv_path;
    const char *options;          /* of the module, for the compiler; or NULL */
    const char *const *overrides; /* "subgroup_size=16", `override_count` of them */
    size_t override_count;
    const char *targets; /* "dg2,tgllp"; NULL: isa_default_targets */
    const char *kernel;  /* pattern as of a shell for names of kernels and variants; NULL: all */
    int loop;            /* as for isa_audit_make(); 0: of families, whose outermost loop is what
                            they measure, that one */
};

/* One kernel for one target, or what a target says to it. */
struct isa_entry {
    const char *target; /* name */
    char *module;       /* the family, or the file's name */
    char *kernel;       /* the variant, or the kernel; empty: the whole module is refused */
    unsigned size;      /* sub-group size of the module; 0: none */
    char *refused;      /* the compiler's words, or why the code says nothing; NULL: audited */
    struct isa_audit audit;
};

#define ISA_TARGETS_MAX 16

struct isa_survey {
    struct isa_target *targets[ISA_TARGETS_MAX]; /* owned */
    size_t target_count;
    struct isa_entry *entries; /* owned; by module, target, size, kernel */
    size_t count, room;
};

/* STATUS_USAGE for targets, sizes or kernels that there are not. What a compiler refuses is an
 * entry. Free the survey in any case. */
enum status isa_survey_make(struct isa_survey *survey, const struct isa_request *request,
                            struct error *error);
void isa_survey_free(struct isa_survey *survey);

#endif
