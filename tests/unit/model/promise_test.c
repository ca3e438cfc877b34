#include "test.h"

#include <string.h>

#include "base/alloc.h"
#include "model/promise.h"
#include "support/problem/class_judge.h"
#include "table/histogram.h"

/* Six rows: age code, disease code.
 *   row      0 1 2 3 4 5
 *   age      2 0 1 1 2 0
 *   disease  0 0 1 1 2 2 */
static const uint8_t ages[] = {2, 0, 1, 1, 2, 0}, diseases[] = {0, 0, 1, 1, 2, 2};

struct fixture {
    covey_arena arena;
    covey_histogram prior;
    covey_column *age, *disease;
    const covey_column *quasi[1];
    covey_view view;
    covey_promise promise[2];
    covey_promises promises;
};

static void set_up(struct fixture *f, size_t n_promises, const char *const (*models)[2])
{
    covey_error err;

    memset(f, 0, sizeof *f);
    f->age = judge_numbers("age", (int64_t[]){20, 30, 40}, 0, 3, &f->arena);
    f->age->codes = ages;
    f->disease = judge_texts("disease", (const char *[]){"angina", "asthma", "flu"}, 3, &f->arena);
    f->disease->codes = diseases;
    f->age->n_rows = f->disease->n_rows = 6;
    judge_histogram(&f->prior, (int64_t[]){2, 2, 2}, 3, &f->arena);
    f->quasi[0] = f->age;
    f->view = (covey_view){.name = "disease", .column = f->disease, .prior = &f->prior};
    f->promises = (covey_promises){.n = n_promises,
                                   .promise = f->promise,
                                   .n_views = 1,
                                   .view = &f->view,
                                   .n_quasi = 1,
                                   .quasi = f->quasi,
                                   .min_size = 1};
    for (size_t i = 0; i < n_promises; i++) {
        covey_promise *p = &f->promise[i];
        void *params;

        p->model = covey_model_find(models[i][0]);
        assert_non_null(p->model);
        assert_int_equal(judge_params(&params, p->model, models[i][1], &f->arena, &err), COVEY_OK);
        p->params = params;
        p->view = p->model->traits & COVEY_MODEL_SENSITIVE ? 0 : -1;
    }
    assert_int_equal(covey_i_promises_prepare(&f->promises, &f->arena, &err), COVEY_OK);
}

static void tear_down(struct fixture *f)
{
    covey_arena_free(&f->arena);
}

static void an_empty_tally_keeps_no_promise(void **unused)
{
    struct fixture f;
    covey_tally tally;

    set_up(&f, 1, (const char *const[][2]){{"k-anonymity", "k=1"}});
    assert_int_equal(covey_i_tally_new(&tally, &f.promises, &f.arena, NULL), COVEY_OK);
    assert_false(covey_i_promises_admit(&f.promises, &tally));
    assert_int_equal(covey_i_promises_broken(&f.promises, &tally), 1);
    tear_down(&f);
}

static void rows_can_be_added_and_taken_away(void **unused)
{
    struct fixture f;
    covey_tally tally;

    set_up(&f, 1, (const char *const[][2]){{"k-anonymity", "k=2"}});
    assert_int_equal(covey_i_tally_new(&tally, &f.promises, &f.arena, NULL), COVEY_OK);
    covey_i_tally_add(&tally, &f.promises, 0);
    assert_int_equal(covey_i_promises_broken(&f.promises, &tally), 0);
    covey_i_tally_add(&tally, &f.promises, 5);
    assert_true(covey_i_promises_admit(&f.promises, &tally));
    assert_int_equal(tally.counts[0].n_distinct, 2);
    covey_i_tally_remove(&tally, &f.promises, 0);
    assert_false(covey_i_promises_admit(&f.promises, &tally));
    assert_int_equal(tally.counts[0].count[2], 1);
    covey_i_tally_clear(&tally);
    assert_int_equal(tally.size, 0);
    assert_int_equal(tally.counts[0].total, 0);
    tear_down(&f);
}

static void ranges_widen_if_the_caller_wants_them(void **unused)
{
    struct fixture f;
    covey_tally one;

    set_up(&f, 1, (const char *const[][2]){{"k-anonymity", "k=2"}});
    assert_int_equal(covey_i_tally_new(&one, &f.promises, &f.arena, NULL), COVEY_OK);
    assert_false(one.has_ranges);
    one.has_ranges = true;
    covey_i_tally_add(&one, &f.promises, 2);
    assert_int_equal(one.low[0], 1);
    assert_int_equal(one.high[0], 1);
    covey_i_tally_add(&one, &f.promises, 1);
    covey_i_tally_add(&one, &f.promises, 0);
    assert_int_equal(one.low[0], 0);
    assert_int_equal(one.high[0], 2);
    assert_int_equal(one.size, 3);
    assert_int_equal(one.counts[0].count[0], 2);
    tear_down(&f);
}

static void a_wish_for_larger_classes_counts_like_a_promise(void **unused)
{
    struct fixture f;
    covey_tally tally;

    set_up(&f, 1, (const char *const[][2]){{"k-anonymity", "k=2"}});
    f.promises.min_size = 3;
    assert_int_equal(covey_i_promises_min_size(&f.promises), 3);
    assert_int_equal(covey_i_tally_new(&tally, &f.promises, &f.arena, NULL), COVEY_OK);
    covey_i_tally_add(&tally, &f.promises, 0);
    covey_i_tally_add(&tally, &f.promises, 1);
    assert_int_equal(covey_i_promises_broken(&f.promises, &tally), 1);
    f.promises.min_size = 1;
    assert_int_equal(covey_i_promises_min_size(&f.promises), 2);
    tear_down(&f);
}

