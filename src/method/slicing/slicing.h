/* What the files of slicing share.
 *
 *   slicing.c       the method: parameters, the release
 *   refusal.c       whether it can be done at all, and what a refusal names instead
 *   sorted.c        the contents of the table in their order
 *   given.c         which attributes stand together: as the policy gives them
 *   columns.c       ... or found by how much they tell of each other
 *   overlap.c       ... and which of these join a second column
 *   several.c       several sensitive attributes, each with a promise of its own
 *   schema.c        columns that overlap: can their pieces be put together in one way only?
 *   recode.c        column generalization: which values stand together so that pieces are not too rare
 *   recode_cells.c  the cells that these become
 *   numbers.c       numbers of sets, and the test of a bucket by them
 *   cut.c           cuts, as long as both halves hold
 *   cells.c         strict cuts of rows that never part
 *   buckets.c       which rows stand together: closed buckets, groups inside them, or random ones
 *   groups.c        groups of rows with different sensitive values inside closed buckets
 *   arrange.c       random groups of rows with different values
 *   several_groups.c  ... where several attributes are sensitive, or units have several values
 *   units.c         buckets where rows have units
 *   joined.c        the sensitive attribute in several columns: what follows from their pieces together
 *   exact.c         what follows from signatures, where it does not follow from single sets: which to look at
 *   signatures.c    the signatures of one set
 *
 * Source: [LiLiZhangMolloy12]; docs/design/slicing.md. */
#ifndef COVEY_METHOD_SLICING_SLICING_H
#define COVEY_METHOD_SLICING_SLICING_H

#include "method/method_impl.h"
#include "method/rows/unit_rows.h"
#include "release/sliced/sliced.h"

/* AUTO: unless the sensitive attribute stands in several columns, or several attributes are sensitive. */
enum covey_slicing_anatomize {
    COVEY_ANATOMIZE_AUTO,
    COVEY_ANATOMIZE_TRUE,
    COVEY_ANATOMIZE_FALSE,
    COVEY_ANATOMIZE_YES,
    COVEY_ANATOMIZE_NO
};

struct covey_slicing_params {
    const char *columns; /* "found", or [[a, b], [c, s]] */
    int cut;             /* 0 strict, 1 relaxed */
    int anatomize;       /* enum covey_slicing_anatomize */
    bool one_per_column, first_dimension_only;
    int64_t n_columns;      /* 0: a third of the attributes */
    int64_t sensitive_size; /* attributes of the sensitive column at most, when columns are found */
    int buckets;            /* 0 mondrian, 1 random */
    int weight;             /* 0 size, 1 paper: of buckets, when cuts are tested */
    int64_t bucket_size;    /* of random buckets */
    covey_ratio overlap;    /* what an attribute tells of a second found column at least; 0: none joins one */
    int64_t column_k;       /* rows that every piece of a column stands for at least; 0, 1: any */
};

/* Units of a kind, which stand in the place of rows; see units.c. */
typedef struct covey_slicing_kind {
    bool are_single;     /* each unit has one value, that of its first row */
    uint32_t n_each;     /* rows of each */
    covey_column values; /* the sensitive ones: row i * n_each + k is row k of unit i */
} covey_slicing_kind;

