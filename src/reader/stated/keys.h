/* The sections of a manifest, and typed look-ups of its keys.  What is missing or of another kind is COVEY_EPARSE, and
 * the message names its place. */
#ifndef COVEY_READER_STATED_KEYS_H
#define COVEY_READER_STATED_KEYS_H

#include <jansson.h>

#include "reader/stated/stated.h"

enum { COVEY_STATED_MOST_ITEMS = 16384 }; /* columns, promises, files: their names are compared pair by pair */
#define COVEY_STATED_MOST_ROWS                                                                                         \
    ((int64_t)UINT32_MAX) /* that a table may have; what models compute with counts rests on it */

/* Where the reader is, for complaints: `"columns"[3]`. */
typedef struct covey_manifest_reader {
    covey_stated *s;
    const char *path;
    char where[96];
    covey_error *err;
} covey_manifest_reader;

void covey_i_key_go_to(covey_manifest_reader *r, const char *fmt, ...) COVEY_PRINTF(2, 3);

/* Complaints; they return their status. */
covey_status covey_i_key_wrong(covey_manifest_reader *r, const char *key, const char *expected);

/* A text; *out stays NULL if the key is missing and is not required. */
covey_status covey_i_key_text(const char **out, covey_manifest_reader *r, const json_t *object, const char *key,
                              bool required);
covey_status covey_i_key_count(int64_t *out, covey_manifest_reader *r, const json_t *object, const char *key);
covey_status covey_i_key_size(int64_t *out, covey_manifest_reader *r, const json_t *object,
                              const char *key); /* bytes */
covey_status covey_i_key_bool(bool *out, covey_manifest_reader *r, const json_t *object, const char *key,
                              bool fallback);
covey_status covey_i_key_figure(covey_stated_figure *out, covey_manifest_reader *r, const json_t *object,
                                const char *key);
covey_status covey_i_key_list(const json_t **out, covey_manifest_reader *r, const json_t *object, const char *key);
/* A list whose items are told apart, at most COVEY_STATED_MOST_ITEMS. */
covey_status covey_i_key_short_list(const json_t **out, covey_manifest_reader *r, const json_t *object,
                                    const char *key);
/* A list of texts; none if the key is missing. */
covey_status covey_i_key_texts(size_t *n_out, const char *const **out, covey_manifest_reader *r, const json_t *object,
                               const char *key);
/* One of names[0 .. n-1]; n is 3 or 4. */
covey_status covey_i_key_word(int *out, covey_manifest_reader *r, const json_t *object, const char *key,
                              const char *const *names, int n);

/* Is the value an object of texts? */
covey_status covey_i_key_check_texts(covey_manifest_reader *r, const json_t *object, const char *key,
                                     const char *expected);

/* The sections of a manifest, each a file of this folder.  The form is known; columns come before their codebook,
 * promises before their units. */
covey_status covey_i_stated_read_promises(covey_manifest_reader *r, const json_t *root);
covey_status covey_i_stated_read_entity(covey_manifest_reader *r, const json_t *root);
covey_status covey_i_stated_read_columns(covey_manifest_reader *r, const json_t *root);
covey_status covey_i_stated_read_codebook(covey_manifest_reader *r, const json_t *root);
covey_status covey_i_stated_read_priors(covey_manifest_reader *r, const json_t *root);
covey_status covey_i_stated_read_joint(covey_manifest_reader *r, const json_t *root);
covey_status covey_i_stated_read_files(covey_manifest_reader *r, const json_t *root);

#endif
