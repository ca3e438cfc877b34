/* Verification of a release that is small enough to check by hand, and of what can be done to it. */
#include "test.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "support/release/small_release.h"

static void test_audit__a_release_holds_and_is_faithful(void **state)
{
    release_folder r;
    covey_verdict *verdict;

    small_release(&r);
    verdict = release_verify(&r, true);
    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    assert_true(verdict->holds);
    assert_int_equal(verdict->faithful, 1);
    assert_int_equal(verdict->n_rows, 8);
    assert_int_equal(verdict->n_published, 8);
    assert_int_equal(verdict->n_suppressed, 0);
    assert_int_equal(verdict->n_classes, 3);
    assert_string_equal(verdict->form, "generalized");
    assert_true(fabs(verdict->figures.ail - 1.7375 / 3) < 1e-12);
    assert_true(fabs(verdict->figures.ncp - 1.7125 / 3) < 1e-12);
    assert_true(fabs(verdict->figures.discernibility - 24) < 1e-12);
    assert_int_equal(verdict->figures.smallest_class, 2);
    assert_int_equal(verdict->n_promises, 2);
    assert_string_equal(verdict->promise[0].achieved, "2");
    assert_string_equal(verdict->promise[1].model, "basic-beta-likeness");
    assert_string_equal(verdict->promise[1].attribute, "disease");
    assert_string_equal(verdict->promise[1].threshold, "3/2");
    assert_string_equal(verdict->promise[1].achieved, "1");
    assert_int_equal(verdict->promise[1].worst_class, 2);
    assert_string_equal(verdict->promise[1].param_name[0], "beta");
    covey_verdict_free(verdict);
    release_assert_holds(&r, false);
    release_end(&r);
}

/* --- files --- */

static void test_audit__changed_bytes_show_in_the_hash(void **state)
{
    release_folder r;
    covey_verify_options options = {.skip_hashes = true};
    covey_verdict *verdict = NULL;

    small_release(&r);
    release_replace(&r, "table.csv", "gout,y", "gout,z"); /* as long, and in no way wrong by itself */
    release_assert_refused(&r, false, "table.csv: its SHA-256 is not the one in manifest.json");
    assert_int_equal(covey_verify(&verdict, r.path, &options, NULL, NULL), COVEY_OK);
    assert_true(verdict->holds);
    covey_verdict_free(verdict);
    release_end(&r);
}

static void test_audit__sizes_and_counts_of_files_are_compared(void **state)
{
    release_folder r;

    small_release(&r);
    release_replace(&r, "manifest.json", "\"bytes\": ", "\"bytes\": 1");
    release_assert_refused(&r, false, "bytes, manifest.json says");
    release_write(&r);
    release_replace(&r, "manifest.json", "\"rows\": 5", "\"rows\": 6"); /* of edu.csv */
    release_assert_refused(&r, false, "hierarchies/edu.csv has 5 rows, manifest.json says 6");
    release_end(&r);
}

static void test_audit__missing_and_additional_files_are_refused(void **state)
{
    release_folder r;

    small_release(&r);
    release_put(&r, "notes.txt", "names of patients");
    release_assert_refused(&r, false, "notes.txt is in the folder, but not in manifest.json");
    release_write(&r);
    release_assert_refused(&r, false, "manifest.json lists a file that no release has: \"notes.txt\"");
    release_put(&r, "notes.txt", NULL);
    release_put(&r, "hierarchies/other.csv", "a;*\n");
    release_assert_refused(&r, false, "hierarchies/other.csv is in the folder, but not in manifest.json");
    release_write(&r);
    release_assert_refused(&r, false, "hierarchies/other.csv belongs to no column");
    release_put(&r, "hierarchies/other.csv", NULL);
    release_write(&r);
    release_assert_holds(&r, true);
    release_put(&r, "hierarchies/edu.csv", NULL);
    release_assert_refused(&r, true, "hierarchies/edu.csv: the file is missing");
    release_write(&r);
    release_assert_refused(&r, false, "its hierarchy \"hierarchies/edu.csv\" is not among the files");
    release_end(&r);
}

