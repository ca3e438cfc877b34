/* How much of what a perturbed release shows is true.  Source: [CaoKarras12] section 5: a value is kept with the chance
 * alpha, else one is drawn of all alike. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/perturbed/perturbed.h"
#include "report/facts.h"
#include "table/table_impl.h"

static int by_chance(const void *a, const void *b)
{
    const covey_fact_shown *x = a, *y = b;

    if (x->is_true != y->is_true)
        return x->is_true > y->is_true ? -1 : 1;
    return strcmp(x->label, y->label);
}

covey_status covey_i_facts_shown(covey_facts *f, covey_error *err)
{
    const covey_perturbed_lines *lines = f->opened->form_data;
    covey_fact_shown *shown;
    double drawn = 0;

    if (strcmp(f->stated->form, "perturbed") != 0)
        return COVEY_OK;
    if (!(shown = covey_arena_array(&f->arena, covey_fact_shown, lines->n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < lines->n; i++)
        drawn += lines->prior[i] * (1 - lines->alpha[i]) / lines->n;
    for (uint32_t i = 0; i < lines->n; i++) {
        const double kept = lines->prior[i] * lines->alpha[i],
                     same = lines->prior[i] * (1 - lines->alpha[i]) / lines->n;
        const char *label = covey_column_label(lines->value, covey_i_code_at(lines->value, i));

        shown[i].label = *label ? label : "(missing)";
        shown[i].is_true = kept + drawn > 0 ? (kept + same) / (kept + drawn) : 0;
        f->true_share += kept + same;
    }
    qsort(shown, lines->n, sizeof *shown, by_chance);
    f->shown = shown;
    f->n_shown = lines->n;
    return COVEY_OK;
}
