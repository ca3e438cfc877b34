/* Promises over units.  Distinct values are counted by a system of distinct representatives, which is a matching of
 * persons and values: each value is one that another person has.  [Hall35]; augmenting paths as in [Kuhn55]. */
#include "model/units.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "table/histogram.h"
#include "table/table_impl.h"

/* So many rows, or units, nobody may be told apart from; 0: the promise does not ask for any. */
int64_t covey_i_units_least_rows(const covey_promise *promise)
{
    return promise->model->least_rows ? promise->model->least_rows(promise->state) : 0;
}

static int64_t least_distinct(const covey_promise *promise)
{
    return promise->model->least_distinct ? promise->model->least_distinct(promise->state) : 0;
}

int64_t covey_i_units_largest_k(const covey_promises *promises)
{
    int64_t most = 0;

    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].units == COVEY_UNITS_SHARE) {
            const int64_t k = covey_i_units_least_rows(&promises->promise[i]);

            most = k > most ? k : most;
        }
    return most;
}

bool covey_i_units_are_counted(const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].units == COVEY_UNITS_COUNT && promises->promise[i].model->least_rows)
            return true;
    return false;
}

/* --- the prior over persons --- */

/* The values of each person one after another, in all views. */
static covey_status sort_by_person(covey_units *units, const covey_promises *promises, int64_t n_rows,
                                   covey_arena *arena, covey_error *err)
{
    enum { BLOCK = 4096, AHEAD = 32 };
    const covey_unit_set *person = &units->person;
    uint32_t *at = covey_arena_array_zero(arena, uint32_t, (size_t)person->n + 2), place[BLOCK];

    units->value = covey_arena_array(arena, void *, promises->n_views);
    if (!at || !units->value)
        return covey_i_no_memory(err);
    for (size_t v = 0; v < promises->n_views; v++)
        if (!(units->value[v] = covey_arena_alloc(arena, (size_t)n_rows, (size_t)promises->view[v].column->width)))
            return covey_i_no_memory(err);
    if (units->n_rows && !units->within)
        memcpy(at + 2, units->n_rows, person->n * sizeof *at);
    else
        for (int64_t i = 0; i < n_rows; i++)
            at[person->of_row[i] + 2]++;
    for (uint32_t u = 0; u < person->n; u++)
        at[u + 2] += at[u + 1];
    for (int64_t first = 0, n; first < n_rows; first += n) {
        n = n_rows - first < BLOCK ? n_rows - first : BLOCK;
        for (int64_t i = 0; i < n; i++) {
            if (first + i + AHEAD < n_rows) /* persons' rows lie anywhere */
                __builtin_prefetch(&at[person->of_row[first + i + AHEAD] + 1], 1);
            place[i] = at[person->of_row[first + i] + 1]++;
        }
        for (size_t v = 0; v < promises->n_views; v++)
            COVEY_CODES_TYPED(promises->view[v].column->width, {
                const covey_code *from = (const covey_code *)promises->view[v].column->codes + first;
                covey_code *to = units->value[v];

                for (int64_t i = 0; i < n; i++)
                    to[place[i]] = from[i];
            });
    }
    units->start = at;
    return COVEY_OK;
}

/* How many persons have each value, and whether everybody has one alone. */
static covey_status count_persons(covey_histogram *prior, bool *is_single, const covey_view *view,
                                  const covey_units *units, const void *values, covey_arena *arena, covey_error *err)
{
    const uint32_t n = units->person.n, *start = units->start;
    uint32_t *last = covey_arena_array_zero(arena, uint32_t, view->column->n_values); /* person + 1 */

    if (!last)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_histogram_new(prior, view->column->n_values, arena, err));
    *is_single = true;
    COVEY_CODES_TYPED(view->column->width, {
        const covey_code *value = values;

        for (uint32_t u = 0; u < n; u++)
            for (uint32_t i = start[u]; i < start[u + 1]; i++) {
                if (last[value[i]] == u + 1)
                    continue;
                last[value[i]] = u + 1;
                *is_single &= i == start[u];
                covey_i_histogram_add(prior, value[i], 1);
            }
    });
    prior->total = n; /* the share of persons that have a value; these add up to more than 1 if some have several */
    return COVEY_OK;
}

