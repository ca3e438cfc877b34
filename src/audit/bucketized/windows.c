/* Bucketized releases that memory does not hold, accepted in windows of whole groups.
 *
 * Windows are of quasi.csv, each with the lines of sensitive.csv and help.csv that are of the same groups. */
#include "audit/bucketized/bucketized.h"

#include "base/error.h"
#include "reader/contents.h"

/* What is known of the sensitive values, and of what follows from them. */
struct own {
    covey_opened_bucketized *b;
    int64_t *number;
    int scale;                /* of its values; NULL: not needed */
    covey_opened_table *help; /* NULL: there is none */
    covey_help_reading reading;
    bool has_errors;
    covey_bucket_errors errors;
};

/* --- before the first window --- */

static covey_status open_help(covey_windows *w, struct own *own, covey_error *err)
{
    covey_opened *o = w->o;
    const int file = covey_i_stated_file(o->stated, COVEY_BUCKETIZED_HELP);
    covey_infile text = COVEY_INFILE_INIT;
    const char *path;

    if (!covey_i_bucketized_has_help(o, own->b))
        return COVEY_OK;
    if (file < 0 || !w->audit->present[file]) {
        w->refused = true;
        return COVEY_OK;
    }
    covey_i_opened_leave_out(o, COVEY_BUCKETIZED_HELP, &w->audit->problems);
    own->help = &o->table[o->n_tables - 1];
    if (!(path = covey_i_contents_path(&w->arena, o->folder, COVEY_BUCKETIZED_HELP)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_contents_open(&text, o->folder, &o->stated->file[file], w->size, err));
    covey_i_help_reading_begin(&own->reading, &text, path);
    return COVEY_OK;
}

/* Of a line that counts nothing nobody asks: its window is refused. */
static covey_status find_weights(const int64_t **out, const covey_opened_table *values, covey_arena *arena,
                                 covey_error *err)
{
    bool fine;

    return covey_i_bucketized_counts(&fine, out, values, arena, err);
}

static covey_status open_tables(covey_windows *w, covey_error *err)
{
    struct own *own = w->own = covey_arena_array_zero(&w->arena, struct own, 1);
    covey_opened_bucketized *b = covey_arena_array_zero(&w->o->arena, covey_opened_bucketized, 1);

    if (!own || !b)
        return covey_i_no_memory(err);
    w->o->form_data = own->b = b;
    COVEY_TRY(covey_i_opened_divide(&b->sensitive, &b->content, &b->n_content, w->o, &w->audit->problems, err));
    if (covey_i_windows_is_refused(w))
        return COVEY_OK;
    COVEY_TRY(covey_i_windows_open(&w->rows, w, COVEY_BUCKETIZED_ROWS, "group", err));
    COVEY_TRY(covey_i_windows_open(&w->values, w, COVEY_BUCKETIZED_VALUES, "group", err));
    w->values.weights = find_weights;
    covey_i_bucketized_expect(w->rows.table, w->values.table, b);
    b->rows = w->rows.table;
    b->values = w->values.table;
    return open_help(w, own, err);
}

static covey_status begin(covey_windows *w, covey_error *err)
{
    struct own *own = w->own;
    bool fine = true;

    COVEY_TRY(covey_i_windows_begin_classes(w, err));
    if (!w->o->usable || covey_i_windows_is_refused(w))
        return COVEY_OK;
    if (own->help) {
        own->help->n_rows = w->n_rows;
        covey_i_opened_compare_lines(w->o, own->help, &w->audit->problems);
    }
    own->has_errors = covey_i_bucketized_has_errors(w->o->stated);
    if (own->help || own->has_errors)
        COVEY_TRY(covey_i_bucketized_numbers(&own->number, &own->scale, &fine, own->b, &w->arena, err));
    w->refused |= !fine;
    return COVEY_OK;
}

/* --- one window --- */

/* Groups have as many rows as sensitive.csv counts. */
static bool sizes_agree(const covey_windows *w, const covey_opened_bucketized *b)
{
    for (uint32_t g = 0; g < w->o->n_classes; g++)
        if (covey_i_bucketized_counted_rows(b, g) != (int64_t)w->o->class_start[g + 1] - w->o->class_start[g])
            return false;
    return true;
}

/* The groups of the window's rows, and what sensitive.csv says of them. */
static covey_status find_groups(covey_windows *w, covey_opened_bucketized *b, covey_error *err)
{
    COVEY_TRY(covey_i_windows_find_classes(w, err));
    COVEY_TRY(covey_i_windows_find_values(w, err));
    COVEY_TRY(covey_i_bucketized_counts(&b->is_counted, &b->count, b->values, &w->window, err));
    w->o->groups.count = b->count;
    w->refused |= !b->is_counted || !sizes_agree(w, b);
    return COVEY_OK;
}

static covey_status check_window(covey_windows *w, covey_error *err)
{
    struct own *own = w->own;
    const covey_opened *o = w->o;

    COVEY_TRY(find_groups(w, own->b, err));
    if (w->refused)
        return COVEY_OK;
    COVEY_TRY(covey_i_windows_read_columns(w, err));
    if (covey_i_windows_is_refused(w) || !covey_i_opened_all_usable(o)) {
        w->refused = true;
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_bucketized_check_order(&w->of_order, o, own->b, w->audit->run, err));
    if (own->help) {
        COVEY_TRY(
            covey_i_bucketized_help_compare(&own->reading, o, own->b, own->number, own->scale, w->audit->run, err));
        w->refused = !own->reading.at;
    }
    if (own->has_errors)
        covey_i_bucketized_errors_add(&own->errors, o, own->b, own->number);
    return covey_i_windows_judge(w, err);
}

/* --- behind the last --- */

static covey_status end(covey_windows *w, covey_error *err)
{
    struct own *own = w->own;
    bool follows = true;

    if (own->help)
        COVEY_TRY(covey_i_help_reading_end(&follows, &own->reading, err));
    w->refused = !follows || !covey_i_csv_stream_is_at_end(w->values.stream);
    if (own->has_errors)
        covey_i_bucketized_errors_compare(&w->audit->problems, w->o->stated, &own->errors, own->scale);
    return covey_i_windows_end_classes(w, err);
}

static void clear(covey_windows *w)
{
    covey_i_help_reading_close(&((struct own *)w->own)->reading);
}

const covey_windows_form covey_i_bucketized_windows = {
    .phase = "judge the groups",
    .accepts = true,
    .if_asked = true,
    .open = open_tables,
    .begin = begin,
    .next = covey_i_csv_stream_next_runs,
    .check = check_window,
    .end = end,
    .clear = clear,
};
