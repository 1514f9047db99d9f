/* What a survey audits, in its order: modules for targets. */
#ifndef VEBENCH_ISA_SURVEY_PLAN_H
#define VEBENCH_ISA_SURVEY_PLAN_H

#include "audit/builds.h"
#include "audit/survey.h"

/* A module for one target. */
struct survey_unit {
    const struct isa_target *target;
    const struct family *family; /* NULL: the file of the request */
    const struct spirv_module *module;
    const char *options; /* for the compiler; a family's variants with these are audited */
    size_t build;        /* index in `builds` */
};

struct survey_plan {
    const struct isa_request *request;
    struct isa_builds builds;
    struct survey_unit *units; /* owned */
    size_t count, room;
};

enum status survey_plan_add(struct survey_plan *plan, const struct survey_unit *unit,
                            struct error *error);

/* Adds the family's modules for each target. STATUS_USAGE for sizes that do not exist. */
enum status survey_plan_family(struct survey_plan *plan, const struct isa_survey *survey,
                               const struct family *family, struct error *error);
void survey_plan_free(struct survey_plan *plan);

/* Whether the unit's family variant is audited with it. */
bool survey_plan_has(const struct survey_plan *plan, const struct survey_unit *unit,
                     const struct variant *variant);

/* Whether the request is for kernels of one of these names. */
bool survey_asks_for(const struct isa_request *request, const char *name, const char *entry_point);

#endif
