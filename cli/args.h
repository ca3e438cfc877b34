/* Commands and their options.
 *
 * A command is one const struct at the end of its own command/<name>.c and one line in command/command_list.h.  Its
 * table of options is what parses the command line, and also what prints --help, the manual page and the shell
 * completion. */
#ifndef COVEY_CLI_ARGS_H
#define COVEY_CLI_ARGS_H

#include <covey/covey.h>

#include <stdio.h>

/* What a word on the command line may be, for shell completion. */
typedef enum cli_words { CLI_ANY = 0, CLI_FILE, CLI_FOLDER, CLI_MODEL, CLI_METHOD, CLI_ATTACK } cli_words;

typedef struct cli_option {
    const char *name;     /* "output": given as --output */
    char letter;          /* 'o': given as -o, too; 0 if none */
    const char *argument; /* "FILE"; NULL if it takes none */
    bool is_switch;  /* the argument is true or false, or one of choices, and may be left out: --name, --name false,
                        --name=false */
    bool is_target;  /* the argument names what the command writes: it is never standard output */
    cli_words words; /* of the argument */
    const char *const *choices; /* NULL-terminated, or NULL */
    const char *help;           /* what it does; no full stop */
    const char *heading;        /* begins a new section of --help, NULL: goes on */
    const char *instead;        /* of a section's first option: --help prints this in place of the section's options */
} cli_option;

typedef struct cli_given {
    const char *name;
    const char *value; /* NULL if the option takes none; "true" for a switch alone */
} cli_given;

struct cli_command;

/* A command line that was understood. */
typedef struct cli_call {
    const struct cli_command *command;
    bool json, quiet;
    covey_query_release **release; /* see cli_host; usually NULL */
    const char *policy; /* the policy itself, where the program that holds the command has it; usually NULL */
    covey_run run;      /* with threads, seed, progress and warnings: hand it to every library call that takes one */
    size_t n_operands;
    char *const *operand; /* what is no option, in order */
    size_t n_given;
    const cli_given *given; /* options in the order they were given */
} cli_call;

typedef struct cli_command {
    const char *name;     /* "models"; of two words where the first has several jobs: "hierarchy build" */
    const char *summary;  /* one line, no full stop */
    const char *operands; /* "RELEASE [QUERY]", "" if it takes none */
    size_t min_operands, max_operands;
    cli_words words; /* of the operands */
    const char *
        description; /* paragraphs with an empty line between; lines that begin with two blanks are shown as they are */
    const cli_option *options;
    size_t n_options;
    bool takes_policy; /* also every key of a policy and every parameter of the methods, see policy_options.h */
    bool hidden;       /* works, but is not listed */

    /* Does the job.  A failure is reported by the caller, on stderr and with --json on stdout too.  *yes is true at the
     * start; false says that the answer is no (exit code 1).  Prints its results on stdout, as one JSON object if
     * call->json; a command that hands call->run to the library calls cli_progress_end before. */
    covey_status (*run)(bool *yes, const cli_call *call, covey_error *err);
} cli_command;

/* All commands, in the order of the list. */
extern const cli_command *const cli_commands[];
extern const size_t cli_n_commands;

#define CLI_OPTIONS(list) .options = (list), .n_options = sizeof(list) / sizeof *(list)

/* Every option of a command: its own, the policy's, the common ones.  An array for free(), NULL without memory. */
cli_option *cli_options_of(const cli_command *command, size_t *n);

/**
 * Reads argv[1 .. argc-1], the words behind the command's name.  argv is reordered, and *call points into it.
 *
 * @param help_out  true if --help was given; the rest is not looked at then
 * @return COVEY_EINVAL names the wrong word, and the nearest option if it looks like a slip
 */
covey_status cli_parse(cli_call *call, bool *help_out, const cli_command *command, int argc, char **argv,
                       covey_error *err);
void cli_call_clear(cli_call *call);

/* The value of an option (the last, if it was given twice), NULL if it was not given. */
const char *cli_value(const cli_call *call, const char *name);
bool cli_is_given(const cli_call *call, const char *name);
/* The next value of an option that may be repeated, NULL after the last; *from starts at 0. */
const char *cli_next_value(const cli_call *call, const char *name, size_t *from);

/* All of them, an array for free(); COVEY_ENOMEM. */
covey_status cli_values(const char ***out, size_t *n, const cli_call *call, const char *name, covey_error *err);

/* An option's whole number between min and max; *out keeps its value if the option was not given. */
covey_status cli_integer(int64_t *out, const cli_call *call, const char *name, int64_t min, int64_t max,
                         covey_error *err);
/* The same for an exact decimal or fraction. */
covey_status cli_ratio(covey_ratio *out, const cli_call *call, const char *name, const char *min, const char *max,
                       covey_error *err);
/* The same for the size that --memory-limit gives, at least COVEY_PARTS_LEAST_MEMORY. */
covey_status cli_memory_limit(int64_t *out, const cli_call *call, covey_error *err);
/* The index of an option's value among its choices. */
covey_status cli_choice(int *out, const cli_call *call, const char *name, const char *const *choices, covey_error *err);

/* help.c: what the tables say about a command. */
void cli_print_help(FILE *to, const cli_command *command);
void cli_print_manual(FILE *to, const cli_command *command); /* a page for scdoc */
void cli_print_overview(FILE *to, const char *group);        /* all commands, or those whose first word is group */
void cli_print_policy(FILE *to);                             /* the reference of policies */

#endif
