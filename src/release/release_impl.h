/* Releases in memory and the registry of published forms. */
#ifndef COVEY_RELEASE_RELEASE_IMPL_H
#define COVEY_RELEASE_RELEASE_IMPL_H

#include <covey/release.h>

#include "problem/problem.h"
#include "release/regions.h"

#define COVEY_CLASS_SUPPRESSED UINT32_MAX
/* A note where a search minimised what suppressed rows have a part in, which must not show. */
#define COVEY_RELEASE_NO_BOUND                                                                                         \
    "no bound is claimed: the search measured by the values of suppressed rows, too; what a declared domain measures " \
    "does not depend on them"

typedef struct covey_objective {
    const char *name; /* "ail" ...; static */
    double value;
    bool is_maximised; /* then the bound is an upper one */
    bool has_bound;
    double bound; /* proven: nothing better than it exists */
    bool optimal;
    const char *stopped; /* why a search ended, in words; static; NULL: nothing to say */
    bool has_fakes;
    int64_t fakes;  /* values that were made up */
    int32_t *level; /* [n_axes] level of each quasi-identifier, of methods that generalize by levels; covey_i_malloc,
                       else NULL */
    uint32_t n_minimal;
    uint8_t *minimal; /* [n_minimal * n_axes] levels that keep the policy where none right below do, all of them;
                         covey_i_malloc or NULL */
} covey_objective;

typedef struct covey_form covey_form;

/* What is left of a release whose rows were written batch by batch, when the manifest is written. */
typedef struct covey_release_sums {
    covey_i128 *loss;    /* [n_axes] of the published rows, in units of 1/loss_den */
    double ncp, squares; /* as in figures.c */
    uint32_t smallest;   /* class */
    bool **shown;        /* [n_fields][values] that the table shows; NULL: the manifest does not list them */
    bool **label;        /* [n_fields][nodes] labels that the table shows; NULL: the hierarchy is published as it is */
} covey_release_sums;

/* An attribute of a form that is_exact whose values are published in groups of neighbours. */
typedef struct covey_recoded {
    covey_column *column; /* what is published: a code per group, in order, its cells as labels; NULL: the values are
                             published as they are */
    uint32_t *low,
        *high; /* [column->n_values] smallest and largest code of the published rows in a group; low > high: none */
    uint32_t *group_of_code; /* [axis->n_values] of the codes of published rows; UINT32_MAX: no such row has it */
    uint32_t *n_rows;        /* [column->n_values] published rows of a group */
} covey_recoded;

void covey_i_recoded_free(covey_recoded *recoded, size_t n_axes); /* the list, too; NULL allowed */

/* What a method returns.  Borrows the problem's columns and trees: it must not outlive them. */
struct covey_release {
    const covey_form *form;
    uint32_t n_rows; /* of the input */
    uint32_t n_published;
    uint32_t n_classes;  /* classes, groups or buckets */
    uint32_t *row_order; /* [n_published] the published rows in published order: class by class, then by content; may be
                            NULL where the form has mark_codes */
    uint32_t *class_start; /* [n_classes + 1] first of each class in row_order */
    uint32_t *low, *high;  /* [n_classes * n_axes] smallest and largest code, class-major; NULL where the form publishes
                              rows exactly */
    bool has_regions;      /* low and high are regions that were cut: its rows need not attain them */
    int32_t *label_level;  /* [n_axes] see covey_axis' shown_level; NULL: 0 */
    covey_shown_codes shown; /* of regions: what cells may name, where rows were suppressed */
    double ail; /* of ranges: average information loss, [CaoKarras12] section 2; what methods are compared by */
    covey_objective objective; /* what the method minimised: "ail" unless it says otherwise */
    char
        note[512]; /* how it was found, for the manifest ("search stopped on request"), "" if there is nothing to say */
    char remark[512]; /* the same for who publishes alone: what of the search tells more of the input than the release
                         does */
    char *facts;     /* text of a JSON object whose members the form adds to the manifest; NULL: none; covey_i_malloc */
    void *form_data; /* of forms that need more; freed by form->free_data */
    size_t n_recoded;
    covey_recoded *recoded; /* [n_axes] of forms that are exact but for some attributes; NULL: for none; owned */
    uint32_t first_class;   /* groups of the batches that were written before this one: numbers go on from there */
    const covey_release_sums *sums; /* instead of rows and classes, which are gone; borrowed; NULL: they are there */
    struct covey_made_up *made_up;  /* the problem that it is one of, where it has rows that are nobody's (made_up.h);
                                       owned; NULL: it has none */
};

