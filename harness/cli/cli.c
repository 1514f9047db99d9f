#include "cli/cli.h"

#include "families/registry.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SEED 0x5eedu

enum option_code {
    OPTION_AXIS = 256,
    OPTION_PRESET,
    OPTION_DEVICE,
    OPTION_OUTPUT,
    OPTION_SAMPLES,
    OPTION_ROUNDS,
    OPTION_SEED,
    OPTION_TIMEOUT,
    OPTION_SPIRV,
    OPTION_DRY_RUN,
    OPTION_SHOW,
    OPTION_JSON,
    OPTION_THRESHOLD,
    OPTION_BASE_SAMPLES,
    OPTION_NEW_SAMPLES,
    OPTION_SIZES,
    OPTION_AS_DEVICE,
    OPTION_FAMILY,
    OPTION_KERNEL,
    OPTION_GLOBAL,
    OPTION_LOCAL,
    OPTION_ARG,
    OPTION_TRIPS,
    OPTION_OPTIONS,
    OPTION_BASE,
    OPTION_MODEL,
    OPTION_VERSION,
    OPTION_HELP,
};

static const struct option options[] = {
    {"axis", required_argument, NULL, OPTION_AXIS},
    {"preset", required_argument, NULL, OPTION_PRESET},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {"samples", required_argument, NULL, OPTION_SAMPLES},
    {"rounds", required_argument, NULL, OPTION_ROUNDS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"spirv", required_argument, NULL, OPTION_SPIRV},
    {"dry-run", no_argument, NULL, OPTION_DRY_RUN},
    {"show", no_argument, NULL, OPTION_SHOW},
    {"json", no_argument, NULL, OPTION_JSON},
    {"threshold", required_argument, NULL, OPTION_THRESHOLD},
    {"base-samples", required_argument, NULL, OPTION_BASE_SAMPLES},
    {"new-samples", required_argument, NULL, OPTION_NEW_SAMPLES},
    {"sizes", required_argument, NULL, OPTION_SIZES},
    {"as-device", required_argument, NULL, OPTION_AS_DEVICE},
    {"family", required_argument, NULL, OPTION_FAMILY},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"global", required_argument, NULL, OPTION_GLOBAL},
    {"local", required_argument, NULL, OPTION_LOCAL},
    {"arg", required_argument, NULL, OPTION_ARG},
    {"trips", required_argument, NULL, OPTION_TRIPS},
    {"options", required_argument, NULL, OPTION_OPTIONS},
    {"base", required_argument, NULL, OPTION_BASE},
    {"model", required_argument, NULL, OPTION_MODEL},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static enum status parse_number(const char *option, const char *text, unsigned long least,
                                unsigned long most, unsigned long *number, struct error *error)
{
    char *end;

    errno = 0;
    *number = strtoul(text, &end, 0);
    if (errno || end == text || *end || text[0] == '-' || *number < least || *number > most) {
        return error_set(error, STATUS_USAGE, "%s %s: give a whole number from %lu to %lu", option,
                         text, least, most);
    }
    return STATUS_OK;
}

static enum status parse_percentage(const char *text, double *fraction, struct error *error)
{
    char *end;
    double percentage = strtod(text, &end);

    if (end == text || *end || !(percentage >= 0.0 && percentage <= 1000.0))
        return error_set(error, STATUS_USAGE, "--threshold %s: give a percentage, such as 2.5",
                         text);
    *fraction = percentage / 100.0;
    return STATUS_OK;
}

static enum status parse_sizes(const char *text, unsigned *sizes, struct error *error)
{
    int end = 0;

    if (sscanf(text, "%3u,%3u%n", &sizes[0], &sizes[1], &end) == 2 && !text[end] && sizes[0] &&
        sizes[1])
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--sizes %s: give two sub-group sizes, such as 16,32",
                     text);
}

static enum status add(const char **list, size_t *count, const char *option, const char *text,
                       struct error *error)
{
    if (*count == OVERRIDES_MAX)
        return error_set(error, STATUS_USAGE, "%s: given more than %d times", option,
                         OVERRIDES_MAX);
    list[(*count)++] = text;
    return STATUS_OK;
}

static enum status parse_preset(const char *text, enum preset *preset, struct error *error)
{
    static const enum preset presets[] = {PRESET_QUICK, PRESET_DEFAULT, PRESET_FULL};

    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        if (!strcmp(text, preset_name(presets[i]))) {
            *preset = presets[i];
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_USAGE, "--preset %s: give quick, default or full", text);
}

static enum status add_family(struct sweep_request *request, const char *name, struct error *error);

/* Options of predict. */
static enum status apply_predict_option(struct cli *cli, int code, struct error *error)
{
    struct predict_request *predict = &cli->predict;

    switch (code) {
    case OPTION_FAMILY:
        return add_family(&cli->request, optarg, error);
    case OPTION_ARG:
        return add(predict->arguments, &predict->argument_count, "--arg", optarg, error);
    case OPTION_KERNEL:
        predict->kernel = optarg;
        break;
    case OPTION_GLOBAL:
        predict->global = optarg;
        break;
    case OPTION_LOCAL:
        predict->local = optarg;
        break;
    case OPTION_TRIPS:
        predict->trips = optarg;
        break;
    case OPTION_OPTIONS:
        predict->options = optarg;
        break;
    default:
        predict->base = optarg;
        break;
    }
    return STATUS_OK;
}