static void test_audit__without_a_table_nothing_holds(void **state)
{
    release_folder r;
    covey_verdict *verdict;

    small_release(&r);
    release_put(&r, "table.csv", NULL);
    verdict = release_verify(&r, true);
    assert_false(verdict->holds);
    assert_int_equal(verdict->faithful, 0);
    assert_int_equal(verdict->n_promises, 2);
    assert_false(verdict->promise[0].holds);
    assert_string_equal(verdict->promise[0].achieved, "");
    assert_true(isnan(verdict->figures.ail));
    covey_verdict_free(verdict);
    release_write(&r);
    release_assert_refused(&r, false, "manifest.json does not list table.csv");
    release_end(&r);
}

static void test_audit__names_that_leave_the_folder_are_not_opened(void **state)
{
    static const char *const names[] = {"../table.csv",
                                        "/etc/passwd",
                                        "hierarchies/../table.csv",
                                        "hierarchies/.hidden.csv",
                                        "hierarchies/.csv",
                                        "hierarchies/",
                                        "hierarchies/edu.txt",
                                        "table.csv/",
                                        ""};
    release_folder r;

    small_release(&r);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char json[64], *text;

        snprintf(json, sizeof json, "'%s'", names[i]);
        release_set(&r, "files.0.name", json);
        release_put(&r, "manifest.json", text = json_dumps(r.manifest, 0));
        free(text);
        release_assert_refused(&r, false, "lists a file that no release has");
    }
    release_end(&r);
}

static void test_audit__links_are_not_followed(void **state)
{
    release_folder r;
    char link[300];

    small_release(&r);
    release_put(&r, "table.csv", NULL);
    snprintf(link, sizeof link, "%s/table.csv", r.path);
    assert_int_equal(symlink(r.original, link), 0);
    release_assert_refused(&r, false, "table.csv: this is not a regular file");
    release_end(&r);
}

static void test_audit__the_manifest_is_no_link_either(void **state)
{
    release_folder r;
    char link[300], elsewhere[310];

    small_release(&r);
    snprintf(link, sizeof link, "%s/manifest.json", r.path);
    snprintf(elsewhere, sizeof elsewhere, "%s.manifest", r.path);
    assert_int_equal(rename(link, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, link), 0);
    release_assert_refused(&r, false, "manifest.json: this is not a regular file");
    assert_int_equal(remove(elsewhere), 0);
    release_end(&r);
}

/* --- the table --- */

/* Changes one text of table.csv, makes all hashes right, and expects a no. */
static void assert_table_refused(const char *from, const char *to, const char *problem)
{
    release_folder r;

    small_release(&r);
    release_replace(&r, "table.csv", from, to);
    release_write(&r);
    release_assert_refused(&r, false, problem);
    release_end(&r);
}

static void test_audit__the_header_is_the_manifests(void **state)
{
    assert_table_refused("class,age", "group,age", "column 1 is called \"group\", not \"class\"");
    assert_table_refused("class,age,edu", "class,edu,age", "column 2 is called \"edu\", not \"age\"");
}

static void test_audit__classes_are_numbered_in_order(void **state)
{
    assert_table_refused("\n3,", "\n4,", "class 4 follows class 2");
    assert_table_refused("\n1,", "\n01,", "a cell of column \"class\" is not a whole number from 1");
    assert_table_refused("\n1,", "\n0,", "a cell of column \"class\" is not a whole number from 1");
    assert_table_refused("\n1,", "\n-1,", "a cell of column \"class\" is not a whole number from 1");
    assert_table_refused("\n1,", "\n4294967295,", "a cell of column \"class\" is not a whole number from 1");
    assert_table_refused("\n1,", "\n2,", "class 2 follows class 0");
    assert_table_refused("\n2,", "\n1,",
                         "class 1, column \"age\": the rows of the class do not all show the same cell");
}