typedef struct covey_slicing {
    const covey_problem *problem;
    const struct covey_slicing_params *params;
    covey_ratio l;
    const covey_promise *promise;
    size_t sensitive;  /* field; of several the last */
    uint32_t n_all, n; /* rows of the input; that are published */
    /* Unless values are generalized, problem is a table of the contents that the input's rows have, in their order:
     * each of its rows stands for all that are equal to it. */
    uint32_t n_contents, *content; /* rows of the table that are published, by content */
    uint32_t *count;               /* [rows of the table] rows of the input that each stands for; NULL: one */
    const covey_problem *given;    /* what the table was made from; NULL: it is the input */
    uint32_t *of_given;            /* [rows of the table] one of the rows of given that each stands for; NULL: itself */
    void **sorted_codes;           /* [n_fields] of the table */
    size_t n_slices;
    covey_slice *slice;   /* the last one holds the sensitive attribute, as its last; so may others */
    size_t n_holding;     /* how many do */
    size_t *given_number; /* [n_slices] what the policy calls them, the first is 1; NULL: they were found */
    /* Of several sensitive attributes the others, as this struct would be for each alone: promise and l, sets and pairs
     * are its own, its column is the last of its slices; all else is this one's. */
    size_t n_others;
    struct covey_slicing *other; /* [n_others] */
    size_t n_joined;             /* attributes that found columns put into a second one, too */
    size_t n_moved; /* attributes that found columns put elsewhere than they belong: the promise leaves no room */
    /* What the test of a bucket counts: the rows with equal values beside the sensitive one in the last column, and
     * with it. */
    uint32_t *set;  /* [rows of the table] number of the row's values beside it */
    uint32_t *pair; /* [rows of the table] the same with the sensitive value */
    uint32_t n_sets, n_pairs;
    /* Column generalization: the problem with cells in the place of values; `whole` is the one that was given. */
    uint32_t instead_k;     /* a column-k that is tried instead, for a refusal; 0: that of the policy */
    covey_recoded *recoded; /* [n_axes] owned until a release takes it; NULL: there is none */
    covey_problem own;
    const covey_problem *whole;
    const covey_units *units;       /* that have several rows; NULL: there are none */
    const covey_slicing_kind *kind; /* rows are units that may have several values; NULL: rows */
    uint32_t n_blocks;              /* of rows that were parted with random numbers of their own so far */
    covey_arena *arena;
} covey_slicing;

/* The contents of a bucket's rows, in order, and how many rows have each; neighbours may be equal. */
typedef struct covey_slicing_contents {
    uint32_t n, n_rows;
    uint32_t *row, *count, *pair; /* [n] rows of the table */
} covey_slicing_contents;

static inline uint32_t covey_i_slicing_count(const covey_slicing *s, uint32_t row)
{
    return s->count ? s->count[row] : 1;
}

static inline bool covey_i_slicing_is_sensitive(const covey_slicing *s, size_t field)
{
    return s->problem->field[field].role == COVEY_ROLE_SENSITIVE;
}

/* The number of a column in messages: the policy's, or, of one that was found, that of its file. */
static inline size_t covey_i_slicing_column_number(const covey_slicing *s, size_t slice)
{
    return s->given_number ? s->given_number[slice] : slice + 1;
}

/* Replaces problem by a table of its contents; all are published. */
covey_status covey_i_slicing_sort_table(covey_slicing *s, const covey_run *run, covey_error *err);
/* Leaves the table as it is, every row by itself. */
covey_status covey_i_slicing_list_table(covey_slicing *s, const covey_run *run, covey_error *err);
/* All rows that are published, by content, as rows of the table: those that stand for several as often.  row: [s->n].
 */
void covey_i_slicing_list_rows(uint32_t *row, const covey_slicing *s);
void covey_i_slicing_clear_lists(covey_slicing *s); /* content and count */
void covey_i_slicing_clear_rows(covey_slicing *s);  /* these, and all of the sorted table */

/* Fills slice and n_slices: as the policy gives them. COVEY_EINVAL for a name that is unknown, repeated or missing, a
 * cyclic schema. */
covey_status covey_i_slicing_given_columns(covey_slicing *s, covey_error *err);
/* ... or found.  n_moved: attributes that belong to the sensitive one, but the promise leaves
 * no room for them. */
covey_status covey_i_slicing_found_columns(covey_slicing *s, const covey_run *run, covey_error *err);

/* Lets attributes join a second column, none of a sensitive attribute.  distance: [fields][fields] */
covey_status covey_i_slicing_overlap_columns(covey_slicing *s, const double *distance, covey_error *err);

/* Is there one way only to put pieces together, because the columns form a tree?  COVEY_EINVAL names the columns and
 * attributes of a cycle. */
