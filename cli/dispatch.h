/* Finds a command and runs it; for main.c, and for programs that hold the commands in themselves (python/). */
#ifndef COVEY_CLI_DISPATCH_H
#define COVEY_CLI_DISPATCH_H

#include "args.h"

/* What a program that holds the commands gives them in place of a terminal; NULL or zeros: nothing. */
typedef struct cli_host {
    const char *policy; /* the policy as YAML: it stands where the first operand would name the file */
    /* Of covey query: the release that its folder was opened as before, which stays the host's; where that is NULL it
     * receives the one that the command opens. */
    covey_query_release **release;
    const covey_run *callbacks; /* progress, warn, enough and their context */
} cli_host;

/**
 * Runs the command that argv[1] names, alone or with argv[2]; argv is reordered.
 *
 * @param yes   false: the answer is no; it stays as it is if the command does not say
 * @param host  NULL: a terminal
 * @return COVEY_EINVAL for a command or option that there is not, else what the command returns
 */
covey_status cli_run_command(bool *yes, int argc, char **argv, const cli_host *host, covey_error *err);

/* covey help [--man] [COMMAND], or covey help policy */
covey_status cli_run_help(int argc, char **argv, covey_error *err);

#endif
