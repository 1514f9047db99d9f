#include "cli/cli.h"

#include "base/file-guard.h"
#include "family/near.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX    100
#define OPTION_FIRST 256 /* above any character: a long option's code is this plus its index */

/* The arguments of getopt_long(): every name once, whichever commands have it. */
struct names {
    struct option option[NAMES_MAX + 1];
    char letters[2 * NAMES_MAX + 3];
    size_t count;
};

/* An option as given; the command decides which row it refers to. */
struct given {
    const char *name, *value;
    const char *second; /* second value of an option that takes two */
};

struct parser {
    struct cli *cli;
    struct names names;
    struct given given[NAMES_MAX];
    size_t given_count;
    const char *command;
    struct error *error;
};

static void collect_names(struct names *names)
{
    char *letter = names->letters;

    memset(names, 0, sizeof(*names));
    *letter++ = '-'; /* deliver words in order, as option 1 */
    *letter++ = ':'; /* report a missing value as ':' instead of '?' */
    for (size_t i = 0; i < cli_option_count && names->count < NAMES_MAX; i++) {
        const struct option_row *row = &cli_options[i];
        size_t other = 0;

        while (other < names->count && strcmp(names->option[other].name, row->name) != 0)
            other++;
        if (other < names->count)
            continue;
        names->option[names->count] =
            (struct option){row->name, row->type == OPTION_FLAG ? no_argument : required_argument,
                            NULL, OPTION_FIRST + (int)names->count};
        names->count++;
        if (row->letter) {
            *letter++ = row->letter;
            if (row->type != OPTION_FLAG)
                *letter++ = ':';
        }
    }
}

/* The name behind a code of getopt_long(). */
static const char *name_of(const struct names *names, int code)
{
    if (code >= OPTION_FIRST)
        return names->option[code - OPTION_FIRST].name;
    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_options[i].letter == code)
            return cli_options[i].name;
    }
    return "";
}

static enum status add_word(struct words *words, const char *what, const char *word,
                            struct error *error)
{
    if (words->count == WORDS_MAX)
        return error_set(error, STATUS_USAGE, "%s: more than %d", what, WORDS_MAX);
    words->word[words->count++] = word;
    return STATUS_OK;
}

static void suggest_command(const char *word, struct error *error)
{
    struct near near = near_begin(word, strlen(word));

    for (size_t i = 0; i < COMMANDS; i++)
        near_consider(&near, cli_commands[i].name);
    near_append(&near, "vebench ", error);
}

static enum status find_command(const char *word, enum command *command, struct error *error)
{
    for (size_t i = 0; word && i < COMMANDS; i++) {
        if (!strcmp(word, cli_commands[i].name)) {
            *command = (enum command)i;
            return STATUS_OK;
        }
    }
    if (word)
        error_set(error, STATUS_USAGE, "unknown command %s; there are", word);
    else
        error_set(error, STATUS_USAGE, "say what to do:");
    for (size_t i = 0; i < COMMANDS; i++)
        error_append(error, "%s %s", i ? "," : "", cli_commands[i].name);
    error_append(error, " (see vebench --help)");
    if (word)
        suggest_command(word, error);
    return STATUS_USAGE;
}

/* The commands that have the option, such as "run and bench". */
static void append_commands(const char *name, struct error *error)
{
    size_t count = 0, said = 0;

    for (size_t c = 0; c < COMMANDS; c++)
        count += cli_option(name, (enum command)c) != NULL;
    for (size_t c = 0; c < COMMANDS; c++) {
        if (!cli_option(name, (enum command)c))
            continue;
        const char *before = said == 0 ? "" : said + 1 == count ? " and " : ", ";
        error_append(error, "%s%s", before, cli_commands[c].name);
        said++;
    }
}

