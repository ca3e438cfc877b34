/* The file of a part that was anonymized: its units in published order, with the codes of their rows.  A unit is what
 * is never parted: a class, a group, or the rows with equal quasi-identifiers of a release without classes.  Format:
 * docs/parts.md. */
#ifndef COVEY_PARTS_PART_FILE_H
#define COVEY_PARTS_PART_FILE_H

#include "base/file/outfile.h"
#include "parts/deal/rows.h"

typedef enum covey_part_kind {
    COVEY_PART_CLASSES, /* by the codes of their cells */
    COVEY_PART_REGIONS, /* the same, where regions are published */
    COVEY_PART_ROWS,    /* of a perturbed release, whose sensitive values are drawn already: by quasi-identifiers */
    COVEY_PART_GROUPS,  /* numbered by content: by the quasi-identifiers of their first row */
    COVEY_PART_VALUES,  /* groups numbered by values: smallest, largest, rows, 64 random bits */
    COVEY_PART_KINDS
} covey_part_kind;

/* What the method minimised. */
typedef enum covey_part_goal {
    COVEY_PART_AIL,
    COVEY_PART_SUM_ERROR,
    COVEY_PART_MAX_ERROR,
    COVEY_PART_GOALS
} covey_part_goal;

extern const char *const covey_i_part_goal_name[COVEY_PART_GOALS];

/* Where both begin, and one byte of what both say: the kind, the goal, and whether there was a seed. */
#define COVEY_PART_MAGIC "covey part 1\n"
enum { COVEY_PART_MAGIC_SIZE = sizeof COVEY_PART_MAGIC - 1, COVEY_PART_DIGEST = 32 };
enum { COVEY_PART_GOAL_SHIFT = 4, COVEY_PART_KIND_MASK = 0xf, COVEY_PART_GOAL_MASK = 0x7, COVEY_PART_SEEDED = 0x80 };

typedef struct covey_part_facts {
    uint32_t first, last; /* parts of the plan that it holds, from 0 */
    int64_t n_rows;       /* that it was made of */
    int64_t n_published, n_units;
    covey_part_kind kind;
    covey_part_goal goal;
    bool is_seeded; /* random numbers came from a seed */
} covey_part_facts;

/* The units of a part as they are written. */
typedef struct covey_part_units {
    uint32_t n;
    const uint32_t *start, *row; /* [n + 1] first of each unit in row; rows of the problem */
    const uint32_t *key;         /* [n][stored key] */
    const uint32_t *low, *high;  /* [n][n_axes] regions */
} covey_part_units;

/* Numbers that units of a kind are ordered by, and those of them that the file holds: the others are the first row's
 * quasi-identifiers. */
size_t covey_i_part_key(covey_part_kind kind, size_t n_axes);
size_t covey_i_part_stored_key(covey_part_kind kind, size_t n_axes);

/* Writes a part.  problem: of its rows, in which published values stand. */
covey_status covey_i_part_file_write(covey_outfile *out, const covey_plan *plan, const covey_part_facts *facts,
                                     const covey_problem *problem, const covey_part_units *units, const covey_run *run,
                                     covey_error *err);

struct covey_part_reader;

/* Writes a part of the next n units of another one, as they stand. */
covey_status covey_i_part_file_copy(covey_outfile *out, const covey_plan *plan, const covey_part_facts *facts,
                                    struct covey_part_reader *from, int64_t n, covey_error *err);

/* A part that is read unit by unit. */
typedef struct covey_part_reader {
    covey_part_facts facts;
    const char *path; /* as it was opened; borrowed */
    const covey_plan *plan;
    int file;
    int64_t left;         /* bytes of the file */
    unsigned char *block; /* of whole units */
    size_t size, capacity, at;
    uint64_t check;
    int64_t n_rows_read, n_units_read;
    bool ended;
    size_t row_size, n_key, n_stored;
    size_t *place; /* [n_axes] of its code in a row; owned */
    /* The unit that is read: */
    uint32_t n;                 /* rows; 0: there is none any more */
    uint32_t *key, *low, *high; /* [n_key], [n_axes] (regions only); owned */
    const unsigned char *rows;
    const unsigned char *bytes; /* all of it */
} covey_part_reader;

/* Opens a part and reads its first unit.  COVEY_EPARSE: it is no part, or was changed; COVEY_EINVAL: it belongs to
 * another plan. */
covey_status covey_i_part_reader_open(covey_part_reader *out, const char *path, const covey_plan *plan,
                                      covey_error *err);
covey_status covey_i_part_reader_next(covey_part_reader *r, covey_error *err);
void covey_i_part_reader_close(covey_part_reader *r); /* may be all zeros but file -1 */

#endif
