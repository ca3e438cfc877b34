/* Whether slicing can keep a policy at all, and what a refusal names: the nearest policy that it can keep. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/text.h"
#include "method/slicing/slicing.h"
#include "model/nearest.h"
#include "table/table_impl.h"

static void change_l(covey_changes *changes, const covey_slicing *s, covey_ratio l)
{
    const covey_figure figure = covey_i_figure_fraction(l.num, l.den);
    covey_nearest nearest = {.n = 0};
    char text[96];

    if ((covey_i128)l.num * s->l.den == (covey_i128)s->l.num * l.den)
        return;
    covey_i_figure_text(text, sizeof text, &figure);
    covey_i_nearest_change(&nearest, "l", "%s", text);
    covey_i_changes_promise(changes, s->promise, &nearest);
}

/* One bucket holds all rows, and is not cut by weights that are no promise. */
static void change_buckets(covey_changes *changes, const covey_slicing *s)
{
    if (s->params->buckets == 1 && s->params->bucket_size < s->n_all)
        covey_i_changes_method(changes, "bucket-size", "%" PRIu32, s->n_all);
    if (s->params->weight == 1)
        covey_i_changes_method(changes, "weight", "size");
}

covey_status covey_i_slicing_name_l(const covey_slicing *s, covey_ratio l, covey_error *err)
{
    covey_changes changes = {.is_lost = false};

    change_l(&changes, s, l);
    if (s->instead_k > 0)
        covey_i_changes_method(&changes, "column-k", "%" PRIu32, s->instead_k);
    change_buckets(&changes, s);
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

/* --- columns --- */

/* [["age", "sex"], ["illness"]]: those of s without the sensitive attribute, which comes last. */
static void write_columns(covey_text *out, const covey_slicing *s)
{
    const char *name = s->problem->field[s->sensitive].column->name;

    covey_i_text_add_char(out, '[');
    for (size_t i = 0; i < s->n_slices; i++) {
        const covey_slice *slice = &s->slice[i];
        const char *before = "[";

        for (size_t f = 0; f < slice->n_fields; f++)
            if (slice->field[f] != s->sensitive) {
                covey_i_text_add_string(out, before);
                covey_i_text_add_json(out, s->problem->field[slice->field[f]].column->name);
                before = ", ";
            }
        covey_i_text_add_string(out, before[0] == ',' ? "], " : "");
    }
    covey_i_text_add_char(out, '[');
    covey_i_text_add_json(out, name);
    covey_i_text_add_string(out, "]]");
}

/* The rows of the most frequent sensitive value; 0 without memory. */
static uint32_t largest_count(const covey_slicing *s)
{
    const covey_column *column = s->problem->field[s->sensitive].column;
    uint32_t *count = covey_i_array_zero(column->n_values, sizeof *count), most = 0;

    for (uint32_t i = 0; count && i < s->n_contents; i++) {
        uint32_t *n = &count[covey_column_code(column, s->content[i])];

        *n += covey_i_slicing_count(s, s->content[i]);
        most = *n > most ? *n : most;
    }
    covey_i_free(count);
    return most;
}

static covey_status name_columns(const covey_slicing *s, covey_error *err)
{
    covey_changes changes = {.is_lost = false};
    covey_text columns = COVEY_TEXT_INIT;
    const uint32_t most = largest_count(s);
    const covey_fraction l = covey_i_fraction(s->n, most ? most : 1);

    write_columns(&columns, s);
    if (!columns.broken && most > 0 && most < s->n) {
        if ((covey_i128)most * s->l.num > (covey_i128)s->n * s->l.den)
            change_l(&changes, s, (covey_ratio){(int64_t)l.num, (int64_t)l.den});
        covey_i_changes_method_json(&changes, "columns", columns.bytes);
        change_buckets(&changes, s);
        covey_i_changes_give(err, &changes);
    }
    covey_i_text_free(&columns);
    return COVEY_EINFEASIBLE;
}

/* --- can it be done at all? --- */

/* Counts of the sets and pairs of all rows. */
struct shares {
    uint32_t *set, *pair, *largest; /* [n_sets], [n_pairs], [n_sets] most frequent value's count */
};

static covey_status count_shares(struct shares *c, const covey_slicing *s, covey_error *err)
{
    c->set = covey_arena_array_zero(s->arena, uint32_t, s->n_sets);
    c->pair = covey_arena_array_zero(s->arena, uint32_t, s->n_pairs);
    c->largest = covey_arena_array_zero(s->arena, uint32_t, s->n_sets);
    if (!c->set || !c->pair || !c->largest)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++) {
        c->set[s->set[s->content[i]]] += covey_i_slicing_count(s, s->content[i]);
        c->pair[s->pair[s->content[i]]] += covey_i_slicing_count(s, s->content[i]);
    }
    for (uint32_t i = 0; i < s->n_contents; i++) {
        const uint32_t set = s->set[s->content[i]], n = c->pair[s->pair[s->content[i]]];

        c->largest[set] = n > c->largest[set] ? n : c->largest[set];
    }
    return COVEY_OK;
}

