/* A transformed release as its reader sees it. */
#ifndef COVEY_READER_TRANSFORMED_TRANSFORMED_H
#define COVEY_READER_TRANSFORMED_TRANSFORMED_H

#include "base/exact/fraction.h"
#include "reader/form_impl.h"

/* A node of a target: a line of target.csv.  Lines of a target stand in pre-order. */
typedef struct covey_target_line {
    uint32_t parent;               /* line; the root's own */
    uint32_t end;                  /* first line behind its subtree */
    uint32_t first_leaf, n_leaves; /* leaves are counted from 0 in each target */
    uint64_t weight, sum;          /* of the children; 0: a leaf */
} covey_target_line;

typedef struct covey_opened_transformed {
    const covey_opened_column *sensitive; /* its cells are those of target.csv, column "low" */
    const covey_opened_table *rows;       /* quasi.csv */
    const covey_opened_table *entries;    /* sensitive.csv */
    const covey_opened_table *targets;    /* target.csv */
    const covey_opened_table *groups;     /* groups.csv; NULL: there is one target */
    const covey_opened_table *help;       /* help.csv; NULL: there is none */
    size_t n_content;
    const covey_opened_column **content; /* columns of quasi.csv, in its order */
    covey_target_line *line;             /* [targets->n_rows] */
    uint32_t *target_of_group;           /* [n_classes] */
    uint32_t *line_of_entry;             /* [entries->n_rows] into line */
    int64_t *count;                      /* [entries->n_rows] > 0 */
    int64_t *low, *high;                 /* [targets->n_rows] numbers times 10^scale; NULL: categories */
    int scale;
} covey_opened_transformed;

/* A cell of target.csv. */
static inline const char *covey_i_target_text(const covey_opened_transformed *t, size_t column, uint32_t line)
{
    const covey_column *text = covey_i_opened_text(t->targets, column);

    return covey_column_label(text, covey_i_code_at(text, line));
}

/* What kind of column is it?  Numbers and dates have distances. */
static inline bool covey_i_transformed_has_numbers(const covey_stated_column *column)
{
    return column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL || column->type == COVEY_TYPE_DATE;
}

/* Rebuilds the trees of target.csv: fills line, low and high; *usable false: why not has been reported.  See
 * target_lines.c. */
covey_status covey_i_target_lines_read(bool *usable, covey_opened_transformed *t, covey_opened *o,
                                       covey_problems *problems, covey_error *err);
/* Probabilities of a target's lines as part/whole in lowest terms, by line; false if a denominator would reach 2^127.
 */
bool covey_i_target_lines_shares(covey_u128 *part, covey_u128 *whole, const covey_opened_transformed *t,
                                 uint32_t target);
/* The least common denominator of its leaves; 0: it would reach 2^32, beyond which no model counts. */
int64_t covey_i_target_lines_total(const covey_u128 *whole, const covey_opened_transformed *t, uint32_t target);
/* Probabilities of a target's leaves as whole numbers of 1/total, by line; false if total would reach 2^32, or without
 * memory. */
bool covey_i_target_lines_counts(int64_t *count, int64_t *total, const covey_opened_transformed *t, uint32_t target);

/* Which node each entry means: fills line_of_entry and count.  See target_entries.c. */
covey_status covey_i_target_entries_read(bool *usable, covey_opened_transformed *t, covey_opened *o,
                                         covey_problems *problems, covey_error *err);
#endif