/* A file of a release folder. */
typedef struct covey_file {
    char name[160]; /* "table.csv", "hierarchies/zip.csv" */
    int64_t n_rows; /* without the header */
    uint64_t size_bytes;
    unsigned char sha256[32];
    bool is_hashed;    /* size and hash are known; the file may be elsewhere */
    bool is_part;      /* one of several files that a table stands in */
    int64_t n_classes; /* of a part: that its lines are numbered by; 0: they are not */
} covey_file;

typedef struct covey_files {
    size_t n, capacity;
    covey_file *file;    /* covey_i_malloc */
    bool hashes_lines;   /* large tables are hashed while they are written; else afterwards, from the files */
    double seconds_hash; /* what that took of the time of writing */
} covey_files;

covey_status covey_i_files_add(covey_files *files, const char *name, int64_t n_rows, covey_error *err);
void covey_i_files_clear(covey_files *files);

struct covey_utility_figures;

/* A published form: how a release becomes files. */
struct covey_form {
    const char *name;     /* "generalized" */
    const char *unit;     /* what the sets of rows are called that promises are about: "group"; "": there are none */
    const char *faithful; /* what a comparison with the original has shown if nothing was found: one sentence */
    /* Writes the data files into the folder and lists them (hashes are filled in later).  Manifest and hierarchies are
     * the caller's.  What is listed already gets more lines: so releases that come batch by batch are written, in
     * order, with first_class. */
    covey_status (*write)(const covey_release *release, const covey_problem *problem, const char *folder,
                          covey_files *files, const covey_run *run, covey_error *err);
    void (*free_data)(void *form_data); /* NULL: no form_data */
    /* A field's column gets other codes (settled.h), in the same order: map[old] is the new one, of n_values, of a
     * value that a published row has.  NULL: nothing in form_data has codes of fields. */
    void (*map_codes)(covey_release *release, size_t field, const uint32_t *map, uint32_t n_values);
    bool is_exact;    /* quasi-identifiers are published as they are */
    bool units_alike; /* where rows have units, those of a set have as many rows each */
    bool hides_prior; /* what the whole table holds must not follow: no prior is published, whatever is promised */
    /* May a column of that role not have this name, because a table of the form has one of its own that is called so?
     * Case matters. */
    bool (*reserves)(const char *name, covey_role role); /* NULL: no */
    /* What the release achieves and what it loses, where that does not follow from its classes (figures.h); NULL: it
     * does. */
    covey_status (*achieved)(covey_figure *figure, const covey_release *release, const covey_problem *problem,
                             const covey_run *run, covey_error *err);
    void (*utility)(struct covey_utility_figures *out, const covey_release *release, const covey_problem *problem);
    double (*axis_ail)(const covey_release *release, const covey_problem *problem, size_t axis);
    /* Adds to counts the values of a column that promises are about in a class, where the form knows them without
     * looking at rows; NULL: rows tell. */
    void (*add_counts)(covey_histogram *counts, const covey_release *release, const covey_problem *problem,
                       const covey_column *column, uint32_t class_index);
    /* Marks the field's codes that published rows have, of a form that has no row_order.  NULL: row_order tells. */
    void (*mark_codes)(bool *shown, const covey_release *release, const covey_problem *problem,
                       const covey_field *field);
};

const covey_form *covey_i_form_find(const char *name); /* NULL if there is none */

#define COVEY_FORM(name) extern const covey_form covey_form_##name;
#include "release/form_list.h"
#undef COVEY_FORM