static enum status apply_option(struct cli *cli, int code, struct error *error)
{
    struct sweep_request *request = &cli->request;
    unsigned long number = 0;
    enum status status = STATUS_OK;

    switch (code) {
    case OPTION_AXIS:
        return add(request->axes, &request->axis_count, "--axis", optarg, error);
    case OPTION_PRESET:
        return parse_preset(optarg, &request->preset, error);
    case OPTION_SPIRV:
        return add(request->spirv, &request->spirv_count, "--spirv", optarg, error);
    case OPTION_DEVICE:
        cli->device = optarg;
        break;
    case OPTION_OUTPUT:
        cli->output = optarg;
        break;
    case OPTION_SAMPLES:
        cli->samples = optarg;
        break;
    case OPTION_ROUNDS:
        status = parse_number("--rounds", optarg, 2, 10000, &number, error);
        request->options.rounds = (unsigned)number;
        break;
    case OPTION_SEED:
        status = parse_number("--seed", optarg, 0, 0xffffffffu, &number, error);
        request->options.seed = number;
        break;
    case OPTION_TIMEOUT:
        status = parse_number("--timeout", optarg, 1, 1000000, &number, error);
        cli->timeout_s = (unsigned)number;
        break;
    case OPTION_DRY_RUN:
        request->dry_run = true;
        break;
    case OPTION_SHOW:
        request->show = stdout;
        break;
    case OPTION_JSON:
        cli->as_json = true;
        break;
    case OPTION_THRESHOLD:
        return parse_percentage(optarg, &cli->threshold, error);
    case OPTION_BASE_SAMPLES:
        cli->base_samples = optarg;
        break;
    case OPTION_NEW_SAMPLES:
        cli->new_samples = optarg;
        break;
    case OPTION_SIZES:
        return parse_sizes(optarg, cli->sizes, error);
    case OPTION_AS_DEVICE:
        cli->as_device = optarg;
        break;
    case OPTION_FAMILY:
    case OPTION_KERNEL:
    case OPTION_GLOBAL:
    case OPTION_LOCAL:
    case OPTION_ARG:
    case OPTION_TRIPS:
    case OPTION_OPTIONS:
    case OPTION_BASE:
        return apply_predict_option(cli, code, error);
    case OPTION_MODEL:
        cli->model = optarg;
        break;
    case OPTION_VERSION:
        cli->command = COMMAND_VERSION;
        break;
    default:
        cli->command = COMMAND_HELP;
        break;
    }
    return status;
}

static enum status add_family(struct sweep_request *request, const char *name, struct error *error)
{
    const struct family *family = family_find(&families, name);

    if (!family) {
        error_set(error, STATUS_USAGE, "no benchmark family is called %s; there %s", name,
                  families.count == 1 ? "is" : "are");
        for (size_t i = 0; i < families.count; i++)
            error_append(error, "%s %s", i ? "," : "", families.family[i]->name);
        error_append(error, " (see vebench list)");
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < request->family_count; i++) {
        if (request->families[i] == family)
            return STATUS_OK;
    }
    if (request->family_count == SWEEP_FAMILIES_MAX)
        return error_set(error, STATUS_USAGE, "too many families");
    request->families[request->family_count++] = family;
    return STATUS_OK;
}

static enum status add_file(struct cli *cli, const char *path, struct error *error)
{
    if (cli->file_count == FILES_MAX)
        return error_set(error, STATUS_USAGE, "%s: more than %d files", path, FILES_MAX);
    cli->files[cli->file_count++] = path;
    return STATUS_OK;
}

static bool takes_files(enum command command)
{
    return command == COMMAND_COMPARE || command == COMMAND_REPORT || command == COMMAND_FIT ||
           command == COMMAND_CHECK || command == COMMAND_PREDICT || command == COMMAND_ADVISE;
}

/* Which options go with which command. */
static enum status check_combination(const struct cli *cli, struct error *error)
{
    bool runs = cli->command == COMMAND_RUN;