/* An option of other commands. */
static enum status not_of_command(enum command command, const char *name, struct error *error)
{
    error_set(error, STATUS_USAGE, "--%s is not an option of vebench %s, but of ", name,
              cli_commands[command].name);
    append_commands(name, error);
    error_append(error, " (see vebench %s --help)", cli_commands[command].name);
    return STATUS_USAGE;
}

static enum status no_such_option(enum command command, const char *option, struct error *error)
{
    const char *separator = "", *name = option + strspn(option, "-");
    struct near near = near_begin(name, strcspn(name, "="));

    error_set(error, STATUS_USAGE, "%s is not an option of vebench %s, which has ", option,
              cli_commands[command].name);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!(cli_options[i].commands & (1u << command)))
            continue;
        error_append(error, "%s--%s", separator, cli_options[i].name);
        separator = ", ";
        near_consider(&near, cli_options[i].name);
    }
    near_append(&near, "--", error);
    return STATUS_USAGE;
}

/* getopt_long() does not know the option, or finds it ambiguous. */
static enum status unknown_option(const struct parser *parser, const char *option)
{
    enum command command;
    struct error ignored;

    if (parser->command && find_command(parser->command, &command, &ignored) == STATUS_OK)
        return no_such_option(command, option, parser->error);
    return error_set(parser->error, STATUS_USAGE, "unknown option %s (see vebench --help)", option);
}

/* The command comes first. */
static enum status take_word(struct parser *parser, const char *word)
{
    if (parser->command)
        return add_word(&parser->cli->words, "words", word, parser->error);
    parser->command = word;
    return STATUS_OK;
}

/* Whether any command has this option with two values. */
static bool takes_two(const char *name)
{
    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_options[i].type == OPTION_TWO && !strcmp(cli_options[i].name, name))
            return true;
    }
    return false;
}

static enum status take_option(struct parser *parser, const char *name, const char *value,
                               const char *second)
{
    if (parser->given_count == NAMES_MAX)
        return error_set(parser->error, STATUS_USAGE, "more than %d options", NAMES_MAX);
    parser->given[parser->given_count++] = (struct given){name, value, second};
    return STATUS_OK;
}

/* Options and words in the order of argv, as given, up to the end or "--": optind says where that
 * is. */
static enum status scan(struct parser *parser, int argc, char **argv)
{
    enum status status = STATUS_OK;

    optind = 0; /* glibc: reset the scan */
    opterr = 0;
    while (status == STATUS_OK) {
        int tried = optind ? optind : 1;
        int code = getopt_long(argc, argv, parser->names.letters, parser->names.option, NULL);

        if (code == -1)
            break;
        if (code == ':')
            return error_set(parser->error, STATUS_USAGE, "%s needs a value (see vebench --help)",
                             argv[optind - 1]);
        if (code == '?')
            return unknown_option(parser, argv[tried]);
        if (code == 1) {
            status = take_word(parser, optarg);
        } else {
            const char *name = name_of(&parser->names, code), *value = optarg;
            bool two = takes_two(name) && optind < argc;

            status = take_option(parser, name, value, two ? argv[optind++] : NULL);
        }
    }
    return status;
}

/* In compare "--" divides the files, and options may follow; in others only words follow it. */
static enum status split(struct parser *parser, int argc, char **argv)
{
    enum status status = scan(parser, argc, argv);

    if (status == STATUS_OK && optind > 1 && !strcmp(argv[optind - 1], "--") && parser->command &&
        !strcmp(parser->command, cli_commands[COMMAND_COMPARE].name)) {
        parser->cli->divided = true;
        parser->cli->left = parser->cli->words.count;
        argv += optind - 1; /* from "--" on, in the place of the program's name */
        argc -= optind - 1;
        status = scan(parser, argc, argv);
    }
    for (; status == STATUS_OK && optind < argc; optind++)
        status = take_word(parser, argv[optind]);
    return status;
}

