/* Peel's classes, its index and its donors, against what a plain look at all rows says. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/problem/random_problem.h"
#include "base/alloc.h"
#include "method/peel/cover.h"
#include "method/peel/search/search.h"
#include "table/table_impl.h"

enum { N_PROBLEMS = 60, N_STEPS = 400 };

/* A trial on a random problem, with every row in one of some classes. */
struct fixture {
    problem_maker m;
    covey_peel_table table;
    covey_peel p;
    covey_arena arena;
    uint64_t random;
};

static bool set_up(struct fixture *f, uint64_t number)
{
    covey_error err;
    uint32_t n_classes;

    *f = (struct fixture){.arena = COVEY_ARENA_INIT, .random = number};
    random_problem(&f->m, number, NULL);
    if (covey_i_peel_table_new(&f->table, &f->m.problem, 0, true, &f->arena, NULL, &err) != COVEY_OK ||
        f->table.n_rows < 3)
        return false;
    assert_int_equal(covey_i_peel_new(&f->p, &f->table, &err), COVEY_OK);
    n_classes = 1 + maker_below(&f->random, f->table.n_rows);
    for (uint32_t c = 0; c < n_classes; c++)
        assert_int_equal(covey_i_peel_class_new(&f->p), c);
    for (uint32_t r = 0; r < f->table.n_rows; r++)
        covey_i_peel_add(&f->p, maker_below(&f->random, n_classes), r);
    return true;
}

static void tear_down(struct fixture *f)
{
    covey_i_peel_clear(&f->p);
    covey_i_peel_table_clear(&f->table);
    covey_arena_free(&f->arena);
    maker_clear(&f->m);
}

/* Loss of class c without row minus and with row plus, by looking at every row of the table. */
static int64_t plain_loss(const struct fixture *f, uint32_t c, uint32_t minus, uint32_t plus, uint32_t *n)
{
    const covey_peel_table *t = &f->table;
    int64_t sum = 0;

    for (size_t a = 0; a < t->n_axes; a++) {
        uint32_t low = UINT32_MAX, high = 0;

        *n = 0;
        for (uint32_t r = 0; r < t->n_rows; r++)
            if ((f->p.class_of[r] == c && r != minus) || r == plus) {
                const uint32_t code = covey_i_peel_codes(t, r)[a];

                low = code < low ? code : low;
                high = code > high ? code : high;
                ++*n;
            }
        if (*n > 0)
            sum += covey_i_peel_loss(&t->axis[a], low, high);
    }
    return sum;
}

static bool plain_verdict(struct fixture *f, uint32_t c, uint32_t minus, uint32_t plus)
{
    covey_tally tally;

    assert_int_equal(covey_i_tally_new(&tally, &f->m.problem.promises, &f->arena, NULL), COVEY_OK);
    for (uint32_t r = 0; r < f->table.n_rows; r++)
        if ((f->p.class_of[r] == c && r != minus) || r == plus)
            covey_i_tally_add(&tally, &f->m.problem.promises, f->table.row[r]);
    return covey_i_promises_admit(&f->m.problem.promises, &tally);
}

static void classes_know_their_losses_and_verdicts_whatever_comes_and_goes(void **state)
{
    for (uint64_t number = 0; number < (uint64_t)test_share(N_PROBLEMS); number++) {
        struct fixture f;

        if (set_up(&f, number))
            for (int step = 0; step < N_STEPS; step++) {
                const uint32_t row = maker_below(&f.random, f.table.n_rows), c = f.p.class_of[row];
                const uint32_t target = maker_below(&f.random, f.p.n_classes);
                uint32_t n;

                assert_int_equal(f.p.class[c].loss, plain_loss(&f, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE, &n));
                assert_int_equal(f.p.class[c].n, n);
                if (step % 8 == 0) /* what is known of one row must not serve another */
                    for (uint32_t r = f.p.class[c].first; r != COVEY_PEEL_NONE; r = f.p.next[r])
                        assert_int_equal(covey_i_peel_loss_without(&f.p, r), plain_loss(&f, c, r, COVEY_PEEL_NONE, &n));
                assert_int_equal(covey_i_peel_loss_without(&f.p, row), plain_loss(&f, c, row, COVEY_PEEL_NONE, &n));
                assert_int_equal(covey_i_peel_can_lose(&f.p, row),
                                 n == 0 || plain_verdict(&f, c, row, COVEY_PEEL_NONE));
                if (target == c)
                    continue;
                assert_int_equal(covey_i_peel_admits(&f.p, target, COVEY_PEEL_NONE, row),
                                 plain_verdict(&f, target, COVEY_PEEL_NONE, row));
                covey_i_peel_move(&f.p, row, target);
            }
        tear_down(&f);
    }
}