static void the_first_promise_that_is_broken_is_named(void **unused)
{
    struct fixture f;
    covey_tally tally;

    set_up(&f, 2, (const char *const[][2]){{"k-anonymity", "k=2"}, {"distinct-l-diversity", "l=2"}});
    assert_int_equal(covey_i_tally_new(&tally, &f.promises, &f.arena, NULL), COVEY_OK);
    covey_i_tally_add(&tally, &f.promises, 0);
    assert_int_equal(covey_i_promises_broken(&f.promises, &tally), 0);
    covey_i_tally_add(&tally, &f.promises, 1);
    assert_int_equal(covey_i_promises_broken(&f.promises, &tally), 1);
    covey_i_tally_add(&tally, &f.promises, 2);
    assert_int_equal(covey_i_promises_broken(&f.promises, &tally), -1);
    tear_down(&f);
}

static void bounds_are_those_of_all_promises_on_a_view(void **unused)
{
    int64_t cap[] = {6, 6, 6}, need[] = {0, 0, 0};
    struct fixture f;

    set_up(&f, 2, (const char *const[][2]){{"probabilistic-l-diversity", "l=2"}, {"delta-disclosure", "delta=0.9"}});
    assert_true(covey_i_promises_have_bounds(&f.promises, 0));
    assert_false(covey_i_promises_have_bounds(&f.promises, -1));
    covey_i_promises_bounds(&f.promises, 0, 6, cap, need);
    assert_int_equal(cap[0], 3);  /* 6/2; e^0.9 * 6/3 = 4.9 */
    assert_int_equal(need[0], 1); /* e^-0.9 * 6/3 = 0.8 */
    assert_true(covey_i_promises_all_traits(&f.promises) & COVEY_MODEL_CAPS);
    assert_true(covey_i_promises_are_bounds(&f.promises, 0));
    assert_false(covey_i_promises_are_bounds(&f.promises, -1));
    assert_false(covey_i_promises_all_traits(&f.promises) & COVEY_MODEL_PRIOR);
    assert_true(covey_i_promises_any_traits(&f.promises) & COVEY_MODEL_PRIOR);
    assert_int_equal(covey_i_promises_min_size(&f.promises), 3); /* delta: each of the three values */
    tear_down(&f);
    set_up(&f, 1, (const char *const[][2]){{"k-anonymity", "k=2"}});
    assert_false(covey_i_promises_have_bounds(&f.promises, 0));
    assert_true(covey_i_promises_all_traits(&f.promises) & COVEY_MODEL_CAPS);
    assert_true(covey_i_promises_are_bounds(&f.promises, 0));
    tear_down(&f);
    set_up(&f, 2, (const char *const[][2]){{"k-anonymity", "k=2"}, {"distinct-l-diversity", "l=2"}});
    assert_false(covey_i_promises_are_bounds(&f.promises, 0));
    tear_down(&f);
}

static void what_a_model_needs_of_its_attribute_is_checked_first(void **unused)
{
    covey_error err = {0};
    struct fixture f;

    set_up(&f, 1, (const char *const[][2]){{"distinct-l-diversity", "l=2"}});
    f.promise[0].view = -1;
    assert_int_equal(covey_i_promises_prepare(&f.promises, &f.arena, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "needs a sensitive attribute"));
    f.promise[0].view = 0;
    f.promise[0].model = covey_model_find("ke-anonymity");
    assert_int_equal(covey_i_promises_prepare(&f.promises, &f.arena, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "needs a number, but column \"disease\" is text"));
    f.promise[0].model = covey_model_find("distinct-l-diversity");
    f.prior.total = (int64_t)UINT32_MAX + 1;
    assert_int_equal(covey_i_promises_prepare(&f.promises, &f.arena, &err), COVEY_EINVAL);
    assert_non_null(strstr(err.message, "4294967296"));
    tear_down(&f);
}

static void running_out_of_memory_is_reported(void **unused)
{
    struct fixture f;

    set_up(&f, 1, (const char *const[][2]){{"k-anonymity", "k=2"}});
    for (int64_t n = 1;; n++) {
        covey_arena arena = COVEY_ARENA_INIT;
        covey_tally tally = {0};
        covey_status status;

        covey_i_alloc_fail_at(n);
        if ((status = covey_i_promises_prepare(&f.promises, &arena, NULL)) == COVEY_OK)
            status = covey_i_tally_new(&tally, &f.promises, &arena, NULL);
        covey_i_alloc_fail_at(0);
        covey_arena_free(&arena);
        if (status == COVEY_OK)
            break;
        assert_int_equal(status, COVEY_ENOMEM);
    }
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_tally_keeps_no_promise),
        cmocka_unit_test(rows_can_be_added_and_taken_away),
        cmocka_unit_test(ranges_widen_if_the_caller_wants_them),
        cmocka_unit_test(a_wish_for_larger_classes_counts_like_a_promise),
        cmocka_unit_test(the_first_promise_that_is_broken_is_named),
        cmocka_unit_test(bounds_are_those_of_all_promises_on_a_view),
        cmocka_unit_test(what_a_model_needs_of_its_attribute_is_checked_first),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