/* Is it about the values that persons have? */
static bool is_about_values(const covey_promise *promise)
{
    return promise->view >= 0 && promise->units != COVEY_UNITS_ROWS;
}

/* Bounds on the number of each value are as good over persons with several; other definitions are on distributions.
 * What a sliced release promises its method and its audit look at, bucket by bucket. */
static bool is_defined(const covey_promise *promise)
{
    return promise->is_single || least_distinct(promise) > 0 ||
           (covey_i_promise_traits(promise) & (COVEY_MODEL_CAPS | COVEY_MODEL_SLICED));
}

static covey_status prepare_promise(covey_promise *promise, const covey_promises *promises,
                                    const covey_histogram *prior, const bool *is_single, covey_arena *arena,
                                    covey_error *err)
{
    covey_promises persons = *promises;
    covey_promise twin = *promise;
    covey_view view;

    if (!is_about_values(promise))
        return COVEY_OK;
    promise->is_single = is_single[promise->view];
    if (!is_defined(promise))
        return covey_fail(err, COVEY_EINVAL,
                          "model %s is about how values are distributed, but some persons have several values of "
                          "\"%s\": say units: rows to have it over rows alone, or choose a model that bounds the share "
                          "of each value",
                          promise->model->name, promises->view[promise->view].name);
    view = promises->view[promise->view];
    view.prior = &prior[promise->view];
    persons.view = &view;
    twin.view = 0;
    COVEY_TRY(covey_i_promise_prepare(&twin, &persons, arena, err));
    promise->unit_state = twin.state;
    return COVEY_OK;
}

covey_status covey_i_units_prepare(size_t *failed, covey_promises *promises, covey_units *units, int64_t n_rows,
                                   covey_arena *arena, covey_error *err)
{
    covey_histogram *prior = covey_arena_array_zero(arena, covey_histogram, promises->n_views);
    bool *is_single = covey_arena_array_zero(arena, bool, promises->n_views);

    *failed = 0;
    if (!prior || !is_single)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < promises->n && !units->start; i++)
        if (promises->promise[i].view >= 0)
            COVEY_TRY(sort_by_person(units, promises, n_rows, arena, err));
    for (size_t v = 0; v < promises->n_views && units->start; v++)
        COVEY_TRY(count_persons(&prior[v], &is_single[v], &promises->view[v], units, units->value[v], arena, err));
    for (; *failed < promises->n; ++*failed)
        COVEY_TRY(prepare_promise(&promises->promise[*failed], promises, prior, is_single, arena, err));
    return COVEY_OK;
}

bool covey_i_units_counts_suffice(const covey_promises *promises)
{
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const bool takes_matching = is_about_values(promise) && least_distinct(promise) > 0 && !promise->is_single;

        if (takes_matching || (covey_i_promise_traits(promise) & COVEY_MODEL_RANGES))
            return false;
    }
    return true;
}

/* --- a class --- */

/* Persons of a class and the values of one view that they have. */
struct values {
    bool is_judged;         /* a promise over units is about it */
    covey_histogram counts; /* persons that have each value */
    uint32_t *last;         /* [n_values] person + 1 who was seen with it last; over all classes */
    uint32_t n_values, n_persons;
    uint32_t *value, *start; /* value[start[u] .. start[u + 1] - 1] of the class's person u */
    size_t capacity, person_capacity;
    uint32_t *owner;   /* [n_values] person + 1 whom a value is matched with */
    uint32_t *visited; /* [n_values] mark of the search that came by */
    uint32_t search;
    int64_t *cap, *need; /* [n_values] */
};

struct covey_unit_judge {
    const covey_promises *promises;
    const covey_units *units;
    struct values *view; /* [n_views] */
    bool *has_needs;     /* [promises] values of which somebody has to have one? */
    covey_arena *arena;
    uint32_t mark; /* persons so far */
};

/* Of so many persons, for each of n values; value NULL: for the first n. */
static void find_bounds(struct values *v, const covey_promise *promise, int64_t n_persons, const uint32_t *value,
                        uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        v->cap[i] = n_persons;
        v->need[i] = 0;
    }
    promise->model->bounds(promise->unit_state, n_persons, value, n, v->cap, v->need);
}

