/* Complaints of the policy reader: what was found, where, what was expected, what was probably meant. */
#include "policy/policy_impl.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

covey_status covey_i_policy_complain(const covey_policy_reader *r, const covey_yaml *node, covey_status status,
                                     const char *fmt, ...)
{
    char message[900];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (r->flag)
        return covey_fail(r->err, status, "--%s: %s", r->flag, message);
    if (!r->file)
        return covey_fail(r->err, status, "%s", message);
    return covey_fail_at(r->err, status, r->file, node ? node->line : 0, NULL, node ? node->column : 0, "%s", message);
}

covey_wish_place covey_i_policy_place(const covey_policy_reader *r, const covey_yaml *node)
{
    if (!r->file)
        return (covey_wish_place){.flag = r->flag};
    return (covey_wish_place){.line = node->line, .column = node->column};
}

/* "Quasi Identifier", "quasi_identifier" and "quasi-identifier" are the same slip. */
static bool same_loosely(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char x = *a == '_' || *a == ' ' ? '-' : (char)tolower((unsigned char)*a);

        if (x != *b)
            return false;
    }
    return *a == *b;
}

static const char *nearest(const char *word, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (same_loosely(word, names[i]))
            return names[i];
    return covey_nearest_name(word, names, n);
}

/* "mask:5" is one word of YAML, whose blank behind the colon is missing.  NULL: it is something else. */
static const char *key_before_colon(const char *word, const char *const *names, size_t n)
{
    const char *colon = strchr(word, ':');

    for (size_t i = 0; colon && i < n; i++)
        if (strlen(names[i]) == (size_t)(colon - word) && strncmp(word, names[i], (size_t)(colon - word)) == 0)
            return names[i];
    return NULL;
}

covey_status covey_i_policy_unknown(const covey_policy_reader *r, const covey_yaml *node, covey_status status,
                                    const char *what, const char *word, const char *const *names, size_t n,
                                    const char *hint)
{
    enum { FEW = 16 };
    const char *key = key_before_colon(word, names, n), *near = nearest(word, names, n);
    covey_yaml shown = {.kind = COVEY_YAML_SCALAR, .text = word, .quoted = true};
    char found[96], list[400] = "";
    size_t used = 0;

    covey_i_yaml_found(found, sizeof found, &shown);
    if (key)
        return covey_i_policy_complain(r, node, status, "unknown %s %s; write a blank behind the colon: \"%s: ...\"",
                                       what, found, key);
    if (near)
        return covey_i_policy_complain(r, node, status, "unknown %s %s; did you mean \"%s\"?", what, found, near);
    if (hint || n > FEW)
        return covey_i_policy_complain(r, node, status, "unknown %s %s; %s", what, found,
                                       hint ? hint : "see covey-policy(5)");
    for (size_t i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    return covey_i_policy_complain(r, node, status, "unknown %s %s; known are %s", what, found, list);
}

covey_status covey_i_policy_expected(const covey_policy_reader *r, const covey_yaml *node, const char *what,
                                     const char *expected)
{
    char found[96];

    return covey_i_policy_complain(r, node, COVEY_EINVAL, "%s must be %s, not %s", what, expected,
                                   covey_i_yaml_found(found, sizeof found, node));
}

covey_status covey_i_policy_expected_number(const covey_policy_reader *r, const covey_yaml *node, const char *what,
                                            const char *expected)
{
    if (node->kind == COVEY_YAML_SCALAR && covey_i_text_is_long_number(node->text))
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "%s: %.60s has too many digits: write %s", what,
                                       node->text, COVEY_NUMBERS_TAKEN);
    return covey_i_policy_expected(r, node, what, expected);
}
