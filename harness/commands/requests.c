#include "commands/requests.h"

#include <string.h>

enum status request_predict(const struct cli *cli, struct predict_request *request,
                            struct error *error)
{
    *request = (struct predict_request){
        .model_path = cli->words.word[0],
        .base = cli->base,
        .preset = (enum preset)cli->preset,
        .spirv_path = cli->spirv.count ? cli->spirv.word[0] : NULL,
        .kernel = cli->kernel,
        .lanes = (unsigned)cli->lanes,
        .event = (enum predict_event)cli->event_scope,
        .options = cli->compiler_options,
        .global = cli->global,
        .local = cli->local,
        .trips = cli->trips,
    };
    const struct repeated repeated[] = {
        {&cli->axes, "axis", request->axes, PREDICT_WORDS_MAX, &request->axis_count},
        {&cli->arguments, "arg", request->arguments, PREDICT_WORDS_MAX, &request->argument_count},
        {&cli->buffers, "buffer", request->buffers, PREDICT_WORDS_MAX, &request->buffer_count},
        {&cli->defines, "define", request->defines, PREDICT_WORDS_MAX, &request->define_count},
        {&cli->rows, "rows", request->rows, PREDICT_WORDS_MAX, &request->row_count},
    };
    enum status status = request_words(repeated, sizeof(repeated) / sizeof(repeated[0]), error);

    if (status == STATUS_OK && cli->family)
        status = request_family(cli->family, &request->family, error);
    return status;
}

enum status request_isa(const struct cli *cli, const struct family **chosen,
                        struct isa_command *command, struct error *error)
{
    struct sweep_request request = {.family_count = 0};
    enum status status = STATUS_OK;

    *command = (struct isa_command){
        .request = {.families = chosen,
                    .spirv_path = cli->spirv.count ? cli->spirv.word[0] : NULL,
                    .options = cli->compiler_options,
                    .overrides = cli->axes.word,
                    .override_count = cli->axes.count,
                    .targets = cli->target,
                    .kernel = cli->kernel,
                    .loop = (int)cli->loop},
        .format = (enum table_format)cli->format,
        .listing = cli->loop_listing,
        .folder = cli->output,
        .diff = {cli->diff[0], cli->diff[1]},
    };
    if (!cli->spirv.count)
        status = request_families(cli, &request, error);
    memcpy(chosen, request.families, request.family_count * sizeof(*chosen));
    command->request.family_count = request.family_count;
    return status;
}
