/* Every model obeys the contract of the registry. */
#include "test.h"

#include <string.h>

#include "support/problem/class_judge.h"
#include "base/alloc.h"

/* A good set of parameters for each model, and sets that must be refused. */
static const struct {
    const char *name, *good, *bad[6];
} cases[] = {
    {"k-anonymity", "k=2", {"k=0", "k=-3", "k=2.5", "k=two", "l=2"}},
    {"distinct-l-diversity", "l=2", {"l=0", "l=1.5", "k=2"}},
    {"probabilistic-l-diversity", "l=1.5", {"l=0.5", "l=0", "l=inf", "l=1/0"}},
    {"entropy-l-diversity", "l=1.5", {"l=0.99", "l=nan", "l=9223372036854775807"}},
    {"recursive-cl-diversity", "c=2,l=2", {"c=0,l=2", "c=-1,l=2", "c=2,l=0", "c=2,l=1.5"}},
    {"alpha-k-anonymity",
     "alpha=0.5,k=2",
     {"alpha=0,k=2", "alpha=1.01,k=2", "alpha=0.5,k=0", "alpha=0.5,k=2,value=nowhere"}},
    {"p-sensitive-k-anonymity", "p=2,k=2", {"p=3,k=2", "p=0,k=2", "p=1,k=0"}},
    {"t-closeness",
     "t=0.5",
     {"t=-0.1", "t=0.5,distance=none", "t=0.5,smooth=1", "t=0.5,distance=js-smoothed,smooth=0", "t=0.5,log=dit"}},
    {"basic-beta-likeness",
     "beta=2",
     {"beta=0", "beta=-1", "beta=inf", "beta=1,two-sided=both", "beta=1,two-sided={difference: 1}"}},
    {"enhanced-beta-likeness",
     "beta=2",
     {"beta=0", "beta=-1", "beta=1,group-beta=1", "beta=1,groups=[[1, 2]]", "beta=1,proximity={window: 0}"}},
    {"delta-disclosure", "delta=2", {"delta=0", "delta=-1"}},
    {"ke-anonymity", "k=2,e=5", {"k=0,e=5", "k=2,e=-1", "k=1.5,e=1"}},
    {"min-length", "length=5", {"length=-1", "length=long"}},
    {"sliced-l-diversity", "l=1.5", {"l=0.5", "l=0", "l=inf", "l=1/0"}},
    {"p-private", "target=uniform", {NULL}},
    {"m-invariance", "m=2", {"m=0", "m=-1", "m=1.5", "m=two"}},
};
enum { N_CASES = sizeof cases / sizeof *cases, N = 4 };

static const int64_t ages[N] = {20, 30, 40, 50}, table[N] = {3, 2, 2, 1};

static void set_up(covey_model_input *input, const covey_column **quasi, covey_arena *arena)
{
    quasi[0] = judge_numbers("age", ages, 0, N, arena);
    *input = (covey_model_input){.sensitive = judge_numbers("salary", ages, 0, N, arena),
                                 .has_order = true,
                                 .quasi = quasi,
                                 .n_quasi = 1,
                                 .attribute = "age"};
}

static void models_are_found_by_their_names_and_names_are_unique(void **unused)
{
    assert_int_equal(covey_model_count(), N_CASES);
    for (size_t i = 0; i < covey_model_count(); i++) {
        const covey_model *model = covey_model_at(i);

        assert_ptr_equal(covey_model_find(covey_model_name(model)), model);
        assert_string_equal(covey_model_name(model), cases[i].name);
    }
    assert_null(covey_model_at(covey_model_count()));
    assert_null(covey_model_find("k-anonymous"));
}

static void every_model_says_what_it_does_and_what_it_does_not(void **unused)
{
    for (size_t i = 0; i < covey_model_count(); i++) {
        const covey_model *model = covey_model_at(i);
        const char *not_against = covey_model_not_against(model);

        assert_true(strlen(covey_model_summary(model)) > 20);
        assert_null(strchr(covey_model_summary(model), '\n'));
        assert_true(strlen(not_against) > 20);
        assert_int_equal(not_against[strlen(not_against) - 1], '.');
        assert_non_null(model->admits);
        assert_non_null(model->figure);
        /* per-value caps are worth nothing without bounds, unless the size is all that counts */
        if ((model->traits & COVEY_MODEL_CAPS) && (model->traits & COVEY_MODEL_SENSITIVE))
            assert_non_null(model->bounds);
        if ((model->traits & COVEY_MODEL_PRIOR) || (model->traits & COVEY_MODEL_NUMBER))
            assert_true(model->traits & COVEY_MODEL_SENSITIVE);
    }
}