/* A class that is emptied at once is like one whose rows have left it one by one, and like any other once they are
 * back. */
static void an_emptied_class_can_be_filled_again(void **state)
{
    for (uint64_t number = 0; number < (uint64_t)test_share(N_PROBLEMS); number++) {
        struct fixture f;

        if (set_up(&f, number))
            for (uint32_t c = 0; c < f.p.n_classes; c += 2) {
                uint32_t *rows = covey_arena_array(&f.arena, uint32_t, f.table.n_rows);
                const uint32_t n = covey_i_peel_lots_of(rows, &f.p, c), n_kept = n / 3;
                uint32_t n_found;

                for (uint32_t i = 1; i < n; i++)
                    assert_true(rows[i - 1] < rows[i]);
                covey_i_peel_empty(&f.p, c);
                assert_int_equal(f.p.class[c].n, 0);
                for (uint32_t i = 0; i < n; i++)
                    assert_int_equal(f.p.class_of[rows[i]], COVEY_PEEL_NONE);
                for (uint32_t i = n_kept; i < n; i++)
                    covey_i_peel_add(&f.p, c, rows[i]);
                for (uint32_t i = 0; i < n_kept; i++)
                    covey_i_peel_add(&f.p, f.p.n_classes - 1, rows[i]);
                assert_int_equal(f.p.class[c].loss, plain_loss(&f, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE, &n_found));
                assert_int_equal(f.p.class[c].n, n_found);
                if (n_found > 0)
                    assert_int_equal(covey_i_peel_admits(&f.p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE),
                                     plain_verdict(&f, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE));
            }
        tear_down(&f);
    }
}

static void the_index_finds_the_cheapest_class_to_join(void **state)
{
    for (uint64_t number = 0; number < (uint64_t)test_share(N_PROBLEMS); number++) {
        struct fixture f;

        if (set_up(&f, number)) {
            assert_int_equal(covey_i_peel_index_build(&f.p, NULL), COVEY_OK);
            for (uint32_t row = 0; row < f.table.n_rows; row += 7) {
                const uint32_t home = f.p.class_of[row];
                int64_t best = COVEY_PEEL_FAR, found;

                for (uint32_t c = 0; c < f.p.n_classes; c++) {
                    uint32_t n;
                    int64_t cost;

                    if (c == home || f.p.class[c].n == 0 || !plain_verdict(&f, c, COVEY_PEEL_NONE, row))
                        continue;
                    cost = plain_loss(&f, c, COVEY_PEEL_NONE, row, &n);
                    cost = n * cost - covey_i_peel_cost(&f.p, c);
                    best = cost < best ? cost : best;
                }
                covey_i_peel_target(&f.p, &found, row, home, COVEY_PEEL_FAR);
                assert_int_equal(found, best);
            }
        }
        tear_down(&f);
    }
}

