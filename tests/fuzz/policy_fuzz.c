/* Policies from any bytes: a YAML file, then, behind a line of `===`, flags as lines of `key value`. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "policy/policy_impl.h"
#include "policy/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void set_flags(covey_policy *policy, char *flags)
{
    covey_error err;
    char *line;

    while ((line = strsep(&flags, "\n"))) {
        char *value = strchr(line, ' ');

        if (!value)
            continue;
        *value++ = '\0';
        if (covey_policy_set(policy, line, value, &err) == COVEY_ENOMEM)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = covey_i_strndup((const char *)data, size), *flags;
    covey_text written = COVEY_TEXT_INIT;
    covey_policy *policy = NULL;
    covey_error err = {0};
    size_t n = size;

    if (!text)
        return 0;
    if ((flags = memmem(text, size, "\n===\n", 5))) {
        n = (size_t)(flags - text) + 1;
        flags += 5;
    }
    if (covey_policy_parse(&policy, text, n, "p.yaml", &err) != COVEY_OK) {
        if (!err.message[0] || strchr(err.message, '\n'))
            abort(); /* every refusal says why, in one line */
        if (covey_policy_new(&policy, &err) != COVEY_OK)
            abort();
    }
    if (flags)
        set_flags(policy, flags);
    if (covey_policy_check(policy, &err) == COVEY_OK && covey_i_policy_print(&written, policy, "", &err) != COVEY_OK)
        abort();
    covey_i_text_free(&written);
    covey_policy_free(policy);
    covey_i_free(text);
    return 0;
}
