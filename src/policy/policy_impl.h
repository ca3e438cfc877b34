/* How a policy is put together; inside the policy module only. */
#ifndef COVEY_POLICY_POLICY_IMPL_H
#define COVEY_POLICY_POLICY_IMPL_H

#include <covey/policy.h>

#include "base/arena.h"
#include "base/yaml_tree.h"
#include "policy/entity.h"
#include "policy/file.h"
#include "policy/text.h"

enum { COVEY_POLICY_MAX_ATTRIBUTES = 10000, COVEY_POLICY_MAX_LIST = 10000 };

/* What the policy knows of an attribute beside the wish; same index. */
typedef struct covey_attribute_facts {
    const char *role_flag; /* the flag that gave the role, NULL: the file did */
    const char
        *lost_to; /* the flag that names all attributes of the role that the file gave, and not this one; NULL: none */
    bool publish_label; /* publish: label */
} covey_attribute_facts;

/* A name with parameters as they were written. */
typedef struct covey_chosen {
    const char **name, **text; /* [n] */
    covey_wish_place *place;   /* [n] */
    size_t n;
} covey_chosen;

typedef struct covey_chosen_preset {
    const covey_preset *preset;
    covey_chosen params;
    const void *values; /* the preset's parameter struct */
    int64_t line, column;
} covey_chosen_preset;

/* A flag that waits for the method to be known. */
typedef struct covey_pending {
    const char *name, *text;
} covey_pending;

struct covey_policy_own {
    covey_arena arena;
    covey_attribute_facts *facts; /* [n_attributes] */
    size_t n_own_promises;        /* promise[0 .. n-1]: not from presets */
    bool models_by_flag, others_by_flag, null_by_flag;
    size_t n_presets;
    covey_chosen_preset *preset;
    covey_wish_place input_place;
    covey_chosen method; /* as written; policy->method completes it */
    size_t n_pending;
    covey_pending *pending;
};

/* Where values come from and where complaints go. */
typedef struct covey_policy_reader {
    covey_policy *policy;
    const char *file; /* the policy file, NULL: a flag */
    const char *flag; /* its name, NULL: a file */
    covey_error *err;
} covey_policy_reader;

/* ---- warn.c ---- */

/* Adds a warning to the policy. */
covey_status covey_i_policy_warn(covey_policy *policy, covey_error *err, const char *fmt, ...) COVEY_PRINTF(3, 4);

/* ---- complain.c ---- */

/* Fails at a node: the file's place, or the flag's name.  node NULL: no place. */
covey_status covey_i_policy_complain(const covey_policy_reader *r, const covey_yaml *node, covey_status status,
                                     const char *fmt, ...) COVEY_PRINTF(4, 5);
/* Where a node stands, for complaints that come later. */
covey_wish_place covey_i_policy_place(const covey_policy_reader *r, const covey_yaml *node);
/* `unknown WHAT "word"; did you mean ...?`, or HINT, or the names if they are few. */
covey_status covey_i_policy_unknown(const covey_policy_reader *r, const covey_yaml *node, covey_status status,
                                    const char *what, const char *word, const char *const *names, size_t n,
                                    const char *hint);
/* `WHAT must be EXPECTED, not ...`. */
covey_status covey_i_policy_expected(const covey_policy_reader *r, const covey_yaml *node, const char *what,
                                     const char *expected);
/* The same of a number, which may only have too many digits. */
covey_status covey_i_policy_expected_number(const covey_policy_reader *r, const covey_yaml *node, const char *what,
                                            const char *expected);

/* ---- value.c: values of nodes ---- */

/* A text that is not empty. */
covey_status covey_i_policy_text(const covey_policy_reader *r, const char **out, const covey_yaml *node,
                                 const char *what);
/* An index into choices (NULL-terminated). */
covey_status covey_i_policy_choice(const covey_policy_reader *r, int *out, const covey_yaml *node, const char *what,
                                   const char *const *choices);
covey_status covey_i_policy_bool(const covey_policy_reader *r, bool *out, const covey_yaml *node, const char *what);
covey_status covey_i_policy_ratio(const covey_policy_reader *r, covey_ratio *out, const covey_yaml *node,
                                  const char *what);
covey_status covey_i_policy_integer(const covey_policy_reader *r, int64_t *out, const covey_yaml *node,
                                    const char *what, int64_t least);
/* A list of texts, which may be empty texts if they are in quotes; a single text is a list of one. */
covey_status covey_i_policy_texts(const covey_policy_reader *r, const char *const **out, size_t *n,
                                  const covey_yaml *node, const char *what);

/* How numbers and dates are written: values of `decimal` and `date-format`. */
covey_status covey_i_policy_decimal(const covey_policy_reader *r, char *out, const covey_yaml *node);
covey_status covey_i_policy_date_format(const covey_policy_reader *r, const char **out, const covey_yaml *node);

