/* The engine that bisects: what it cuts, in which order, and that threads do not show. */
#include "method/rows/bisect.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "test.h"

enum { MOST_CLOSED = 4096 };

/* A rule that halves parts of more than `least` items; a note says how deep a part lies. */
struct halving {
    uint32_t least;
    uint32_t later;  /* parts of more items are not cut among others; 0: all are */
    uint32_t broken; /* a part that begins here cannot be cut for an error; 0: none */
    bool start_fails;
    _Atomic int *n_started, *n_stopped, *n_taken;
};

struct worker {
    const struct halving *rule;
    bool is_alone;
};

static covey_status start(void *worker, const void *context, covey_arena *arena, covey_error *err)
{
    struct worker *w = worker;

    w->rule = context;
    ++*w->rule->n_started;
    return w->rule->start_fails ? covey_fail(err, COVEY_EINVAL, "no worker") : COVEY_OK;
}

static void stop(void *worker)
{
    ++*((struct worker *)worker)->rule->n_stopped;
}

static covey_status take(covey_span *piece, uint32_t *notes, void *worker, covey_error *err)
{
    struct worker *w = worker;

    w->is_alone = true;
    ++*w->rule->n_taken;
    return COVEY_OK;
}

static covey_status cut_part(covey_bisected *out, covey_span half[2], uint32_t *half_notes, void *worker, int n_threads,
                             covey_span part, const uint32_t *notes, covey_error *err)
{
    const struct worker *w = worker;
    const uint32_t n_left = part.n / 3;

    if (w->rule->broken > 0 && part.start == w->rule->broken)
        return covey_fail(err, COVEY_EINVAL, "broken");
    if (!w->is_alone && w->rule->later > 0 && part.n > w->rule->later) {
        *out = COVEY_BISECTED_LATER;
        return COVEY_OK;
    }
    *out = part.n > w->rule->least ? COVEY_BISECTED_CUT : COVEY_BISECTED_CLOSED;
    half[0] = (covey_span){part.start, n_left};
    half[1] = (covey_span){part.start + n_left, part.n - n_left};
    half_notes[0] = half_notes[1] = *notes + 1;
    return COVEY_OK;
}

static covey_status close_part(void *result, void *worker, covey_span part, const uint32_t *notes, covey_error *err)
{
    covey_parts *closed = result;

    closed->n_notes = 1;
    return covey_i_parts_add(closed, part, notes, err);
}

struct tried {
    covey_status status;
    covey_error err;
    int n_started, n_stopped, n_taken;
    size_t n;
    covey_span part[MOST_CLOSED];
    uint32_t depth[MOST_CLOSED];
};

static void try(struct tried *out, struct halving halving, covey_bisector rule, uint32_t n, int n_threads)
{
    _Atomic int n_started = 0, n_stopped = 0, n_taken = 0;
    const covey_run run = {.n_threads = n_threads};
    const uint32_t depth = 0;
    covey_bisection bisection = {0};

    halving.n_started = &n_started;
    halving.n_stopped = &n_stopped;
    halving.n_taken = &n_taken;
    rule.worker_size = sizeof(struct worker);
    rule.result_size = sizeof(covey_parts);
    rule.n_notes = 1;
    rule.start = start;
    rule.stop = stop;
    rule.take = take;
    rule.cut = cut_part;
    rule.close = close_part;
    *out = (struct tried){0};
    out->status = covey_i_bisect(&bisection, &rule, &halving, (covey_span){0, n}, &depth, &run, &out->err);
    for (size_t p = 0; p < bisection.n; p++) {
        covey_parts *closed = (covey_parts *)bisection.result + p;

        for (size_t i = 0; i < closed->n; i++, out->n++) {
            assert_true(out->n < MOST_CLOSED);
            out->part[out->n] = closed->part[i];
            out->depth[out->n] = closed->notes[i];
        }
        covey_i_parts_clear(closed);
    }
    covey_i_free(bisection.result);
    out->n_started = n_started;
    out->n_stopped = n_stopped;
    out->n_taken = n_taken;
    assert_int_equal(out->n_started, out->n_stopped);
}