/* A whole number, decimal or 0x..., that ends at `*end`. */
static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number,
                        const char **end)
{
    char *stop;

    if (text[0] < '0' || text[0] > '9') /* strtoull() would accept signs and spaces */
        return false;
    errno = 0;
    *number = strtoull(text, &stop, 0);
    *end = stop;
    return !errno && stop != text && *number >= least && *number <= most;
}

static enum status parse_number(const struct option_row *row, const char *text, uint64_t *number,
                                struct error *error)
{
    const char *end;

    if (read_number(text, row->least, row->most, number, &end) && !*end)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--%s %s: give a whole number from %llu to %llu",
                     row->name, text, (unsigned long long)row->least,
                     (unsigned long long)row->most);
}

static enum status parse_pair(const struct option_row *row, const char *text, uint64_t *pair,
                              struct error *error)
{
    const char *end;

    if (read_number(text, row->least, row->most, &pair[0], &end) && *end == ',' &&
        read_number(end + 1, row->least, row->most, &pair[1], &end) && !*end)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--%s %s: give two whole numbers from %llu to %llu, such as 16,32", row->name,
                     text, (unsigned long long)row->least, (unsigned long long)row->most);
}

static enum status parse_percent(const struct option_row *row, const char *text, double *fraction,
                                 struct error *error)
{
    char *end;
    double percentage = strtod(text, &end);

    if (end == text || (*end && strcmp(end, "%") != 0) ||
        !(percentage >= 0.0 && percentage <= 1000.0))
        return error_set(error, STATUS_USAGE, "--%s %s: give a percentage, such as 2.5", row->name,
                         text);
    *fraction = percentage / 100.0;
    return STATUS_OK;
}

static enum status parse_choice(const struct option_row *row, const char *text, uint64_t *choice,
                                struct error *error)
{
    const char *at = row->choices;

    for (*choice = 0;; ++*choice) {
        size_t bytes = strcspn(at, "|");

        if (strlen(text) == bytes && !strncmp(text, at, bytes))
            return STATUS_OK;
        if (!at[bytes])
            return error_set(error, STATUS_USAGE, "--%s %s: give one of %s", row->name, text,
                             row->choices);
        at += bytes + 1;
    }
}

static enum status apply_two(const struct option_row *row, const struct given *given,
                             const char **member, struct error *error)
{
    if (!given->second)
        return error_set(error, STATUS_USAGE, "--%s takes two values: %s", row->name, row->help);
    member[0] = given->value;
    member[1] = given->second;
    return STATUS_OK;
}

static enum status apply(struct cli *cli, const struct option_row *row, const char *value,
                         struct error *error)
{
    void *member = (char *)cli + row->offset;
    char name[40];

    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return STATUS_OK;
    case OPTION_TEXT:
        *(const char **)member = value;
        return STATUS_OK;
    case OPTION_TWO: /* has no default; see apply_two() */
        return STATUS_OK;
    case OPTION_WORDS:
        snprintf(name, sizeof(name), "--%s", row->name);
        return add_word(member, name, value, error);
    case OPTION_NUMBER:
        return parse_number(row, value, member, error);
    case OPTION_PAIR:
        return parse_pair(row, value, member, error);
    case OPTION_PERCENT:
        return parse_percent(row, value, member, error);
    case OPTION_CHOICE:
        return parse_choice(row, value, member, error);
    }
    return STATUS_OK;
}

/* Applies the command's defaults, then what was given. */
static enum status apply_all(struct parser *parser)
{
    struct cli *cli = parser->cli;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < cli_option_count; i++) {
        if (cli_options[i].fallback && cli_options[i].commands & (1u << cli->command))
            status = apply(cli, &cli_options[i], cli_options[i].fallback, parser->error);
    }
    for (size_t i = 0; status == STATUS_OK && i < parser->given_count; i++) {
        const struct given *given = &parser->given[i];
        const struct option_row *row = cli_option(given->name, cli->command);

        if (!row)
            status = not_of_command(cli->command, given->name, parser->error);
        else if (row->type == OPTION_TWO)
            status =
                apply_two(row, given, (const char **)((char *)cli + row->offset), parser->error);
        else
            status = apply(cli, row, given->value, parser->error);
    }
    return status;
}

