/* Every attack obeys the contract of the registry. */
#include "test.h"

#include <string.h>

#include "attack/attack_impl.h"

/* Beside the names of models and methods, these are what programs know covey by. */
static const char *const known[] = {"skewness",    "homogeneity", "similarity",        "background-knowledge",
                                    "naive-bayes", "definetti",   "corruption",        "composition",
                                    "minimality",  "membership",  "re-identification", "rare-values"};

static void attacks_are_found_by_their_names_and_have_those_that_are_known(void **state)
{
    assert_true(covey_attack_count() > 0);
    for (size_t i = 0; i < covey_attack_count(); i++) {
        bool listed = false;

        assert_ptr_equal(covey_attack_find(covey_attack_name(covey_attack_at(i))), covey_attack_at(i));
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            listed |= strcmp(known[k], covey_attack_name(covey_attack_at(i))) == 0;
        assert_true(listed);
    }
    assert_null(covey_attack_at(covey_attack_count()));
    assert_null(covey_attack_find("skewnes"));
}

static void every_attack_says_what_it_does(void **state)
{
    for (size_t i = 0; i < covey_attack_count(); i++) {
        const covey_attack *attack = covey_attack_at(i);

        assert_true(strlen(covey_attack_summary(attack)) > 20 && strlen(covey_attack_summary(attack)) < 100);
        assert_null(strchr(covey_attack_summary(attack), '\n'));
        assert_true(strlen(covey_attack_figure(attack)) > 10);
        assert_true(covey_attack_forms(attack)[0]);
        assert_true(attack->level[0] == 'A' && attack->level[1] >= '0' && attack->level[1] <= '4');
        assert_non_null(attack->run);
        for (unsigned f = 0; f < COVEY_ATTACKED_FORMS;
             f++) /* a reason for each form that it is not for, and for no other */
            assert_int_equal(attack->not_for[f] != NULL, !(attack->forms & 1u << f));
    }
}

static void every_source_is_in_the_list_of_references(void **state)
{
    static char references[65536];
    const char *root = getenv("COVEY_TEST_ROOT");
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/docs/references.md", root ? root : ".");
    assert_non_null(file = fopen(path, "r"));
    references[fread(references, 1, sizeof references - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < covey_attack_count(); i++) {
        const char *source = covey_attack_source(covey_attack_at(i));
        char row[128];

        snprintf(row, sizeof row, "\n| %.*s |", (int)strcspn(source, ","), source);
        if (!strstr(references, row))
            fail_msg("docs/references.md does not list the source of %s", covey_attack_name(covey_attack_at(i)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attacks_are_found_by_their_names_and_have_those_that_are_known),
        cmocka_unit_test(every_attack_says_what_it_does),
        cmocka_unit_test(every_source_is_in_the_list_of_references),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