/* Every item in one closed part, none of which can be cut. */
static void check_closed(const struct tried *t, uint32_t n, uint32_t least)
{
    bool *seen = covey_i_array_zero(n, sizeof *seen);

    assert_int_equal(t->status, COVEY_OK);
    for (size_t i = 0; i < t->n; i++) {
        assert_true(t->part[i].n <= least && t->part[i].n > 0);
        for (uint32_t k = 0; k < t->part[i].n; k++) {
            assert_false(seen[t->part[i].start + k]);
            seen[t->part[i].start + k] = true;
        }
    }
    for (uint32_t k = 0; k < n; k++)
        assert_true(seen[k]);
    covey_i_free(seen);
}

static void check_same(const struct tried *a, const struct tried *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->part[i].start, b->part[i].start);
        assert_int_equal(a->part[i].n, b->part[i].n);
        assert_int_equal(a->depth[i], b->depth[i]);
    }
}

static void all_items_are_in_parts_that_cannot_be_cut(void **state)
{
    static const covey_bisector rules[] = {{.small = 50, .most_open = 16},
                                           {.small = 0, .most_open = SIZE_MAX},
                                           {.small = 5000, .most_open = 16},
                                           {.by_breadth = true, .most_open = 16},
                                           {.by_breadth = true, .most_open = SIZE_MAX},
                                           {.by_breadth = true, .most_open = 1}};
    static struct tried one, more;

    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        try(&one, (struct halving){.least = 7}, rules[r], 3000, 1);
        check_closed(&one, 3000, 7);
        for (int n_threads = 2; n_threads <= 4; n_threads++) {
            try(&more, (struct halving){.least = 7}, rules[r], 3000, n_threads);
            check_same(&one, &more);
        }
    }
}

static void by_breadth_the_oldest_part_is_next(void **state)
{
    static struct tried t;

    try(&t, (struct halving){.least = 4}, (covey_bisector){.by_breadth = true, .most_open = SIZE_MAX}, 12, 1);
    assert_int_equal(t.n, 4); /* 4 | 8 (2 | 6 (2 | 4)) */
    for (size_t i = 1; i < t.n; i++)
        assert_true(t.depth[i - 1] <= t.depth[i]);
    assert_int_equal(t.part[0].n, 4);
    assert_int_equal(t.part[1].start, 4);
    assert_int_equal(t.n_taken, 0);
}

static void inside_pieces_the_leftmost_part_is_next(void **state)
{
    static struct tried t;

    try(&t, (struct halving){.least = 4}, (covey_bisector){.small = 100, .most_open = 64}, 40, 2);
    for (size_t i = 1; i < t.n; i++)
        assert_int_equal(t.part[i].start, t.part[i - 1].start + t.part[i - 1].n);
    assert_int_equal(t.n_taken, 1);
}

static void a_part_can_wait_until_it_is_a_piece(void **state)
{
    static struct tried whole, t;

    try(&whole, (struct halving){.least = 7}, (covey_bisector){.small = 5000, .most_open = 64}, 1000, 2);
    try(&t, (struct halving){.least = 7, .later = 900}, (covey_bisector){.small = 10, .most_open = 64}, 1000, 2);
    check_closed(&t, 1000, 7);
    check_same(&whole, &t);
    assert_int_equal(t.n_taken, 1);
}

static void nothing_is_cut_of_no_items(void **state)
{
    static struct tried t;

    try(&t, (struct halving){.least = 7}, (covey_bisector){.small = 10, .most_open = 64}, 0, 2);
    assert_int_equal(t.status, COVEY_OK);
    assert_int_equal(t.n, 0);
    assert_int_equal(t.n_started, 0);
}

static void errors_come_back(void **state)
{
    static struct tried t;

    for (int breadth = 0; breadth < 2; breadth++) {
        const covey_bisector rule = {.by_breadth = breadth, .small = 30, .most_open = 8};

        try(&t, (struct halving){.least = 7, .start_fails = true}, rule, 1000, 2);
        assert_int_equal(t.status, COVEY_EINVAL);
        assert_string_equal(t.err.message, "no worker");
        try(&t, (struct halving){.least = 7, .broken = 333}, rule, 1000, 2);
        assert_int_equal(t.status, COVEY_EINVAL);
        assert_string_equal(t.err.message, "broken");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_items_are_in_parts_that_cannot_be_cut),
                                       cmocka_unit_test(by_breadth_the_oldest_part_is_next),
                                       cmocka_unit_test(inside_pieces_the_leftmost_part_is_next),
                                       cmocka_unit_test(a_part_can_wait_until_it_is_a_piece),
                                       cmocka_unit_test(nothing_is_cut_of_no_items),
                                       cmocka_unit_test(errors_come_back)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