/* Of lots, which may be fewer than rows, those that are a row alone look for a class in the same way. */
static void the_index_finds_it_among_lots(void **state)
{
    uint32_t n_sought = 0;

    for (uint64_t number = 0; number < (uint64_t)test_share(N_PROBLEMS); number++) {
        struct fixture f = {.arena = COVEY_ARENA_INIT};
        const covey_peel_table *t = &f.table;

        random_problem(&f.m, number, NULL);
        if (covey_i_peel_table_new(&f.table, &f.m.problem, 0, false, &f.arena, NULL, NULL) == COVEY_OK) {
            assert_int_equal(covey_i_peel_new(&f.p, &f.table, NULL), COVEY_OK);
            for (uint32_t lot = 0; lot < t->n_lots; lot++)
                covey_i_peel_add(&f.p, lot % 3 == 0 ? covey_i_peel_class_new(&f.p) : f.p.n_classes - 1, lot);
            assert_int_equal(covey_i_peel_index_build(&f.p, NULL), COVEY_OK);
            for (uint32_t lot = 0; lot < t->n_lots; lot++) {
                int64_t best = COVEY_PEEL_FAR, found;

                if (covey_i_peel_size(t, lot) > 1)
                    continue;
                for (uint32_t c = 0; c < f.p.n_classes; c++)
                    if (c != f.p.class_of[lot] && covey_i_peel_admits(&f.p, c, COVEY_PEEL_NONE, lot)) {
                        const int64_t with = covey_i_peel_class_loss_with(&f.p, c, covey_i_peel_codes(t, lot)),
                                      cost = (f.p.class[c].n + 1) * with - covey_i_peel_cost(&f.p, c);

                        best = cost < best ? cost : best;
                    }
                covey_i_peel_target(&f.p, &found, lot, f.p.class_of[lot], COVEY_PEEL_FAR);
                assert_int_equal(found, best);
                n_sought += t->n_lots < t->n_rows;
            }
        }
        tear_down(&f);
    }
    assert_true(n_sought > 100);
}

static void the_best_donor_is_found(void **state)
{
    for (uint64_t number = 0; number < (uint64_t)test_share(N_PROBLEMS); number++) {
        struct fixture f;

        if (set_up(&f, number)) {
            assert_int_equal(covey_i_peel_donors_build(&f.p, NULL), COVEY_OK);
            for (uint32_t c = 0; c < f.p.n_classes; c += 3) {
                const uint32_t *low = covey_i_peel_box(&f.p, c), *high = low + f.table.width;
                int64_t best = COVEY_PEEL_FAR, found;

                if (f.p.class[c].n == 0)
                    continue;
                for (uint32_t r = 0; r < f.table.n_rows; r++) {
                    uint32_t n;
                    int64_t cost;

                    if (f.p.class_of[r] == c || f.p.class[f.p.class_of[r]].n <= f.table.min_size ||
                        !covey_i_peel_can_lose(&f.p, r))
                        continue;
                    cost =
                        (f.p.class[c].n + 1) * plain_loss(&f, c, COVEY_PEEL_NONE, r, &n) - covey_i_peel_relief(&f.p, r);
                    best = cost < best ? cost : best;
                }
                covey_i_peel_best_donor(&f.p, &found, low, high, f.p.class[c].n, c, COVEY_PEEL_FAR, NULL, NULL);
                assert_int_equal(found, best);
            }
        }
        tear_down(&f);
    }
}

static void a_move_gains_what_it_says(void **state)
{
    for (uint64_t number = 0; number < (uint64_t)test_share(N_PROBLEMS); number++) {
        struct fixture f;

        if (set_up(&f, number)) {
            assert_int_equal(covey_i_peel_index_build(&f.p, NULL), COVEY_OK);
            for (uint32_t row = 0; row < f.table.n_rows; row++) {
                const int64_t before = covey_i_peel_total(&f.p);
                const uint32_t home = f.p.class_of[row];
                uint32_t class, other;
                const int64_t gain = covey_i_peel_best_move(&f.p, &class, &other, row, row % 2, 0);

                if (class == COVEY_PEEL_NONE)
                    continue;
                if (other != COVEY_PEEL_NONE)
                    covey_i_peel_move(&f.p, other, home);
                covey_i_peel_move(&f.p, row, class);
                assert_int_equal(before - covey_i_peel_total(&f.p), gain);
                assert_true(gain > 0);
            }
        }
        tear_down(&f);
    }
}

