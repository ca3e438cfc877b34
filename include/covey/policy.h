/* Policies: what a publisher wishes, from a YAML file and flags.
 *
 *     covey_policy *policy = NULL;
 *     covey_policy_read(&policy, "adult.yaml", &err);                 or covey_policy_new for flags alone
 *     covey_policy_set(policy, "model", "k-anonymity:k=10", &err);    as often as wanted, in any order
 *     covey_policy_check(policy, &err);                               once, before the policy is used
 *
 * A policy is read as it is written; what depends on several keys (presets, parameters of the method, consistency) is
 * done by covey_policy_check, so that flags may come in any order. */
#ifndef COVEY_POLICY_H
#define COVEY_POLICY_H

#include <covey/hierarchy.h>
#include <covey/method.h>
#include <covey/model.h>
#include <covey/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where something was said. */
typedef struct covey_wish_place {
    const char *flag;     /* "method", NULL: in the policy file */
    int64_t line, column; /* of the policy file, 0 from a flag */
} covey_wish_place;

typedef struct covey_wish_attribute {
    const char *name;
    covey_role role;                /* after covey_policy_check never COVEY_ROLE_UNSET */
    covey_type type;                /* COVEY_TYPE_GUESS if not given */
    covey_hierarchy_spec hierarchy; /* kind NONE if not given; FILE paths are resolved against the policy's folder */
    covey_wish_place hierarchy_place;
    const char *hierarchy_preset; /* the preset that set it, NULL if the policy did */
    bool publish_range;           /* publish: range */
    bool publish_value;           /* publish: value; a sampling weight is published as it is */
    bool has_weight;
    covey_ratio weight; /* > 0 */
    bool has_domain;
    const char *domain_low, *domain_high; /* texts of the attribute's type, low <= high */
    const char *const *order;
    size_t n_order;          /* all different */
    bool is_left_out;        /* a quasi-identifier that covey_policy_vary takes out: role says what becomes of it */
    bool may_be_unique;      /* unique: allowed; an insensitive column may tell every row from the others */
    covey_recoding recoding; /* how its values are written; what is not given here is policy->recoding's */
    const char *within;      /* entity: the column of what its units are part of, such as households; NULL: nothing */
    bool missing_is_own;     /* entity: a row without a value is a unit of its own; else an error */
    int64_t line, column;    /* of the policy file, 0 from a flag */
} covey_wish_attribute;

typedef struct covey_wish_promise {
    const covey_model *model;
    void *params; /* filled by covey_param_set, defaults included */
    const char *const *param_names;
    const char *const *param_texts;
    size_t n_params;                      /* as written, defaults included, for the manifest */
    const covey_wish_place *param_places; /* [n_params] a default's is the promise's own */
    const char *attribute; /* NULL if not given: then the policy has one sensitive attribute, or the model needs none */
    bool joint;
    bool has_units;
    covey_over_units units; /* of tables with an entity */
    const char *preset;     /* the preset that added it, NULL if the policy did */
    int64_t line, column;   /* of the policy file, 0 from a flag */
} covey_wish_promise;

typedef struct covey_wish_method {
    const covey_method *method; /* NULL: auto (the default) */
    const char *const *param_names;
    const char *const *param_texts;
    size_t n_params;                      /* after covey_policy_check: flags and defaults included */
    const covey_wish_place *param_places; /* [n_params] a default's is the method's own */
    int64_t line, column;                 /* of the policy file, 0 from a flag */
} covey_wish_method;

/* One of the things that rows of a fixed group have in common. */
typedef struct covey_wish_grouping {
    const char *attribute;
    int level;         /* of its hierarchy, 0: leaves; -1: its values */
    int64_t quantiles; /* that many parts with about as many rows each; 0: its values */
    int64_t line, column;
} covey_wish_grouping;

/* Fixed groups: by attributes, or the classes that a method makes with k-anonymity. */
typedef struct covey_wish_groups {
    bool is_given;
    size_t n;
    covey_wish_grouping *by;
    covey_wish_method method;
    int64_t k; /* method.method NULL: by attributes */
    int64_t line, column;
} covey_wish_groups;

typedef enum covey_missing {
    COVEY_MISSING_DEFAULT = 0,
    COVEY_MISSING_ERROR,
    COVEY_MISSING_DROP,
    COVEY_MISSING_VALUE
} covey_missing;