static void every_source_is_in_the_list_of_references(void **unused)
{
    static char references[65536];
    const char *root = getenv("COVEY_TEST_ROOT");
    char path[4096];
    size_t size;
    FILE *file;

    snprintf(path, sizeof path, "%s/docs/references.md", root ? root : ".");
    assert_non_null(file = fopen(path, "r"));
    size = fread(references, 1, sizeof references - 1, file);
    fclose(file);
    references[size] = '\0';
    for (size_t i = 0; i < covey_model_count(); i++) {
        const char *source = covey_model_source(covey_model_at(i));
        char row[64];

        assert_non_null(strchr(source, ','));
        snprintf(row, sizeof row, "\n| %.*s |", (int)strcspn(source, ","), source);
        if (!strstr(references, row))
            fail_msg("docs/references.md does not list the key of \"%s\"", source);
    }
}

static void parameters_are_named_once_and_described(void **unused)
{
    for (size_t i = 0; i < covey_model_count(); i++) {
        const covey_model *model = covey_model_at(i);
        bool threshold_found = !model->threshold;
        size_t n;
        const covey_param *params = covey_model_params(model, &n);

        assert_true(n > 0);
        for (size_t p = 0; p < n; p++) {
            assert_true(params[p].offset < model->params_size);
            assert_non_null(params[p].help);
            assert_false(params[p].required && params[p].fallback);
            threshold_found |= model->threshold && strcmp(params[p].name, model->threshold) == 0;
            for (size_t q = 0; q < p; q++)
                assert_string_not_equal(params[p].name, params[q].name);
        }
        assert_true(threshold_found);
    }
}

static void defaults_parse(void **unused)
{
    for (size_t i = 0; i < covey_model_count(); i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        covey_error err = {0};
        void *params;

        if (judge_params(&params, covey_model_at(i), "", &arena, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        covey_arena_free(&arena);
    }
}

static void good_parameters_prepare_and_admit_the_whole_table(void **unused)
{
    for (int i = 0; i < N_CASES; i++) {
        const uint32_t low = 0, high = N - 1;
        covey_arena arena = COVEY_ARENA_INIT;
        const covey_column *quasi[1];
        covey_model_input input;
        covey_group whole;
        judge j;

        set_up(&input, quasi, &arena);
        judge_init(&j, cases[i].name, cases[i].good, table, N, &input);
        whole = (covey_group){.size = j.prior.total, .counts = &j.prior, .low = &low, .high = &high};
        assert_true(j.model->admits(j.state, &whole) || (j.model->traits & COVEY_MODEL_INVARIANT)); /* no class */
        judge_clear(&j);
        covey_arena_free(&arena);
    }
}

static void bad_parameters_are_refused_with_a_message(void **unused)
{
    for (int i = 0; i < N_CASES; i++)
        for (int b = 0; b < 6 && cases[i].bad[b]; b++) {
            covey_arena arena = COVEY_ARENA_INIT;
            const covey_column *quasi[1];
            covey_model_input input;
            covey_error err = {0};
            judge j;

            set_up(&input, quasi, &arena);
            if (judge_new(&j, cases[i].name, cases[i].bad[b], table, N, &input, &err) != COVEY_EINVAL)
                fail_msg("%s:%s is not refused", cases[i].name, cases[i].bad[b]);
            assert_non_null(strstr(err.message, cases[i].name));
            judge_clear(&j);
            covey_arena_free(&arena);
        }
}

static void running_out_of_memory_is_reported(void **unused)
{
    for (int i = 0; i < N_CASES; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        const covey_column *quasi[1];
        covey_model_input input;
        covey_histogram prior;
        void *params, *state;

        set_up(&input, quasi, &arena);
        judge_histogram(&prior, table, N, &arena);
        input.prior = &prior;
        assert_int_equal(judge_params(&params, covey_model_at((size_t)i), cases[i].good, &arena, NULL), COVEY_OK);
        for (int64_t n = 1;; n++) {
            covey_arena small = COVEY_ARENA_INIT;
            covey_error err = {0};
            covey_status status;

            covey_i_alloc_fail_at(n);
            status = covey_i_model_prepare(&state, covey_model_at((size_t)i), &input, params, &small, &err);
            covey_i_alloc_fail_at(0);
            covey_arena_free(&small);
            if (status == COVEY_OK)
                break;
            assert_int_equal(status, COVEY_ENOMEM);
            assert_true(strlen(err.message) > 0);
        }
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_found_by_their_names_and_names_are_unique),
        cmocka_unit_test(every_model_says_what_it_does_and_what_it_does_not),
        cmocka_unit_test(every_source_is_in_the_list_of_references),
        cmocka_unit_test(parameters_are_named_once_and_described),
        cmocka_unit_test(defaults_parse),
        cmocka_unit_test(good_parameters_prepare_and_admit_the_whole_table),
        cmocka_unit_test(bad_parameters_are_refused_with_a_message),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
