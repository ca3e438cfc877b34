/* Every experiment obeys the contract of the registry, and every figure of the papers is listed once. */
#include "test.h"

#include <string.h>

#include "reproduce/experiment_impl.h"

static void experiments_are_found_by_their_names_and_say_what_they_show(void **state)
{
    assert_true(covey_experiment_count() > 0);
    for (size_t i = 0; i < covey_experiment_count(); i++) {
        const covey_experiment *e = covey_experiment_at(i);

        assert_ptr_equal(covey_experiment_find(e->name), e);
        assert_true(strspn(e->name, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
                    strlen(e->name)); /* of files, and of places in a page */
        assert_string_not_equal(e->name, "all");
        assert_true(strlen(e->title) > 10 && strlen(e->source) > 5 && strlen(e->statement) > 20);
        assert_non_null(e->x_title);
        assert_non_null(e->y_title);
        assert_non_null(e->run);
        assert_true(e->because == COVEY_DIFFERENCE_OPEN || e->why); /* a reason is a sentence */
        assert_true(!e->why || (strlen(e->why) > 40 && strlen(e->why) < sizeof((covey_reproduced *)NULL)->why));
    }
    assert_null(covey_experiment_at(covey_experiment_count()));
    assert_null(covey_experiment_find("ke-rang"));
}

/* What stands between "; " are names of figures: a word that is none would show nothing. */
static void figures_that_experiments_show_are_those_of_papers(void **state)
{
    for (size_t i = 0; i < covey_experiment_count(); i++) {
        const covey_experiment *e = covey_experiment_at(i);
        size_t named = 0, shown = 0;

        for (const char *at = e->figures; at; at = strstr(at, "; ") ? strstr(at, "; ") + 2 : NULL)
            named++;
        for (size_t f = 0; f < covey_paper_figure_count(); f++)
            if (covey_experiment_shows(e, covey_paper_figure_at(f))) {
                shown++;
                if (covey_paper_figure_at(f)->is_drawing)
                    fail_msg("%s shows %s, in which nothing is measured", e->name, covey_paper_figure_at(f)->number);
            }
        if (named != shown)
            fail_msg("%s names %zu figures (%s), of which %zu are in src/reproduce/figure_list.h", e->name, named,
                     e->figures, shown);
    }
}

static void every_measured_figure_has_an_experiment(void **state)
{
    for (size_t f = 0; f < covey_paper_figure_count(); f++) {
        const covey_paper_figure *figure = covey_paper_figure_at(f);
        bool is_shown = figure->is_drawing;

        for (size_t i = 0; i < covey_experiment_count() && !is_shown; i++)
            is_shown = covey_experiment_shows(covey_experiment_at(i), figure);
        if (!is_shown)
            fail_msg("no experiment shows %s %s", figure->paper, figure->number);
    }
}

static void figures_are_listed_once_and_paper_by_paper(void **state)
{
    for (size_t i = 0; i < covey_paper_figure_count(); i++) {
        const covey_paper_figure *f = covey_paper_figure_at(i);

        assert_null(strstr(f->number, "; "));
        assert_true(strlen(f->shows) > 5);
        for (size_t j = 0; j < i; j++) {
            const covey_paper_figure *other = covey_paper_figure_at(j);

            assert_false(strcmp(other->paper, f->paper) == 0 && strcmp(other->number, f->number) == 0);
            assert_false(strcmp(other->paper, f->paper) == 0 &&
                         strcmp(covey_paper_figure_at(i - 1)->paper, f->paper) != 0);
        }
    }
    assert_null(covey_paper_figure_at(covey_paper_figure_count()));
}

static void a_figure_is_as_good_as_the_worst_experiment_that_shows_it(void **state)
{
    static const covey_experiment one = {.name = "one", .figures = "Hore07 Figure 5; Hore07 Figure 10"},
                                  two = {.name = "two", .figures = "Hore07 Figure 10"};
    const covey_reproduced all[] = {{.experiment = &one, .state = COVEY_REPRODUCED_DIFFERS},
                                    {.experiment = &two, .state = COVEY_REPRODUCED_HOLDS}};
    const covey_paper_figure five = {"Hore07", "Figure 5", "", false}, ten = {"Hore07", "Figure 10", "", false},
                             first = {"Hore07", "Figure 1", "", true};
    covey_reproduced_state found;

    assert_true(covey_paper_figure_is_shown(&found, &five, all, 2));
    assert_int_equal(found, COVEY_REPRODUCED_DIFFERS);
    assert_false(covey_paper_figure_is_shown(&found, &five, all + 1, 1));
    assert_int_equal(found, COVEY_REPRODUCED_MISSING);
    assert_true(covey_paper_figure_is_shown(&found, &ten, all, 2));
    assert_int_equal(found, COVEY_REPRODUCED_DIFFERS);
    assert_true(covey_paper_figure_is_shown(&found, &ten, all + 1, 1));
    assert_int_equal(found, COVEY_REPRODUCED_HOLDS);
    assert_false(covey_paper_figure_is_shown(&found, &first, all, 2)); /* "Figure 1" is not "Figure 10" */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(experiments_are_found_by_their_names_and_say_what_they_show),
        cmocka_unit_test(figures_that_experiments_show_are_those_of_papers),
        cmocka_unit_test(every_measured_figure_has_an_experiment),
        cmocka_unit_test(figures_are_listed_once_and_paper_by_paper),
        cmocka_unit_test(a_figure_is_as_good_as_the_worst_experiment_that_shows_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