covey_status covey_i_slicing_check_schema(const covey_slicing *s, covey_error *err);
/* The same as a question. */
covey_status covey_i_slicing_is_tree(bool *out, const covey_slicing *s, covey_error *err);
/* Does a column have the attribute?  How many attributes do two columns share? */
bool covey_i_slicing_has(const covey_slice *slice, size_t field);
size_t covey_i_slicing_shared(const covey_slice *a, const covey_slice *b);

/* Adds to the note how many rows of a bucket agree on what two columns share, if columns overlap: only among them are
 * pieces mixed. */
covey_status covey_i_slicing_describe_joints(char *note, size_t note_size, const covey_slicing *s,
                                             const covey_dealt *dealt, covey_error *err);

/* Numbers pairs of what was numbered so far and a column's code; of s->content, number: [rows of the table]. */
covey_status covey_i_slicing_refine(uint32_t *number, uint32_t *n_numbers, const covey_column *column,
                                    const covey_slicing *s, covey_error *err);
/* The same by the groups of its codes; group: [column->n_values], NULL: the codes themselves. */
covey_status covey_i_slicing_refine_by(uint32_t *number, uint32_t *n_numbers, const covey_column *column,
                                       const uint32_t *group, const covey_slicing *s, covey_error *err);
/* Numbers sets and pairs of the last column; anew after it changed. */
covey_status covey_i_slicing_number_sets(covey_slicing *s, covey_error *err);

/* Finds the sensitive attributes and their promises, one for each. */
covey_status covey_i_slicing_find_sensitive(covey_slicing *s, covey_error *err);
/* What the policy asks for that is not built for several of them. */
covey_status covey_i_slicing_refuse_for_several(const covey_slicing *s, covey_error *err);
/* Found columns: each sensitive attribute in one of its own. */
covey_status covey_i_slicing_found_beside_several(covey_slicing *s, const covey_run *run, covey_error *err);
/* How little each attribute tells of each other one: [fields][fields], in the arena. */
covey_status covey_i_slicing_distances(const double **out, const covey_slicing *s, const covey_run *run,
                                       covey_error *err);
/* The attributes list[n] as clusters 0 .. k - 1 of such as tell much of each other; cluster: [n].  distance: as above;
 * not looked at where each is its own. */
covey_status covey_i_slicing_cluster(size_t *cluster, size_t k, const size_t *list, size_t n, const double *distance,
                                     const covey_slicing *s, covey_error *err);
/* Numbers the sets of each; the whole table as one bucket must hold for all, or for the rows that stay. */
covey_status covey_i_slicing_settle_several(covey_slicing *s, covey_error *err);

/* How many more rows the policy allows to suppress. */
int64_t covey_i_slicing_may_drop(const covey_slicing *s);

typedef struct covey_slicing_recoding covey_slicing_recoding;

/* Finds which values to put together so that every piece of every column stands for column-k rows at least, and takes
 * rows away whose pieces are too rare: as soon as the policy allows it, or (drops_early false) only where no more can
 * be put together.  COVEY_EINFEASIBLE if it does not; *out is there then, too. */
covey_status covey_i_slicing_recode(covey_slicing_recoding **out, covey_slicing *s, uint32_t k, bool drops_early,
                                    covey_error *err);
uint32_t covey_i_slicing_column_k(const covey_slicing *s);
/* Begins again with these rows, and values in the place of cells. */
void covey_i_slicing_put_rows(covey_slicing *s, const uint32_t *row, uint32_t n);
/* The largest column-k, below the one that cannot be kept, that these rows can keep when all detail is given up: with
 * less detail no piece is rarer, so that no larger one can be kept in any other way. */
covey_status covey_i_slicing_largest_k(uint32_t *out, covey_slicing_recoding *r, const uint32_t *row, uint32_t n,
                                       covey_error *err);
/* Makes the cells of what was put together from the rows that are left, and replaces s->problem by a table of cells;
 * again after rows went. */
covey_status covey_i_slicing_make_cells(covey_slicing_recoding *r, covey_error *err);
/* Takes rows away whose pieces have become too rare, until none is; COVEY_EINFEASIBLE if the policy does not allow it.
 */
