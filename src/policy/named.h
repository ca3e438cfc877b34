/* What a policy names, with parameters: models, methods and presets are written alike, as {NAME_KEY: name, parameter:
 * value, ...} or, in a flag, as name:parameter=value,... */
#ifndef COVEY_POLICY_NAMED_H
#define COVEY_POLICY_NAMED_H

#include "policy/policy_impl.h"

enum { COVEY_NAMED_MOST = 64 }; /* that an error lists */

/* What is named, and where its parameters are described. */
typedef struct covey_named {
    char owner[96]; /* "model k-anonymity" */
    const covey_param *params;
    size_t n_params, params_size;
    const char *const *other_keys; /* keys that are no parameters, NULL-terminated */
} covey_named;

/* other_keys: lent, as everything else is. */
void covey_i_named_describe(covey_named *c, const char *kind, const char *name, const covey_param *params, size_t n,
                            size_t size, const char *const *other_keys);
/* The name in a mapping, or the scalar itself made into a mapping. */
covey_status covey_i_named_read_name(const covey_policy_reader *r, const covey_yaml **map, const covey_yaml **name,
                                     const covey_yaml *node, const char *kind, const char *key, const char *example);
/* Reads all parameters of a mapping.  values: receives the parameter struct, and then required ones must be there;
 * NULL: flags may follow. */
covey_status covey_i_named_read_params(const covey_policy_reader *r, covey_chosen *out, void **values,
                                       const covey_named *c, const covey_yaml *node);
/* Sets one value, so that its bounds are checked where it stands. */
covey_status covey_i_named_set_param(const covey_policy_reader *r, void *values, const covey_named *c, const char *name,
                                     const char *text, const covey_yaml *node);

#endif