typedef struct covey_policy_key {
    const char *name;
    covey_status (*read)(const covey_policy_reader *r, void *object, const covey_yaml *value);
} covey_policy_key;

/* Reads every key of a mapping; what: "an attribute", for the complaints. */
covey_status covey_i_policy_map(const covey_policy_reader *r, void *object, const covey_yaml *node, const char *what,
                                const covey_policy_key *keys, size_t n);
/* One key by name, as a flag gives it; *known says whether there is such a key. */
covey_status covey_i_policy_one(const covey_policy_reader *r, void *object, const char *name, const covey_yaml *value,
                                const covey_policy_key *keys, size_t n, bool *known);

/* Nodes that flags make. */
covey_yaml *covey_i_policy_scalar(covey_policy *policy, const char *text);
covey_yaml *covey_i_policy_pair(covey_policy *policy, const char *key, const covey_yaml *value);

/* Room for one more behind array[0 .. n-1] of things of `size` bytes, cleared; returns the array, which may have moved,
 * or NULL. */
void *covey_i_policy_grow(covey_policy *policy, void *array, size_t n, size_t size);

/* ---- yaml.c ---- */

extern const covey_policy_key covey_i_policy_input_keys[];
extern const size_t covey_i_policy_n_input_keys;
extern const covey_policy_key covey_i_policy_keys[];
extern const size_t covey_i_policy_n_keys;

/* ---- attribute.c, hierarchy.c, lines.c ---- */

extern const covey_policy_key covey_i_policy_attribute_keys[];
extern const size_t covey_i_policy_n_attribute_keys;
/* What the keys above read into. */
typedef struct covey_attribute_target {
    covey_wish_attribute *attribute;
    covey_attribute_facts *facts;
} covey_attribute_target;

int covey_i_policy_find_attribute(const covey_policy *policy, const char *name); /* -1: none */
/* The attribute of that name, added if there is none. */
covey_status covey_i_policy_attribute(const covey_policy_reader *r, covey_attribute_target *out, const char *name,
                                      const covey_yaml *node);
covey_status covey_i_policy_read_attribute(const covey_policy_reader *r, const covey_yaml *node);
covey_status covey_i_policy_set_role(const covey_policy_reader *r, covey_attribute_target *target, covey_role role,
                                     const covey_yaml *node);
/* A flag names all attributes of a role: the file's have it no more. */
void covey_i_policy_take_role(const covey_policy_reader *r, covey_role role);
/* {lines: ...}, and as it is written. */
covey_status covey_i_policy_read_lines(const covey_policy_reader *r, covey_hierarchy_spec *spec,
                                       const covey_yaml *node);
void covey_i_policy_print_lines(covey_text *out, const covey_hierarchy_spec *spec);
covey_status covey_i_policy_read_hierarchy(const covey_policy_reader *r, void *target, const covey_yaml *node);

/* ---- groups.c ---- */

covey_status covey_i_policy_read_groups(const covey_policy_reader *r, void *object, const covey_yaml *node);
covey_status covey_i_policy_check_groups(covey_policy *policy, covey_error *err);

/* ---- named.c, preset/choose.c: models and methods, presets, with their parameters ---- */

covey_status covey_i_policy_read_promise(const covey_policy_reader *r, const covey_yaml *node, const char *preset);
covey_status covey_i_policy_read_method(const covey_policy_reader *r, const covey_yaml *node);
/* A promise as read_promise reads it, on one line (src/policy/write.c). */
void covey_i_policy_print_promise(covey_text *out, const covey_wish_promise *promise);
/* A method with all its parameters, which no flag adds to. */
covey_status covey_i_policy_read_whole_method(const covey_policy_reader *r, covey_wish_method *out,
                                              const covey_yaml *node);
covey_status covey_i_policy_read_preset(const covey_policy_reader *r, const covey_yaml *node);
/* policy->method from what was written and the flags that wait. */
covey_status covey_i_policy_complete_method(covey_policy *policy, covey_error *err);

/* ---- short.c ---- */

/* "k-anonymity:k=5,l=2" as a node {name_key: k-anonymity, k: 5, l: 2}; text that begins with "{" is YAML. */
covey_status covey_i_policy_short_form(const covey_policy_reader *r, const covey_yaml **out, const char *name_key,
                                       const char *text);
/* Text of a flag as YAML. */
covey_status covey_i_policy_flag_yaml(const covey_policy_reader *r, const covey_yaml **out, const char *text);

/* ---- check.c ---- */

/* Takes back what presets added, so that the policy can be changed. */
void covey_i_policy_reopen(covey_policy *policy);

/* ---- path.c ---- */

/* path as seen from the folder of file (NULL: from here). */
const char *covey_i_policy_resolve(covey_policy *policy, const char *file, const char *path);
/* The same for the path in a source (base/file/source.h); a server's address stays as it is. */
const char *covey_i_policy_resolve_source(covey_policy *policy, const char *file, const char *source);

#endif
