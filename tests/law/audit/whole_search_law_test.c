/* Units of random rows, classes that want what a way of putting units into them gives, or something near that: on these
 * every way is tried.  That there is none is found if and only if there is none; what is found is a way; and where it
 * is called the only one, all ways are alike but for units that nothing tells apart. */
#include "test.h"

#include <string.h>

#include "audit/whole/question.h"
#include "support/problem/problem_maker.h"

enum { ROUNDS = 20000, MOST_UNITS = 7, MOST_ROWS = 3, MOST_CLASSES = 4, MOST_KINDS = 6 };

struct world {
    size_t n_each;
    int n_units, n_classes; /* with that of what is suppressed, 0 */
    int n_rows[MOST_UNITS], kind[MOST_UNITS][MOST_ROWS][2], n_persons[MOST_UNITS];
    bool may[MOST_UNITS][MOST_CLASSES];
    int needs[MOST_CLASSES][MOST_KINDS], units[MOST_CLASSES], persons[MOST_CLASSES];
};

static int below(uint64_t *state, uint32_t n)
{
    return (int)maker_below(state, n);
}

static void add_unit(struct world *w, int unit, int class, int sign)
{
    for (int i = 0; i < w->n_rows[unit]; i++)
        for (size_t j = 0; j < w->n_each; j++)
            w->needs[class][w->kind[unit][i][j]] += sign;
    w->units[class] += sign;
    w->persons[class] += sign * w->n_persons[unit];
}

/* A third of the worlds want what a way gives; of the others a row or a unit is counted in another class. */
static void make_world(struct world *w, uint64_t *state)
{
    const int most = 1 + below(state, MOST_ROWS), n_kinds = 1 + below(state, MOST_KINDS / 2);

    *w = (struct world){.n_each = 1 + (size_t)below(state, 2),
                        .n_units = 3 + below(state, MOST_UNITS - 2),
                        .n_classes = 2 + below(state, MOST_CLASSES - 1)};
    for (int u = 0; u < w->n_units; u++) {
        const int home = below(state, (uint32_t)w->n_classes);

        w->n_rows[u] = 1 + below(state, (uint32_t)most);
        w->n_persons[u] = 1 + below(state, (uint32_t)w->n_rows[u]);
        for (int i = 0; i < w->n_rows[u]; i++)
            for (int j = 0; j < 2; j++)
                w->kind[u][i][j] = j * MOST_KINDS / 2 + below(state, (uint32_t)n_kinds);
        for (int c = 0; c < w->n_classes; c++)
            w->may[u][c] = c == home || below(state, 6) > 0;
        add_unit(w, u, home, 1);
    }
    if (below(state, 3) == 0) { /* a row more of a kind here, one less there */
        const int kind = below(state, MOST_KINDS);

        w->needs[below(state, (uint32_t)w->n_classes)][kind]++;
        w->needs[below(state, (uint32_t)w->n_classes)][kind]--;
    } else if (below(state, 2)) {
        const int u = below(state, (uint32_t)w->n_units), v = below(state, (uint32_t)w->n_units);

        if (w->n_rows[u] == w->n_rows[v] && w->n_persons[u] == w->n_persons[v]) { /* totals stay */
            const int a = below(state, (uint32_t)w->n_classes), b = below(state, (uint32_t)w->n_classes);

            add_unit(w, u, a, -1);
            add_unit(w, v, a, 1);
            add_unit(w, v, b, -1);
            add_unit(w, u, b, 1);
        }
    }
}

static bool is_possible(const struct world *w)
{
    for (int c = 0; c < w->n_classes; c++)
        for (int k = 0; k < MOST_KINDS; k++)
            if (w->needs[c][k] < 0)
                return false;
    return true;
}

/* --- every way --- */