/* Parameters as they were written. */
typedef struct covey_given_params {
    size_t n;
    const char *const *name, *const *text;
} covey_given_params;

typedef struct covey_policy {
    const char *path;         /* of the policy file, NULL if made from flags */
    const char *input_path;   /* resolved; of a database without passwords, so that it can be shown */
    const char *input_source; /* the same for covey_table_read: with passwords, never to be shown */
    char delimiter;           /* 0: guess */
    const char *const *null;
    size_t n_null;                   /* texts that mean missing; default {""} */
    covey_missing missing_sensitive; /* default: error */
    covey_missing missing_quasi;     /* default: value */
    bool trim;
    covey_recoding recoding; /* how numbers and dates of the table are written */
    bool no_header;          /* the first line is data */
    size_t n_names;
    const char *const *names; /* of the columns of a table without a header; n_names 0: 1, 2, ... */
    size_t n_attributes;
    covey_wish_attribute *attribute; /* no name twice */
    int others; /* 0: a column that is not named is an error; COVEY_ROLE_IDENTIFIER: dropped; COVEY_ROLE_INSENSITIVE */
    size_t n_promises;
    covey_wish_promise *promise; /* after covey_policy_check: those of presets behind the policy's own */
    covey_wish_method method;
    covey_ratio suppression_limit; /* 0 to 1, default 0 */
    covey_wish_groups groups;      /* not given: one group */
    size_t n_presets;
    const char *const *preset;               /* names; covey_policy_check applies them */
    const covey_given_params *preset_params; /* [n_presets] what the policy says of them, files left out */
    size_t n_warnings;
    const char *const *warning;   /* one line each, by covey_policy_check: worth reading, not wrong */
    bool is_checked;              /* by covey_policy_check, and not changed since */
    struct covey_policy_own *own; /* memory of everything above, and what waits for covey_policy_check */
} covey_policy;

/**
 * Reads a policy file.
 *
 * @param out  receives the policy; give it back with covey_policy_free, which ends all that it points to
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO: the file; COVEY_EPARSE: it is not YAML; COVEY_EINVAL,
 *   COVEY_ENOTFOUND: it says what no policy can say (unknown keys, models, methods, parameters, wrong values, the
 *   same attribute twice).  Errors carry file, line and column of the word complained about, and the nearest name
 *   where it looks like a slip.
 */
COVEY_API covey_status covey_policy_read(covey_policy **out, const char *path, covey_error *err);
/* The same from text[0 .. size-1].  path: what complaints call it; relative paths in it are relative to path's folder,
 * so that "policy" makes them relative to the current one. */
COVEY_API covey_status covey_policy_parse(covey_policy **out, const char *text, size_t size, const char *path,
                                          covey_error *err);
/**
 * Gives the YAML of a policy as JSON: mappings, lists, and every scalar as a string.  Nothing is checked but the YAML.
 *
 * @param out   receives the JSON; give it back with covey_policy_json_free
 * @param path  what complaints call the text
 * @return COVEY_OK; COVEY_EPARSE with line and column: it is not YAML; COVEY_EINVAL: there is nothing in it, or aliases
 *   that stand for far too much; COVEY_ENOMEM
 */
COVEY_API covey_status covey_policy_json(char **out, const char *text, size_t size, const char *path, covey_error *err);
/* Gives back what covey_policy_json made; NULL allowed. */
COVEY_API void covey_policy_json_free(char *json);
/* Gives an empty policy, for flags alone; give it back with covey_policy_free.  COVEY_ENOMEM. */
COVEY_API covey_status covey_policy_new(covey_policy **out, covey_error *err);
/* Gives a policy back, with all that it points to; NULL allowed. */
COVEY_API void covey_policy_free(covey_policy *policy);

/**
 * Sets a key by flag: a flag wins over the file.
 *
 * @param key    one of covey_policy_flag_at, or a parameter of a method ("dims"), which waits for covey_policy_check
 * @param value  as on the command line ("a,b,c", "k-anonymity:k=5", "age=integer", YAML for nested values)
 *
 * A flag that names an attribute changes that key of that attribute and adds the attribute if the policy has none of
 * that name. The first `model` flag replaces the file's models, further ones are added; `preset` flags add to the
 * file's presets; `method` replaces the file's method with its parameters.  Relative paths are relative to the current
 * folder.
 *
 * @return COVEY_OK; COVEY_EINVAL, COVEY_ENOTFOUND, COVEY_EPARSE as covey_policy_read, the message beginning with
 *   "--key"; COVEY_EINVAL for two flags that give one attribute different roles.  The policy may be used and freed
 *   afterwards, but need not mean what it meant.
 */
