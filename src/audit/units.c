/* Promises over units, as far as files tell.  What persons have of a sensitive attribute is in no file: of it the files
 * prove only what no distribution of their rows over so many persons could contradict. */
#include "audit/units.h"

#include <inttypes.h>
#include <string.h>

#include "reader/units.h"

/* A whole parameter of a promise; 0: it has none of that name. */
static int64_t parameter(const covey_stated_promise *promise, const char *name)
{
    for (size_t i = 0; i < promise->n_params; i++) {
        covey_ratio value;

        if (strcmp(promise->param_name[i], name) == 0 &&
            covey_ratio_parse(&value, promise->param_text[i], NULL) == COVEY_OK)
            return value.num / value.den + (value.num % value.den != 0);
    }
    return 0;
}

static bool is_called(const covey_stated_promise *promise, const char *model)
{
    return strcmp(promise->model, model) == 0;
}

/* The k of models that ask for k units, by what the models are: not by the code that made the release. */
static int64_t k_of(const covey_stated_promise *promise)
{
    return is_called(promise, "k-anonymity") || is_called(promise, "alpha-k-anonymity") ||
                   is_called(promise, "p-sensitive-k-anonymity")
               ? parameter(promise, "k")
               : 0;
}

/* So many persons at least have to be there for so many different values. */
static int64_t least_persons(const covey_stated_promise *promise)
{
    return is_called(promise, "p-sensitive-k-anonymity") ? parameter(promise, "p") : parameter(promise, "l");
}

static void check_promise(covey_audit *audit, size_t p, uint32_t c, int64_t size)
{
    const covey_stated_promise *promise = &audit->stated->promise[p];
    const char *word = audit->stated->published_as->word;
    const covey_opened_units *units = audit->opened->units;
    const int64_t k = k_of(promise), l = least_persons(promise), n = units->n_units[c];
    const bool is_broken = (k > 0 && n < k) ||
                           (k > 0 && promise->units == COVEY_UNITS_SHARE && units->largest[c] > size / k) ||
                           units->n_persons[c] < l;

    if (promise->units == COVEY_UNITS_ROWS || !is_broken)
        return;
    audit->judged[p].broken = true;
    if (k > 0 && promise->units == COVEY_UNITS_SHARE && units->largest[c] > size / k)
        covey_i_problem(&audit->problems,
                        "%s %" PRIu32 " breaks %s over units: one of them may have %" PRId64 " of its %" PRId64 " rows",
                        word, c + 1, promise->model, units->largest[c], size);
    else
        covey_i_problem(&audit->problems, "%s %" PRIu32 " breaks %s over units: it has %" PRId64 " of them", word,
                        c + 1, promise->model, n);
}

/* What docs/manifest.md says is stated of the largest of n units; -1: the rows that it has, which only links tell. */
static int64_t largest_to_state(const covey_audit *audit, int64_t size, int64_t n)
{
    bool is_counted = audit->stated->published_as->units_alike;
    int64_t most = 0;

    for (size_t p = 0; p < audit->stated->n_promises; p++) {
        const covey_stated_promise *promise = &audit->stated->promise[p];
        const int64_t k = k_of(promise);

        if (promise->units == COVEY_UNITS_SHARE && k > most)
            most = k;
        is_counted |= promise->units == COVEY_UNITS_COUNT && k > 0;
    }
    if (most > 0 && !audit->stated->published_as->units_alike)
        return size / most;
    return is_counted ? -1 : size - n + 1;
}

static void check_class(covey_audit *audit, uint32_t c)
{
    const char *word = audit->stated->published_as->word;
    const covey_opened_units *units = audit->opened->units;
    const int64_t size = audit->opened->class_start[c + 1] - audit->opened->class_start[c], n = units->n_units[c],
                  largest = units->largest[c], right = largest_to_state(audit, size, n);

    if (n > size || units->n_persons[c] > size || units->n_persons[c] < n)
        covey_i_problem(&audit->problems, "%s, %s %" PRIu32 ": %" PRId64 " units cannot be those of %" PRId64 " rows",
                        COVEY_UNITS_TABLE, word, c + 1, n, size);
    else if (largest > size || largest < size / n + (size % n != 0))
        covey_i_problem(&audit->problems,
                        "%s, %s %" PRIu32 ": of %" PRId64 " units with %" PRId64
                        " rows together, none can have at most %" PRId64 " as the largest",
                        COVEY_UNITS_TABLE, word, c + 1, n, size, largest);
    else if (right < 0 ? largest > size - n + 1 : largest != right)
        covey_i_problem(&audit->problems,
                        "%s, %s %" PRIu32 ": it states %" PRId64 " rows for its largest unit%s %" PRId64,
                        COVEY_UNITS_TABLE, word, c + 1, largest,
                        right < 0 ? ", but none can have more than" : " instead of", right < 0 ? size - n + 1 : right);
    if ((double)largest > audit->largest_unit_share * (double)size)
        audit->largest_unit_share = (double)largest / (double)size;
    for (size_t p = 0; p < audit->stated->n_promises; p++)
        check_promise(audit, p, c, size);
}

covey_status covey_i_audit_units(covey_audit *audit, covey_error *err)
{
    int64_t n_units = 0;

    (void)err;
    audit->units_proven = -1;
    if (!audit->stated->has_units)
        return COVEY_OK;
    audit->units_proven = 0;
    if (!audit->opened->units) /* which has been reported */
        return COVEY_OK;
    for (uint32_t c = 0; c < audit->opened->n_classes; c++) {
        check_class(audit, c);
        n_units += audit->opened->units->n_units[c];
    }
    audit->n_units = n_units;
    if (n_units != audit->stated->n_units)
        covey_i_problem(&audit->problems, "the manifest states %" PRId64 " units, but those of all %ss are %" PRId64,
                        audit->stated->n_units, audit->stated->published_as->word, n_units);
    return COVEY_OK;
}
