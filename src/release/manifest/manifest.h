/* The manifest: what a release folder says of itself (docs/manifest.md). */
#ifndef COVEY_RELEASE_MANIFEST_MANIFEST_H
#define COVEY_RELEASE_MANIFEST_MANIFEST_H

#include "release/figures.h"

typedef struct covey_pairs {
    size_t n;
    const char *const *name, *const *text;
} covey_pairs;

/* Everything that goes into a manifest; borrowed. */
typedef struct covey_manifest {
    const covey_release *release;
    const covey_problem *problem;
    const char *method;
    covey_pairs method_params;         /* every parameter, defaults included */
    const covey_pairs *promise_params; /* [promises.n] every parameter, defaults included */
    const covey_figure *achieved;      /* [promises.n] */
    const covey_utility_figures *utility;
    int64_t n_units; /* published, where rows have units */
    const char *const *preset;
    size_t n_presets;
    const covey_pairs *preset_params; /* [n_presets] as the policy gives them, without files */
    const char *const *missing;
    size_t n_missing; /* texts that meant "missing" in the input */
    bool trim;
    char delimiter;           /* of the input; 0: it is guessed */
    const char *codebook;     /* of the input (table/table_impl.h); NULL: there is none */
    bool no_header;           /* of the input */
    const char *const *names; /* [n_names] then: of all its columns, "" for those that are not published */
    size_t n_names;
    int64_t n_dropped;
    bool seeded;
    const covey_files *files;
    const char *note; /* "" if none */
} covey_manifest;

/* Writes manifest.json into the folder. */
/* hierarchy[n_fields]: file name of each field's hierarchy or NULL. */
covey_status covey_i_manifest_write(const covey_manifest *manifest, const char *const *hierarchy, const char *folder,
                                    covey_error *err);

/* codebook.c: what the manifest says of it, for covey_manifest.codebook: of the published columns, with the labels of
 * values that cells name, and of those that stand for missing ones. */
struct json_t;
covey_status covey_i_release_codebook(struct json_t **out, const covey_manifest *manifest, covey_error *err);

/* shown_values.c: marks the values of a field that the table's cells name: shown [values]. */
covey_status covey_i_release_mark_shown(bool *shown, const covey_release *release, const covey_problem *problem,
                                        const covey_field *field, covey_error *err);
/* Does the manifest list the values that a field shows? */
bool covey_i_manifest_field_lists_values(const covey_field *field);

/* Marks the labels that the cells of a quasi-identifier with a hierarchy show: used [nodes]. */
covey_status covey_i_release_mark_labels(bool *used, const covey_release *release, const covey_problem *problem,
                                         const covey_field *field, covey_error *err);

/* Does the release write all of the field's hierarchy, or only the labels that its cells show, because others would
 * tell of the data? */
bool covey_i_release_field_publishes_all_labels(const covey_field *field);

/* Writes hierarchies/NAME.csv for every field that has one, and lists them in files.  Of hierarchies built from the
 * data only labels that are published.  name_out[n_fields]: file name per field or NULL; in the arena. */
covey_status covey_i_release_write_hierarchies(const char **name_out, const covey_release *release,
                                               const covey_problem *problem, const char *folder, covey_files *files,
                                               covey_arena *arena, covey_error *err);

#endif