static void test_audit__rows_of_a_class_show_the_same_cells(void **state)
{
    assert_table_refused("*,B", "college,B",
                         "class 2, column \"edu\": the rows of the class do not all show the same cell");
    assert_table_refused("A,cold", "B,cold",
                         "class 1, column \"city\": the rows of the class do not all show the same cell");
}

static void replace_all(char *text, const char *from, const char *to)
{
    char *at = text;

    assert_int_equal(strlen(from), strlen(to));
    while ((at = strstr(at, from)))
        memcpy(at, to, strlen(to));
}

/* The same for every row that has the text. */
static void assert_cells_refused(const char *from, const char *to, const char *problem)
{
    release_folder r;
    char *text;

    small_release(&r);
    text = release_get(&r, "table.csv");
    replace_all(text, from, to);
    release_put(&r, "table.csv", text);
    free(text);
    release_write(&r);
    release_assert_refused(&r, false, problem);
    release_end(&r);
}

static void test_audit__cells_mean_something(void **state)
{
    assert_cells_refused("[20, 25]", "[20; 25]", "class 1, column \"age\": the cell is neither a value nor a range");
    assert_cells_refused("[20, 25]", "[25, 20]",
                         "class 1, column \"age\": the range's first number is not below its second");
    assert_cells_refused("[20, 25]", "[20, 20]",
                         "class 1, column \"age\": the range's first number is not below its second");
    assert_cells_refused("[20, 25]", "[10, 25]", "class 1, column \"age\": the cell leaves the domain");
    assert_cells_refused("[40, 60]", "[40, 61]", "class 3, column \"age\": the cell leaves the domain");
    assert_cells_refused("[40, 60]", "      * ", "class 3, column \"age\": the cell is neither a value nor a range");
    assert_cells_refused("college", "collage",
                         "class 1, column \"edu\": the cell is not a label of the column's hierarchy");
    assert_cells_refused("{C, D}", "{D, C}",
                         "class 3, column \"city\": the values of the set are not in the attribute's order");
    assert_cells_refused("{C, D}", "{C, C}",
                         "class 3, column \"city\": the values of the set are not in the attribute's order");
    assert_cells_refused("{C, D}", "{C,, }",
                         "class 3, column \"city\": the cell begins and ends like a set, but is none");
    assert_cells_refused("{C, D}", "{C  D}", "class 3, column \"city\": a set of one value is written without braces");
}

static void test_audit__tight_cells_hold_no_more_than_rows_do(void **state)
{
    release_folder r;

    small_release(&r);
    release_put(&r, "table.csv",
                "class,age,edu,city,disease,note\n1,20,BA,\"{A, B, C}\",flu,x\n1,20,BA,\"{A, B, C}\",gout,x\n");
    release_write(&r);
    release_assert_refused(&r, false, "class 1, column \"city\": the set has more values than the class has rows");
    release_put(&r, "table.csv", "class,age,edu,city,disease,note\n1,\"[20, 25]\",BA,A,flu,x\n");
    release_write(&r);
    release_assert_refused(&r, false, "class 1, column \"age\": a class of one row has no range");
    release_end(&r);
}

static void test_audit__order_says_nothing_about_the_input(void **state)
{
    assert_table_refused("cold,x\n1,\"[20, 25]\",college,A,flu,x", "flu,x\n1,\"[20, 25]\",college,A,cold,x",
                         "class 1: its rows are not sorted by their content");
    assert_table_refused("cold,x\n3,\"[40, 60]\",*,\"{C, D}\",cold,y", "cold,y\n3,\"[40, 60]\",*,\"{C, D}\",cold,x",
                         "class 3: its rows are not sorted by their content");
    assert_cells_refused("[20, 25]", "[40, 45]",
                         "class 2 stands behind class 1, but its cells, size and rows come first");
}