/* Of all persons as many are needed as of any. */
static bool has_needs(struct values *v, const covey_promise *promise, uint32_t n_persons)
{
    if (!promise->model->bounds)
        return false;
    find_bounds(v, promise, n_persons, NULL, v->counts.n_values);
    for (uint32_t i = 0; i < v->counts.n_values; i++)
        if (v->need[i] > 0)
            return true;
    return false;
}

covey_status covey_i_unit_judge_new(covey_unit_judge **out, const covey_promises *promises, const covey_units *units,
                                    covey_arena *arena, covey_error *err)
{
    covey_unit_judge *j = covey_arena_array_zero(arena, covey_unit_judge, 1);

    if (!j)
        return covey_i_no_memory(err);
    *j = (covey_unit_judge){.promises = promises,
                            .units = units,
                            .view = covey_arena_array_zero(arena, struct values, promises->n_views),
                            .has_needs = covey_arena_array_zero(arena, bool, promises->n),
                            .arena = arena};
    if (!j->view || !j->has_needs)
        return covey_i_no_memory(err);
    for (size_t v = 0; v < promises->n_views; v++) {
        struct values *values = &j->view[v];
        const uint32_t n = promises->view[v].column->n_values;

        COVEY_TRY(covey_i_histogram_new(&values->counts, n, arena, err));
        values->last = covey_arena_array_zero(arena, uint32_t, n);
        values->owner = covey_arena_array_zero(arena, uint32_t, n);
        values->visited = covey_arena_array_zero(arena, uint32_t, n);
        values->cap = covey_arena_array(arena, int64_t, n);
        values->need = covey_arena_array(arena, int64_t, n);
        if (!values->last || !values->owner || !values->visited || !values->cap || !values->need)
            return covey_i_no_memory(err);
    }
    for (size_t i = 0; i < promises->n; i++)
        if (is_about_values(&promises->promise[i])) {
            j->view[promises->promise[i].view].is_judged = true;
            j->has_needs[i] = has_needs(&j->view[promises->promise[i].view], &promises->promise[i], units->person.n);
        }
    *out = j;
    return COVEY_OK;
}

static bool make_room(uint32_t **array, size_t *capacity, size_t n, covey_arena *arena)
{
    uint32_t *grown;

    if (n <= *capacity)
        return true;
    if (!(grown = covey_arena_array(arena, uint32_t, 2 * n)))
        return false;
    *array = grown;
    *capacity = 2 * n;
    return true;
}

/* Collects what each person of the class has. */
static covey_status collect(struct values *values, covey_unit_judge *j, const covey_column *column,
                            const uint32_t *rows, uint32_t n, uint32_t first_mark, covey_error *err)
{
    const uint32_t *person = j->units->person.of_row;
    uint32_t mark = first_mark;

    if (!make_room(&values->value, &values->capacity, n, j->arena) ||
        !make_room(&values->start, &values->person_capacity, (size_t)n + 1, j->arena))
        return covey_i_no_memory(err);
    covey_i_histogram_clear(&values->counts);
    values->n_values = values->n_persons = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t value = covey_i_code(column, rows[i]);

        if (i == 0 || person[rows[i]] != person[rows[i - 1]]) {
            values->start[values->n_persons++] = values->n_values;
            mark++;
        }
        if (values->last[value] == mark)
            continue;
        values->last[value] = mark;
        values->value[values->n_values++] = value;
        covey_i_histogram_add(&values->counts, value, 1);
    }
    values->start[values->n_persons] = values->n_values;
    values->counts.total = values->n_persons;
    return COVEY_OK;
}

/* Finds the person a value of their own, if need be by moving others to other values. */
static bool find_value(struct values *v, uint32_t person)
{
    for (uint32_t i = v->start[person]; i < v->start[person + 1]; i++)
        if (v->owner[v->value[i]] == 0) {
            v->owner[v->value[i]] = person + 1;
            return true;
        }
    for (uint32_t i = v->start[person]; i < v->start[person + 1]; i++) {
        const uint32_t value = v->value[i];

        if (v->visited[value] == v->search)
            continue;
        v->visited[value] = v->search;
        if (find_value(v, v->owner[value] - 1)) {
            v->owner[value] = person + 1;
            return true;
        }
    }
    return false;
}