/**
 * Makes a generalized release from a row -> class map: computes ranges, drops empty classes, numbers classes and sorts
 * rows in an order that depends on what is published only (docs/manifest.md), computes the objective "ail".
 *
 * @param class_of_row  [n_rows] class numbers below n_classes, or COVEY_CLASS_SUPPRESSED; stays the caller's
 * @return COVEY_OK; COVEY_ENOMEM
 */
covey_status covey_i_release_of_classes(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row,
                                        uint32_t n_classes, const covey_run *run, covey_error *err);

/* The regions of classes: codes low .. high on each axis, class-major, by the method's own class numbers. */
typedef struct covey_regions {
    uint32_t *low, *high;       /* [n_classes * n_axes] */
    const int32_t *label_level; /* [n_axes] of the labels that are published; NULL: the lowest */
    bool are_ranges;            /* the rows' own ranges, which need not be looked for then; of empty classes anything */
    const uint32_t *n_rows;     /* [n_classes] rows of each; NULL: they are counted */
} covey_regions;

/* The same with the regions that were cut instead of the rows' own ranges (publish-boxes: cut); every class lies in its
 * region.  Where rows are suppressed, regions end with values that published rows have. */
covey_status covey_i_release_of_regions(covey_release **out, const covey_problem *problem, const uint32_t *class_of_row,
                                        uint32_t n_classes, const covey_regions *regions, const covey_run *run,
                                        covey_error *err);

/* Neighbours in a list. */
typedef struct covey_span {
    uint32_t start, n;
} covey_span;

/* Classes made of cells: sets of rows with equal quasi-identifiers, each sorted by content (as covey_i_problem_order
 * sorts them). */
typedef struct covey_class_cells {
    const uint32_t *rows, *start; /* cell c holds rows[start[c] .. start[c + 1] - 1] */
    const uint32_t *cell;         /* cells, each in one class at most */
    uint32_t n_classes;
    const covey_span *class;    /* [n_classes] which cells each has, one at least: part of cell */
    const uint32_t *low, *high; /* [n_classes * n_axes] */
    bool has_regions;           /* low and high are the regions that were cut, not what the rows attain */
    const covey_span *span;     /* instead of start and cell: pieces of rows, each in one class; NULL: there are none */
    const uint32_t *content; /* of each span, whose rows are equal: orders rows as their content does, below n_contents;
                                NULL: not known */
    uint32_t n_contents;
    uint32_t *room; /* [rows] memory that the release takes for its rows, and frees, also when this fails; NULL: it asks
                       for its own */
} covey_class_cells;

/* The same for methods that keep rows with equal quasi-identifiers together, mostly, in less time: nothing of it is
 * done row by row but putting the rows into their places.  Rows that are in no class are suppressed. */
covey_status covey_i_release_of_cells(covey_release **out, const covey_problem *problem, const covey_class_cells *cells,
                                      const covey_run *run, covey_error *err);

static inline int covey_i_release_level(const covey_release *release, size_t axis)
{
    return release->label_level ? release->label_level[axis] : 0;
}

/* The axis as the release shows it. */
static inline covey_axis covey_i_release_axis(const covey_release *release, const covey_problem *problem, size_t axis)
{
    covey_axis shown = problem->axis[axis];

    shown.shown_level = covey_i_release_level(release, axis);
    return shown;
}

/* The attribute's groups; NULL: it is published as it is, or as the form does. */
static inline const covey_recoded *covey_i_release_recoded(const covey_release *release, const covey_field *field)
{
    return release->recoded && field->axis >= 0 && release->recoded[field->axis].column ? &release->recoded[field->axis]
                                                                                        : NULL;
}

/* What is published of the field, row by row. */
static inline const covey_column *covey_i_release_shown(const covey_release *release, const covey_field *field)
{
    const covey_recoded *recoded = covey_i_release_recoded(release, field);

    return recoded ? recoded->column : field->column;
}

/* Marks the codes of the field's column that published rows have. */
void covey_i_release_mark_codes(bool *shown, const covey_release *release, const covey_problem *problem,
                                const covey_field *field);

/* Fills a tally (made by covey_i_tally_new) with the rows of one class, ranges included. */
void covey_i_release_tally(covey_tally *tally, const covey_release *release, const covey_problem *problem,
                           uint32_t class_index);

#endif
