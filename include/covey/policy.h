/* Policies: what a publisher wishes, from a YAML file and flags. */
#ifndef COVEY_POLICY_H
#define COVEY_POLICY_H

#include <covey/hierarchy.h>
#include <covey/method.h>
#include <covey/model.h>
#include <covey/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_wish_attribute {
    const char *name;
    covey_role role;
    covey_type type;                 /* COVEY_TYPE_GUESS if not given */
    covey_hierarchy_spec hierarchy;  /* kind NONE if not given; FILE paths are resolved against the policy's folder */
    bool publish_range;              /* publish: range */
    bool has_weight; covey_ratio weight;
    bool has_domain; const char *domain_low, *domain_high; /* texts of the attribute's type */
    const char *const *order; size_t n_order;
    int64_t line, column;            /* of the policy file, 0 from a flag */
} covey_wish_attribute;

typedef struct covey_wish_promise {
    const covey_model *model;
    void *params;                    /* filled by covey_param_set, defaults included */
    const char *const *param_names; const char *const *param_texts; size_t n_params; /* as written, for the manifest */
    const char *attribute;           /* NULL if not given */
    bool joint;
    int64_t line, column;
} covey_wish_promise;

typedef struct covey_wish_method {
    const covey_method *method;      /* NULL: auto (the default) */
    const char *const *param_names; const char *const *param_texts; size_t n_params;
    int64_t line, column;
} covey_wish_method;

typedef enum covey_missing { COVEY_MISSING_DEFAULT = 0, COVEY_MISSING_ERROR, COVEY_MISSING_DROP, COVEY_MISSING_VALUE } covey_missing;

typedef struct covey_policy {
    const char *path;                /* of the policy file, NULL if made from flags */
    const char *input_path;          /* resolved */
    char delimiter;                  /* 0: guess */
    const char *const *null; size_t n_null; /* texts that mean missing; default {""} */
    covey_missing missing_sensitive; /* default: error */
    covey_missing missing_quasi;     /* default: value */
    bool trim;
    size_t n_attributes; covey_wish_attribute *attribute;
    int others;                      /* 0: a column that is not named is an error; COVEY_ROLE_IDENTIFIER: dropped; COVEY_ROLE_INSENSITIVE */
    size_t n_promises; covey_wish_promise *promise;
    covey_wish_method method;
    covey_ratio suppression_limit;   /* default 0 */
    size_t n_presets; const char *const *preset; /* names, already applied */
    const char *groups;              /* YAML text, NULL if none */
    void *arena;                     /* owns everything above */
} covey_policy;

/**
 * Reads a policy file.  Errors carry file, line and column, and the nearest name where a word looks like a slip.
 */
COVEY_API covey_status covey_policy_read(covey_policy **out, const char *path, covey_error *err);
/* An empty policy for flags alone. */
COVEY_API covey_status covey_policy_new(covey_policy **out, covey_error *err);
COVEY_API void covey_policy_free(covey_policy *policy);

/**
 * Sets a key by flag: a flag wins over the file.
 *
 * @param key    "input", "delimiter", "null", "quasi", "sensitive", "insensitive", "identifier", "others", "type", "hierarchy", "weight",
 *               "domain", "order", "publish", "attribute", "model", "method", "suppression", "groups", "preset", "missing-quasi",
 *               "missing-sensitive", "trim", or a method parameter's name
 * @param value  as on the command line ("a,b,c", "k-anonymity:k=5", "age=integer", YAML for nested values)
 *
 * The first `model` flag replaces the file's models, further ones are added.
 */
COVEY_API covey_status covey_policy_set(covey_policy *policy, const char *key, const char *value, covey_error *err);

/* Checks what can be checked without data: at least one quasi-identifier and one promise, joint needs two sensitive attributes ... */
COVEY_API covey_status covey_policy_check(const covey_policy *policy, covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
