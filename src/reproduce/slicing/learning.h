/* What can be learned from a release: a classifier learns from tables that the release may stand for, and is tried on
 * original rows.
 *
 *   learning_table.c    the original rows, as codes, and parts of them
 *   learning_draw.c     tables that a release may stand for
 *   learning_count.c    how many rows have two values: of rows, and expected from a release
 *   learning_bayes.c    a Naive Bayes classifier
 *   learning_tree.c     a decision tree
 *
 * Source: [LiLiZhangMolloy12] section 6. */
#ifndef COVEY_REPRODUCE_SLICING_LEARNING_H
#define COVEY_REPRODUCE_SLICING_LEARNING_H

#include "base/rng.h"
#include "release/release_impl.h"
#include "reproduce/experiment_job.h"

enum { COVEY_LESSON_ATTRIBUTES = 16 };

/* Rows of codes. */
typedef struct covey_lesson {
    uint32_t n;
    size_t n_attributes;
    uint32_t *code[COVEY_LESSON_ATTRIBUTES]; /* [n] each */
    uint32_t n_codes[COVEY_LESSON_ATTRIBUTES];
    bool is_ordered[COVEY_LESSON_ATTRIBUTES]; /* codes of a number: they may be compared */
} covey_lesson;

/* The original. */
typedef struct covey_learning_table {
    covey_column *column[COVEY_LESSON_ATTRIBUTES]; /* typed */
    uint32_t *code[COVEY_LESSON_ATTRIBUTES]; /* [column->n_values] code in lessons: numbers of many values are cut into
                                                intervals */
    covey_lesson rows;                       /* all of them */
} covey_learning_table;

/* Reads named columns of a table and keeps the rows that miss nothing ("?") in any column, named or not. */
covey_status covey_i_learning_read(covey_learning_table *out, const char *path, const char *const *name, size_t n,
                                   covey_arena *arena, covey_error *err);
void covey_i_learning_clear(covey_learning_table *table);
/* Writes rows as a new CSV file. */
covey_status covey_i_learning_write(const covey_learning_table *table, const int64_t *row, int64_t n, const char *path,
                                    covey_error *err);
/* The rows as a lesson, or to be tried on. */
covey_status covey_i_learning_pick(covey_lesson *out, const covey_learning_table *table, const int64_t *row, int64_t n,
                                   covey_arena *arena, covey_error *err);

/**
 * Tables that a release may stand for, `draws` of them one after another: values uniformly from what a class covers,
 * sensitive values of a group in any order, pieces of a bucket joined in any way that agrees.  Every such table is as
 * likely as any other.
 *
 * @param table  knows the codes of lessons; the problem's columns have the names of its own
 * @return COVEY_EINVAL for a form that does not publish rows
 */
covey_status covey_i_learning_draw(covey_lesson *out, const covey_learning_table *table, const covey_release *release,
                                   const covey_problem *problem, uint32_t draws, covey_rng *rng, covey_arena *arena,
                                   covey_error *err);

/* What the problem's values are in lessons: attribute[n_fields], SIZE_MAX for a field that has none;
 * code[n_fields][values], UINT32_MAX for a value that no row has. */
covey_status covey_i_learning_codes(size_t *attribute, uint32_t **code, const covey_learning_table *table,
                                    const covey_problem *problem, covey_arena *arena, covey_error *err);

/* How many rows have a value together with one of the target: all that Naive Bayes learns.  Expected ones may be
 * fractions. */
typedef struct covey_lesson_counts {
    size_t n_attributes, target;
    uint32_t n_codes[COVEY_LESSON_ATTRIBUTES];
    double *rows;                          /* [n_codes[target]] */
    double *pair[COVEY_LESSON_ATTRIBUTES]; /* [n_codes[a]][n_codes[target]]; NULL: of the target itself */
} covey_lesson_counts;

covey_status covey_i_lesson_count(covey_lesson_counts *out, const covey_lesson *lesson, size_t target,
                                  covey_arena *arena, covey_error *err);
/* The mean over all tables that a release may stand for.  *known: it is computed; a form or an arrangement of columns
 * for which it is not leaves draws. */
covey_status covey_i_learning_expect(covey_lesson_counts *out, bool *known, const covey_learning_table *table,
                                     const covey_release *release, const covey_problem *problem, size_t target,
                                     covey_arena *arena, covey_error *err);

/* The share of rows of `test` whose target a classifier guesses that has learned from counts, or from `lesson`. */
covey_status covey_i_learn_bayes(double *share, const covey_lesson_counts *counts, const covey_lesson *test,
                                 covey_arena *arena, covey_error *err);
covey_status covey_i_learn_tree(double *share, const covey_lesson *lesson, const covey_lesson *test, size_t target,
                                covey_arena *arena, covey_error *err);

#endif
