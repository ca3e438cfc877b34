/* covey generate: synthetic tables. */
#include "args.h"
#include "print.h"

#include <inttypes.h>
#include <string.h>

#include "progress.h"

enum { MOST_PARAMS = 8 };

/* Options that are parameters of a kind; the library knows which kind has which. */
static const char *const param_names[] = {"distribution", "domain", "correlation", "noise", "spread"};

static covey_generate_options collect_params(const char **name, const char **text, const cli_call *call)
{
    covey_generate_options options = {.force = cli_is_given(call, "force"), .param_names = name, .param_texts = text};

    for (size_t i = 0; i < sizeof param_names / sizeof *param_names; i++)
        if (cli_is_given(call, param_names[i])) {
            name[options.n_params] = param_names[i];
            text[options.n_params++] = cli_value(call, param_names[i]);
        }
    return options;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const char *kind = call->operand[0], *target = cli_value(call, "output");
    const uint64_t seed = call->run.has_seed ? call->run.seed : COVEY_GENERATE_SEED;
    int64_t n_rows = 0;
    const char *name[MOST_PARAMS], *text[MOST_PARAMS];
    const covey_generate_options given = collect_params(name, text, call);
    char rows[CLI_COUNT_SIZE];
    covey_status status;

    (void)yes;
    if (!target || !target[0])
        return covey_fail(err, COVEY_EINVAL, "generate needs -o FILE: the table to write");
    if (!cli_is_given(call, "rows"))
        return covey_fail(err, COVEY_EINVAL, "generate needs --rows N: how many rows the table is to have");
    COVEY_TRY(cli_integer(&n_rows, call, "rows", 1, INT64_C(1000000000000), err));
    status = covey_generate_with(kind, n_rows, seed, target, &given, &call->run, err);
    cli_progress_end();
    if (status != COVEY_OK)
        return status;
    if (call->json)
        return cli_print_json(
            json_pack("{s:s, s:I, s:o, s:o}", "kind", kind, "rows", (json_int_t)n_rows, "seed",
                      seed <= INT64_MAX ? json_integer((json_int_t)seed) : json_sprintf("%" PRIu64, seed), "file",
                      cli_json_text(target)),
            err);
    if (!call->quiet)
        printf("%s: %s rows of %s, seed %" PRIu64 "\n", cli_shown(target), cli_count(rows, n_rows), kind, seed);
    return COVEY_OK;
}

static const cli_option options[] = {
    {.name = "rows", .letter = 'n', .argument = "N", .help = "how many rows; required"},
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the table to write: CSV, compressed if the name ends in .gz or .zst; required, and - does not mean "
             "standard output"},
    {.name = "force", .letter = 'f', .help = "replace a table of the same kind that is there already"},
    {.name = "distribution",
     .argument = "SHAPE",
     .help = "normal (default), uniform or zipf:EXPONENT",
     .heading = "Options of capital-loss"},
    {.name = "domain", .argument = "LOW,HIGH", .help = "least and greatest capital loss; 1024,3072 if not given"},
    {.name = "correlation", .argument = "C", .help = "how much it rises with age, from -1 to 1; 0 if not given"},
    {.name = "noise",
     .argument = "SD",
     .help = "standard deviation around the mean of normal; 300/2048 of the domain if not given"},
    {.name = "spread",
     .argument = "SHARE",
     .help = "of the noise between a salary and what it depends on, from 0 to 1; 1 if not given",
     .heading = "Options of census"},
};

const cli_command cli_command_generate = {
    .name = "generate",
    .summary = "makes a synthetic table",
    .operands = "KIND",
    .min_operands = 1,
    .max_operands = 1,
    .description = "Writes a synthetic table as CSV, and beside it a folder \"hierarchies\" with a file for each of "
                   "its columns that needs one. "
                   "The same kind, number of rows and --seed (1 if not given) give the same bytes on every machine.\n\n"
                   "  covey generate census --rows 100000 --seed 7 -o census.csv\n"
                   "  covey generate capital-loss --correlation 1 --noise 200 -n 10000 -o losses.csv\n\n"
                   "Kinds:\n"
                   "  census        age (79 values), gender, education (17), marital (6), workclass\n"
                   "                (10) and salary (50 ordered classes, which depend on the others)\n"
                   "  capital-loss  age (17 to 79) and capital-loss, a number of a chosen\n"
                   "                distribution that may rise with age\n"
                   "  normal2d      x and y, normal around 50, whole numbers from 0 to 100",
    CLI_OPTIONS(options),
    .run = run,
};
