/* The memory of a family's configurations, as its descriptor declares it. */
#include "family/family.h"
#include "family/verify.h"

#include <string.h>

static size_t bytes_of(const struct buffer_plan *plan, const struct configuration *configuration)
{
    if (plan->image)
        return image_bytes(plan->image);
    if (plan->bytes)
        return plan->bytes(configuration);
    return plan->size ? plan->size : configuration_items(configuration) * sizeof(uint32_t);
}

size_t family_buffer_bytes(const struct family *family, const struct configuration *configuration)
{
    size_t bytes = 0;

    for (size_t i = 0; i < family->buffer_count; i++)
        bytes += bytes_of(&family->buffers[i], configuration);
    return bytes;
}

void buffer_zero(struct workspace *workspace, const struct configuration *configuration,
                 struct buffer *buffer)
{
    (void)workspace;
    (void)configuration;
    memset(buffer->initial, 0, buffer->bytes);
}

static enum status add(struct workspace *workspace, const struct buffer_plan *plan,
                       const struct configuration *configuration, struct error *error)
{
    size_t bytes = bytes_of(plan, configuration);

    if (plan->image)
        return workspace_add_image(workspace, plan->name, plan->use, plan->image, error);
    if (plan->rows)
        return workspace_add_rows(workspace, plan->name, bytes, plan->rows(configuration), error);
    return workspace_add(workspace, plan->name, plan->use, bytes, error);
}

/* What random contents are replaced by, and what else a family prepares. */
static enum status fill(const struct family *family, struct workspace *workspace,
                        const struct configuration *configuration, struct error *error)
{
    for (size_t i = 0; i < family->buffer_count; i++) {
        if (family->buffers[i].fill)
            family->buffers[i].fill(workspace, configuration, &workspace->buffers[i]);
    }
    return family->prepare ? family->prepare(workspace, configuration, error) : STATUS_OK;
}

enum status family_prepare(const struct family *family, struct workspace *workspace,
                           const struct configuration *configuration, struct error *error)
{
    enum status status = STATUS_OK;

    workspace->common = family->own;
    for (size_t i = 0; status == STATUS_OK && i < family->buffer_count; i++)
        status = add(workspace, &family->buffers[i], configuration, error);
    return status == STATUS_OK ? fill(family, workspace, configuration, error) : status;
}

enum status family_redraw(const struct family *family, struct workspace *workspace,
                          const struct configuration *configuration, uint64_t seed,
                          struct error *error)
{
    workspace_redraw(workspace, seed);
    return fill(family, workspace, configuration, error);
}

void family_arguments(const struct family *family, const struct workspace *workspace,
                      const struct launch *launch, struct arguments *arguments)
{
    for (size_t i = 0; !family->lists_buffers && i < family->buffer_count; i++)
        argument_buffer(arguments, workspace, i);
    family->arguments(workspace, launch, arguments);
}

enum status family_verify(const struct family *family, struct workspace *workspace,
                          const struct launch *launch, struct error *error)
{
    enum status status = family->verify(workspace, launch, error);

    for (size_t i = 0; status == STATUS_OK && i < workspace->buffer_count; i++) {
        if (workspace->buffers[i].use == BUFFER_WITNESS)
            status = verify_subgroup_sizes(&workspace->buffers[i], launch, error);
    }
    return status;
}
