/* A release folder as a reader sees it: the published table with every cell understood.  Everything here is parsed from the files, by
 * code that shares nothing with the code that wrote them. */
#ifndef COVEY_OPENED_H
#define COVEY_OPENED_H

#include <covey/table.h>

#include "audit/problems.h"
#include "audit/stated.h"

typedef enum covey_cell_kind {
    COVEY_CELL_WRONG = 0, /* cannot be understood; fault says why */
    COVEY_CELL_VALUES,    /* low .. high */
    COVEY_CELL_MISSING,   /* RANGE: missing cells only */
    COVEY_CELL_ANY,       /* RANGE: numbers and missing cells; SET: any value */
    COVEY_CELL_NAME       /* LABEL of a hierarchy that is not complete: what it covers takes the original */
} covey_cell_kind;

/* What one distinct cell of a published quasi-identifier means. */
typedef struct covey_cell {
    covey_cell_kind kind;
    int64_t low, high;       /* RANGE: numbers at the column's scale; LABEL: leaves; SET: codes of the least and greatest element */
    uint32_t n_elements;
    const uint32_t *element; /* SET: codes, ascending */
    const char *fault;       /* static; NULL if the cell is fine */
} covey_cell;

typedef struct covey_opened_column {
    const covey_stated_column *stated;
    const covey_column *text;   /* as published: distinct cells in byte order, a code per row */
    int scale;                  /* numbers: digits after the point */
    int64_t domain_low, domain_high; /* RANGE */
    covey_hierarchy *tree;      /* the published hierarchy; NULL: none, or it cannot be read */
    covey_hierarchy *rebuilt;   /* one built from the data, built again from the original; NULL: there is none, or no original */
    size_t n_elements; const char *const *element; /* SET: values in the attribute's order */
    covey_cell *cell;           /* [text->n_values] quasi-identifiers */
    int64_t *number;            /* [text->n_values] numbers that are published as they are; missing: INT64_MIN */
    const char **fault;         /* [text->n_values] the other columns: why a cell is wrong, NULL: it is fine; NULL: all are */
    uint32_t *rank;             /* [text->n_values] place of the cell in the column's order; equal for cells that compare equal */
    uint32_t *class_cell;       /* [n_classes] quasi-identifiers: code of the class's cell */
    bool usable;                /* every cell of every row can be understood */
    covey_arena arena;          /* owns the arrays above */
} covey_opened_column;

typedef struct covey_opened {
    const covey_stated *stated;
    const char *folder;
    covey_table *table;
    bool usable;                /* the table's header and classes can be understood */
    uint32_t n_rows, n_classes;
    uint32_t *class_start;      /* [n_classes + 1] first row of each class */
    size_t n_columns; covey_opened_column *column; /* as stated->column */
    size_t n_quasi; uint32_t *quasi;               /* [n_quasi] which columns are quasi-identifiers */
    covey_arena arena;
} covey_opened;

/**
 * Reads table.csv and the hierarchies.  What is wrong with them goes to problems; what can still be understood is marked usable.
 *
 * @param present  [stated->n_files] which files may be opened
 * @return COVEY_OK; COVEY_EPARSE if table.csv is not a CSV table; COVEY_EIO, COVEY_ENOMEM
 */
covey_status covey_i_opened_read(covey_opened **out, const char *folder, const covey_stated *stated, const bool *present,
                                 covey_problems *problems, const covey_run *run, covey_error *err);
void covey_i_opened_free(covey_opened *opened); /* NULL allowed */

/* Understands all cells of one column: fills scale, domain, cell, number, fault, rank.  Steps of covey_i_opened_read, see cells.c. */
covey_status covey_i_cells_read(covey_opened_column *column, covey_problems *problems, covey_error *err);

/* Is the order of classes and rows the one that docs/manifest.md asks for?  Needs usable columns. */
void covey_i_order_check(covey_problems *problems, const covey_opened *opened);

static inline uint32_t covey_i_code_at(const covey_column *column, int64_t row)
{
    switch (column->width) {
    case 1:
        return ((const uint8_t *)column->codes)[row];
    case 2:
        return ((const uint16_t *)column->codes)[row];
    default:
        return ((const uint32_t *)column->codes)[row];
    }
}

/* Number of the published class that a row belongs to, from 1. */
static inline uint32_t covey_i_class_of_row(const covey_opened *opened, uint32_t row)
{
    uint32_t low = 0, high = opened->n_classes;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (opened->class_start[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

#endif