/* Are there `least` persons with different values? */
static bool has_representatives(struct values *v, int64_t least)
{
    int64_t found = 0;

    for (uint32_t p = 0; p < v->counts.n_present; p++)
        v->owner[v->counts.present[p]] = 0;
    for (uint32_t u = 0; u < v->n_persons && found < least; u++) {
        if (++v->search == 0) {
            memset(v->visited, 0, v->counts.n_values * sizeof *v->visited);
            v->search = 1;
        }
        found += find_value(v, u);
    }
    return found >= least;
}

static bool keeps_bounds(struct values *v, const covey_promise *promise, bool has_needs)
{
    const uint32_t n = has_needs ? v->counts.n_values : v->counts.n_present,
                   *value = has_needs ? NULL : v->counts.present;

    if (!promise->model->bounds) /* of a model of sliced releases, which a class says nothing of */
        return !(promise->model->traits & COVEY_MODEL_SLICED);
    find_bounds(v, promise, v->n_persons, value, n);
    for (uint32_t i = 0; i < n; i++) {
        const int64_t count = v->counts.count[value ? value[i] : i];

        if (count > v->cap[i] || count < v->need[i])
            return false;
    }
    return true;
}

static bool keeps(covey_unit_judge *j, const covey_promise *promise, const covey_unit_facts *facts)
{
    const int64_t k = covey_i_units_least_rows(promise), l = least_distinct(promise);
    struct values *v = promise->view >= 0 ? &j->view[promise->view] : NULL;

    if (promise->units == COVEY_UNITS_ROWS)
        return true;
    if (k > 0 && promise->units == COVEY_UNITS_SHARE && facts->largest > facts->n_rows / k)
        return false;
    if (k > 0 && facts->n_units < k)
        return false;
    if (!v)
        return true;
    if (l > 0)
        return promise->is_single ? v->counts.n_distinct >= l : has_representatives(v, l);
    if (promise->is_single) {
        const covey_group group = {.size = v->n_persons, .counts = &v->counts};

        return promise->model->admits(promise->unit_state, &group);
    }
    return keeps_bounds(v, promise, j->has_needs[promise - j->promises->promise]);
}

static int first_broken(covey_unit_judge *j, const covey_unit_facts *facts)
{
    for (size_t i = 0; i < j->promises->n; i++)
        if (facts->n_rows == 0 || !keeps(j, &j->promises->promise[i], facts))
            return (int)i;
    return -1;
}

covey_status covey_i_unit_judge_class(covey_unit_facts *facts, int *broken, covey_unit_judge *j, const uint32_t *rows,
                                      uint32_t n, covey_error *err)
{
    const uint32_t *person = j->units->person.of_row, *whole = j->units->whole.of_row;
    int64_t size = 0;

    *facts = (covey_unit_facts){.n_rows = n};
    for (uint32_t i = 0; i < n; i++) {
        const bool is_new = i == 0 || whole[rows[i]] != whole[rows[i - 1]];

        facts->n_units += is_new;
        facts->n_persons += i == 0 || person[rows[i]] != person[rows[i - 1]];
        size = is_new ? 1 : size + 1;
        facts->largest = size > facts->largest ? size : facts->largest;
    }
    if (j->mark > UINT32_MAX - n - 1) {
        for (size_t v = 0; v < j->promises->n_views; v++)
            memset(j->view[v].last, 0, j->view[v].counts.n_values * sizeof(uint32_t));
        j->mark = 0;
    }
    for (size_t v = 0; v < j->promises->n_views; v++)
        if (j->view[v].is_judged)
            COVEY_TRY(collect(&j->view[v], j, j->promises->view[v].column, rows, n, j->mark, err));
    j->mark += (uint32_t)facts->n_persons;
    *broken = first_broken(j, facts);
    return COVEY_OK;
}

covey_histogram *covey_i_unit_judge_persons(covey_unit_judge *j, size_t view)
{
    return &j->view[view].counts;
}

int covey_i_unit_judge_counted(covey_unit_judge *j, const covey_unit_facts *facts)
{
    for (size_t v = 0; v < j->promises->n_views; v++) {
        j->view[v].n_persons = (uint32_t)facts->n_persons;
        j->view[v].counts.total = facts->n_persons;
    }
    return first_broken(j, facts);
}
