#include "test.h"

#include <string.h>

#include <covey/policy.h>

#include "base/file/source.h"

static void shows(const char *source, const char *shown)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_source_show(&text, source);
    assert_string_equal(text.bytes, shown);
    covey_i_text_free(&text);
}

static void no_password_is_shown(void **unused)
{
    shows("adult.csv", "adult.csv");
    shows("sqlite:a?b.db?table=t", "sqlite:a?b.db?table=t");
    shows("postgresql://u:secret@h:5432/d?table=t", "postgresql://u@h:5432/d?table=t");
    shows("postgres://u:secret@h", "postgres://u@h");
    shows("postgresql://:secret@h/d", "postgresql://@h/d");
    shows("postgresql://u:@h/d", "postgresql://u@h/d");
    shows("postgresql://h/d?user=u&password=secret&table=t", "postgresql://h/d?user=u&table=t");
    shows("postgresql://h/d?password=secret", "postgresql://h/d");
    shows("postgresql://h/d?sslpassword=secret&sslkey=k", "postgresql://h/d?sslkey=k");
    shows("postgresql://h:5432/d?user=a@b&table=t", "postgresql://h:5432/d?user=a@b&table=t");
}

static void a_password_is_not_shown_however_badly_it_is_written(void **unused)
{
    shows("postgresql://u:se/cret@h/d?table=t", "postgresql://u@h/d?table=t");
    shows("postgresql://u:se@cret@h/d?table=t", "postgresql://u@h/d?table=t");
    shows("postgresql://u:se?cret@h/d?table=t", "postgresql://u@h/d?table=t");
    shows("postgresql://u:se=cret@h/d?table=t", "postgresql://u@h/d?table=t");
    shows("postgresql://u:se/c?ret@h/d", "postgresql://u@h/d");
}

static void expect(const char *source, const char *place, const char *table, const char *schema)
{
    covey_database d = {0};
    covey_error err;

    if (covey_i_database_parse(&d, source, "input", &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_string_equal(d.place, place);
    assert_string_equal(d.table ? d.table : "-", table);
    assert_string_equal(d.schema ? d.schema : "-", schema);
    covey_i_database_clear(&d);
}

static void a_source_is_taken_apart(void **unused)
{
    expect("sqlite:a.db", "a.db", "-", "-");
    expect("sqlite:/x/a?b.db?table=t%20u", "/x/a?b.db", "t u", "-");
    expect("postgresql://u:p@h:1/d?table=%22a%26b&sslmode=require", "postgresql://u:p@h:1/d?sslmode=require", "\"a&b",
           "-");
    expect("postgresql://h/d?sslmode=require&schema=s&table=t", "postgresql://h/d?sslmode=require", "t", "s");
    expect("postgresql://", "postgresql://", "-", "-");
}

static void refuse(const char *source, const char *message)
{
    covey_database d = {0};
    covey_error err;

    assert_int_equal(covey_i_database_parse(&d, source, "input", &err), COVEY_EINVAL);
    assert_string_equal(err.message, message);
    assert_null(d.place);
}

static void what_cannot_be_understood_is_refused_without_a_password(void **unused)
{
    refuse("sqlite:", "sqlite:: input: the file is missing; write sqlite:FILE");
    refuse("sqlite:a.db?tabel=t", "sqlite:a.db?tabel=t: input: unknown key \"tabel\"; sqlite:FILE takes ?table=NAME");
    refuse("sqlite:a.db?table=", "sqlite:a.db?table=: input: table= needs a name");
    refuse("sqlite:a.db?table=a&table=b", "sqlite:a.db?table=a&table=b: input: table is given twice");
    refuse(
        "sqlite:a.db?table=50%",
        "sqlite:a.db?table=50%: input: a % in the name of a table or schema must be written %25, other bytes as % and "
        "two hexadecimal digits");
    refuse("sqlite:a.db?table=a%00b",
           "sqlite:a.db?table=a%00b: input: a % in the name of a table or schema must be written %25, other bytes as % "
           "and two hexadecimal digits");
    refuse("postgresql:d", "postgresql:d: input: the address of a server begins with postgresql://, as in "
                           "postgresql://USER@HOST/DATABASE");
    refuse(
        "postgresql://u:p@ss@h/d?table=t",
        "postgresql://u@h/d?table=t: input: / ? and @ in a user's name or password must be written %2F, %3F and %40");
}

static void a_policy_resolves_the_path_within_a_source_and_shows_no_password(void **unused)
{
    covey_policy *policy = NULL;
    covey_error err;

    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    assert_int_equal(covey_policy_set(policy, "input", "postgresql://u:secret@h/d?table=t", &err), COVEY_OK);
    assert_string_equal(policy->input_path, "postgresql://u@h/d?table=t");
    assert_string_equal(policy->input_source, "postgresql://u:secret@h/d?table=t");
    assert_int_equal(covey_policy_set(policy, "input", "sqlite:x/a.db?table=t", &err), COVEY_OK);
    assert_string_equal(policy->input_path, "sqlite:x/a.db?table=t");
    covey_policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_password_is_shown),
        cmocka_unit_test(a_password_is_not_shown_however_badly_it_is_written),
        cmocka_unit_test(a_source_is_taken_apart),
        cmocka_unit_test(what_cannot_be_understood_is_refused_without_a_password),
        cmocka_unit_test(a_policy_resolves_the_path_within_a_source_and_shows_no_password),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
