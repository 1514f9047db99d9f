/* The bandwidths of a model: of which launches each is, and the names of their parameters,
 * bandwidth.SCOPE.setBYTES, formed here. */
#ifndef VEBENCH_BANDWIDTH_MODEL_H
#define VEBENCH_BANDWIDTH_MODEL_H

#include "model/model.h"

/* One Xe-core or the whole device; by any operation, or by one alone; of single elements that each
 * have a line of their own, whose other bytes stay as they are. */
enum bandwidth_scope {
    BANDWIDTH_CORE,
    BANDWIDTH_DEVICE,
    BANDWIDTH_CORE_LOAD,
    BANDWIDTH_DEVICE_STORE,
    BANDWIDTH_DEVICE_PARTIAL,
    BANDWIDTH_SCOPES
};

/* The bandwidth of a working set, or NULL. */
const struct parameter *bandwidth_find(const struct model *model, enum bandwidth_scope scope,
                                       double working_set);

#endif
