/* The publisher's ledger of releases of a table that changes: who has been in which class of which release, with which
 * sensitive value, and the signature that this person's classes have for ever.  Private; docs/design/m-invariance.md
 * says what stands in it.
 *
 *     entity: patient,sensitive: disease,signature,release 6af1...,release 77b2...,seal 09c4...
 *     ,"[""cold"",""flu""]",1,,,
 *     17,flu,1,3,,
 *     18,cold,1,3,12,
 *
 * Signatures come first, in lines without an entity; then a line for each entity, in the order of their bytes, with the
 * number of its class in each release, or nothing where it was in none.  A release is known by the SHA-256 of its
 * manifest, which lists those of its files.  The seal is the SHA-256 of the file, with zeros in its own place. */
#ifndef COVEY_READER_LEDGER_LEDGER_H
#define COVEY_READER_LEDGER_LEDGER_H

#include <covey/table.h>

#include "base/arena.h"

enum { COVEY_LEDGER_HEX = 64 };

#define COVEY_LEDGER_ENTITY "entity: "
#define COVEY_LEDGER_SENSITIVE "sensitive: "
#define COVEY_LEDGER_SIGNATURE "signature"
#define COVEY_LEDGER_RELEASE "release "
#define COVEY_LEDGER_SEAL "seal "

typedef struct covey_ledger {
    const char *path;
    const char *entity, *sensitive; /* names of columns */
    size_t n_releases;
    const char **manifest; /* [n_releases] SHA-256 in hexadecimal digits, the first release first */
    uint32_t n_signatures;
    uint32_t *start;        /* [n_signatures + 1] */
    const char **value;     /* [start[n_signatures]] those of a signature in the order of their bytes */
    const char **signature; /* [n_signatures] as it is written */
    uint32_t n_units;
    uint32_t *signature_of; /* [n_units] */
    uint32_t **class_of;    /* [n_releases][n_units] from 1; 0: in none */
    covey_table *table;     /* lines n_signatures and following are the units' */
    covey_arena arena;
} covey_ledger;

/**
 * Reads a ledger, and believes nothing of it.
 *
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE for a file that is none, or that was changed since it was
 * written; COVEY_EINVAL for a compressed one that takes more memory to unpack than there may be
 */
covey_status covey_i_ledger_read(covey_ledger **out, const char *path, const covey_run *run, covey_error *err);
void covey_i_ledger_free(covey_ledger *ledger); /* NULL allowed */

const char *covey_i_ledger_unit(const covey_ledger *ledger, uint32_t unit);
const char *covey_i_ledger_value(const covey_ledger *ledger, uint32_t unit);

/* The number of a release in a folder, by its manifest, from 0; SIZE_MAX: the ledger does not know it. */
covey_status covey_i_ledger_find_release(size_t *out, const covey_ledger *ledger, const char *folder, covey_error *err);

/* Where the seal's digits stand in the text of a ledger; NULL: it has none. */
const char *covey_i_ledger_find_seal(const char *bytes, size_t size);
/* The seal of a text. */
covey_status covey_i_ledger_seal(char hex[COVEY_LEDGER_HEX + 1], const char *bytes, size_t size, covey_error *err);

/* signatures.c: reads the lines without an entity, step of covey_i_ledger_read. */
covey_status covey_i_ledger_read_signatures(covey_ledger *ledger, covey_error *err);
/* Is the value one of the signature's? */
bool covey_i_ledger_has_value(const covey_ledger *ledger, uint32_t signature, const char *value);
/* COVEY_EPARSE about a line of the ledger, 1 the header. */
covey_status covey_i_ledger_wrong(const covey_ledger *ledger, int64_t line, covey_error *err, const char *why);

#endif
