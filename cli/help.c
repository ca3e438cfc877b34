/* --help, manual pages and the overview, all from the tables. */
#include "args.h"

#include <stdlib.h>
#include <string.h>

#include "print.h"

enum { HELP_INDENT = 26 };

static bool is_code(const char *line)
{
    return strncmp(line, "  ", 2) == 0;
}

/* Paragraphs folded, lines of code as they are. */
static void print_paragraphs(FILE *to, const char *text)
{
    while (*text) {
        const size_t n = strcspn(text, "\n");

        if (n == 0 || is_code(text)) {
            fprintf(to, "%.*s\n", (int)n, text);
        } else {
            char *line = strndup(text, n);

            cli_print_folded(to, 0, 0, line ? line : "");
            free(line);
        }
        text += n + (text[n] == '\n');
    }
}

static void print_usage(FILE *to, const cli_command *command)
{
    fprintf(to, "Usage: covey %s%s%s [OPTION...]\n", command->name, command->operands[0] ? " " : "", command->operands);
}

static void print_option(FILE *to, const cli_option *option)
{
    int n =
        option->letter ? fprintf(to, "  -%c, --%s", option->letter, option->name) : fprintf(to, "  --%s", option->name);

    if (option->argument)
        n += option->is_switch ? fprintf(to, "[=%s]", option->argument) : fprintf(to, " %s", option->argument);
    if (n + 2 > HELP_INDENT) {
        fputc('\n', to);
        n = 0;
    }
    cli_print_folded(to, HELP_INDENT, n, option->help);
}

void cli_print_help(FILE *to, const cli_command *command)
{
    size_t n = 0;
    cli_option *options = cli_options_of(command, &n);
    const char *instead = NULL;

    print_usage(to, command);
    fputc('\n', to);
    print_paragraphs(to, command->description);
    for (size_t i = 0; i < n; i++) {
        if (options[i].heading || i == 0) {
            fprintf(to, "\n%s:\n", options[i].heading ? options[i].heading : "Options");
            instead = options[i].instead;
            print_paragraphs(to, instead ? instead : "");
        }
        if (!instead)
            print_option(to, &options[i]);
    }
    free(options);
}

void cli_print_policy(FILE *to)
{
    extern const char cli_policy_page[]; /* made from docs/man/covey-policy.5.scd */

    fputs(cli_policy_page, to);
}

/* scdoc gives *, _ and \ a meaning everywhere, and some more at the beginning of a line. */
static void print_scd(FILE *to, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (strchr("*_\\", text[i]) || (i == 0 && strchr("#-.|[];<", text[i])))
            fputc('\\', to);
        fputc(text[i], to);
    }
}

static void print_scd_paragraphs(FILE *to, const char *text)
{
    bool in_code = false;

    while (*text) {
        const size_t n = strcspn(text, "\n");

        if (is_code(text) != in_code) {
            fputs("```\n", to);
            in_code = !in_code;
        }
        if (in_code)
            fprintf(to, "%.*s", (int)n, text);
        else
            print_scd(to, text, n);
        fputc('\n', to);
        text += n + (text[n] == '\n');
    }
    if (in_code)
        fputs("```\n", to);
}

static void print_scd_option(FILE *to, const cli_option *option)
{
    if (option->letter)
        fprintf(to, "*-%c*, ", option->letter);
    fprintf(to, "*--%s*", option->name);
    if (option->argument) {
        fputs(option->is_switch ? "[=" : " ", to);
        print_scd(to, option->argument, strlen(option->argument));
        fputs(option->is_switch ? "]" : "", to);
    }
    fputs("\n\t", to);
    print_scd(to, option->help, strlen(option->help));
    fputs("\n\n", to);
}

static void print_scd_name(FILE *to, const cli_command *command)
{
    fputs("covey-", to);
    for (const char *c = command->name; *c; c++)
        fputc(*c == ' ' ? '-' : *c, to);
}

void cli_print_manual(FILE *to, const cli_command *command)
{
    size_t n = 0;
    cli_option *options = cli_options_of(command, &n);
    const char *instead = NULL;

    print_scd_name(to, command);
    fputs("(1)\n\n# NAME\n\n", to);
    print_scd_name(to, command);
    fputs(" - ", to);
    print_scd(to, command->summary, strlen(command->summary));
    fprintf(to, "\n\n# SYNOPSIS\n\n*covey %s* ", command->name);
    print_scd(to, command->operands, strlen(command->operands));
    fputs(command->operands[0] ? " \\[OPTION...]\n\n# DESCRIPTION\n\n" : "\\[OPTION...]\n\n# DESCRIPTION\n\n", to);
    print_scd_paragraphs(to, command->description);
    for (size_t i = 0; i < n; i++) {
        if (options[i].heading || i == 0) {
            fputs("\n# ", to);
            for (const char *c = options[i].heading ? options[i].heading : "Options"; *c; c++)
                fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, to);
            fputs("\n\n", to);
            instead = options[i].instead;
            print_scd_paragraphs(to, instead ? instead : "");
        }
        if (!instead)
            print_scd_option(to, &options[i]);
    }
    fputs("# EXIT STATUS\n\n"
          "*0* done, or yes; *1* the answer is no; *2* wrong usage or bad input; *3* the system failed; "
          "*129*, *130*, *143* stopped by SIGHUP, SIGINT or SIGTERM.\n\n"
          "# SEE ALSO\n\n*covey*(1)\n",
          to);
    free(options);
}

void cli_print_overview(FILE *to, const char *group)
{
    const size_t size = group ? strlen(group) : 0;

    if (group)
        fprintf(to, "Usage: covey %s COMMAND [OPTION...]\n\nCommands:\n", group);
    else
        fputs("Usage: covey COMMAND [OPTION...]\n\nPublishes personal microdata safely.\n\nCommands:\n", to);
    for (size_t i = 0; i < cli_n_commands; i++) {
        const cli_command *command = cli_commands[i];

        if (command->hidden || (group && (strncmp(command->name, group, size) != 0 || command->name[size] != ' ')))
            continue;
        cli_print_folded(to, 20, fprintf(to, "  %s", command->name), command->summary);
    }
    fputs("\n`covey help COMMAND` or `covey COMMAND --help` tells more, `covey help policy`\n"
          "what a policy may say.\n"
          "Exit code: 0 done or yes; 1 the answer is no; 2 wrong usage or bad input;\n"
          "3 the system failed.\n",
          to);
}