static void test_audit__equal_cells_are_ordered_by_size_and_content(void **state)
{
    release_folder r;

    small_release(&r);
    release_put(
        &r, "table.csv",
        "class,age,edu,city,disease,note\n1,30,BA,A,flu,x\n1,30,BA,A,flu,x\n2,30,BA,A,cold,x\n2,30,BA,A,gout,x\n");
    release_write(&r);
    release_assert_refused(&r, false, "class 2 stands behind class 1");
    release_put(
        &r, "table.csv",
        "class,age,edu,city,disease,note\n1,30,BA,A,a,x\n1,30,BA,A,b,x\n1,30,BA,A,c,x\n2,30,BA,A,d,x\n2,30,BA,A,e,x\n");
    release_write(&r);
    release_assert_refused(&r, false, "class 2 stands behind class 1");
    release_end(&r);
}

/* --- figures --- */

static void assert_figure_refused(const char *path, const char *json, const char *problem)
{
    release_folder r;

    small_release(&r);
    release_set(&r, path, json);
    release_write(&r);
    release_assert_refused(&r, false, problem);
    release_end(&r);
}

static void test_audit__counts_are_those_of_the_table(void **state)
{
    assert_figure_refused("rows", "9", "rows is 9 in manifest.json, but published and suppressed rows are 8");
    assert_figure_refused("published_rows", "7", "published_rows is 7 in manifest.json, but table.csv has 8 rows");
    assert_figure_refused("classes", "4", "classes is 4 in manifest.json, but table.csv has 3");
    assert_figure_refused("suppressed_rows", "1",
                          "rows is 8 in manifest.json, but published and suppressed rows are 9");
}

static void test_audit__figures_are_those_of_the_table(void **state)
{
    assert_figure_refused("utility.ail", "0.5", "ail is 0.5, but the published table has 0.579166667");
    assert_figure_refused("utility.ail", "0.5791667", "ail is 0.5791667, but the published table has 0.579166667");
    assert_figure_refused("utility.ail", "null", "ail is not given");
    assert_figure_refused("utility.ncp", "0.5", "ncp is 0.5");
    assert_figure_refused("utility.discernibility", "23", "discernibility is 23, but the published table has 24");
    assert_figure_refused("utility.average_class_size", "2", "average_class_size is 2");
    assert_figure_refused("utility.largest_risk", "0.25", "largest_risk is 0.25");
    assert_figure_refused("utility.mean_risk", "0.25", "mean_risk is 0.25");
    assert_figure_refused("objective.value", "0.25", "the objective ail is 0.25");
    assert_figure_refused("objective.lower_bound", "0.9", "lower bound lies above its value");
    assert_figure_refused("columns.0.weight", "'1/2'", "the weights of the quasi-identifiers make 1.16666667, not 1");
    assert_figure_refused("columns.0.domain", "[20, 61]", "ail is 0.579166667, but the published table has 0.57");
}

static void test_audit__promises_are_what_was_achieved(void **state)
{
    assert_figure_refused("promises.0.achieved", "3",
                          "what k-anonymity has achieved is not what it says, but 2 (class 1)");
    assert_figure_refused("promises.0.achieved_value", "3.0", "achieved_value of k-anonymity does not fit achieved");
    assert_figure_refused("promises.1.achieved", "'1/2'",
                          "what basic-beta-likeness of disease has achieved is not what it says, but 1 (class 2)");
    assert_figure_refused("promises.1.achieved", "null", "has achieved is not what it says");
    assert_figure_refused("promises.0.holds", "false",
                          "manifest.json says that k-anonymity does not hold, but it does");
    assert_figure_refused("promises.0.threshold", "3", "the threshold of k-anonymity is not its parameter");
    assert_figure_refused("promises.1.threshold", "1.4",
                          "the threshold of basic-beta-likeness of disease is not its parameter");
    assert_figure_refused("promises", "[]", "manifest.json promises nothing");
}

static void test_audit__a_threshold_may_be_written_in_several_ways(void **state)
{
    release_folder r;

    small_release(&r);
    release_set(&r, "promises.1.threshold", "1.5");
    release_write(&r);
    release_assert_holds(&r, false);
    release_set(&r, "promises.1.threshold", "'6/4'");
    release_write(&r);
    release_assert_holds(&r, false);
    release_set(&r, "promises.1.achieved", "1");
    release_write(&r);
    release_assert_holds(&r, false);
    release_end(&r);
}