/* Checks that the required options are given; all of them are texts. */
static enum status check_needs(const struct cli *cli, struct error *error)
{
    const struct command_row *command = &cli_commands[cli->command];

    for (size_t i = 0; i < sizeof(command->needs) / sizeof(command->needs[0]); i++) {
        const struct option_row *row =
            command->needs[i] ? cli_option(command->needs[i], cli->command) : NULL;

        if (row && !*(const char *const *)((const char *)cli + row->offset))
            return error_set(error, STATUS_USAGE, "%s needs --%s %s: %s", command->name, row->name,
                             row->argument, row->help);
    }
    return STATUS_OK;
}

static enum status check_words(const struct cli *cli, struct error *error)
{
    const struct command_row *command = &cli_commands[cli->command];

    if (cli->words.count >= command->fewest && cli->words.count <= command->most)
        return STATUS_OK;
    if (command->most == 0)
        return error_set(error, STATUS_USAGE, "%s: %s takes no words", cli->words.word[0],
                         command->name);
    return error_set(error, STATUS_USAGE, "%s takes %s", command->name, command->takes);
}

/* One file for each side or, with "--" between them, several. */
static enum status check_sides(const struct cli *cli, struct error *error)
{
    bool several = cli->words.count > 2, divided = cli->left > 0 && cli->left < cli->words.count;

    if (cli->command != COMMAND_COMPARE)
        return STATUS_OK;
    if ((several || cli->divided) && !divided)
        return error_set(error, STATUS_USAGE,
                         "%zu files: compare takes two, or several for each side with -- between "
                         "them: %s",
                         cli->words.count, cli_commands[COMMAND_COMPARE].words);
    if (several && (cli->sizes[0] || cli->base_samples))
        return error_set(error, STATUS_USAGE, "--%s takes one file for each side",
                         cli->sizes[0] ? "sizes" : "base-samples");
    return STATUS_OK;
}

/* The counters go into a file beside that of the results, which nothing is appended to. */
static enum status check_counters(const struct cli *cli, struct error *error)
{
    if (cli->counters && ((cli->output && !strcmp(cli->output, "-")) ||
                          (!cli->output && cli->format == FORMAT_TABLE)))
        return error_set(error, STATUS_USAGE,
                         "--counters writes a file beside the results: give those a file, too, "
                         "with --output");
    if (cli->counters && (cli->resume || cli->dry_run || cli->build_only))
        return error_set(error, STATUS_USAGE, "--counters and --%s do not go together",
                         cli->resume    ? "resume"
                         : cli->dry_run ? "dry-run"
                                        : "build-only");
    return STATUS_OK;
}