covey_status covey_i_slicing_drop_rare(covey_slicing_recoding *r, covey_error *err);

/* --- can it be done at all? (refusal.c) --- */

/* The whole table as one bucket must hold; the rows that stand in the way are suppressed if the policy allows it. */
covey_status covey_i_slicing_check_whole(covey_slicing *s, covey_error *err);
/* The sensitive attribute in several columns: the table as one bucket, from which cutting starts.  Rows are not
 * suppressed for it: signatures that fail may be nobody's. */
covey_status covey_i_slicing_check_joined(const covey_slicing *s, covey_error *err);
/* What such columns are not built for. */
covey_status covey_i_slicing_refuse_options(const covey_slicing *s, covey_error *err);
/* Names the policy with this l instead, and nothing that would part the table into buckets that break it: returns
 * COVEY_EINFEASIBLE. */
covey_status covey_i_slicing_name_l(const covey_slicing *s, covey_ratio l, covey_error *err);

/* Scratch of the test. */
typedef struct covey_slicing_test {
    const covey_slicing *slicing;
    uint32_t *set_count, *pair_count; /* zero between calls */
} covey_slicing_test;

covey_status covey_i_slicing_test_new(covey_slicing_test *test, const covey_slicing *s, covey_error *err);
/* The same of the i-th sensitive attribute, from 0 to n_others. */
covey_status covey_i_slicing_tests_new(covey_slicing_test **tests, const covey_slicing *s, covey_error *err);
/* Has no sensitive value a share above 1/l in any set of these rows?  Where they are units of a kind: can none be that
 * of more than 1/l of them?  ... of all rows? */
bool covey_i_slicing_holds(covey_slicing_test *test, const uint32_t *row, uint32_t n);
bool covey_i_slicing_all_hold(covey_slicing_test *test);

/* --- the sensitive attribute in several columns --- */

typedef struct covey_slicing_joined covey_slicing_joined;

/* Numbers what these columns hold beside it, and share, of s->content. */
covey_status covey_i_slicing_joined_new(covey_slicing_joined **out, const covey_slicing *s, covey_error *err);

typedef struct covey_slicing_joined_verdict {
    bool holds;        /* nothing follows with more than 1/l from pieces of these columns that can be one row's */
    bool is_long;      /* false was not found out: there are too many ways to put them together */
    uint32_t n_values; /* that the pieces leave where it does not hold */
} covey_slicing_joined_verdict;

/* Do these rows hold as one bucket? */
covey_status covey_i_slicing_joined_holds(covey_slicing_joined_verdict *out, covey_slicing_joined *joined,
                                          const uint32_t *row, uint32_t n, covey_error *err);

/* The largest l with which they would, as a fraction of small numbers or to four decimals; {1, 1}: none above 1; {0,
 * 1}: there are too many ways to put pieces together to find out. */
covey_status covey_i_slicing_joined_largest(covey_ratio *l, covey_slicing_joined *joined, const uint32_t *row,
                                            uint32_t n, covey_error *err);

/* Deals the rows that are published to their buckets; dealt is to be cleared, also if this fails. */
covey_status covey_i_slicing_buckets(covey_dealt *dealt, covey_slicing *s, const covey_run *run, covey_error *err);

/* --- units of several rows (units.c) --- */

/* Of how many of n units one value can be at most; which: their numbers, NULL: the first n; count: [values] zero before
 * and after. */
uint32_t covey_i_slicing_most_units(uint32_t *count, const covey_slicing_kind *kind, const uint32_t *which, uint32_t n);

/* What the policy asks for that is not built for them. */
covey_status covey_i_slicing_refuse_for_units(const covey_slicing *s, covey_error *err);
/* The same of units: those of a bucket are of one kind.  note: receives what is to be said of it, behind what it says.
 * COVEY_EINFEASIBLE where more rows would have to be suppressed than may be; the message names how many. */
covey_status covey_i_slicing_deal_units(covey_dealt *dealt, char *note, size_t size, covey_slicing *s,
                                        const covey_run *run, covey_error *err);

#endif