static bool is_way(const struct world *w, const uint32_t *class_of)
{
    struct world sums = *w;

    memset(sums.needs, 0, sizeof sums.needs);
    memset(sums.units, 0, sizeof sums.units);
    memset(sums.persons, 0, sizeof sums.persons);
    for (int u = 0; u < w->n_units; u++) {
        if (!w->may[u][class_of[u]])
            return false;
        add_unit(&sums, u, (int)class_of[u], 1);
    }
    return memcmp(sums.needs, w->needs, sizeof sums.needs) == 0 &&
           memcmp(sums.units, w->units, sizeof sums.units) == 0 &&
           memcmp(sums.persons, w->persons, sizeof sums.persons) == 0;
}

/* Do rows and persons of two units agree? */
static bool are_alike(const struct world *w, int u, int v)
{
    int count[MOST_KINDS][MOST_KINDS + 1] = {{0}};

    for (int i = 0; i < MOST_ROWS; i++) {
        if (i < w->n_rows[u])
            count[w->kind[u][i][0]][w->n_each > 1 ? w->kind[u][i][1] : 0]++;
        if (i < w->n_rows[v])
            count[w->kind[v][i][0]][w->n_each > 1 ? w->kind[v][i][1] : 0]--;
    }
    for (int a = 0; a < MOST_KINDS; a++)
        for (int b = 0; b <= MOST_KINDS; b++)
            if (count[a][b] != 0)
                return false;
    return w->n_persons[u] == w->n_persons[v];
}

/* Do classes get as many units of each sort in both? */
static bool ways_agree(const struct world *w, const uint32_t *a, const uint32_t *b)
{
    for (int u = 0; u < w->n_units; u++)
        for (int c = 0; c < w->n_classes; c++) {
            int n = 0;

            for (int v = 0; v < w->n_units; v++)
                n += are_alike(w, u, v) * ((a[v] == (uint32_t)c) - (b[v] == (uint32_t)c));
            if (n != 0)
                return false;
        }
    return true;
}

static int count_ways(bool *all_agree, const struct world *w, const uint32_t *found)
{
    uint32_t class_of[MOST_UNITS] = {0};
    int n = 0;

    *all_agree = true;
    for (;;) {
        int u = 0;

        if (is_way(w, class_of)) {
            n++;
            *all_agree &= ways_agree(w, class_of, found);
        }
        while (u < w->n_units && ++class_of[u] == (uint32_t)w->n_classes)
            class_of[u++] = 0;
        if (u == w->n_units)
            return n;
    }
}

/* --- what is found --- */

