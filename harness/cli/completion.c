#include "cli/completion.h"

#include "cli/help.h"
#include "families/registry.h"
#include "family/family.h"
#include "vesim/vesim.h"

#include <string.h>

/* Space-separated words of one kind. */
static void put_choices(FILE *out, const char *choices)
{
    for (; *choices; choices++)
        fputc(*choices == '|' ? ' ' : *choices, out);
}

static void put_families(FILE *out)
{
    for (size_t i = 0; i < families.count; i++)
        fprintf(out, "%s%s", i ? " " : "", families.family[i]->name);
}

static bool is_named_before(const struct family *family, size_t axis)
{
    for (size_t f = 0; families.family[f] != family; f++) {
        for (size_t i = 0; i < families.family[f]->axis_count; i++) {
            if (!strcmp(families.family[f]->axes[i].name, family->axes[axis].name))
                return true;
        }
    }
    return false;
}

/* The axes of all families, each once, with what follows the name. */
static void put_axis_names(FILE *out)
{
    for (size_t f = 0; f < families.count; f++) {
        for (size_t i = 0; i < families.family[f]->axis_count; i++) {
            if (!is_named_before(families.family[f], i))
                fprintf(out, "%s= ", families.family[f]->axes[i].name);
        }
    }
}

static void put_devices(FILE *out)
{
    for (const char *const *name = vesim_device_names(); *name; name++)
        fprintf(out, "%s ", *name);
}

static void put_topics(FILE *out)
{
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "%s ", cli_commands[i].name);
    for (size_t i = 0; i < help_topic_count; i++)
        fprintf(out, "%s%s", i ? " " : "", help_topics[i].name);
}

/* The possible values; nothing for files and free text. */
static void put_values(FILE *out, enum word_kind kind, const char *choices)
{
    if (kind == WORDS_FAMILIES)
        put_families(out);
    else if (kind == WORDS_AXES)
        put_axis_names(out);
    else if (kind == WORDS_DEVICES)
        put_devices(out);
    else if (kind == WORDS_CHOICES && choices)
        put_choices(out, choices);
    else if (kind == WORDS_CHOICES)
        put_topics(out);
}

/* Single-quoted text, in a form that all three shells accept. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static bool has(const struct option_row *option, size_t command)
{
    return option->commands & (1u << command);
}

/* Arguments of compgen for a kind of word. */
static void put_compgen(FILE *out, enum word_kind kind, const char *choices)
{
    if (kind == WORDS_FILES) {
        fputs("-f", out);
    } else if (kind == WORDS_FOLDER) {
        fputs("-d", out);
    } else {
        fputs("-W '", out);
        put_values(out, kind, choices);
        fputc('\'', out);
    }
}

static void put_bash_command(FILE *out, size_t command)
{
    const struct command_row *row = &cli_commands[command];

    fprintf(out, "    %s:-*)\n        COMPREPLY=($(compgen -W '", row->name);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (has(&cli_options[i], command))
            fprintf(out, "--%s ", cli_options[i].name);
    }
    fputs("' -- \"$word\")) ;;\n", out);
    fprintf(out, "    %s:*)\n        COMPREPLY=($(compgen ", row->name);
    put_compgen(out, row->kind, row->choices);
    fputs(" -- \"$word\")) ;;\n", out);
}

static void put_bash(FILE *out)
{
    fputs("# bash completion of vebench\n"
          "_vebench() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]}\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "%s ", cli_commands[i].name);
    fputs("--help --version' -- \"$word\"))\n        return\n    fi\n"
          "    case $command:$before in\n",
          out);
    for (size_t c = 0; c < COMMANDS; c++) {
        for (size_t i = 0; i < cli_option_count; i++) {
            const struct option_row *option = &cli_options[i];

            if (!has(option, c) || option->type == OPTION_FLAG)
                continue;
            fprintf(out, "    %s:--%s", cli_commands[c].name, option->name);
            if (option->letter)
                fprintf(out, " | %s:-%c", cli_commands[c].name, option->letter);
            fputs(")\n", out);
            if (option->kind == WORDS_AXES) /* its values follow */
                fputs("        compopt -o nospace 2>/dev/null\n", out);
            fputs("        COMPREPLY=($(compgen ", out);
            put_compgen(out, option->kind, option->choices);
            fputs(" -- \"$word\"))\n        return ;;\n", out);
        }
    }
    fputs("    esac\n    case $command:$word in\n", out);
    for (size_t c = 0; c < COMMANDS; c++)
        put_bash_command(out, c);
    fputs("    esac\n}\ncomplete -F _vebench vebench\n", out);
}

/* A description inside the brackets of zsh's _arguments. */
static void put_zsh_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            fputc('\\', out);
        if (*text == '\'')
            fputs("'\\'", out);
        fputc(*text, out);
    }
}

