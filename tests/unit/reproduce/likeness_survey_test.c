/* The table with a survey's persons: who is in it, and that salaries follow incomes in the census table's counts. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/folder.h"
#include "reproduce/likeness/likeness.h"

enum { ROWS = 1000, PERSONS = 5 };

/* Of the eight rows three are nobody: a child, one without a marital status, one without an income. */
static const char SURVEY[] = "PINCP,AGEP,SEX,MSP,EDU,INDP_CAT\n"
                             "N,9,1,N,N,N\n"
                             "100.0,40,1,1,5,1\n"
                             "300.0,99,2,6,12,N\n"
                             "-50.0,16,2,3,1,0\n"
                             "200.0,50,1,N,5,4\n"
                             "100.0,41,1,2,6,18\n"
                             "N,30,2,6,5,4\n"
                             "400.0,60,1,4,7,7\n";
/* Age, gender, education, marital, workclass of those who are in it, the poorest first; two have the same income. */
static const char *const person[PERSONS] = {"0,1,1,2,0,", "24,0,5,0,0,", "25,0,6,1,9,", "78,1,12,5,9,", "44,0,7,3,3,"};
enum { RANK_OF_EQUAL = 1 };

static void write_survey(const char *folder)
{
    char path[512];

    snprintf(path, sizeof path, "%s/acs2019", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/%s", folder, COVEY_LIKENESS_SURVEY); /* text is read under any name */
    file_put(path, SURVEY);
}

static void look_at_rows(const char *path, const int64_t *count)
{
    int64_t seen[COVEY_LIKENESS_SALARIES] = {0};
    long least[PERSONS] = {99, 99, 99, 99, 99}, most[PERSONS] = {0}, n = 0;
    FILE *file = fopen(path, "r");
    char line[128];

    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "age,gender,education,marital,workclass,salary\n");
    while (fgets(line, sizeof line, file)) {
        const long salary = strtol(strrchr(line, ',') + 1, NULL, 10);
        int who = 0;

        while (who < PERSONS && strncmp(line, person[who], strlen(person[who])) != 0)
            who++;
        if (who == PERSONS)
            fail_msg("nobody is \"%s\"", line);
        least[who] = salary < least[who] ? salary : least[who];
        most[who] = salary > most[who] ? salary : most[who];
        seen[salary]++;
        n++;
    }
    fclose(file);
    assert_int_equal(n, ROWS);
    assert_memory_equal(seen, count, sizeof seen);
    assert_int_equal(least[0], 0);
    assert_int_equal(most[PERSONS - 1], COVEY_LIKENESS_SALARIES - 1);
    for (int who = 1; who < PERSONS; who++)
        if (who - 1 != RANK_OF_EQUAL)
            assert_true(most[who - 1] <= least[who]);
    assert_true(least[RANK_OF_EQUAL] < most[RANK_OF_EQUAL + 1] && least[RANK_OF_EQUAL + 1] < most[RANK_OF_EQUAL]);
}

static void persons_of_a_survey_get_the_salaries_of_the_census_by_their_incomes(void **state)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_likeness_table table;
    char folder[256];
    covey_error err;

    assert_true(test_folder(folder, sizeof folder, "survey"));
    write_survey(folder);
    const covey_reproduce_options options = {.data = folder, .rows = ROWS};
    const covey_experiment_context context = {.options = &options, .arena = &arena, .scratch = folder};

    if (covey_i_likeness_survey(&table, &context, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_int_equal(table.n_rows, ROWS);
    assert_string_equal(table.kind, "persons of a survey");
    look_at_rows(table.path, table.count);
    covey_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persons_of_a_survey_get_the_salaries_of_the_census_by_their_incomes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