COVEY_API covey_status covey_policy_set(covey_policy *policy, const char *key, const char *value, covey_error *err);

/* The flags that covey_policy_set knows, beside parameters of methods. */
typedef struct covey_policy_flag {
    const char *name;  /* "quasi" */
    const char *value; /* "A,B,..." */
    const char *help;  /* one line */
} covey_policy_flag;

/* How many flags there are. */
COVEY_API size_t covey_policy_flag_count(void);
/* One of them, static, in the order in which help shows them; NULL behind the last. */
COVEY_API const covey_policy_flag *covey_policy_flag_at(size_t index);

/**
 * Changes one thing that policies are compared by, as `covey compare --vary` does; further calls with the same key
 * take the place of the one before.
 *
 * @param key    "suppression"; a parameter of the policy's promises, "k", which is set in all that have it, or of one
 *   model's, "k-anonymity.k" (those of presets are the presets' own); or "quasi": which of the quasi-identifiers are
 *   left.  The others become what `others` says: they are dropped unless it is insensitive.
 * @param value  as on the command line; of "quasi" names with + between them, or a YAML list
 * @return COVEY_OK; COVEY_EINVAL, COVEY_ENOTFOUND, COVEY_EPARSE as covey_policy_set, the message beginning with
 * "--vary". The policy may be used and freed afterwards, but need not mean what it meant.
 */
COVEY_API covey_status covey_policy_vary(covey_policy *policy, const char *key, const char *value, covey_error *err);

/* What a column that is not published is called when the original is read beside the release: where the policy names
 * the columns of a file without a header, the release does not tell that name, and the column's place stands for it.
 * digits: room for that; name: may be NULL, and is given back then. */
COVEY_API const char *covey_policy_unpublished(char digits[12], const covey_policy *policy, const char *name);

/* The comma behind the first of several values, outside quotes and brackets; the text's end if there is none.  Borrowed
 * from text. */
COVEY_API const char *covey_policy_value_end(const char *text);

/**
 * Completes a policy and checks what can be checked without data: applies presets, gives the method its flags, and
 * wants an input, a role for every attribute, at least one quasi-identifier and one promise, promises that name the
 * sensitive attribute they are about, and keys of an attribute that fit each other.  Collects warnings.  May be called
 * again after further covey_policy_set.
 *
 * @return COVEY_OK; COVEY_EINVAL with file, line and column of what is complained about, as far as it comes from a
 *   file; COVEY_ENOTFOUND for a name that there is not; COVEY_ENOMEM
 */
COVEY_API covey_status covey_policy_check(covey_policy *policy, covey_error *err);

/**
 * Writes a policy as YAML: reading the file gives the same policy.  Relative paths are written relative to the file's
 * folder; what presets added is left to the presets.  An existing file is replaced.
 *
 * @return COVEY_OK; COVEY_EIO; COVEY_EINVAL if the policy is not checked; COVEY_ENOMEM
 */
COVEY_API covey_status covey_policy_write(const covey_policy *policy, const char *path, covey_error *err);

/* Promises and treatments by name, from rules that publishers must follow.  A registry, see covey/base.h. */
typedef struct covey_preset covey_preset;

/* How many presets there are. */
COVEY_API size_t covey_preset_count(void);
/* One of them; NULL behind the last. */
COVEY_API const covey_preset *covey_preset_at(size_t index);
/* The preset of that name; NULL if there is none. */
COVEY_API const covey_preset *covey_preset_find(const char *name);
/* "cms11": in policies and manifests. */
COVEY_API const char *covey_preset_name(const covey_preset *preset);
/* What it asks for, one line. */
COVEY_API const char *covey_preset_summary(const covey_preset *preset);
/* The rule that it comes from, in words. */
COVEY_API const char *covey_preset_source(const covey_preset *preset);
/* Its parameters: [*n]; NULL or anything if *n is 0. */
COVEY_API const covey_param *covey_preset_params(const covey_preset *preset, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
