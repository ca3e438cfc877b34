/* Dealing rows to the parts of a plan as they are read.  A piece's columns are recoded to the plan's codes, and its
 * rows are dealt slice by slice. */
#include "parts/deal/deal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

struct dealing {
    const covey_dealer *dealer;
    const covey_plan *plan;
    covey_preparing *s;
    int64_t n, *kept;         /* rows of the piece that stay; NULL: all */
    const covey_column **raw; /* [n_columns] */
    covey_column **picked;    /* [n_columns] owned; NULL: no row was dropped */
    void **code;              /* [n_columns][n] the plan's */
};

static covey_status unknown_value(const struct dealing *d, const covey_column *raw, uint32_t code, covey_error *err)
{
    int64_t row = 0;

    while (row < raw->n_rows - 1 && covey_i_code(raw, row) != code)
        row++;
    return covey_fail_at(err, COVEY_EINVAL, d->s->policy->input_path, covey_column_line(raw, row), raw->name, 0,
                         "column \"%s\": the plan does not know this value; the table is not the one that was planned, "
                         "or has changed, or was written anew (21.0 for 21): plan again",
                         raw->name);
}

/* Recodes a column of the piece. */
static covey_status recode(struct dealing *d, size_t c, covey_error *err)
{
    const covey_column *raw = d->raw[c], *values = d->plan->value[c], *typed = d->plan->prepared.column[c];
    uint32_t *map = covey_i_array(raw->n_values, sizeof *map);
    covey_status status = COVEY_OK;

    d->code[c] = covey_i_array((size_t)d->n, (size_t)typed->width);
    if (!map || !d->code[c]) {
        covey_i_free(map);
        return covey_i_no_memory(err);
    }
    for (uint32_t v = 0; v < raw->n_values && status == COVEY_OK; v++) {
        const bool missing = v == 0 && raw->has_null;
        const int64_t at =
            missing ? (values->has_null ? 0 : -1)
                    : covey_i_column_find(values, covey_column_label(raw, v), covey_column_label_size(raw, v));

        if (at < 0)
            status = unknown_value(d, raw, v, err);
        else
            map[v] = covey_i_code(typed, at);
    }
    if (status == COVEY_OK)
        covey_i_codes_map(d->code[c], typed->width, raw->codes, raw->width, d->n, map);
    covey_i_free(map);
    return status;
}

static covey_status take_column(void *context, size_t c, covey_error *err)
{
    struct dealing *d = context;

    d->raw[c] = covey_table_column(d->s->p->table, c);
    if (d->kept) {
        COVEY_TRY(covey_i_column_pick(&d->picked[c], d->raw[c], d->kept, d->n, err));
        d->raw[c] = d->picked[c];
    }
    return recode(d, c, err);
}

static covey_status deal_slice(void *context, size_t slice, covey_error *err)
{
    const struct dealing *d = context;
    const int64_t begin = (int64_t)slice * COVEY_DEAL_SLICE,
                  n = d->n - begin < COVEY_DEAL_SLICE ? d->n - begin : COVEY_DEAL_SLICE;
    const void **code = covey_i_array(d->plan->n_columns, sizeof *code);
    covey_status status;

    if (!code)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < d->plan->n_columns; c++)
        code[c] = (const char *)d->code[c] + begin * d->plan->prepared.column[c]->width;
    status = covey_i_deal_slice(d->dealer, code, (uint32_t)n, err);
    covey_i_free(code);
    return status;
}

static covey_status deal_columns(struct dealing *d, covey_error *err)
{
    const int n_threads = covey_run_threads(d->s->run);

    COVEY_TRY(covey_i_parallel(n_threads, d->plan->n_columns, take_column, d, err));
    return covey_i_parallel(n_threads, ((size_t)d->n + COVEY_DEAL_SLICE - 1) / COVEY_DEAL_SLICE, deal_slice, d, err);
}

static void clear_piece(struct dealing *d)
{
    for (size_t c = 0; c < d->plan->n_columns; c++) {
        if (d->picked)
            covey_i_column_free(d->picked[c]);
        if (d->code)
            covey_i_free(d->code[c]);
    }
    covey_i_free(d->raw);
    covey_i_free(d->picked);
    covey_i_free(d->code);
    covey_i_free(d->kept);
}

static covey_status deal_piece(int64_t *n_rows, const struct dealing *dealing, covey_error *err)
{
    struct dealing d = *dealing;
    covey_status status;

    d.raw = covey_i_array_zero(d.plan->n_columns, sizeof *d.raw);
    d.picked = covey_i_array_zero(d.plan->n_columns, sizeof *d.picked);
    d.code = covey_i_array_zero(d.plan->n_columns, sizeof *d.code);
    status =
        d.raw && d.picked && d.code ? covey_i_preparing_kept_rows(&d.kept, &d.n, d.s, err) : covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = deal_columns(&d, err);
    *n_rows += d.n;
    clear_piece(&d);
    return status;
}

/* Are the columns the planned ones, in their order? */
static covey_status check_columns(const covey_plan *plan, covey_preparing *s, covey_error *err)
{
    bool same;

    COVEY_TRY(covey_i_preparing_columns(s, err));
    same = s->p->n_columns == plan->n_columns;
    for (size_t c = 0; same && c < plan->n_columns; c++)
        same = strcmp(covey_table_column(s->p->table, c)->name, plan->value[c]->name) == 0;
    if (same)
        return COVEY_OK;
    return covey_fail_at(err, COVEY_EINVAL, s->policy->input_path, 1, NULL, 0,
                         "the columns are not those of the plan: plan again");
}

covey_status covey_i_deal_table(int64_t *n_rows, const covey_dealer *dealer, covey_preparing *s, covey_error *err)
{
    const struct dealing dealing = {.dealer = dealer, .plan = dealer->plan, .s = s};

    *n_rows = 0;
    if (!s->role)
        COVEY_TRY(check_columns(dealer->plan, s, err));
    return deal_piece(n_rows, &dealing, err);
}

covey_status covey_i_deal_stream(int64_t *n_rows, int64_t *n_dropped, const covey_dealer *dealer,
                                 covey_csv_stream *stream, covey_preparing *s, covey_error *err)
{
    const struct dealing dealing = {.dealer = dealer, .plan = dealer->plan, .s = s};

    *n_rows = *n_dropped = 0;
    covey_i_csv_stream_rewind(stream);
    while (true) {
        covey_status status = COVEY_OK;

        COVEY_TRY(covey_i_csv_stream_next(&s->p->table, stream, err));
        if (!s->p->table)
            break;
        if (!s->role)
            status = check_columns(dealer->plan, s, err);
        if (status == COVEY_OK)
            status = deal_piece(n_rows, &dealing, err);
        covey_table_free(s->p->table);
        s->p->table = NULL;
        COVEY_TRY(status);
    }
    *n_dropped = s->p->n_dropped;
    return covey_i_csv_stream_unchanged(stream, err);
}
