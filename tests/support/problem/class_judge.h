/* Models in tests: histograms from counts, models by name with parameters as text. */
#ifndef COVEY_TESTS_CLASS_JUDGE_H
#define COVEY_TESTS_CLASS_JUDGE_H

#include "base/arena.h"
#include "model/model_impl.h"

/* A model bound to a table that is described by counts alone. */
typedef struct judge {
    const covey_model *model;
    covey_histogram prior;
    void *state;
    covey_arena arena;
} judge;

/* Parameters as on the command line: "k=5", "t=0.2,distance=ordered", "". */
covey_status judge_params(void **params, const covey_model *model, const char *text, covey_arena *arena,
                          covey_error *err);

/* What else the model may see: column, tree ... of input; its prior is set here from count[0 .. n-1].  NULL: a text
 * without order. */
covey_status judge_new(judge *j, const char *model, const char *params, const int64_t *count, uint32_t n,
                       const covey_model_input *input, covey_error *err);
void judge_clear(judge *j);

/* The same, and the test fails if the model refuses. */
void judge_init(judge *j, const char *model, const char *params, const int64_t *count, uint32_t n,
                const covey_model_input *input);

bool judge_admits(judge *j, const int64_t *count);
covey_figure judge_figure(judge *j, const int64_t *count);
/* The figure as text; overwritten by the next call. */
const char *judge_figure_text(judge *j, const int64_t *count);

/* One class with these counts. */
void judge_histogram(covey_histogram *h, const int64_t *count, uint32_t n, covey_arena *arena);

/* Dictionaries without rows, whose memory is the arena's. */
covey_column *judge_texts(const char *name, const char *const *labels, uint32_t n, covey_arena *arena);
covey_column *judge_numbers(const char *name, const int64_t *number, int scale, uint32_t n, covey_arena *arena);

#endif
