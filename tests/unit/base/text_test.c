#include "test.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

static void check_whole(uint64_t number)
{
    covey_text text = COVEY_TEXT_INIT;
    char expected[48];

    snprintf(expected, sizeof expected, "%" PRIu64 ",%" PRIu64, number, number);
    covey_i_text_add_whole(&text, number);
    covey_i_text_add_char(&text, ',');
    covey_i_text_add_whole(&text, number);
    assert_false(text.broken);
    assert_string_equal(text.bytes, expected);
    assert_int_equal(text.size, strlen(expected));
    covey_i_text_free(&text);
}

static void whole_numbers_are_written_as_printf_writes_them(void **unused)
{
    check_whole(0);
    for (uint64_t power = 1; power < UINT64_MAX / 10; power *= 10) {
        check_whole(power - 1);
        check_whole(power);
        check_whole(power * 3 + power / 7);
    }
    check_whole(UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_written_as_printf_writes_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
