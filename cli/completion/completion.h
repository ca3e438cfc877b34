/* What the scripts that complete command lines share, whatever the shell: they are made from the tables of commands and
 * options. */
#ifndef COVEY_CLI_COMPLETION_COMPLETION_H
#define COVEY_CLI_COMPLETION_COMPLETION_H

#include "args.h"

/* What may stand in a place of the command line. */
typedef enum cli_place {
    CLI_PLACE_ANYTHING, /* nothing to offer */
    CLI_PLACE_FILE,
    CLI_PLACE_FOLDER,
    CLI_PLACE_WORD,  /* one of cli_print_words */
    CLI_PLACE_PREFIX /* what begins with one of them */
} cli_place;

/* Of an option's argument; with NULL of an operand, of which words are told. */
cli_place cli_place_of(const cli_option *option, cli_words words);
/* Prints the words for such a place, blanks between. */
void cli_print_words(const cli_option *option, cli_words words);

/* Is it the first of the listed commands that share its first word, with other words behind (is_group) or alone? */
bool cli_begins_name(size_t index, bool *is_group);
size_t cli_first_word(const char *name);
/* The second words of a group: "build check". */
void cli_print_second_words(size_t index, const char *between);

/* Prints a text between quotes of a shell; special characters get a backslash, and a quote becomes what the shell wants
 * for one. */
void cli_print_quoted(const char *text, const char *special, const char *quote);

/* Calls print with each command that is listed, and all its options. */
covey_status cli_print_commands(void (*print)(const cli_command *, const cli_option *, size_t n), covey_error *err);

covey_status cli_complete_bash(covey_error *err);
covey_status cli_complete_zsh(covey_error *err);
covey_status cli_complete_fish(covey_error *err);

#endif
