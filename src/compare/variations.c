/* What compared policies differ in. */
#include <covey/compare.h>

#include <string.h>

#include "base/arena.h"
#include "base/error.h"

static covey_status fail(const char *text, const char *what, covey_error *err)
{
    return covey_fail(err, COVEY_EINVAL, "--vary \"%.160s\": %s", text, what);
}

/* "3,5,10" -> three values. */
static covey_status read_values(covey_variation *out, const char *text, const char *p, covey_arena *arena,
                                covey_error *err)
{
    const char **value, *end;
    size_t most = 1;

    for (const char *q = p; *q; q++)
        most += *q == ',';
    if (!(value = covey_arena_array(arena, const char *, most)))
        return covey_i_no_memory(err);
    for (;; p = end + 1) {
        end = covey_policy_value_end(p);
        if (end == p)
            return fail(text, "a value is missing; write it like k=3,5,10", err);
        if (!(value[out->n_values] = covey_arena_strndup(arena, p, (size_t)(end - p))))
            return covey_i_no_memory(err);
        for (size_t i = 0; i < out->n_values; i++)
            if (strcmp(value[i], value[out->n_values]) == 0)
                return covey_fail(err, COVEY_EINVAL, "--vary \"%.160s\": the value %.80s is given twice", text,
                                  value[i]);
        out->n_values++;
        if (!*end)
            break;
    }
    out->value = value;
    return COVEY_OK;
}

static covey_status read_variation(covey_variation *list, size_t index, const char *text, covey_arena *arena,
                                   covey_error *err)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text)
        return fail(text, "write what is to be varied and its values like k=3,5,10", err);
    if (!(list[index].name = covey_arena_strndup(arena, text, (size_t)(equals - text))))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < index; i++)
        if (strcmp(list[i].name, list[index].name) == 0)
            return fail(text, "it is varied already: give all its values at once", err);
    return read_values(&list[index], text, equals + 1, arena, err);
}

static covey_status read_all(covey_variations **out, const char *const *text, size_t n, covey_arena *arena,
                             covey_error *err)
{
    covey_variations *all = covey_arena_array_zero(arena, covey_variations, 1);
    covey_variation *list = covey_arena_array_zero(arena, covey_variation, n);
    covey_arena *kept = covey_arena_array(arena, covey_arena, 1);
    size_t product = 1;

    if (!all || !list || !kept)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        COVEY_TRY(read_variation(list, i, text[i], arena, err));
        if (list[i].n_values > COVEY_VARIATIONS_MOST / product)
            return covey_fail(
                err, COVEY_EINVAL,
                "--vary asks for more than %d combinations, and each runs every method: give fewer values",
                (int)COVEY_VARIATIONS_MOST);
        product *= list[i].n_values;
    }
    *all = (covey_variations){.n = n, .variation = list, .n_combinations = product, .memory = kept};
    *out = all;
    return COVEY_OK;
}

covey_status covey_variations_read(covey_variations **out, const char *const *text, size_t n, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_variations *all = NULL;
    const covey_status status = read_all(&all, text, n, &arena, err);

    if (status != COVEY_OK) {
        covey_arena_free(&arena);
        return status;
    }
    *(covey_arena *)all->memory = arena;
    *out = all;
    return COVEY_OK;
}

void covey_variations_free(covey_variations *variations)
{
    covey_arena arena;

    if (!variations)
        return;
    arena = *(covey_arena *)variations->memory; /* it lies in its own memory */
    covey_arena_free(&arena);
}

const char *covey_variations_value(const covey_variations *variations, size_t combination, size_t variation)
{
    for (size_t i = variations->n; i-- > variation + 1;)
        combination /= variations->variation[i].n_values;
    return variations->variation[variation].value[combination % variations->variation[variation].n_values];
}

covey_status covey_variations_apply(const covey_variations *variations, size_t combination, covey_policy *policy,
                                    covey_error *err)
{
    for (size_t i = 0; i < variations->n; i++)
        COVEY_TRY(covey_policy_vary(policy, variations->variation[i].name,
                                    covey_variations_value(variations, combination, i), err));
    return COVEY_OK;
}
