/* covey: runs the command, reports how it went. */
#include "args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dispatch.h"
#include "print.h"
#include "progress.h"

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
        status = cli_run_help(argc, argv, &error);
    else
        status = cli_run_command(&yes, argc, argv, NULL, &error);
    return close_stdout(report(status, yes, &error, json));
}
