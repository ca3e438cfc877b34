/* covey completion bash */
#include "completion/completion.h"

#include <stdlib.h>
#include <string.h>

static void print_place(const cli_option *option, cli_words words)
{
    switch (cli_place_of(option, words)) {
    case CLI_PLACE_ANYTHING:
        fputs(":", stdout);
        return;
    case CLI_PLACE_FILE:
        fputs("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")", stdout);
        return;
    case CLI_PLACE_FOLDER:
        fputs("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")", stdout);
        return;
    case CLI_PLACE_PREFIX:
        fputs("compopt -o nospace; ", stdout);
        break;
    case CLI_PLACE_WORD:
        break;
    }
    fputs("_covey_words '", stdout);
    cli_print_words(option, words);
    fputs("'", stdout);
}

static void print_argument(const cli_option *option)
{
    printf("            --%s", option->name);
    if (option->letter)
        printf("|-%c", option->letter);
    fputs(") ", stdout);
    print_place(option, CLI_ANY);
    fputs("; return ;;\n", stdout);
}

static void print_command(const cli_command *command, const cli_option *options, size_t n)
{
    printf("    '%s')\n        case $previous in\n", command->name);
    for (size_t i = 0; i < n; i++)
        if (options[i].argument && !options[i].is_switch)
            print_argument(&options[i]);
    fputs("        esac\n        if [[ $current == -* ]]; then\n            _covey_words '", stdout);
    for (size_t i = 0; i < n; i++)
        printf("%s--%s", i > 0 ? " " : "", options[i].name);
    fputs("'\n        else\n            ", stdout);
    print_place(NULL, command->words);
    fputs("\n        fi ;;\n", stdout);
}

static void print_names(void)
{
    bool is_group;

    fputs("help", stdout);
    for (size_t i = 0; i < cli_n_commands; i++)
        if (cli_begins_name(i, &is_group))
            printf(" %.*s", (int)cli_first_word(cli_commands[i]->name), cli_commands[i]->name);
}

/* Where a first word has several jobs, the second word completes to them. */
static void print_groups(void)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        const char *name = cli_commands[i]->name;
        bool is_group;

        if (!cli_begins_name(i, &is_group) || !is_group)
            continue;
        printf("    '%.*s') _covey_words '", (int)cli_first_word(name), name);
        cli_print_second_words(i, " ");
        fputs("' ;;\n", stdout);
    }
}

covey_status cli_complete_bash(covey_error *err)
{
    fputs("# bash completion for covey, made by `covey completion bash`\n"
          "_covey_words() {\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\")\n"
          "}\n\n"
          "_covey() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} "
          "command=${COMP_WORDS[1]}\n\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ] || { [ \"$COMP_CWORD\" = 2 ] && [ \"$command\" = help ]; }; then\n"
          "        _covey_words '",
          stdout);
    print_names();
    fputs("'\n        return\n    fi\n"
          "    if [ \"$command\" = help ]; then\n"
          "        [ \"$COMP_CWORD\" = 3 ] || return 0\n"
          "        case ${COMP_WORDS[2]} in\n",
          stdout);
    print_groups();
    fputs("        esac\n        return\n    fi\n"
          "    case \"$command ${COMP_WORDS[2]}\" in\n",
          stdout);
    for (size_t i = 0; i < cli_n_commands; i++)
        if (strchr(cli_commands[i]->name, ' '))
            printf("    '%s') [ \"$COMP_CWORD\" = 2 ] || command='%s' ;;\n", cli_commands[i]->name,
                   cli_commands[i]->name);
    fputs("    esac\n    case $command in\n", stdout);
    print_groups();
    COVEY_TRY(cli_print_commands(print_command, err));
    fputs("    esac\n}\n\ncomplete -F _covey covey\n", stdout);
    return COVEY_OK;
}
