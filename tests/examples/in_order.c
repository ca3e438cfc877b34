/* The method of docs/adding-a-method.md: goes through the rows in order and closes a class as soon as it keeps every
 * promise. */
#include "examples/examples.h"

#include <stddef.h>

#include "base/error.h"

struct in_order_params {
    covey_class_params common; /* first */
    int from;                  /* 0 the smallest values, 1 the largest */
};

static const char *const from_choices[] = {"low", "high", NULL};
static const covey_param param_list[] = {
    COVEY_CLASS_PARAMS,
    {.name = "from",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct in_order_params, from),
     .fallback = "low",
     .choices = from_choices,
     .help = "begin with the rows that have the smallest values (low) or the largest (high)"},
};

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const struct in_order_params *p = params;

    if (p->common.publish_boxes == 1)
        return covey_fail(err, COVEY_EINVAL, "in-order cuts no regions: publish-boxes must be tight");
    return covey_i_method_accepts_every_model(promises, params, err);
}

/* Numbers the classes of rows, in this order. */
static covey_status fill_classes(uint32_t *class_of_row, uint32_t *n_classes, const uint32_t *rows, uint32_t n,
                                 const covey_promises *promises, covey_arena *arena, covey_error *err)
{
    uint32_t n_closed = 0, class = 0; /* rows in classes that are closed; the open class */
    covey_tally tally;

    COVEY_TRY(covey_i_tally_new(&tally, promises, arena, err));
    for (uint32_t i = 0; i < n; i++) {
        class_of_row[rows[i]] = class;
        covey_i_tally_add(&tally, promises, rows[i]);
        if (!covey_i_promises_admit(promises, &tally))
            continue;
        covey_i_tally_clear(&tally);
        n_closed = i + 1;
        class ++;
    }
    /* What is left over joins the classes before it, until they keep the promises together: all rows do. */
    while (class > 0 && n_closed < n && !covey_i_promises_admit(promises, &tally)) {
        class --;
        while (n_closed > 0 && class_of_row[rows[n_closed - 1]] == class)
            covey_i_tally_add(&tally, promises, rows[--n_closed]);
    }
    for (uint32_t i = n_closed; i < n; i++)
        class_of_row[rows[i]] = class;
    *n_classes = class + (n_closed < n);
    return COVEY_OK;
}

static void reverse(uint32_t *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        const uint32_t row = rows[i];

        rows[i] = rows[n - 1 - i];
        rows[n - 1 - i] = row;
    }
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const struct in_order_params *p = params;
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t n, n_classes, *rows, *class_of_row;
    covey_status status = covey_i_start(&rows, &n, problem, &arena, run, err);

    if (status != COVEY_OK)
        goto done;
    if (!(class_of_row = covey_arena_array(&arena, uint32_t, problem->n_rows))) {
        status = covey_i_no_memory(err);
        goto done;
    }
    for (uint32_t row = 0; row < problem->n_rows; row++)
        class_of_row[row] = COVEY_CLASS_SUPPRESSED;
    if (p->from == 1)
        reverse(rows, n);
    status = fill_classes(class_of_row, &n_classes, rows, n, &problem->promises, &arena, err);
    if (status == COVEY_OK)
        status = covey_i_release_of_classes(out, problem, class_of_row, n_classes, run, err);
done:
    covey_arena_free(&arena);
    return status;
}

const covey_method covey_method_in_order = {
    .name = "in-order",
    .summary = "closes a class as soon as it keeps the promises, row by row",
    .keeps = "every model on classes",
    .source = "docs/adding-a-method.md",
    .form = "generalized",
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct in_order_params),
    .looks_at_all = "closes each class where the one before it ended",
    .accepts = accepts,
    .run = run,
};