/* Of a group that breaks a promise, the trimmed part keeps it; what may be passed over has no such part. */
static void a_trimmed_group_keeps_the_promises(void **state)
{
    for (uint64_t number = 0; number < (uint64_t)test_share(4 * N_PROBLEMS); number++) {
        struct fixture f;
        covey_peel_trimmer trimmer;

        if (set_up(&f, number) && f.table.n_used > 0) {
            int64_t *take = calloc(f.table.n_kinds, sizeof *take), *had = calloc(f.table.n_kinds, sizeof *had),
                    size = 0;
            uint32_t *kinds = calloc(f.table.n_kinds, sizeof *kinds), n_kinds = 0;
            uint64_t bits = 0;

            assert_int_equal(covey_i_peel_trimmer_new(&trimmer, &f.table, &f.arena, NULL), COVEY_OK);
            for (uint32_t r = 0; r < f.table.n_rows; r++)
                take[f.table.kind[r]] += maker_below(&f.random, 2);
            for (uint32_t k = 0; k < f.table.n_kinds; k++)
                if ((had[k] = take[k]) > 0)
                    kinds[n_kinds++] = k;
            if ((size = covey_i_peel_trim(&trimmer, take, kinds, n_kinds)) > 0) {
                covey_tally tally;

                assert_int_equal(covey_i_tally_new(&tally, &f.m.problem.promises, &f.arena, NULL), COVEY_OK);
                tally.has_ranges = false;
                for (uint32_t k = 0; k < f.table.n_kinds; k++) {
                    assert_true(take[k] >= 0 && take[k] <= had[k]);
                    covey_i_peel_tally_kind(&f.table, &tally, k, take[k]);
                }
                assert_int_equal(tally.size, size);
                assert_true(covey_i_promises_admit(&f.m.problem.promises, &tally));
                for (uint32_t k = 0; k < n_kinds; k++)
                    bits |= covey_i_peel_kind_bit(kinds[k]);
                assert_true(covey_i_peel_trim_can_hold(&trimmer, bits));
                assert_true(covey_i_peel_trim_can_hold(&trimmer, bits)); /* as it is remembered */
            }
            free(take);
            free(had);
            free(kinds);
        }
        tear_down(&f);
    }
}

/* A class is set aside only if it keeps the promises, as do all who are in none. */
static void who_is_set_aside_keeps_the_promises_and_so_do_the_others(void **state)
{
    static const double share[] = {0.1, 0.3, 1};
    covey_peel_plan plan = {.roughness = 1};
    uint32_t n_set_aside = 0;

    for (uint64_t number = 0; number < (uint64_t)test_share(8 * N_PROBLEMS); number++) {
        struct fixture f;
        char note[200];

        if (set_up(&f, number) && f.table.bounded_view >= 0 && f.table.has_prior) {
            assert_int_equal(covey_i_peel_find_least_kinds(&f.table, &f.arena, NULL), COVEY_OK);
            assert_int_equal(covey_i_peel_ladders_new(&f.table, NULL, 1000, note, sizeof note, &f.arena, NULL),
                             COVEY_OK);
            covey_i_peel_reset(&f.p);
            plan.aside = share[number % 3];
            assert_int_equal(covey_i_peel_set_aside(&f.p, &plan, NULL), COVEY_OK);
            if (f.p.n_classes > 0) {
                assert_int_equal(f.p.n_classes, 1);
                assert_true(f.p.class[0].n < f.table.n_rows);
                assert_true(plain_verdict(&f, 0, COVEY_PEEL_NONE, COVEY_PEEL_NONE));
                assert_true(plain_verdict(&f, COVEY_PEEL_NONE, COVEY_PEEL_NONE, COVEY_PEEL_NONE));
                n_set_aside++;
            }
        }
        tear_down(&f);
    }
    assert_true(n_set_aside > 5);
}

/* Lots of many rows are the single rows of a cell and kind together, in the same order; and the way back to rows is the
 * same however they were found and split. */
