/* What the scripts that complete command lines share. */
#include "completion/completion.h"

#include <string.h>

/* "error|drop|value" lists the words that are possible; "POLICY|DATA" does not. */
static bool lists_words(const char *argument)
{
    return strchr(argument, '|') && strcspn(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(argument);
}

cli_place cli_place_of(const cli_option *option, cli_words words)
{
    if (option && (option->choices || lists_words(option->argument)))
        return CLI_PLACE_WORD;
    switch (option ? option->words : words) {
    case CLI_ANY:
        break;
    case CLI_FILE:
        return CLI_PLACE_FILE;
    case CLI_FOLDER:
        return CLI_PLACE_FOLDER;
    case CLI_MODEL:
        return CLI_PLACE_PREFIX; /* its parameters follow */
    case CLI_METHOD:
    case CLI_ATTACK:
        return CLI_PLACE_WORD;
    }
    return CLI_PLACE_ANYTHING;
}

static void print_word(size_t i, const char *word)
{
    printf("%s%s", i > 0 ? " " : "", word);
}

void cli_print_words(const cli_option *option, cli_words words)
{
    if (option && option->choices) {
        for (size_t i = 0; option->choices[i]; i++)
            print_word(i, option->choices[i]);
        return;
    }
    if (option && lists_words(option->argument)) {
        for (const char *c = option->argument; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
        return;
    }
    switch (option ? option->words : words) {
    case CLI_ANY:
    case CLI_FILE:
    case CLI_FOLDER:
        break;
    case CLI_MODEL:
        for (size_t i = 0; i < covey_model_count(); i++)
            print_word(i, covey_model_name(covey_model_at(i)));
        break;
    case CLI_METHOD:
        for (size_t i = 0; i < covey_method_count(); i++)
            print_word(i, covey_method_name(covey_method_at(i)));
        break;
    case CLI_ATTACK:
        for (size_t i = 0; i < covey_attack_count(); i++)
            print_word(i, covey_attack_name(covey_attack_at(i)));
        break;
    }
}

size_t cli_first_word(const char *name)
{
    return strcspn(name, " ");
}

bool cli_begins_name(size_t index, bool *is_group)
{
    const char *name = cli_commands[index]->name;
    const size_t size = cli_first_word(name);

    *is_group = name[size] != '\0';
    if (cli_commands[index]->hidden)
        return false;
    for (size_t i = 0; i < index; i++)
        if (cli_first_word(cli_commands[i]->name) == size && strncmp(cli_commands[i]->name, name, size) == 0)
            return false;
    return true;
}

void cli_print_second_words(size_t index, const char *between)
{
    const char *name = cli_commands[index]->name;
    const size_t first = cli_first_word(name);

    for (size_t i = index; i < cli_n_commands; i++)
        if (strncmp(cli_commands[i]->name, name, first + 1) == 0)
            printf("%s%s", i > index ? between : "", cli_commands[i]->name + first + 1);
}

void cli_print_quoted(const char *text, const char *special, const char *quote)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'') {
            fputs(quote, stdout);
            continue;
        }
        if (strchr(special, *c))
            putchar('\\');
        putchar(*c);
    }
}

covey_status cli_print_commands(void (*print)(const cli_command *, const cli_option *, size_t n), covey_error *err)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        cli_option *options;
        size_t n;

        if (cli_commands[i]->hidden)
            continue;
        if (!(options = cli_options_of(cli_commands[i], &n)))
            return covey_fail(err, COVEY_ENOMEM, "no memory for the options of %s", cli_commands[i]->name);
        print(cli_commands[i], options, n);
        free(options);
    }
    return COVEY_OK;
}
