/* covey completion zsh: a function for _arguments, which also shows what each option does. */
#include "completion/completion.h"

#include <stdlib.h>
#include <string.h>

#define QUOTE "'\\''"

/* The part of a specification that says what may stand there: ":what it is called:what completes it". */
static void print_place(const char *called, const cli_option *option, cli_words words)
{
    const cli_place place = cli_place_of(option, words);

    putchar(':');
    cli_print_quoted(called, ":\\", QUOTE);
    putchar(':');
    switch (place) {
    case CLI_PLACE_ANYTHING:
        putchar(' ');
        return;
    case CLI_PLACE_FILE:
        fputs("_files", stdout);
        return;
    case CLI_PLACE_FOLDER:
        fputs("_files -/", stdout);
        return;
    case CLI_PLACE_WORD:
    case CLI_PLACE_PREFIX:
        fputs(place == CLI_PLACE_PREFIX ? "{compadd -S \"\" - " : "(", stdout);
        cli_print_words(option, words);
        putchar(place == CLI_PLACE_PREFIX ? '}' : ')');
        return;
    }
}

/* An option may be given again, hence the star; the value of a switch stands behind its =. */
static void print_option(const cli_option *option, bool is_letter)
{
    const bool has_value = option->argument && (!is_letter || !option->is_switch);

    fputs("            '*", stdout);
    if (is_letter)
        printf("-%c%s", option->letter, has_value ? "+" : "");
    else
        printf("--%s%s", option->name, !has_value ? "" : option->is_switch ? "=-" : "=");
    putchar('[');
    cli_print_quoted(option->help, "[]:\\", QUOTE);
    putchar(']');
    if (has_value) {
        if (option->is_switch)
            putchar(':');
        print_place(option->argument, option, CLI_ANY);
    }
    fputs("' \\\n", stdout);
}

static void print_command(const cli_command *command, const cli_option *options, size_t n)
{
    printf("    '%s')\n        _arguments -S \\\n", command->name);
    for (size_t i = 0; i < n; i++) {
        print_option(&options[i], false);
        if (options[i].letter)
            print_option(&options[i], true);
    }
    fputs("            '*", stdout);
    print_place(command->max_operands > 0 ? command->operands : "options only", NULL, command->words);
    fputs("' ;;\n", stdout);
}

/* "name:what it does", for _describe. */
static void print_names(void)
{
    bool is_group;

    fputs("        'help:tells more of a command'\n", stdout);
    for (size_t i = 0; i < cli_n_commands; i++) {
        if (!cli_begins_name(i, &is_group))
            continue;
        printf("        '%.*s:", (int)cli_first_word(cli_commands[i]->name), cli_commands[i]->name);
        if (is_group)
            cli_print_second_words(i, ", ");
        else
            cli_print_quoted(cli_commands[i]->summary, ":\\", QUOTE);
        fputs("'\n", stdout);
    }
}

static void print_groups(void)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        const char *name = cli_commands[i]->name;
        bool is_group;

        if (!cli_begins_name(i, &is_group) || !is_group)
            continue;
        printf("    '%.*s')\n        jobs=(\n", (int)cli_first_word(name), name);
        for (size_t j = i; j < cli_n_commands; j++) {
            if (strncmp(cli_commands[j]->name, name, cli_first_word(name) + 1) != 0)
                continue;
            printf("            '%s:", cli_commands[j]->name + cli_first_word(name) + 1);
            cli_print_quoted(cli_commands[j]->summary, ":\\", QUOTE);
            fputs("'\n", stdout);
        }
        fputs("        )\n        _describe -t jobs job jobs ;;\n", stdout);
    }
}

covey_status cli_complete_zsh(covey_error *err)
{
    fputs("#compdef covey\n"
          "# zsh completion for covey, made by `covey completion zsh`\n"
          "_covey() {\n"
          "    local -a names jobs\n"
          "    local command\n\n"
          "    names=(\n",
          stdout);
    print_names();
    fputs("    )\n"
          "    # covey help COMMAND completes like covey COMMAND, but for options.\n"
          "    if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ $words[2] == help ]] }; then\n"
          "        _describe -t commands command names\n"
          "        return\n"
          "    fi\n"
          "    if (( CURRENT == 3 )); then\n"
          "        command=$words[2]\n"
          "    elif (( CURRENT == 4 )) && [[ $words[2] == help ]]; then\n"
          "        command=$words[3]\n"
          "    fi\n"
          "    case $command in\n",
          stdout);
    print_groups();
    fputs("    esac\n"
          "    [[ $words[2] != help && ${#jobs} == 0 ]] || return\n\n"
          "    command=$words[2]\n"
          "    case \"$words[2] $words[3]\" in\n",
          stdout);
    for (size_t i = 0; i < cli_n_commands; i++)
        if (strchr(cli_commands[i]->name, ' '))
            printf("    '%s') command='%s'; shift words; (( CURRENT -= 1 )) ;;\n", cli_commands[i]->name,
                   cli_commands[i]->name);
    fputs("    esac\n"
          "    shift words\n"
          "    (( CURRENT -= 1 ))\n"
          "    case $command in\n",
          stdout);
    COVEY_TRY(cli_print_commands(print_command, err));
    /* As a file of $fpath it is the function's body, and called at once; read with a dot it announces itself. */
    fputs("    esac\n}\n\n"
          "if [[ $funcstack[1] == _covey ]]; then\n"
          "    _covey \"$@\"\n"
          "else\n"
          "    compdef _covey covey\n"
          "fi\n",
          stdout);
    return COVEY_OK;
}
