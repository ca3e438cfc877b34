/* covey: finds the command, runs it, reports how it went. */
#include "args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "print.h"
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

enum { EXIT_NO = 1, EXIT_SYSTEM = 3 };

#if defined(__SANITIZE_ADDRESS__)
#define IS_CHECKED_FOR_LEAKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_CHECKED_FOR_LEAKS 1
#endif
#endif

/* A core file would hold the data that must not get out. */
static void forbid_cores(void)
{
    const struct rlimit none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
#if !defined(IS_CHECKED_FOR_LEAKS) /* by another process, which may look into this one only while it is dumpable */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

/* If one of the standard streams is closed, the next file that is opened would take its number, and messages would go
 * there.  In the place of standard output stands what nobody can write to: an answer that is lost is a failure. */
static void open_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open(fd == 1 ? "/" : "/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_SYSTEM);
}

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

/* covey help [--man] [COMMAND], or covey help policy */
static covey_status help(int argc, char **argv, covey_error *err)
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

static covey_status run_command(bool *yes, int argc, char **argv, covey_error *err)
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
    status = cli_parse(&call, &wants_help, command, argc - n_words, argv + n_words, err);
    if (status == COVEY_OK && wants_help) {
        cli_print_help(stdout, command);
    } else if (status == COVEY_OK) {
        cli_progress_start(&call.run, call.quiet);
        status = command->run(yes, &call, err);
        cli_progress_end();
    }
    cli_call_clear(&call);
    return status;
}

/* A full disk is not success. */
static int close_stdout(int code)
{
    const bool failed = ferror(stdout) != 0;

    errno = 0;
    if (fclose(stdout) == 0 && !failed)
        return code;
    fprintf(stderr, "covey: standard output: cannot be written%s%s\n", errno ? ": " : "",
            errno == EBADF ? "it is closed"
            : errno        ? strerror(errno)
                           : "");
    return EXIT_SYSTEM;
}

static bool wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            return true;
    return false;
}

static int report(covey_status status, bool yes, const covey_error *error, bool json)
{
    int code;

    if (status == COVEY_OK)
        return yes ? EXIT_SUCCESS : EXIT_NO;
    code = cli_report_error(error, json);
    return status == COVEY_ECANCELLED && cli_signal_received() ? 128 + cli_signal_received() : code;
}

int main(int argc, char **argv)
{
    /* getopt reorders argv, so that --json is looked for first: errors of the parser are reported as JSON, too. */
    const bool json = wants_json(argc, argv);
    covey_error error = {.status = COVEY_OK};
    covey_status status = COVEY_OK;
    bool yes = true;

    open_standard_streams();
    forbid_cores();
    cli_watch_signals();
    if (argc < 2) {
        cli_print_overview(stderr, NULL);
        return 2;
    }
    if (strcmp(argv[1], "--version") == 0)
        printf("covey %s\n", covey_version());
    else if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        status = help(argc, argv, &error);
    else
        status = run_command(&yes, argc, argv, &error);
    return close_stdout(report(status, yes, &error, json));
}