static void lots_hold_the_rows_of_a_cell_and_kind(void **state)
{
    uint32_t n_counted = 0, n_sorted = 0, n_split = 0;

    for (uint64_t number = 0; number < (uint64_t)test_share(4 * N_PROBLEMS); number++) {
        struct fixture f;
        covey_arena arena = COVEY_ARENA_INIT;
        covey_peel_table lots;
        covey_peel p;
        uint32_t row = 0;

        if (set_up(&f, number) && f.table.bounded_view < 0) {
            const covey_peel_table *t = &f.table;
            uint32_t *class_of_row, n_rows = 0;

            assert_int_equal(covey_i_peel_table_new(&lots, &f.m.problem, 0, false, &arena, NULL, NULL), COVEY_OK);
            assert_int_equal(lots.n_rows, t->n_rows);
            assert_int_equal(lots.n_cells, t->n_cells);
            for (uint32_t lot = 0; lot < lots.n_lots; lot++) {
                assert_int_equal(lots.first[lot], row);
                for (uint32_t i = 0; i < lots.size[lot]; i++, row++) {
                    assert_int_equal(t->alike[row], lots.first[lot]);
                    assert_int_equal(t->kind[row], lots.kind[lot]);
                    assert_memory_equal(covey_i_peel_codes(t, row), covey_i_peel_codes(&lots, lot),
                                        t->n_axes * sizeof *t->codes);
                }
            }
            assert_int_equal(row, t->n_rows);
            n_counted += lots.row == NULL;
            n_sorted += lots.row != NULL;
            assert_int_equal(covey_i_peel_new(&p, &lots, NULL), COVEY_OK);
            for (uint32_t c = 0; c < 3; c++)
                assert_int_equal(covey_i_peel_class_new(&p), c);
            for (uint32_t lot = 0; lot < lots.n_whole; lot++) {
                uint32_t new;

                covey_i_peel_add(&p, lot % 3, lot);
                if (lots.size[lot] < 2 || maker_below(&f.random, 2))
                    continue;
                assert_int_equal(
                    covey_i_peel_split(&new, &p, lot, 1 + maker_below(&f.random, lots.size[lot] - 1), NULL), COVEY_OK);
                covey_i_peel_move(&p, new, maker_below(&f.random, 3));
                n_split++;
            }
            for (uint32_t c = 0; c < 3; c++)
                n_rows += p.class[c].n;
            assert_int_equal(n_rows, t->n_rows);
            assert_int_equal(covey_i_peel_class_of_rows(&class_of_row, &p.n_classes, &lots, p.class_of, NULL, NULL),
                             COVEY_OK);
            for (uint32_t lot = 0; lot < lots.n_lots; lot++)
                for (uint32_t i = 0; i < lots.size[lot]; i++)
                    assert_int_equal(class_of_row[t->row[lots.first[lot] + i]], p.class_of[lot]);
            covey_i_free(class_of_row);
            covey_i_peel_clear(&p);
            covey_i_peel_table_clear(&lots);
        }
        covey_arena_free(&arena);
        tear_down(&f);
    }
    assert_true(n_counted > 0 && n_sorted > 0 && n_split > 0);
}

/* --- cuts --- */

/* Rows of four axes under k-anonymity, some of them alike. */
static void make_rows(problem_maker *m, uint32_t n, uint32_t n_values, int64_t k, uint64_t *random)
{
    const uint32_t n_codes[] = {n_values, 12, 30, 2};
    uint32_t *code[4];
    char params[32];

    maker_init(m, n);
    for (int a = 0; a < 4; a++) {
        code[a] = covey_arena_array(&m->arena, uint32_t, n);
        for (uint32_t i = 0; i < n; i++)
            code[a][i] = i > 0 && maker_below(random, 3) == 0 ? code[a][i - 1] : maker_below(random, n_codes[a]);
    }
    maker_add_range(m, "a", code[0], n_codes[0], false, NULL);
    maker_add_tree(m, "b", code[1], n_codes[1], false, 3);
    maker_add_range(m, "c", code[2], n_codes[2], false, NULL);
    maker_add_flat(m, "d", code[3], n_codes[3], false);
    snprintf(params, sizeof params, "k=%d", (int)k);
    maker_promise(m, "k-anonymity", params, -1);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
}

