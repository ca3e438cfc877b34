/* The specification of a hierarchy that is built from the data, as JSON: how the manifest says it and how a reader
 * builds it again. The keys are those of the policy file: {"mask": 5}, {"balanced": 2}, {"interval": {"from": "0",
 * "to": "100", "widths": ["5"]}},
 * {"cuts": [["1", "2"], ["2"]]}, {"date": ["month", "year"]}, {"suppression": true}.  Beyond them {"top": {"n": 90,
 * "widths": ["5"]}} and
 * {"zip3": ["036", "059"]}, the areas that become 000; and {"lines": {"text": "a;x;*\n"}}, a file to which the data
 * added leaves under the root.  Numbers that must stay exact are texts. */
#ifndef COVEY_RELEASE_MANIFEST_HIERARCHY_JSON_H
#define COVEY_RELEASE_MANIFEST_HIERARCHY_JSON_H

#include <covey/hierarchy.h>

#include "base/arena.h"
#include "base/text.h"

struct json_t;

/**
 * Appends the specification.
 *
 * @return COVEY_OK; COVEY_EINVAL for what needs no specification, because the published file says everything (FILE
 * without missing_leaf_root, NONE); COVEY_ENOMEM, and what reading the spec's file gives
 */
covey_status covey_i_hierarchy_spec_print(covey_text *out, const covey_hierarchy_spec *spec, covey_error *err);

/**
 * Reads it back.  Checks types and sizes; whether the numbers make sense is for covey_hierarchy_build to say.
 *
 * @param out   its texts and lists live in the arena
 * @return COVEY_OK; COVEY_EINVAL with the reason; COVEY_ENOMEM
 */
covey_status covey_i_hierarchy_spec_read(covey_hierarchy_spec *out, const struct json_t *value, covey_arena *arena,
                                         covey_error *err);

#endif
