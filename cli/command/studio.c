/* covey studio: the page that the Python package brings; its command runs it before this one is asked (python/covey).
 */
#include "args.h"

static const cli_option options[] = {
    {.name = "port", .argument = "N", .help = "listen on this port; a free one if not given"},
    {.name = "no-browser", .help = "open no browser, only print the address"},
};

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    (void)yes, (void)call;
    return covey_fail(err, COVEY_EINVAL,
                      "covey studio is a page that the command of the Python package shows: pip install "
                      "\".[studio]\" in the sources of covey");
}

const cli_command cli_command_studio = {
    .name = "studio",
    .summary = "opens a page on this machine: look and click instead of typing",
    .operands = "[DATA|POLICY|RELEASE]",
    .max_operands = 1,
    .words = CLI_FILE,
    .description =
        "Shows a table, a policy or a release on a page in the browser: roles, hierarchies, promises, a comparison of "
        "methods, the release with what it is worth and what it gives away, and the command line that makes the same "
        "one. It comes with the Python package, from a clone of the sources:\n\n"
        "  pip install \".[studio]\"\n"
        "  covey studio people.csv\n\n"
        "Everything happens on this machine. The page is served on 127.0.0.1 alone, to whoever has the address with "
        "its token, which is the first line on standard output; nothing is written but what is saved there. Ctrl-C "
        "ends it.",
    CLI_OPTIONS(options),
    .run = run,
};