/* A few classes, whose rows are linked in any order. */
static void deal_rows(covey_peel *p, covey_peel_table *t, uint64_t random)
{
    const uint32_t n_classes = 1 + maker_below(&random, 3), step = t->n_rows > 7 && t->n_rows % 7 ? 7 : 1;

    assert_int_equal(covey_i_peel_new(p, t, NULL), COVEY_OK);
    for (uint32_t c = 0; c < n_classes; c++)
        assert_int_equal(covey_i_peel_class_new(p), c);
    for (uint32_t i = 0; i < t->n_rows; i++) /* most are in one of them */
        covey_i_peel_add(p, maker_below(&random, 10) ? 0 : maker_below(&random, n_classes),
                         (uint32_t)((uint64_t)i * step % t->n_rows));
}

static void assert_same_classes(const covey_peel *p, const covey_peel *q)
{
    const size_t d4 = 4 * p->t->width;

    assert_int_equal(p->n_classes, q->n_classes);
    assert_int_equal(p->work, q->work);
    assert_memory_equal(p->class_of, q->class_of, p->t->n_rows * sizeof *p->class_of);
    assert_memory_equal(p->next, q->next, p->t->n_rows * sizeof *p->next);
    assert_memory_equal(p->before, q->before, p->t->n_rows * sizeof *p->before);
    for (uint32_t c = 0; c < p->n_classes; c++) {
        assert_int_equal(p->class[c].first, q->class[c].first);
        assert_int_equal(p->class[c].n, q->class[c].n);
        assert_int_equal(p->class[c].loss, q->class[c].loss);
        assert_int_equal(p->class[c].rows_hash, q->class[c].rows_hash);
        assert_int_equal(p->class[c].kinds_hash, q->class[c].kinds_hash);
        if (p->class[c].n > 0)
            assert_memory_equal(p->box + c * d4, q->box + c * d4, d4 * sizeof *p->box);
    }
}

static void planned_cuts_are_those_that_one_after_another_finds(void **state)
{
    uint64_t random = 11;
    uint32_t n_cut = 0;

    for (int number = 0; number < 40; number++) {
        const uint32_t n = number == 0 ? 40000 : 2 + maker_below(&random, 2000); /* many: several threads cut */
        const int64_t k = 1 + maker_below(&random, 6);
        covey_arena arena = COVEY_ARENA_INIT;
        covey_peel_table t = {0};
        covey_peel singly, planned;
        problem_maker m;

        make_rows(&m, n, number == 0 ? 400 : 60, k, &random);
        assert_int_equal(covey_i_peel_table_new(&t, &m.problem, 0, true, &arena, NULL, NULL), COVEY_OK);
        deal_rows(&singly, &t, (uint64_t)number);
        deal_rows(&planned, &t, (uint64_t)number);
        assert_int_equal(covey_i_peel_cut(&singly, UINT32_MAX, NULL), COVEY_OK);
        assert_int_equal(covey_i_peel_cut(&planned, 2, NULL), COVEY_OK);
        assert_same_classes(&planned, &singly);
        n_cut += singly.n_classes > 3;
        covey_i_peel_clear(&singly);
        covey_i_peel_clear(&planned);
        covey_i_peel_table_clear(&t);
        covey_arena_free(&arena);
        maker_clear(&m);
    }
    assert_true(n_cut > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_know_their_losses_and_verdicts_whatever_comes_and_goes),
        cmocka_unit_test(an_emptied_class_can_be_filled_again),
        cmocka_unit_test(the_index_finds_the_cheapest_class_to_join),
        cmocka_unit_test(the_index_finds_it_among_lots),
        cmocka_unit_test(the_best_donor_is_found),
        cmocka_unit_test(a_move_gains_what_it_says),
        cmocka_unit_test(a_trimmed_group_keeps_the_promises),
        cmocka_unit_test(who_is_set_aside_keeps_the_promises_and_so_do_the_others),
        cmocka_unit_test(lots_hold_the_rows_of_a_cell_and_kind),
        cmocka_unit_test(planned_cuts_are_those_that_one_after_another_finds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
