/* Which cells a spreadsheet would run. */
#include "../test.h"

#include <string.h>

#include "table/formulas.h"

static void formulas_begin_with_a_sign_that_no_number_follows(void **unused)
{
    static const char *const formulas[] = {"=1",  "=A1", "+A1",  "-A1", "@SUM(A1)", "\t=1",   "\r=1", "-1+1", "+1-1",
                                           "--1", "-1e", "-1e-", "-.",  "+.e5",     "-1.2.3", "=-1",  "- 1",  "-e5"};
    static const char *const texts[] = {"",    "-",    "=",       "+",   "@",   "-1",  "+1",  "-.5",    "+0.5",
                                        "-1.", "-1e5", "+1.5E-7", "a=1", "1-1", " =1", "'=1", "[1, 2]", "*"};

    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (!covey_i_formulas_has(formulas[i], strlen(formulas[i])))
            fail_msg("%s is one", formulas[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (covey_i_formulas_has(texts[i], strlen(texts[i])))
            fail_msg("%s is none", texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_begin_with_a_sign_that_no_number_follows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