/* Checks options that need or exclude each other. */
static enum status check_combination(const struct cli *cli, struct error *error)
{
    if ((cli->dry_run || cli->build_only) && (cli->output || cli->samples))
        return error_set(error, STATUS_USAGE,
                         "--%s measures nothing, so it takes no --output and no --samples",
                         cli->dry_run ? "dry-run" : "build-only");
    if (cli->like && !cli->dry_run)
        return error_set(error, STATUS_USAGE,
                         "--like is for --dry-run, which estimates how long a "
                         "sweep takes");
    if (cli->device && !strcmp(cli->device, "all") && cli->command == COMMAND_BENCH)
        return error_set(error, STATUS_USAGE,
                         "bench makes the page of a single device; run takes --device all");
    if (cli->device && !strcmp(cli->device, "all") && cli->resume)
        return error_set(error, STATUS_USAGE, "--resume continues a run on one device, not on all");
    if (cli->each && !cli->mpi)
        return error_set(error, STATUS_USAGE,
                         "--each is for --mpi: every rank measures everything");
    if (cli->mpi && cli->device && !strcmp(cli->device, "all"))
        return error_set(error, STATUS_USAGE,
                         "--mpi: every rank has a GPU of its own, so --device all has no meaning");
    if (cli->mpi && ((cli->format != FORMAT_CSV && cli->format != FORMAT_JSONL) || cli->table))
        return error_set(error, STATUS_USAGE,
                         "--mpi: rows come as ranks are done, so they are csv or jsonl, and there "
                         "is no table of them");
    if (cli->mpi && cli->jobs)
        return error_set(error, STATUS_USAGE,
                         "--mpi: a rank measures one configuration at a time; start more ranks "
                         "instead of --jobs");
    if (cli->command == COMMAND_FIT && cli->base && !cli->as_device)
        return error_set(error, STATUS_USAGE, "fit takes --base only with --as-device");
    if (cli->command == COMMAND_PREDICT && cli->spirv.count > 1)
        return error_set(error, STATUS_USAGE, "predict takes one --spirv");
    if (cli->command == COMMAND_ISA && cli->spirv.count + (cli->words.count > 0) > 1)
        return error_set(error, STATUS_USAGE, "isa takes either families or one --spirv FILE");
    if (cli->diff[0] && cli->loop_listing)
        return error_set(error, STATUS_USAGE, "--diff and --listing do not go together");
    if (!cli->base_samples != !cli->new_samples)
        return error_set(error, STATUS_USAGE, "--base-samples and --new-samples go together");
    enum status status = check_sides(cli, error);
    return status == STATUS_OK ? check_counters(cli, error) : status;
}

/* --help and --version work even if the rest of the line is wrong. */
static void note_help(struct parser *parser)
{
    for (size_t i = 0; i < parser->given_count; i++) {
        parser->cli->help |= !strcmp(parser->given[i].name, "help");
        parser->cli->version |= !strcmp(parser->given[i].name, "version");
    }
}

enum status cli_parse(struct cli *cli, int argc, char **argv, struct error *error)
{
    struct parser parser = {.cli = cli, .error = error};

    memset(cli, 0, sizeof(*cli));
    cli->command = COMMAND_HELP;
    cli->argv = argv;
    collect_names(&parser.names);
    enum status status = split(&parser, argc, argv);
    if (status != STATUS_OK)
        return status;
    note_help(&parser);
    if (cli->version || (cli->help && !parser.command))
        return STATUS_OK;
    status = find_command(parser.command, &cli->command, error);
    if (status != STATUS_OK || cli->help)
        return status;
    status = apply_all(&parser);
    if (status == STATUS_OK)
        status = check_words(cli, error);
    if (status == STATUS_OK)
        status = check_needs(cli, error);
    return status == STATUS_OK ? check_combination(cli, error) : status;
}

enum status cli_guard(const struct cli *cli, struct error *error)
{
    struct guarded_file outputs[NAMES_MAX], inputs[NAMES_MAX + WORDS_MAX];
    char names[NAMES_MAX][40];
    size_t output_count = 0, input_count = 0;

    for (size_t i = 0; i < cli_option_count && i < NAMES_MAX; i++) {
        const struct option_row *row = &cli_options[i];
        const char *path =
            row->role ? *(const char *const *)((const char *)cli + row->offset) : NULL;
        struct guarded_file file = {names[i], path, row->kind == WORDS_FOLDER};

        if (!path || !(row->commands & (1u << cli->command)) || !strcmp(path, "-"))
            continue;
        snprintf(names[i], sizeof(names[i]), "--%s", row->name);
        if (row->role == FILE_WRITTEN)
            outputs[output_count++] = file;
        else
            inputs[input_count++] = file;
    }
    for (size_t i = 0; cli_commands[cli->command].kind == WORDS_FILES && i < cli->words.count; i++)
        inputs[input_count++] = (struct guarded_file){"", cli->words.word[i], false};
    /* A resumed run keeps the existing files. */
    return file_guard(outputs, output_count, inputs, input_count, cli->force || cli->resume, error);
}