static void test_audit__broken_promises_name_the_class(void **state)
{
    release_folder r;
    covey_verdict *verdict;

    small_release(&r);
    release_set(&r, "promises.0.parameters.k", "'3'");
    release_set(&r, "promises.0.threshold", "3");
    release_set(&r, "promises.0.holds", "false");
    release_set(&r, "promises.1.parameters.beta", "'0.9'");
    release_set(&r, "promises.1.threshold", "0.9");
    release_write(&r);
    verdict = release_verify(&r, false);
    assert_false(verdict->holds);
    assert_false(verdict->promise[0].holds);
    assert_false(verdict->promise[1].holds);
    assert_int_equal(verdict->promise[0].worst_class, 1);
    assert_int_equal(verdict->n_problems, 4);
    assert_string_equal(verdict->problem[0], "class 1 breaks k-anonymity: it reaches only 2");
    assert_string_equal(verdict->problem[1], "class 2 breaks k-anonymity: it reaches only 2");
    assert_string_equal(verdict->problem[2], "class 2 breaks basic-beta-likeness of disease: it reaches only 1");
    assert_string_equal(verdict->problem[3],
                        "manifest.json says that basic-beta-likeness of disease holds, but it does not");
    covey_verdict_free(verdict);
    release_end(&r);
}

static void test_audit__promises_that_make_no_sense_do_not_hold(void **state)
{
    assert_figure_refused("promises.0.model", "'k-anonimity'",
                          "the promise k-anonimity cannot be checked: this version of covey does not know the model");
    assert_figure_refused("promises.0.parameters", "{}",
                          "the promise k-anonymity cannot be checked: parameter k is missing");
    assert_figure_refused("promises.0.parameters", "{'k': '0'}", "the promise k-anonymity cannot be checked");
    assert_figure_refused("promises.0.parameters", "{'k': '2', 'l': '2'}", "the promise k-anonymity cannot be checked");
    assert_figure_refused(
        "promises.1.attribute", "'note'",
        "the promise basic-beta-likeness of \"note\" cannot be checked: it names no sensitive column");
    assert_figure_refused("promises.1.model", "'ke-anonymity'",
                          "the promise ke-anonymity of \"disease\" cannot be checked");
    assert_figure_refused("columns.3.role", "'insensitive'",
                          "the promise basic-beta-likeness of \"disease\" cannot be checked");
}

/* --- priors --- */

static void test_audit__the_prior_fits_the_table(void **state)
{
    assert_figure_refused("prior.disease.cold", "4",
                          "the prior of \"disease\" counts 9 rows, but published and suppressed rows are 8");
    assert_figure_refused("prior.disease", "{'cold': 2, 'flu': 4, 'gout': 2}",
                          "counts a value less often than it is published");
    assert_figure_refused("prior.disease", "{'cold': 3, 'flu': 5}",
                          "prior of \"disease\": a published value is not in it");
    assert_figure_refused("prior", "{}", "it compares with the whole table, but manifest.json gives no prior");
    assert_figure_refused("prior", "{'disease': {'cold': 3, 'flu': 3, 'gout': 2}, 'note': {}}",
                          "a prior of \"note\", which is not a sensitive column");
}

/* Class 1 is suppressed: a cold and a flu.  Taken as one class they keep both promises, and with two colds they do not.
 */