    if (cli->as_json && runs)
        return error_set(error, STATUS_USAGE, "--json goes with devices and list; run writes CSV");
    if (cli->request.dry_run && (cli->output || cli->samples))
        return error_set(error, STATUS_USAGE,
                         "--dry-run measures nothing, so it takes no --output and no --samples");
    if (cli->command == COMMAND_FIT && cli->file_count < 1)
        return error_set(error, STATUS_USAGE, "fit takes results files");
    if (cli->command == COMMAND_FIT && !cli->output)
        return error_set(error, STATUS_USAGE, "fit needs --output, the file that gets the model");
    if (cli->as_device && cli->command != COMMAND_FIT)
        return error_set(error, STATUS_USAGE, "--as-device goes with fit");
    if (cli->command == COMMAND_FIT && cli->predict.base && !cli->as_device)
        return error_set(error, STATUS_USAGE, "fit takes --base for --as-device only");
    if (cli->as_device && !strcmp(cli->as_device, cli->output))
        return error_set(error, STATUS_USAGE, "--output and --as-device name the same file");
    if (cli->command == COMMAND_CHECK && cli->file_count < 2)
        return error_set(error, STATUS_USAGE, "check takes a model and results files");
    if (cli->command == COMMAND_PREDICT && cli->file_count != 1)
        return error_set(error, STATUS_USAGE, "predict takes a model");
    if (cli->command == COMMAND_PREDICT && cli->request.family_count > 1)
        return error_set(error, STATUS_USAGE, "predict takes one --family");
    if (cli->command == COMMAND_PREDICT && cli->request.spirv_count > 1)
        return error_set(error, STATUS_USAGE, "predict takes one --spirv");
    if (cli->command == COMMAND_ADVISE && (cli->file_count < 1 || cli->request.family_count != 1))
        return error_set(error, STATUS_USAGE,
                         "advise takes a model and one --family of those that vebench list names");
    if (cli->command == COMMAND_COMPARE && cli->file_count != 2)
        return error_set(error, STATUS_USAGE,
                         "compare takes two files, the results before and the results after");
    if (cli->command == COMMAND_REPORT && (cli->file_count == 0 || !cli->output))
        return error_set(error, STATUS_USAGE,
                         "report takes results files and --output with the folder to make");
    if (cli->model && cli->command != COMMAND_REPORT)
        return error_set(error, STATUS_USAGE, "--model goes with report");
    if (!cli->base_samples != !cli->new_samples)
        return error_set(error, STATUS_USAGE, "--base-samples and --new-samples go together");
    if (cli->output && cli->samples && !strcmp(cli->output, cli->samples))
        return error_set(error, STATUS_USAGE, "--output and --samples name the same file");
    return STATUS_OK;
}

static enum status parse_command(struct cli *cli, const char *word, struct error *error)
{
    if (!strcmp(word, "run"))
        cli->command = COMMAND_RUN;
    else if (!strcmp(word, "devices"))
        cli->command = COMMAND_DEVICES;
    else if (!strcmp(word, "list"))
        cli->command = COMMAND_LIST;
    else if (!strcmp(word, "compare"))
        cli->command = COMMAND_COMPARE;
    else if (!strcmp(word, "report"))
        cli->command = COMMAND_REPORT;
    else if (!strcmp(word, "fit"))
        cli->command = COMMAND_FIT;
    else if (!strcmp(word, "check"))
        cli->command = COMMAND_CHECK;
    else if (!strcmp(word, "predict"))
        cli->command = COMMAND_PREDICT;
    else if (!strcmp(word, "advise"))
        cli->command = COMMAND_ADVISE;
    else
        return error_set(error, STATUS_USAGE,
                         "unknown command %s; there are run, devices, list, compare, report, fit, "
                         "check, predict and advise (see vebench --help)",
                         word);
    return STATUS_OK;
}

/* The long option that a short one stands for. */
static int long_option(int code)
{
    return code == 'V' ? OPTION_VERSION : code == 'o' ? OPTION_OUTPUT : code;
}

enum status cli_parse(struct cli *cli, int argc, char **argv, struct error *error)
{
    bool has_command = false;
    enum status status = STATUS_OK;

    memset(cli, 0, sizeof *cli);
    cli->request.options.seed = DEFAULT_SEED;
    cli->threshold = -1.0;
    optind = 1;
    opterr = 0;
    for (;;) {
        int tried = optind ? optind : 1;
        int code = getopt_long(argc, argv, "+:hVo:", options, NULL);

        if (code == -1) {
            /* A word: the command first, families after it. */
            if (optind >= argc)
                break;
            if (!has_command)
                status = parse_command(cli, argv[optind], error);
            else if (cli->command == COMMAND_RUN)
                status = add_family(&cli->request, argv[optind], error);
            else if (takes_files(cli->command))
                status = add_file(cli, argv[optind], error);
            else
                status = error_set(error, STATUS_USAGE, "%s: one word too many", argv[optind]);
            has_command = true;
            optind++;
        } else if (code == ':') {
            status = error_set(error, STATUS_USAGE, "%s needs a value (see vebench --help)",
                               argv[optind - 1]);
        } else if (code == '?') {
            status = error_set(error, STATUS_USAGE, "unknown option %s (see vebench --help)",
                               argv[tried]);
        } else {
            status = apply_option(cli, long_option(code), error);
            if (cli->command == COMMAND_VERSION ||
                (cli->command == COMMAND_HELP && code >= 0 && (code == OPTION_HELP || code == 'h')))
                return status;
        }
        if (status != STATUS_OK)
            return status;
    }
    if (!has_command)
        return error_set(
            error, STATUS_USAGE,
            "say what to do: run, devices, list, compare, report, fit, check, predict or advise "
            "(see vebench --help)");
    if (cli->command == COMMAND_RUN && !cli->request.family_count) {
        for (size_t i = 0; status == STATUS_OK && i < families.count; i++)
            status = add_family(&cli->request, families.family[i]->name, error);
    }
    return status == STATUS_OK ? check_combination(cli, error) : status;
}
