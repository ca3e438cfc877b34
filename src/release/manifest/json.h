/* JSON of a manifest that is being put together, and its sections that are files of this folder. */
#ifndef COVEY_RELEASE_MANIFEST_JSON_H
#define COVEY_RELEASE_MANIFEST_JSON_H

#include <jansson.h>

#include "release/manifest/manifest.h"

/* jansson's setters return -1 when they got NULL, so that one failure anywhere shows at the end. */
typedef struct covey_json {
    json_t *root;
    bool broken;
} covey_json;

/* Both take the value over. */
void covey_i_json_put(covey_json *j, json_t *object, const char *key, json_t *value);
void covey_i_json_append(covey_json *j, json_t *array, json_t *value);

/* A parameter without the publisher's folders: of {file: /home/x/target.csv} only the name is anybody's business. */
json_t *covey_i_json_public_text(const char *text);
json_t *covey_i_json_pairs(covey_json *j, const covey_pairs *pairs);

/* promises.c */
json_t *covey_i_manifest_promises(covey_json *j, const covey_manifest *m);
/* That rows belong to units; what the columns are called that name them is nobody's business. */
json_t *covey_i_manifest_entity(covey_json *j, const covey_manifest *m);

/* columns.c; hierarchy: its file, NULL: none */
json_t *covey_i_manifest_column(covey_json *j, const covey_manifest *m, const covey_field *field,
                                const char *hierarchy);

/* priors.c: of the views that a model compares with the whole table; nothing where there are none */
void covey_i_manifest_put_priors(covey_json *j, json_t *root, const covey_manifest *m);
void covey_i_manifest_put_joint_prior(covey_json *j, json_t *root, const covey_manifest *m);

#endif