static void suppress(release_folder *r, const char *prior)
{
    small_release(r);
    release_put(r, "table.csv",
                "class,age,edu,city,disease,note\n"
                "1,\"[30, 39]\",*,B,flu,y\n1,\"[30, 39]\",*,B,gout,y\n"
                "2,\"[40, 60]\",*,\"{C, D}\",cold,x\n2,\"[40, 60]\",*,\"{C, D}\",cold,y\n"
                "2,\"[40, 60]\",*,\"{C, D}\",flu,x\n2,\"[40, 60]\",*,\"{C, D}\",gout,z\n");
    release_set(r, "published_rows", "6");
    release_set(r, "suppressed_rows", "2");
    release_set(r, "classes", "2");
    release_set(r, "prior.disease", prior);
    release_set(r, "utility",
                "{'ail': 0.76875, 'ncp': 0.76875, 'discernibility': 36, 'average_class_size': 3,"
                " 'largest_risk': 0.5, 'mean_risk': 0.333333333333333333}"); /* 18.45/24: age (18 + 80)/40 + 2, edu 6 +
                                                                                2, city 4 + 2 */
    release_set(r, "objective.value", "0.76875");
    release_write(r);
}

static void test_audit__suppressed_rows_taken_as_one_class_keep_the_promises(void **state)
{
    release_folder r;

    suppress(&r, "{'cold': 3, 'flu': 3, 'gout': 2}");
    release_assert_holds(&r, true);
    release_set(&r, "prior.disease", "{'cold': 4, 'flu': 2, 'gout': 2}"); /* 2 of 2 against 4 of 8: gain 1 */
    release_set(&r, "promises.1.parameters.beta", "'1'");
    release_set(&r, "promises.1.threshold", "1");
    release_write(&r);
    release_assert_holds(&r, false);
    release_assert_refused(&r, true, "the prior of \"disease\" does not count the rows of the original");
    release_end(&r);
    suppress(&r, "{'cold': 2, 'flu': 2, 'gout': 4}"); /* 2 of 2 against 4 of 8 */
    release_set(&r, "promises.1.parameters.beta", "'0.99'");
    release_set(&r, "promises.1.threshold", "0.99");
    release_write(&r);
    release_assert_refused(
        &r, false,
        "the 2 suppressed rows, whose sensitive values follow from the prior, break basic-beta-likeness of disease");
    release_end(&r);
}

/* There are no such rows in the prior: nothing of them can be judged. */
static void test_audit__suppressed_rows_that_nothing_tells_of_are_refused(void **state)
{
    release_folder r;

    suppress(&r, "{'cold': 2, 'flu': 2, 'gout': 2}");
    release_set(&r, "rows", "6");
    release_set(&r, "promises.0",
                "{'model': 'entropy-l-diversity', 'attribute': 'disease', 'parameters': {'l': '1'}, 'threshold': 1, "
                "'achieved': 1.0,"
                " 'achieved_value': 1.0, 'holds': true}");
    release_write(&r);
    release_assert_refused(&r, false, "rows");
    release_end(&r);
}

static void test_audit__few_suppressed_rows_break_k_anonymity(void **state)
{
    release_folder r;

    suppress(&r, "{'cold': 3, 'flu': 3, 'gout': 2}");
    release_replace(&r, "table.csv", "1,\"[30, 39]\",*,B,flu,y\n",
                    "1,\"[30, 39]\",*,B,flu,y\n1,\"[30, 39]\",*,B,flu,y\n");
    release_set(&r, "published_rows", "7");
    release_set(&r, "suppressed_rows", "1");
    release_write(&r);
    release_assert_refused(&r, false,
                           "the 1 suppressed rows, whose sensitive values follow from the prior, break k-anonymity");
    release_end(&r);
}

/* --- joint promises --- */

#define JOINT_CELLS(last)                                                                                              \
    "[{'values': ['cold', 'x'], 'count': 2}, {'values': ['cold', 'y'], 'count': 1}, {'values': ['flu', 'x'], "         \
    "'count': 2},"                                                                                                     \
    " {'values': ['flu', 'y'], 'count': 1}, {'values': ['gout', 'y'], 'count': 1}, " last "]"

/* Two sensitive attributes, whose combinations are compared with the whole table: (gout, y) has 1/2 of class 2 and 1/8
 * of all, gain 3. */
