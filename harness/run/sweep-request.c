#include "run/sweep-request.h"

#include "families/registry.h"
#include "family/near.h"
#include "run/run-command.h"

#include <stdlib.h>
#include <string.h>

enum status request_family(const char *name, const struct family **family, struct error *error)
{
    *family = family_find(&families, name);
    if (*family)
        return STATUS_OK;
    struct near near = near_begin(name, strlen(name));

    error_set(error, STATUS_USAGE, "no benchmark family is called %s; there %s", name,
              families.count == 1 ? "is" : "are");
    for (size_t i = 0; i < families.count; i++) {
        error_append(error, "%s %s", i ? "," : "", families.family[i]->name);
        near_consider(&near, families.family[i]->name);
    }
    error_append(error, " (see vebench list)");
    near_append(&near, "", error);
    return STATUS_USAGE;
}

static enum status add_family(struct sweep_request *request, const struct family *family,
                              struct error *error)
{
    for (size_t i = 0; i < request->family_count; i++) {
        if (request->families[i] == family)
            return STATUS_OK;
    }
    if (request->family_count == SWEEP_FAMILIES_MAX)
        return error_set(error, STATUS_USAGE, "too many families");
    request->families[request->family_count++] = family;
    return STATUS_OK;
}

enum status request_words(const struct repeated *repeated, size_t options, struct error *error)
{
    for (const struct repeated *r = repeated; r < repeated + options; r++) {
        if (r->words->count > r->room)
            return error_set(error, STATUS_USAGE, "--%s: given more than %zu times", r->name,
                             r->room);
        memcpy(r->list, r->words->word, r->words->count * sizeof(*r->list));
        *r->count = r->words->count;
    }
    return STATUS_OK;
}

/* `--rounds N` is a stop rule too: exactly N rounds. */
static enum status request_stop(const struct cli *cli, struct stop_rule *stop, struct error *error)
{
    memset(stop, 0, sizeof(*stop));
    if (cli->stop && cli->rounds)
        return error_set(error, STATUS_USAGE, "--rounds and --stop: give one of them");
    if (cli->stop)
        return stop_parse(cli->stop, stop, error);
    stop->min = stop->max = (unsigned)cli->rounds;
    return STATUS_OK;
}

/* Reads "90s", "10m" or "2h", up to a comma or the end; 0 if it is none. */
static double read_time(const char *text, const char **end)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1.0}, {'m', 60.0}, {'h', 3600.0}};
    char *unit = NULL;
    double number = strtod(text, &unit);

    *end = unit;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (unit == text || !(number > 0.0 && number < 1e6) || *unit != units[i].letter ||
            (unit[1] && unit[1] != ','))
            continue;
        *end = unit + 1;
        return number * units[i].seconds;
    }
    return 0.0;
}

/* "10m", "each=30s", or both with a comma between them. */
static enum status request_budget(const char *text, struct sweep_request *request,
                                  struct error *error)
{
    static const char each[] = "each=";
    const char *at = text;

    while (at && *at) {
        bool is_each = !strncmp(at, each, sizeof(each) - 1);
        double *seconds = is_each ? &request->each_s : &request->budget_s;
        const char *end;
        double time = read_time(is_each ? at + sizeof(each) - 1 : at, &end);

        if (!(time > 0.0) || *seconds > 0.0 || (*end && !end[1]))
            break;
        *seconds = time;
        at = *end ? end + 1 : end;
    }
    if (!text || (!*at && at != text))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--budget %s: write a time such as 90s, 10m or 2h; each=30s, the time of a "
                     "configuration, may stand behind it or in its place",
                     text);
}

enum status request_families(const struct cli *cli, struct sweep_request *request,
                             struct error *error)
{
    size_t count = cli->words.count ? cli->words.count : families.count;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const struct family *family = families.family[i];

        if (cli->words.count)
            status = request_family(cli->words.word[i], &family, error);
        if (!cli->words.count && cli->preset == PRESET_HEALTH && !family->tells_health)
            continue;
        if (status == STATUS_OK)
            status = add_family(request, family, error);
    }
    return status;
}

enum status request_settings(const struct cli *cli, FILE *show, struct sweep_request *request,
                             struct error *error)
{
    *request = (struct sweep_request){
        .preset = (enum preset)cli->preset,
        .options = {.seed = cli->seed},
        .build_only = cli->build_only,
        .wants_samples = cli->samples != NULL,
        .device = cli->device,
        .loader = run_loader(),
        .timeout_s = (unsigned)cli->timeout_s,
        .jobs = (unsigned)cli->jobs,
        .show = cli->show ? show : NULL,
        .each = cli->each,
        .hooks = {cli->prepare, cli->cleanup},
        .counters = cli->counters,
    };
    const struct repeated repeated[] = {
        {&cli->axes, "axis", request->axes, OVERRIDES_MAX, &request->axis_count},
        {&cli->spirv, "spirv", request->spirv, OVERRIDES_MAX, &request->spirv_count},
        {&cli->variants, "variant", request->variants, OVERRIDES_MAX, &request->variant_count},
    };
    enum status status = request_stop(cli, &request->options.stop, error);
    if (status == STATUS_OK)
        status = request_budget(cli->budget, request, error);
    if (status == STATUS_OK)
        status = request_words(repeated, sizeof(repeated) / sizeof(repeated[0]), error);
    return status;
}

enum status request_sweep(const struct cli *cli, FILE *show, struct sweep_request *request,
                          struct error *error)
{
    enum status status = request_settings(cli, show, request, error);

    return status == STATUS_OK ? request_families(cli, request, error) : status;
}
