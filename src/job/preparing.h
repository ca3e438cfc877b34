/* The steps of covey_i_prepare (prepare.h), for who reads a table piece by piece and has nothing but its values in
 * memory. */
#ifndef COVEY_JOB_PREPARING_H
#define COVEY_JOB_PREPARING_H

#include <covey/io.h>

#include "base/text.h"
#include "job/prepare.h"
#include "reader/ledger/ledger.h"

enum { COVEY_PREPARING_MOST_NAMES = 256 };

/* What is known while preparing. */
typedef struct covey_preparing {
    covey_prepared *p;
    const covey_policy *policy;
    const covey_run *run;
    const covey_wish_attribute **wish;              /* [n_columns] NULL: not named */
    covey_role *role;                               /* [n_columns] */
    covey_recoding *recoding;                       /* [n_columns] how values were written that were read otherwise */
    bool *found;                                    /* [policy->n_attributes] does the file have the column? */
    const covey_ledger *ledger;                     /* of earlier releases; NULL: there is none */
    bool reads_weights;                             /* also those that are not published, for their check */
    const char *header[COVEY_PREPARING_MOST_NAMES]; /* the file's column names, for suggestions */
    size_t n_header;
    covey_text *held;      /* warnings that wait to be told, a NUL behind each; NULL: none need wait */
    int64_t *const *count; /* [n_columns][values] rows that have it, where columns have a row for each value; NULL: they
                              have the table's */
} covey_preparing;

/* How the policy's input is read; s->found is there already. */
void covey_i_preparing_csv(covey_csv_options *options, covey_preparing *s);
/* Once the first rows are in s->p->table: finds the role and the wish of every column. */
covey_status covey_i_preparing_columns(covey_preparing *s, covey_error *err);
/* After the promises: whose rows they are, and the promises over units; nothing where the policy has no entity. */
covey_status covey_i_preparing_units(covey_preparing *s, covey_error *err);
/* Steps of both: refuses a name that is missing, and warns of those that differ in blanks or case alone. */
covey_status covey_i_preparing_check_names(const covey_preparing *s, const covey_column *column, bool missing_is_own,
                                           covey_error *err);
/* Once all columns are typed: what earlier releases say of the units of the table, for m-invariance; of other policies,
 * a warning if the ledger has some of its units. */
covey_status covey_i_preparing_history(covey_preparing *s, covey_error *err);
/* COVEY_EINVAL where the policy has an entity: its units lie in several parts. */
covey_status covey_i_preparing_refuse_units(const covey_policy *policy, covey_error *err);
/* Rows of s->p->table that stay, NULL if all do (covey_i_free); adds to n_dropped. */
covey_status covey_i_preparing_kept_rows(int64_t **kept, int64_t *n_kept, covey_preparing *s, covey_error *err);
/* Refuses an empty cell that does not mean "missing". */
covey_status covey_i_preparing_check_texts(const covey_preparing *s, const covey_column *raw, covey_error *err);

/**
 * The rest: types the columns, builds hierarchies, axes, views with their priors, and promises.
 *
 * @param values  [n_columns] texts in the order of their bytes, missing first, a row for each: row i has code i;
 * s->count says how often it occurs, its line where it does first
 * @param n_rows  of the whole table, without dropped ones
 *
 * Afterwards row i of p->column[c] has the code of value i, and the problem has as many rows as the table, but no
 * column has them.
 */
covey_status covey_i_preparing_finish(covey_preparing *s, covey_column *const *values, int64_t n_rows,
                                      covey_error *err);

/* ---- the steps behind those, each in a file of its own ---- */

/* prepare_columns.c: the texts of a column as covey writes numbers and dates, where the policy says that they are
 * written otherwise.  done: how they were, NULL if not asked; type: what the policy declares; as_it_is: only if the
 * attribute itself says so. */
covey_status covey_i_preparing_recode(covey_column **out, covey_recoding *done, covey_type *type,
                                      const covey_policy *policy, const covey_wish_attribute *wish, bool as_it_is,
                                      const covey_column *texts, const int64_t *count, covey_error *err);
/* prepare_checks.c: tells run->warn, or keeps it for later where s->held. */
void covey_i_preparing_warn(const covey_preparing *s, const char *message);
/* Refuses a text column that looks like numbers or dates, of which the policy does not say how they are written. */
covey_status covey_i_preparing_check_form(const covey_preparing *s, size_t c, const covey_column *texts,
                                          const covey_wish_attribute *wish, covey_error *err);
/* Refuses an insensitive column that tells nearly every row from the others, and warns of what comes near that; rows as
 * below. */
covey_status covey_i_preparing_check_unique(const covey_preparing *s, size_t c, const covey_column *typed,
                                            const covey_column *rows, const covey_wish_attribute *wish,
                                            covey_error *err);
/* prepare_weights.c: refuses what is no sampling weight: of a column's texts, or of its values. */
covey_status covey_i_preparing_check_weights(const covey_preparing *s, const covey_column *texts, covey_error *err);
/* After the fields: warns where published weights tell quasi-identifiers that the release generalizes. */
covey_status covey_i_preparing_warn_of_weights(const covey_preparing *s, covey_error *err);
/* prepare_columns.c: a column as it was read, or its values, becomes s->p->column[c], with its hierarchy beside it.
 * texts: what is typed; rows: the same, and knows the lines that a warning tells. */
covey_status covey_i_preparing_type(covey_preparing *s, size_t c, const covey_column *texts, const covey_column *rows,
                                    covey_error *err);
/* All of the table's columns, without the rows that the policy drops; the table is freed. */
covey_status covey_i_preparing_pick(covey_preparing *s, covey_error *err);
/* prepare_domain.c: a number column, whose policy declares a domain, gets as many places behind the point as the domain
 * needs, integers, too; *typed is replaced then. */
covey_status covey_i_preparing_align_domain(covey_column **typed, const covey_preparing *s,
                                            const covey_wish_attribute *wish, covey_error *err);
/* Once they are aligned: the declared domain of the axis' column, which must hold the data. */
covey_status covey_i_preparing_set_domain(covey_axis *axis, const covey_preparing *s, const covey_wish_attribute *wish,
                                          covey_error *err);
/* prepare_fields.c: the problem's fields and axes. */
covey_status covey_i_preparing_fields(covey_preparing *s, covey_error *err);
/* prepare_promises.c: the problem's views and promises. */
covey_status covey_i_preparing_promises(covey_preparing *s, covey_error *err);

#endif
