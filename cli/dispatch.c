/* Finding commands and running them. */
#include "dispatch.h"

#include <pthread.h>
#include <string.h>

#include "progress.h"

#define CLI_COMMAND(name) extern const cli_command cli_command_##name;
#include "command/command_list.h"
#undef CLI_COMMAND

#define CLI_COMMAND(name) &cli_command_##name,
const cli_command *const cli_commands[] = {
#include "command/command_list.h"
};
#undef CLI_COMMAND

const size_t cli_n_commands = sizeof cli_commands / sizeof *cli_commands;

/* The command that argv[1] names, alone or with argv[2]; *n_words says which. */
static const cli_command *find_command(int argc, char **argv, int *n_words)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        const char *name = cli_commands[i]->name, *blank = strchr(name, ' ');

        if (!blank && strcmp(name, argv[1]) == 0) {
            *n_words = 1;
            return cli_commands[i];
        }
        if (blank && argc > 2 && strlen(argv[1]) == (size_t)(blank - name) &&
            strncmp(name, argv[1], (size_t)(blank - name)) == 0 && strcmp(blank + 1, argv[2]) == 0) {
            *n_words = 2;
            return cli_commands[i];
        }
    }
    return NULL;
}

/* Is it the first word of several commands, such as "hierarchy"? */
static bool is_group(const char *word)
{
    const size_t size = strlen(word);

    for (size_t i = 0; i < cli_n_commands; i++)
        if (strncmp(cli_commands[i]->name, word, size) == 0 && cli_commands[i]->name[size] == ' ')
            return true;
    return false;
}

/* The second words are compared alone: with the first in common all names are near. */
static covey_status unknown_in_group(int argc, char **argv, covey_error *err)
{
    const size_t size = strlen(argv[1]);
    const char *names[64], *near;
    size_t n = 0;

    for (size_t i = 0; i < cli_n_commands && n < 64; i++)
        if (strncmp(cli_commands[i]->name, argv[1], size) == 0 && cli_commands[i]->name[size] == ' ')
            names[n++] = cli_commands[i]->name + size + 1;
    near = argc > 2 ? covey_nearest_name(argv[2], names, n) : NULL;
    if (near)
        return covey_fail(err, COVEY_EINVAL, "there is no command \"%s %s\"; did you mean \"covey %s %s\"?", argv[1],
                          argv[2], argv[1], near);
    return covey_fail(err, COVEY_EINVAL,
                      argc > 2 ? "%s has no command of that name; `covey help %s` lists them"
                               : "%s needs a second word; `covey help %s` lists them",
                      argv[1], argv[1]);
}

/* Fails with the name that was probably meant. */
static covey_status unknown_command(int argc, char **argv, covey_error *err)
{
    static const char *const own_options[] = {"--version", "--help"};
    const char *names[64], *near;
    size_t n = 0;

    if (argv[1][0] == '-' &&
        (near = covey_nearest_name(argv[1], own_options, sizeof own_options / sizeof *own_options)))
        return covey_fail(err, COVEY_EINVAL, "covey has no option %s; did you mean %s?", argv[1], near);
    if (argv[1][0] == '-')
        return covey_fail(err, COVEY_EINVAL,
                          "covey has no option %s; the command comes first, `covey --help` lists them all", argv[1]);
    if (is_group(argv[1]))
        return unknown_in_group(argc, argv, err);
    for (size_t i = 0; i < cli_n_commands && n < 64; i++)
        if (!cli_commands[i]->hidden)
            names[n++] = cli_commands[i]->name;
    if ((near = covey_nearest_name(argv[1], names, n)))
        return covey_fail(err, COVEY_EINVAL, "there is no command \"%s\"; did you mean \"covey %s\"?", argv[1], near);
    return covey_fail(err, COVEY_EINVAL, "there is no command \"%s\"; `covey --help` lists them", argv[1]);
}

covey_status cli_run_help(int argc, char **argv, covey_error *err)
{
    const bool manual = argc > 2 && strcmp(argv[2], "--man") == 0;
    const int skip = manual ? 2 : 1;
    const cli_command *command;
    int n_words;

    if (argc <= skip + 1) {
        cli_print_overview(stdout, NULL);
        return COVEY_OK;
    }
    if (!manual && argc == 3 && strcmp(argv[2], "policy") == 0) {
        cli_print_policy(stdout);
        return COVEY_OK;
    }
    command = find_command(argc - skip, argv + skip, &n_words);
    if (command)
        (manual ? cli_print_manual : cli_print_help)(stdout, command);
    else if (argc == skip + 2 && is_group(argv[skip + 1]))
        cli_print_overview(stdout, argv[skip + 1]);
    else
        return unknown_command(argc - skip, argv + skip, err);
    return COVEY_OK;
}

/* One at a time: what getopt remembers is the process's. */
static covey_status parse(cli_call *call, bool *wants_help, const cli_command *command, int argc, char **argv,
                          covey_error *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    covey_status status;

    pthread_mutex_lock(&lock);
    status = cli_parse(call, wants_help, command, argc, argv, err);
    pthread_mutex_unlock(&lock);
    return status;
}

static void serve(cli_call *call, const cli_host *host)
{
    call->policy = host->policy;
    call->release = host->release;
    if (!host->callbacks)
        return;
    call->run.progress = host->callbacks->progress;
    call->run.warn = host->callbacks->warn;
    call->run.enough = host->callbacks->enough;
    call->run.context = host->callbacks->context;
}

covey_status cli_run_command(bool *yes, int argc, char **argv, const cli_host *host, covey_error *err)
{
    int n_words;
    const cli_command *command = find_command(argc, argv, &n_words);
    covey_status status;
    cli_call call;
    bool wants_help;

    if (!command && argc == 3 && is_group(argv[1]) && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
        cli_print_overview(stdout, argv[1]);
        return COVEY_OK;
    }
    if (!command)
        return unknown_command(argc, argv, err);
    status = parse(&call, &wants_help, command, argc - n_words, argv + n_words, err);
    if (status == COVEY_OK && wants_help) {
        cli_print_help(stdout, command);
    } else if (status == COVEY_OK) {
        if (host)
            serve(&call, host);
        else
            cli_progress_start(&call.run, call.quiet);
        status = command->run(yes, &call, err);
        cli_progress_end();
    }
    cli_call_clear(&call);
    return status;
}