static bool offends(const struct shares *c, const covey_slicing *s, uint32_t set)
{
    return (covey_i128)c->largest[set] * s->l.num > (covey_i128)c->set[set] * s->l.den;
}

/* The largest l that rows with such a most frequent value allow, exactly. */
static covey_ratio largest_l(uint32_t n_rows, uint32_t n_largest)
{
    const covey_fraction l = covey_i_fraction(n_rows, n_largest);

    return (covey_ratio){(int64_t)l.num, (int64_t)l.den};
}

static void ratio_words(char *out, size_t size, covey_ratio l)
{
    const covey_figure figure = covey_i_figure_fraction(l.num, l.den);

    covey_i_figure_words(out, size, &figure);
}

/* Names what stands beside the sensitive attribute, never a sensitive value. */
static covey_status infeasible(const covey_slicing *s, const struct shares *c, int64_t n_offending, covey_error *err)
{
    const covey_slice *last = &s->slice[s->n_slices - 1];
    uint32_t worst = 0;
    char beside[256] = "", l[128], gone[96] = "every row would have to be suppressed";
    covey_ratio most;
    size_t used = 0;

    for (uint32_t u = 1; u < s->n_sets; u++)
        if ((covey_i128)c->set[u] * c->largest[worst] < (covey_i128)c->set[worst] * c->largest[u])
            worst = u;
    for (size_t f = 0; f < last->n_fields && used < sizeof beside; f++)
        if (!covey_i_slicing_is_sensitive(s, last->field[f]))
            used += (size_t)snprintf(beside + used, sizeof beside - used, "%s\"%s\"", used ? ", " : "",
                                     s->problem->field[last->field[f]].column->name);
    most = largest_l(c->set[worst], c->largest[worst]);
    ratio_words(l, sizeof l, most);
    if (n_offending < s->n)
        snprintf(gone, sizeof gone, "%" PRId64 " row%s would have to be suppressed (the policy allows %" PRId64 ")",
                 n_offending, covey_i_plural(n_offending), s->problem->max_suppressed);
    if (!*beside)
        covey_fail(err, COVEY_EINFEASIBLE,
                   "no sliced release can keep sliced-l-diversity: the most frequent value of \"%s\" has %" PRIu32
                   " of %" PRIu32 " row%s, so that l can be %s at most",
                   s->problem->field[s->sensitive].column->name, c->largest[0], s->n, covey_i_plural(s->n), l);
    else
        covey_fail(err, COVEY_EINFEASIBLE,
                   "no sliced release can keep sliced-l-diversity with %s in the sensitive column: for some of their "
                   "values one sensitive value has %" PRIu32 " of %" PRIu32
                   " row%s, so that l can be %s at most; %s, or put the sensitive attribute into a column of its own",
                   beside, c->largest[worst], c->set[worst], covey_i_plural(c->set[worst]), l, gone);
    return covey_i_slicing_name_l(s, most, err);
}