static void ask(covey_whole_question *q, const struct world *w)
{
    static covey_whole_row row[MOST_UNITS * MOST_ROWS];
    static uint32_t unit_start[MOST_UNITS + 1], n_persons[MOST_UNITS], choice_start[MOST_UNITS + 1],
        choice[MOST_UNITS * MOST_CLASSES], need_start[MOST_CLASSES + 1];
    static covey_whole_need need[MOST_CLASSES * MOST_KINDS];
    static int64_t units_of[MOST_CLASSES], persons_of[MOST_CLASSES];
    uint32_t n = 0, n_choices = 0, n_needs = 0;

    for (int u = 0; u < w->n_units; u++) {
        unit_start[u] = n;
        choice_start[u] = n_choices;
        n_persons[u] = (uint32_t)w->n_persons[u];
        for (int k = 0; k < MOST_KINDS * MOST_KINDS; k++) /* in the order of kinds; the first persons have a row each */
            for (int i = 0; i < w->n_rows[u]; i++)
                if (w->kind[u][i][0] * MOST_KINDS + (w->n_each > 1 ? w->kind[u][i][1] : 0) == k) {
                    const int of_person = (int)(n - unit_start[u]);

                    row[n] =
                        (covey_whole_row){(uint32_t)u,
                                          (uint32_t)(of_person < w->n_persons[u] ? of_person : w->n_persons[u] - 1),
                                          {(uint32_t)w->kind[u][i][0], w->n_each > 1 ? (uint32_t)w->kind[u][i][1] : 0},
                                          n};
                    n++;
                }
        for (int c = 0; c < w->n_classes; c++) {
            bool fits = w->may[u][c];

            for (uint32_t i = unit_start[u]; i < n; i++)
                for (size_t j = 0; j < w->n_each; j++) {
                    int same = 0;

                    for (uint32_t other = unit_start[u]; other < n; other++)
                        same += row[other].kind[j] == row[i].kind[j];
                    fits &= same <= w->needs[c][row[i].kind[j]];
                }
            if (fits)
                choice[n_choices++] = (uint32_t)c;
        }
    }
    unit_start[w->n_units] = n;
    choice_start[w->n_units] = n_choices;
    for (int c = 0; c < w->n_classes; c++) {
        need_start[c] = n_needs;
        for (int k = 0; k < MOST_KINDS; k++)
            if (w->needs[c][k] > 0)
                need[n_needs++] = (covey_whole_need){(uint32_t)k, (uint32_t)w->needs[c][k]};
        units_of[c] = w->units[c];
        persons_of[c] = w->persons[c];
    }
    need_start[w->n_classes] = n_needs;
    q->n_each = w->n_each;
    q->n_kinds = MOST_KINDS;
    q->need_start = need_start;
    q->need = need;
    q->units_of = units_of;
    q->persons_of = persons_of;
    q->n_units = (uint32_t)w->n_units;
    q->unit_start = unit_start;
    q->row = row;
    q->n_persons = n_persons;
    q->choice_start = choice_start;
    q->choice = choice;
}

static covey_whole_answer search(uint32_t *class_of, const struct world *w)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_opened opened = {.n_classes = (uint32_t)w->n_classes - 1};
    covey_audit audit = {.opened = &opened};
    covey_link_proof proof = {.audit = &audit};
    covey_whole_question q = {.proof = &proof, .arena = &arena};
    covey_whole_answer answer = COVEY_WHOLE_NONE;
    bool have_all = true;

    ask(&q, w);
    for (int u = 0; u < w->n_units; u++)
        have_all &= q.choice_start[u] < q.choice_start[u + 1];
    if (have_all) { /* else the search is not asked */
        assert_int_equal(covey_i_whole_types(&q, NULL), COVEY_OK);
        assert_int_equal(covey_i_whole_search(&answer, class_of, &q, NULL), COVEY_OK);
    }
    covey_arena_free(&arena);
    return answer;
}

static void test_a_way_is_found_where_there_is_one(void **state)
{
    int n_of[COVEY_WHOLE_ONLY + 1] = {0};

    (void)state;
    for (int round = 0; round < test_share(ROUNDS); round++) {
        uint64_t random = (uint64_t)round * 7919 + 3;
        uint32_t class_of[MOST_UNITS] = {0};
        covey_whole_answer answer;
        struct world w;
        bool all_agree;
        int n_ways;

        make_world(&w, &random);
        if (!is_possible(&w))
            continue;
        answer = search(class_of, &w);
        n_ways = count_ways(&all_agree, &w, class_of);
        if (answer == COVEY_WHOLE_UNDECIDED || (answer == COVEY_WHOLE_NONE) != (n_ways == 0) ||
            (answer >= COVEY_WHOLE_SOME && !is_way(&w, class_of)) || (answer == COVEY_WHOLE_ONLY && !all_agree))
            fail_msg("round %d: answer %d, but there are %d ways", round, answer, n_ways);
        n_of[answer]++;
    }
    assert_true(test_is_enough(n_of[COVEY_WHOLE_NONE] > ROUNDS / 50));
    assert_true(test_is_enough(n_of[COVEY_WHOLE_SOME] > ROUNDS / 10));
    assert_true(test_is_enough(n_of[COVEY_WHOLE_ONLY] > ROUNDS / 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_way_is_found_where_there_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
