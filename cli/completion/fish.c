/* covey completion fish: one line for each word that may be typed, with what it means. */
#include "completion/completion.h"

#include <stdlib.h>

#define QUOTE "\\'"

static void print_text(const char *text)
{
    putchar('\'');
    cli_print_quoted(text, "\\", QUOTE);
    putchar('\'');
}

/* The options of `complete` for what may stand there. */
static void print_place(const cli_option *option, cli_words words)
{
    const char *must = option && !option->is_switch ? " -r" : "";

    switch (cli_place_of(option, words)) {
    case CLI_PLACE_ANYTHING:
        fputs(*must ? " -x" : " -f", stdout);
        return;
    case CLI_PLACE_FILE:
        printf("%s -F", must);
        return;
    case CLI_PLACE_FOLDER:
        printf("%s -f -a '(__fish_complete_directories)'", must);
        return;
    case CLI_PLACE_WORD:
    case CLI_PLACE_PREFIX:
        printf("%s -f -a '", must);
        cli_print_words(option, words);
        putchar('\'');
        return;
    }
}

static void print_command(const cli_command *command, const cli_option *options, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        printf("complete -c covey -n '__covey_is %s' -l %s", command->name, options[i].name);
        if (options[i].letter)
            printf(" -s %c", options[i].letter);
        if (options[i].argument)
            print_place(&options[i], CLI_ANY);
        fputs(" -d ", stdout);
        print_text(options[i].help);
        putchar('\n');
    }
    if (command->max_operands > 0) {
        printf("complete -c covey -n '__covey_is %s'", command->name);
        print_place(NULL, command->words);
        putchar('\n');
    }
}

static void print_names(void)
{
    fputs("complete -c covey -n '__covey_stands_at 1' -a help -d 'tells more of a command'\n", stdout);
    for (size_t i = 0; i < cli_n_commands; i++) {
        const char *name = cli_commands[i]->name;
        const int first = (int)cli_first_word(name);
        bool is_group;

        if (cli_begins_name(i, &is_group)) {
            printf("complete -c covey -n '__covey_stands_at 1; or __covey_stands_at 2 help' -a %.*s -d '", first, name);
            if (is_group)
                cli_print_second_words(i, ", ");
            else
                cli_print_quoted(cli_commands[i]->summary, "\\", QUOTE);
            fputs("'\n", stdout);
        }
        if (is_group && !cli_commands[i]->hidden) {
            printf("complete -c covey -n '__covey_stands_at 2 %.*s; or __covey_stands_at 3 help %.*s' -a %s -d ", first,
                   name, first, name, name + first + 1);
            print_text(cli_commands[i]->summary);
            putchar('\n');
        }
    }
}

covey_status cli_complete_fish(covey_error *err)
{
    fputs("# fish completion for covey, made by `covey completion fish`\n"
          "# __covey_is COMMAND: does the line begin with that command, and is another word being typed?\n"
          "function __covey_is\n"
          "    set -l words (commandline -opc)\n"
          "    set -l last (math (count $argv) + 1)\n"
          "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\n"
          "end\n"
          "# __covey_stands_at N WORD...: is it the Nth word behind covey that is being typed, and do those words "
          "begin the line?\n"
          "function __covey_stands_at\n"
          "    set -l words (commandline -opc)\n"
          "    test (count $words) -eq $argv[1]; and test \"$words[2..-1]\" = \"$argv[2..-1]\"\n"
          "end\n\n"
          "complete -c covey -f\n",
          stdout);
    print_names();
    return cli_print_commands(print_command, err);
}
