/* What basic and enhanced beta-likeness share: a class against one cap per sensitive value, and what can be asked
 * beside it.
 *
 *   beta_caps.c     caps, and from below (two-sided)
 *   beta_groups.c   sets of values that must not gain together: given ones, and windows of a line (proximity)
 *
 * Source: [CaoKarras12] section 3; what goes beyond is what its conclusion names as future work. */
#ifndef COVEY_MODEL_BETA_CAPS_H
#define COVEY_MODEL_BETA_CAPS_H

#include "base/exact/cap.h"
#include "base/yaml_tree.h"
#include "model/model_impl.h"

enum { /* union-closed: [CaoKarras12] Lemma 1; a set's share in a union lies between those in its parts, and so do
          losses */
       COVEY_BETA_TRAITS = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE | COVEY_MODEL_PRIOR | COVEY_MODEL_CAPS
};

struct covey_beta_params {
    covey_ratio beta;
    const char *two_sided;  /* "ratio" or {difference: B}, NULL: not asked for */
    const char *groups;     /* [[a, b], ...] */
    covey_ratio group_beta; /* 0: beta */
    const char *proximity;  /* {window: K} or {width: X} */
};

enum { COVEY_BETA_N_PARAMS = 5 };
extern const covey_param covey_i_beta_params[COVEY_BETA_N_PARAMS];

/* Which of the two models: how shares are bounded from above and from below. */
typedef struct covey_beta_kind {
    const char *name;
    covey_cap (*cap)(int64_t count, int64_t total, covey_ratio beta);
    covey_need (*need)(int64_t count, int64_t total, covey_ratio beta);
} covey_beta_kind;

covey_status covey_i_beta_prepare(void **state, const covey_model_input *input, const void *params,
                                  const covey_beta_kind *kind, covey_arena *arena, covey_error *err);
bool covey_i_beta_admits(const void *state, const covey_group *group);
/* The largest basic gain (q - p)/p of a value with q > p, 0 if there is none. */
void covey_i_beta_figure(covey_figure *out, const void *state, const covey_group *group);
void covey_i_beta_bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need);
int64_t covey_i_beta_min_size(const void *state);
/* As in model_impl.h. */
bool covey_i_beta_admits_share(const void *state, uint32_t value, covey_u128 num, covey_u128 den);
double covey_i_beta_largest_share(const void *state, uint32_t value);
bool covey_i_beta_judge_shares(bool *admits, covey_figure *figure, const void *state, covey_share *share, size_t n);
/* Groups and windows are no bounds on single values. */
unsigned covey_i_beta_traits(const void *state);
/* What both say of themselves beside their names. */
#define COVEY_BETA_MODEL                                                                                               \
    .threshold = "beta", .params = covey_i_beta_params, .n_params = COVEY_BETA_N_PARAMS,                               \
    .params_size = sizeof(struct covey_beta_params), .traits = COVEY_BETA_TRAITS, .traits_of = covey_i_beta_traits,    \
    .figure_high_is_safe = false, .admits = covey_i_beta_admits, .figure = covey_i_beta_figure,                        \
    .bounds = covey_i_beta_bounds, .min_size = covey_i_beta_min_size, .admits_share = covey_i_beta_admits_share,       \
    .largest_share = covey_i_beta_largest_share, .judge_shares = covey_i_beta_judge_shares

/* A parameter's text as a tree; whatever is wrong with it is COVEY_EINVAL. */
covey_status covey_i_beta_yaml(const covey_yaml **out, const char *param, const char *text, covey_arena *arena,
                               covey_error *err);

/* Sets of values, each with a cap of its own. */
typedef struct covey_beta_groups covey_beta_groups;

/* *out = NULL if none are asked for.  COVEY_EINVAL with what is wrong with them. */
covey_status covey_i_beta_groups_new(covey_beta_groups **out, const covey_model_input *input,
                                     const struct covey_beta_params *params, const covey_beta_kind *kind,
                                     covey_arena *arena, covey_error *err);
bool covey_i_beta_groups_admit(const covey_beta_groups *groups, const covey_group *group);
/* The same of shares, which are reordered; false: a sum lies so near its bound that neither verdict is proved. */
bool covey_i_beta_groups_judge(bool *admits, const covey_beta_groups *groups, covey_share *share, size_t n);
/* Does a share keep a bound? */
bool covey_i_beta_cap_admits(const covey_cap *cap, covey_u128 num, covey_u128 den);

#endif
