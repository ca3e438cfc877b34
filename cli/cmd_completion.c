/* covey completion bash: a script that completes the command line, made from the tables of options.  `make install` installs it. */
#include "args.h"

#include <stdlib.h>
#include <string.h>

static void print_words_of(cli_words words)
{
    switch (words) {
    case CLI_ANY:
        break;
    case CLI_FILE:
        fputs("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")", stdout);
        return;
    case CLI_FOLDER:
        fputs("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")", stdout);
        return;
    case CLI_MODEL:
        fputs("compopt -o nospace; _covey_words '", stdout);
        for (size_t i = 0; i < covey_model_count(); i++)
            printf("%s%s", i > 0 ? " " : "", covey_model_name(covey_model_at(i)));
        fputs("'", stdout);
        return;
    case CLI_ATTACK:
        fputs("_covey_words '", stdout);
        for (size_t i = 0; i < covey_attack_count(); i++)
            printf("%s%s", i > 0 ? " " : "", covey_attack_name(covey_attack_at(i)));
        fputs("'", stdout);
        return;
    case CLI_METHOD:
        fputs("_covey_words '", stdout);
        for (size_t i = 0; i < covey_method_count(); i++)
            printf("%s%s", i > 0 ? " " : "", covey_method_name(covey_method_at(i)));
        fputs("'", stdout);
        return;
    }
    fputs(":", stdout);
}

/* "error|drop|value" lists the words that are possible; "POLICY|DATA" does not. */
static bool lists_words(const char *argument)
{
    return strchr(argument, '|') && strcspn(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(argument);
}

static void print_argument(const cli_option *option)
{
    printf("            --%s", option->name);
    if (option->letter)
        printf("|-%c", option->letter);
    fputs(") ", stdout);
    if (option->choices) {
        fputs("_covey_words '", stdout);
        for (size_t i = 0; option->choices[i]; i++)
            printf("%s%s", i > 0 ? " " : "", option->choices[i]);
        fputs("'", stdout);
    } else if (lists_words(option->argument)) {
        fputs("_covey_words '", stdout);
        for (const char *c = option->argument; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
        fputs("'", stdout);
    } else {
        print_words_of(option->words);
    }
    fputs("; return ;;\n", stdout);
}

static covey_status print_command(const cli_command *command, covey_error *err)
{
    size_t n;
    cli_option *options = cli_options_of(command, &n);

    if (!options)
        return covey_fail(err, COVEY_ENOMEM, "no memory for the options of %s", command->name);
    printf("    '%s')\n        case $previous in\n", command->name);
    for (size_t i = 0; i < n; i++)
        if (options[i].argument && !options[i].is_switch)
            print_argument(&options[i]);
    fputs("        esac\n        if [[ $current == -* ]]; then\n            _covey_words '", stdout);
    for (size_t i = 0; i < n; i++)
        printf("%s--%s", i > 0 ? " " : "", options[i].name);
    fputs("'\n        else\n            ", stdout);
    print_words_of(command->words);
    fputs("\n        fi ;;\n", stdout);
    free(options);
    return COVEY_OK;
}

static size_t first_word(const char *name)
{
    return strcspn(name, " ");
}

/* Is it the first of the commands that share its first word? */
static bool begins_group(size_t index)
{
    const char *name = cli_commands[index]->name;
    const size_t size = first_word(name);

    for (size_t i = 0; i < index; i++)
        if (first_word(cli_commands[i]->name) == size && strncmp(cli_commands[i]->name, name, size) == 0)
            return false;
    return true;
}

static void print_names(void)
{
    fputs("help", stdout);
    for (size_t i = 0; i < cli_n_commands; i++)
        if (!cli_commands[i]->hidden && begins_group(i))
            printf(" %.*s", (int)first_word(cli_commands[i]->name), cli_commands[i]->name);
}

/* Where a first word has several jobs, the second word completes to them. */
static void print_second_words(void)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        const char *name = cli_commands[i]->name;
        const size_t first = first_word(name);

        if (!name[first] || !begins_group(i))
            continue;
        printf("    '%.*s') _covey_words '", (int)first, name);
        for (size_t j = i; j < cli_n_commands; j++)
            if (strncmp(cli_commands[j]->name, name, first + 1) == 0)
                printf("%s%s", j > i ? " " : "", cli_commands[j]->name + first + 1);
        fputs("' ;;\n", stdout);
    }
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    (void)yes;
    if (strcmp(call->operand[0], "bash") != 0)
        return covey_fail(err, COVEY_EINVAL, "completion is made for bash only, not for \"%s\"", call->operand[0]);
    fputs("# bash completion for covey, made by `covey completion bash`\n"
          "_covey_words() {\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\")\n"
          "}\n\n"
          "_covey() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ] || { [ \"$COMP_CWORD\" = 2 ] && [ \"$command\" = help ]; }; then\n"
          "        _covey_words '", stdout);
    print_names();
    fputs("'\n        return\n    fi\n"
          "    if [ \"$command\" = help ]; then\n"
          "        [ \"$COMP_CWORD\" = 3 ] || return 0\n"
          "        case ${COMP_WORDS[2]} in\n", stdout);
    print_second_words();
    fputs("        esac\n        return\n    fi\n"
          "    case \"$command ${COMP_WORDS[2]}\" in\n", stdout);
    for (size_t i = 0; i < cli_n_commands; i++)
        if (strchr(cli_commands[i]->name, ' '))
            printf("    '%s') [ \"$COMP_CWORD\" = 2 ] || command='%s' ;;\n", cli_commands[i]->name, cli_commands[i]->name);
    fputs("    esac\n    case $command in\n", stdout);
    print_second_words();
    for (size_t i = 0; i < cli_n_commands; i++)
        if (!cli_commands[i]->hidden)
            COVEY_TRY(print_command(cli_commands[i], err));
    fputs("    esac\n}\n\ncomplete -F _covey covey\n", stdout);
    return COVEY_OK;
}

const cli_command cli_command_completion = {
    .name = "completion",
    .summary = "prints a script that completes command lines",
    .operands = "bash",
    .min_operands = 1, .max_operands = 1,
    .description = "Prints a script for a shell that completes commands, options and names. To try it:\n\n"
                   "  . <(covey completion bash)",
    .hidden = true,
    .run = run,
};
