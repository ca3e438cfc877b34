/* Typed parameters by name, and names that look like a slip. */
#include <covey/base.h>

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Letters changed, left out, added, or swapped with their neighbour (optimal string alignment); words longer than 63
 * bytes are "far". */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t rows[3][64]; /* of the table by i, the last three */

    if (n > 63 || m > 63)
        return 64;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        const size_t *above = rows[(i + 2) % 3], *swapped = rows[(i + 1) % 3];
        size_t *row = rows[i % 3];

        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < row[j])
                row[j] = above[j] + 1;
            if (row[j - 1] + 1 < row[j])
                row[j] = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && swapped[j - 2] + 1 < row[j])
                row[j] = swapped[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

const char *covey_nearest_name(const char *word, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t best_distance = 64, length = strlen(word);

    for (size_t i = 0; i < n; i++) {
        size_t d = distance(word, names[i]);

        if (d < best_distance) {
            best_distance = d;
            best = names[i];
        }
    }
    if (best && best_distance * 3 <= (length > strlen(best) ? length : strlen(best)))
        return best;
    /* A name that begins with the whole word is meant, too: "beta" of "beta-likeness". */
    for (size_t i = 0; i < n && length >= 3; i++)
        if (strncmp(names[i], word, length) == 0)
            return names[i];
    return NULL;
}

static const covey_param *find(const covey_param *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

static covey_status unknown(const covey_param *list, size_t n, const char *owner, const char *name, covey_error *err)
{
    const char *names[32], *near;

    if (n == 0)
        return covey_fail(err, COVEY_EINVAL, "%s has no parameter \"%s\": it takes none", owner, name);
    if (n > 32)
        n = 32;
    for (size_t i = 0; i < n; i++)
        names[i] = list[i].name;
    if ((near = covey_nearest_name(name, names, n)))
        return covey_fail(err, COVEY_EINVAL, "%s has no parameter \"%s\"; did you mean \"%s\"?", owner, name, near);
    return covey_fail(err, COVEY_EINVAL, "%s has no parameter \"%s\"; its first is \"%s\"", owner, name, list[0].name);
}

static covey_status check_bounds(const covey_param *param, const char *owner, covey_ratio value, const char *text,
                                 covey_error *err)
{
    covey_ratio bound;

    if (param->minimum) {
        COVEY_TRY(covey_ratio_parse(&bound, param->minimum, err));
        if (covey_ratio_compare(value, bound) < 0 || (param->minimum_open && covey_ratio_compare(value, bound) == 0))
            return covey_fail(err, COVEY_EINVAL, "%s: %s must be %s %s, not %s", owner, param->name,
                              param->minimum_open ? "greater than" : "at least", param->minimum, text);
    }
    if (param->maximum) {
        COVEY_TRY(covey_ratio_parse(&bound, param->maximum, err));
        if (covey_ratio_compare(value, bound) > 0)
            return covey_fail(err, COVEY_EINVAL, "%s: %s must be at most %s, not %s", owner, param->name,
                              param->maximum, text);
    }
    return COVEY_OK;
}

static covey_status set_choice(void *field, const covey_param *param, const char *owner, const char *text,
                               covey_error *err)
{
    const char *near;
    char all[256] = "";
    size_t used = 0, n = 0;

    for (int i = 0; param->choices[i]; i++, n++) {
        if (strcmp(param->choices[i], text) == 0) {
            *(int *)field = i;
            return COVEY_OK;
        }
        used += (size_t)snprintf(all + used, used < sizeof all ? sizeof all - used : 0, "%s%s", i ? ", " : "",
                                 param->choices[i]);
        if (used >= sizeof all)
            used = sizeof all - 1;
    }
    if ((near = covey_nearest_name(text, param->choices, n)))
        return covey_fail(err, COVEY_EINVAL, "%s: %s must be one of %s, not \"%s\"; did you mean \"%s\"?", owner,
                          param->name, all, text, near);
    return covey_fail(err, COVEY_EINVAL, "%s: %s must be one of %s, not \"%s\"", owner, param->name, all, text);
}

static covey_status fail_long(const covey_param *param, const char *owner, const char *text, covey_error *err)
{
    if (*text == '-')
        return covey_fail(err, COVEY_EINVAL, "%s: %s must be at least %s, not %s", owner, param->name,
                          param->minimum ? param->minimum : "-" COVEY_MOST_WHOLE, text);
    return covey_fail(err, COVEY_EINVAL, "%s: %s must be at most %s, not %s", owner, param->name,
                      param->maximum ? param->maximum : COVEY_MOST_WHOLE, text);
}

covey_status covey_param_set(void *params, const covey_param *list, size_t n, const char *owner, const char *name,
                             const char *text, covey_error *err)
{
    const covey_param *param = find(list, n, name);
    covey_ratio value;
    void *field;

    if (!param)
        return unknown(list, n, owner, name, err);
    field = (char *)params + param->offset;
    switch (param->type) {
    case COVEY_PARAM_INTEGER:
    case COVEY_PARAM_RATIO:
        if (param->type == COVEY_PARAM_INTEGER && covey_i_text_is_long_whole(text))
            return fail_long(param, owner, text, err);
        if (covey_ratio_parse(&value, text, NULL) != COVEY_OK || (param->type == COVEY_PARAM_INTEGER && value.den != 1))
            return covey_fail(err, COVEY_EINVAL, "%s: %s must be %s, not \"%s\"", owner, param->name,
                              param->type == COVEY_PARAM_INTEGER
                                  ? "a whole number"
                                  : "a decimal number or a fraction such as 0.2 or 5/3 of at most 18 digits",
                              text);
        COVEY_TRY(check_bounds(param, owner, value, text, err));
        if (param->type == COVEY_PARAM_INTEGER)
            *(int64_t *)field = value.num;
        else
            *(covey_ratio *)field = value;
        return COVEY_OK;
    case COVEY_PARAM_BOOL:
        if (strcmp(text, "true") && strcmp(text, "false") && strcmp(text, "yes") && strcmp(text, "no"))
            return covey_fail(err, COVEY_EINVAL, "%s: %s must be true or false, not \"%s\"", owner, param->name, text);
        *(bool *)field = text[0] == 't' || text[0] == 'y';
        return COVEY_OK;
    case COVEY_PARAM_CHOICE:
        return set_choice(field, param, owner, text, err);
    case COVEY_PARAM_TEXT:
    case COVEY_PARAM_TREE:
        *(const char **)field = text;
        return COVEY_OK;
    }
    return covey_fail(err, COVEY_EINTERNAL, "%s: parameter %s has no type", owner, name);
}

covey_status covey_param_defaults(void *params, const covey_param *list, size_t n, covey_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].fallback)
            COVEY_TRY(covey_param_set(params, list, n, "default", list[i].name, list[i].fallback, err));
        else if (list[i].type == COVEY_PARAM_RATIO)
            *(covey_ratio *)((char *)params + list[i].offset) = (covey_ratio){0, 1};
    }
    return COVEY_OK;
}