static void put_zsh_values(FILE *out, enum word_kind kind, const char *choices)
{
    if (kind == WORDS_FILES) {
        fputs(":file:_files", out);
    } else if (kind == WORDS_FOLDER) {
        fputs(":folder:_files -/", out);
    } else if (kind == WORDS_TEXT) {
        fputs(":value:", out);
    } else {
        fputs(":value:(", out);
        put_values(out, kind, choices);
        fputc(')', out);
    }
}

static void put_zsh_option(FILE *out, const struct option_row *option)
{
    fprintf(out, " \\\n            '%s--%s[", option->type == OPTION_WORDS ? "*" : "",
            option->name);
    put_zsh_text(out, option->help);
    fputc(']', out);
    if (option->type != OPTION_FLAG)
        put_zsh_values(out, option->kind, option->choices);
    fputc('\'', out);
}

static void put_zsh(FILE *out)
{
    fputs("#compdef vebench\n_vebench() {\n    local -a commands=(\n", out);
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(out, "        '%s:", cli_commands[i].name);
        put_zsh_text(out, cli_commands[i].summary);
        fputs("'\n", out);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (size_t c = 0; c < COMMANDS; c++) {
        fprintf(out, "    %s)\n        _arguments", cli_commands[c].name);
        for (size_t i = 0; i < cli_option_count; i++) {
            if (has(&cli_options[i], c))
                put_zsh_option(out, &cli_options[i]);
        }
        if (cli_commands[c].kind != WORDS_NONE) {
            fputs(" \\\n            '*", out);
            put_zsh_values(out, cli_commands[c].kind, cli_commands[c].choices);
            fputc('\'', out);
        }
        fputs(" ;;\n", out);
    }
    fputs("    esac\n}\ncompdef _vebench vebench\n", out);
}

static void put_fish_command(FILE *out, size_t command)
{
    const struct command_row *row = &cli_commands[command];

    fprintf(out, "complete -c vebench -n __fish_use_subcommand -f -a %s -d ", row->name);
    put_quoted(out, row->summary);
    fputc('\n', out);
    if (row->kind == WORDS_NONE || row->kind == WORDS_FILES || row->kind == WORDS_FOLDER)
        return;
    fprintf(out, "complete -c vebench -n '__fish_seen_subcommand_from %s' -f -a '", row->name);
    put_values(out, row->kind, row->choices);
    fputs("'\n", out);
}

static void put_fish_option(FILE *out, const struct option_row *option)
{
    fputs("complete -c vebench -n '__fish_seen_subcommand_from", out);
    for (size_t c = 0; c < COMMANDS; c++) {
        if (has(option, c))
            fprintf(out, " %s", cli_commands[c].name);
    }
    fprintf(out, "' -l %s", option->name);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    if (option->type != OPTION_FLAG)
        fputs(option->kind == WORDS_FILES || option->kind == WORDS_FOLDER ? " -r" : " -x", out);
    if (option->kind >= WORDS_FAMILIES) {
        fputs(" -a '", out);
        put_values(out, option->kind, option->choices);
        fputc('\'', out);
    }
    fputs(" -d ", out);
    put_quoted(out, option->help);
    fputc('\n', out);
}

static void put_fish(FILE *out)
{
    fputs("# fish completion of vebench\n", out);
    for (size_t c = 0; c < COMMANDS; c++)
        put_fish_command(out, c);
    for (size_t i = 0; i < cli_option_count; i++)
        put_fish_option(out, &cli_options[i]);
}

enum status completion_write(FILE *out, const char *shell, struct error *error)
{
    if (!strcmp(shell, "bash"))
        put_bash(out);
    else if (!strcmp(shell, "zsh"))
        put_zsh(out);
    else if (!strcmp(shell, "fish"))
        put_fish(out);
    else
        return error_set(error, STATUS_USAGE, "completion %s: give one of %s", shell,
                         cli_commands[COMMAND_COMPLETION].choices);
    return STATUS_OK;
}