static void joint_release(release_folder *r)
{
    small_release(r);
    release_set(r, "columns.4.role", "'sensitive'");
    release_set(r, "promises.1.joint", "true");
    release_set(r, "promises.1.attribute", NULL);
    release_set(r, "promises.1.parameters.beta", "'3'");
    release_set(r, "promises.1.threshold", "3");
    release_set(r, "promises.1.achieved", "'3'");
    release_set(r, "promises.1.achieved_value", "3.0");
    release_set(
        r, "joint_prior",
        "{'attributes': ['disease', 'note'], 'cells': " JOINT_CELLS("{'values': ['gout', 'z'], 'count': 1}") "}");
    release_write(r);
}

static void assert_joint_refused(const char *path, const char *json, bool original, const char *problem)
{
    release_folder r;

    joint_release(&r);
    release_set(&r, path, json);
    release_write(&r);
    release_assert_refused(&r, original, problem);
    release_end(&r);
}

static void test_audit__combinations_are_judged_against_their_prior(void **state)
{
    release_folder r;
    covey_verdict *verdict;

    joint_release(&r);
    verdict = release_verify(&r, true);
    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    assert_true(verdict->holds);
    assert_true(verdict->promise[1].joint);
    assert_string_equal(verdict->promise[1].attribute, "disease, note");
    assert_int_equal(verdict->promise[1].worst_class, 2);
    covey_verdict_free(verdict);
    release_set(&r, "prior", NULL); /* follows from the joint one */
    release_write(&r);
    release_assert_holds(&r, true);
    release_end(&r);
    assert_joint_refused("joint_prior", NULL, false,
                         "it compares with the whole table, but manifest.json gives no prior");
    assert_joint_refused("joint_prior.attributes", "['disease', 'age']", false,
                         "its attributes are not the sensitive columns in their order");
    assert_joint_refused("joint_prior.cells", JOINT_CELLS("{'values': ['gout', 'q'], 'count': 1}"), false,
                         "prior of \"note\": a published value is not in it");
    assert_joint_refused("joint_prior.cells", JOINT_CELLS("{'values': ['flu', 'z'], 'count': 1}"), false,
                         "joint_prior and the prior of \"disease\" do not agree");
    assert_joint_refused("joint_prior.cells", JOINT_CELLS("{'values': ['gout', 'z'], 'count': 2}"), false,
                         "counts 9 rows");
    /* Swaps that keep all marginals show in the combinations, and in the original. */
    assert_joint_refused("joint_prior.cells",
                         "[{'values': ['cold', 'x'], 'count': 3}, {'values': ['flu', 'x'], 'count': 1}, {'values': "
                         "['flu', 'y'], 'count': 2},"
                         " {'values': ['gout', 'y'], 'count': 1}, {'values': ['gout', 'z'], 'count': 1}]",
                         false, "the prior of \"disease, note\" counts a value less often than it is published");
    assert_joint_refused("joint_prior.cells",
                         "[{'values': ['cold', 'x'], 'count': 3}, {'values': ['flu', 'x'], 'count': 1}, {'values': "
                         "['flu', 'y'], 'count': 2},"
                         " {'values': ['gout', 'y'], 'count': 1}, {'values': ['gout', 'z'], 'count': 1}]",
                         true, "joint_prior does not count the rows of the original");
}

static void test_audit__a_joint_prior_needs_two_sensitive_columns(void **state)
{
    assert_figure_refused("joint_prior", "{'attributes': ['disease', 'note'], 'cells': []}",
                          "there is a joint_prior, but not two sensitive columns");
}

/* --- errors --- */

static void test_audit__what_cannot_be_read_is_an_error(void **state)
{
    release_folder r;
    covey_verdict *verdict = NULL;
    covey_verify_options options = {.original = "/nowhere/original.csv"};
    covey_error err;

    assert_int_equal(covey_verify(&verdict, "/nowhere", NULL, NULL, &err), COVEY_ENOTFOUND);
    small_release(&r);
    assert_int_equal(covey_verify(&verdict, r.path, &options, NULL, &err), COVEY_ENOTFOUND);
    release_put(&r, "table.csv", "class,age,edu,city,disease,note\n1,2\n");
    release_write(&r);
    assert_int_equal(covey_verify(&verdict, r.path, NULL, NULL, &err), COVEY_EPARSE);
    release_put(&r, "manifest.json", "{\"format_version\": 1,\n \"form\": }");
    assert_int_equal(covey_verify(&verdict, r.path, NULL, NULL, &err), COVEY_EPARSE);
    assert_int_equal(err.row, 2);
    assert_null(verdict);
    release_end(&r);
}

