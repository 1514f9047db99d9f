/* Audits of many kernels: of benchmark families or of a user's module, over sub-group sizes and
 * targets. */
#ifndef VEBENCH_ISA_SURVEY_H
#define VEBENCH_ISA_SURVEY_H

#include "audit/audit.h"
#include "family/family.h"

struct isa_request {
    const struct family *const *families; /* `family_count` of them; or a module: */
    size_t family_count;
    const char *spirv_path;
    const char *options;          /* compiler options for the module; or NULL */
    const char *const *overrides; /* "subgroup_size=16", `override_count` of them */
    size_t override_count;
    const char *targets; /* "dg2,tgllp"; NULL: isa_default_targets */
    const char *kernel;  /* shell pattern for names of kernels and variants; NULL: all */
    int loop;            /* as for isa_audit_make(); 0: for families their outermost loop, which
                            is what they measure */
};

/* One kernel for one target, or why the target refuses it. */
struct isa_entry {
    const char *target; /* name */
    char *module;       /* name of the family or the file */
    char *kernel;       /* name of the variant or the kernel; empty: the whole module is refused */
    unsigned size;      /* sub-group size of the module; 0: none */
    char *refused;      /* compiler's message, or why there is no audit; NULL: audited */
    struct isa_audit audit;
};

#define ISA_TARGETS_MAX 16

struct isa_survey {
    struct isa_target *targets[ISA_TARGETS_MAX]; /* owned */
    size_t target_count;
    struct isa_entry *entries; /* owned; sorted by module, target, size, kernel */
    size_t count, room;
    char objection[300]; /* what spirv-val refuses in the module, which compilers may accept; or ""
                          */
};

/* STATUS_USAGE for targets, sizes or kernels that do not exist. What a compiler refuses becomes an
 * entry, not an error. Free the survey even after an error. */
enum status isa_survey_make(struct isa_survey *survey, const struct isa_request *request,
                            struct error *error);
void isa_survey_free(struct isa_survey *survey);

#endif
