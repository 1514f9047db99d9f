/* What is bound in a context. As in i915, a buffer stays where a submission put it until its handle
 * is closed, or another takes its place: drivers count on it, for theirs do not list in every
 * submission all that the ones before have listed. */
#include <errno.h>
#include <stdlib.h>

#include "node/node.h"

int bindings_reserve(struct gem_context *context, uint32_t more)
{
    uint32_t wanted = context->binding_count + more, capacity = context->binding_capacity;
    struct binding *grown;

    if (wanted <= capacity)
        return 0;
    capacity = wanted > 2 * capacity ? wanted : 2 * capacity;
    grown = realloc(context->bindings, capacity * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    context->bindings = grown;
    context->binding_capacity = capacity;
    return 0;
}

static void forget(struct gem_context *context, const struct buffer *buffer)
{
    for (uint32_t i = 0; i < context->binding_count; i++) {
        if (context->bindings[i].buffer == buffer) {
            context->bindings[i] = context->bindings[--context->binding_count];
            return;
        }
    }
}

void binding_set(struct gem_context *context, struct buffer *buffer, uint64_t address)
{
    for (uint32_t i = 0; i < context->binding_count; i++) {
        if (context->bindings[i].buffer == buffer) {
            context->bindings[i].address = address;
            return;
        }
    }
    context->bindings[context->binding_count++] =
        (struct binding){.address = address, .buffer = buffer};
}

void bindings_forget(struct node_file *file, const struct buffer *buffer)
{
    for (uint32_t i = 0; i < file->context_slots; i++) {
        if (file->contexts[i])
            forget(file->contexts[i], buffer);
    }
}
