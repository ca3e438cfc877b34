/* The file of a part that was anonymized: its classes in canonical order, with the codes of their rows.  Format: docs/parts.md. */
#ifndef COVEY_PARTS_PART_FILE_H
#define COVEY_PARTS_PART_FILE_H

#include "base/outfile.h"
#include "parts/part_rows.h"

typedef struct covey_part_facts {
    uint32_t first, last;   /* parts of the plan that it holds, from 0 */
    int64_t n_rows;         /* that it was made of */
    int64_t n_published, n_classes;
    bool has_regions;
} covey_part_facts;

/* Writes a part; key: of its classes (covey_i_class_keys).  release NULL: a part without rows. */
covey_status covey_i_part_file_write(covey_outfile *out, const covey_plan *plan, const covey_part_facts *facts, const covey_problem *problem,
                                     const covey_release *release, const uint32_t *key, covey_error *err);

/* A part that is read class by class. */
typedef struct covey_part_reader {
    covey_part_facts facts;
    const char *path;          /* as it was opened; borrowed */
    const covey_plan *plan;
    int file;
    int64_t left;              /* bytes of the file */
    unsigned char *block;      /* of whole classes */
    size_t size, capacity, at;
    uint64_t check;
    int64_t n_rows_read, n_classes_read;
    bool ended;
    /* The class that is read: */
    uint32_t n;                /* rows; 0: there is none any more */
    uint32_t *key, *low, *high; /* [2 n_axes], [n_axes] (regions only); owned */
    const unsigned char *rows;
} covey_part_reader;

/* Opens a part and reads its first class.  COVEY_EPARSE: it is no part, or was changed; COVEY_EINVAL: it belongs to another plan. */
covey_status covey_i_part_reader_open(covey_part_reader *out, const char *path, const covey_plan *plan, covey_error *err);
covey_status covey_i_part_reader_next(covey_part_reader *r, covey_error *err);
void covey_i_part_reader_close(covey_part_reader *r); /* may be all zeros but file -1 */

#endif
