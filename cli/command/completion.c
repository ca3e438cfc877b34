/* covey completion SHELL: a script that completes the command line, made from the tables of options.  `make install`
 * installs all. */
#include "completion/completion.h"

#include <string.h>

static const struct {
    const char *name;
    covey_status (*print)(covey_error *err);
} shells[] = {{"bash", cli_complete_bash}, {"zsh", cli_complete_zsh}, {"fish", cli_complete_fish}};

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    (void)yes;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(call->operand[0], shells[i].name) == 0)
            return shells[i].print(err);
    return covey_fail(err, COVEY_EINVAL, "completion is made for bash, zsh and fish, not for \"%s\"", call->operand[0]);
}

const cli_command cli_command_completion = {
    .name = "completion",
    .summary = "prints a script that completes command lines",
    .operands = "bash|zsh|fish",
    .min_operands = 1,
    .max_operands = 1,
    .description = "Prints a script for a shell that completes commands, options and names. `make install` installs "
                   "it; to try it:\n\n"
                   "  . <(covey completion bash)\n"
                   "  . <(covey completion zsh)\n"
                   "  covey completion fish | source",
    .hidden = true,
    .run = run,
};