static bool never(void *context, const char *phase, int64_t done, int64_t to_do)
{
    return false;
}

static void test_audit__can_be_cancelled(void **state)
{
    release_folder r;
    covey_verdict *verdict = NULL;
    covey_run run = {.progress = never};

    small_release(&r);
    assert_int_equal(covey_verify(&verdict, r.path, NULL, &run, NULL), COVEY_ECANCELLED);
    release_end(&r);
}

static void test_audit__problems_are_capped(void **state)
{
    release_folder r;
    covey_verdict *verdict;
    char table[8192];
    size_t n = 0;

    small_release(&r);
    n += (size_t)snprintf(table + n, sizeof table - n, "class,age,edu,city,disease,note\n");
    for (int i = 1; i <= 60; i++)
        n += (size_t)snprintf(table + n, sizeof table - n, "%d,x%d,BA,A,flu,x\n", i, i);
    release_put(&r, "table.csv", table);
    release_write(&r);
    verdict = release_verify(&r, false);
    assert_int_equal(verdict->n_problems, 51);
    assert_true(strncmp(verdict->problem[50], "and ", 4) == 0);
    covey_verdict_free(verdict);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit__a_release_holds_and_is_faithful),
        cmocka_unit_test(test_audit__changed_bytes_show_in_the_hash),
        cmocka_unit_test(test_audit__sizes_and_counts_of_files_are_compared),
        cmocka_unit_test(test_audit__missing_and_additional_files_are_refused),
        cmocka_unit_test(test_audit__without_a_table_nothing_holds),
        cmocka_unit_test(test_audit__names_that_leave_the_folder_are_not_opened),
        cmocka_unit_test(test_audit__links_are_not_followed),
        cmocka_unit_test(test_audit__the_manifest_is_no_link_either),
        cmocka_unit_test(test_audit__the_header_is_the_manifests),
        cmocka_unit_test(test_audit__classes_are_numbered_in_order),
        cmocka_unit_test(test_audit__rows_of_a_class_show_the_same_cells),
        cmocka_unit_test(test_audit__cells_mean_something),
        cmocka_unit_test(test_audit__tight_cells_hold_no_more_than_rows_do),
        cmocka_unit_test(test_audit__order_says_nothing_about_the_input),
        cmocka_unit_test(test_audit__equal_cells_are_ordered_by_size_and_content),
        cmocka_unit_test(test_audit__counts_are_those_of_the_table),
        cmocka_unit_test(test_audit__figures_are_those_of_the_table),
        cmocka_unit_test(test_audit__promises_are_what_was_achieved),
        cmocka_unit_test(test_audit__a_threshold_may_be_written_in_several_ways),
        cmocka_unit_test(test_audit__broken_promises_name_the_class),
        cmocka_unit_test(test_audit__promises_that_make_no_sense_do_not_hold),
        cmocka_unit_test(test_audit__the_prior_fits_the_table),
        cmocka_unit_test(test_audit__suppressed_rows_taken_as_one_class_keep_the_promises),
        cmocka_unit_test(test_audit__suppressed_rows_that_nothing_tells_of_are_refused),
        cmocka_unit_test(test_audit__few_suppressed_rows_break_k_anonymity),
        cmocka_unit_test(test_audit__combinations_are_judged_against_their_prior),
        cmocka_unit_test(test_audit__a_joint_prior_needs_two_sensitive_columns),
        cmocka_unit_test(test_audit__what_cannot_be_read_is_an_error),
        cmocka_unit_test(test_audit__can_be_cancelled),
        cmocka_unit_test(test_audit__problems_are_capped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