covey_status covey_i_slicing_check_whole(covey_slicing *s, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(s->arena);
    struct shares c;
    int64_t n_offending = 0;
    uint32_t n = 0;

    COVEY_TRY(count_shares(&c, s, err));
    for (uint32_t u = 0; u < s->n_sets; u++)
        n_offending += offends(&c, s, u) ? c.set[u] : 0;
    if (n_offending > covey_i_slicing_may_drop(s) || n_offending == s->n)
        return infeasible(s, &c, n_offending, err);
    for (uint32_t i = 0; i < s->n_contents && n_offending > 0; i++)
        if (!offends(&c, s, s->set[s->content[i]]))
            s->content[n++] = s->content[i];
    s->n_contents = n_offending > 0 ? n : s->n_contents;
    s->n -= (uint32_t)n_offending;
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

/* Names the largest l of such columns, if there is one. */
static covey_status joined_infeasible(const covey_slicing *s, covey_ratio l, uint32_t n_values, covey_error *err)
{
    const char *name = s->problem->field[s->sensitive].column->name;
    char most[128];

    if (l.num == l.den) {
        covey_fail(
            err, COVEY_EINFEASIBLE,
            "method slicing: \"%s\" stands in %zu columns, whose pieces join where it agrees: in the whole table "
            "already some of them leave one "
            "of its values only, so that no l above 1 can be kept with these columns: put it into a column of its own",
            name, s->n_holding);
        return name_columns(s, err);
    }
    if (l.num == 0) {
        covey_fail(err, COVEY_EINFEASIBLE,
                   "method slicing: \"%s\" stands in %zu columns, whose pieces join where it agrees: in the "
                   "whole table already some of them leave %" PRIu32
                   " of its values, too few or too unlike for sliced-l-diversity; they are too many to find out "
                   "which l could be kept: put it into a column of "
                   "its own",
                   name, s->n_holding, n_values);
        return name_columns(s, err);
    }
    ratio_words(most, sizeof most, l);
    covey_fail(err, COVEY_EINFEASIBLE,
               "method slicing: \"%s\" stands in %zu columns, whose pieces join where it agrees: in the whole table "
               "already some of them leave %" PRIu32
               " of its values, too few or too unlike for sliced-l-diversity: with these columns l can be %s at most; "
               "or put it into one column",
               name, s->n_holding, n_values, most);
    return covey_i_slicing_name_l(s, l, err);
}

covey_status covey_i_slicing_check_joined(const covey_slicing *s, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(s->arena);
    covey_slicing_joined_verdict verdict;
    covey_slicing_joined *joined;
    uint32_t *row = covey_arena_array(s->arena, uint32_t, s->n);
    covey_ratio l = {1, 1};

    if (!row)
        return covey_i_no_memory(err);
    covey_i_slicing_list_rows(row, s);
    COVEY_TRY(covey_i_slicing_joined_new(&joined, s, err));
    COVEY_TRY(covey_i_slicing_joined_holds(&verdict, joined, row, s->n, err));
    if (!verdict.holds && !verdict.is_long)
        COVEY_TRY(covey_i_slicing_joined_largest(&l, joined, row, s->n, err));
    covey_arena_rewind(s->arena, mark);
    if (verdict.is_long) {
        covey_fail(err, COVEY_EINFEASIBLE,
                   "method slicing: the columns with \"%s\" have too many pieces to put them together in every "
                   "way, as would have to be done to "
                   "keep sliced-l-diversity: let fewer attributes stand beside it, or put it into a column of its own",
                   s->problem->field[s->sensitive].column->name);
        return name_columns(s, err);
    }
    return verdict.holds ? COVEY_OK : joined_infeasible(s, l, verdict.n_values, err);
}

covey_status covey_i_slicing_refuse_options(const covey_slicing *s, covey_error *err)
{
    const char *name = s->problem->field[s->sensitive].column->name;

    if (s->params->anatomize == COVEY_ANATOMIZE_TRUE || s->params->anatomize == COVEY_ANATOMIZE_YES)
        return covey_i_refuse_param(err, "anatomize",
                                    "method slicing: anatomize: true would link the pieces of the columns with "
                                    "\"%s\", by groups of rows with different values of it: leave it out, or put "
                                    "\"%s\" into one column",
                                    name, name);
    if (s->params->weight == 1)
        return covey_i_refuse_param(err, "weight",
                                    "method slicing: weight: paper is about columns of which one holds \"%s\": leave "
                                    "it out, or put \"%s\" into one column",
                                    name, name);
    if (s->params->column_k > 1)
        return covey_i_refuse_param(err, "column-k",
                                    "method slicing: column-k is for columns of which one holds \"%s\": leave it "
                                    "out, or put \"%s\" into one column",
                                    name, name);
    return COVEY_OK;
}
