/* What a release promises, in terms of what it publishes. */
#ifndef COVEY_READER_BIND_H
#define COVEY_READER_BIND_H

#include "model/model_impl.h"
#include "reader/quasi_codes.h"
#include "reader/views/views.h"

/* A promise bound to the published data. */
typedef struct covey_bound_promise {
    const covey_stated_promise *stated;
    const covey_model *model; /* NULL: unknown */
    void *params, *state;
    const covey_opened_view *view; /* NULL: the model needs no sensitive attribute */
    bool checkable;                /* false: why not has been reported */
} covey_bound_promise;

/* Finds the model of promise->stated, its parameters and the attribute that it is about; memory lives in the arena.
 *
 * codes: ranges for models that judge them; n 0: none is promised */
covey_status covey_i_bind_promise(covey_bound_promise *promise, const covey_opened *opened,
                                  const covey_opened_views *views, const covey_quasi_codes *codes,
                                  covey_problems *problems, covey_arena *arena, covey_error *err);

#endif
