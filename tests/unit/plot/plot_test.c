#include "test.h"

#include <math.h>
#include <string.h>

#include "plot/plot.h"

static const double x[] = {1, 2, 5, 10}, y[] = {0.5, NAN, 0, 2}, z[] = {1, 2, 3, 4};

static covey_plot plot_of(const char *title)
{
    return (covey_plot){.title = title,
                        .x_title = "k",
                        .y_title = "loss",
                        .n_curves = 2,
                        .name = {"one", "two"},
                        .n_points = 4,
                        .x = x,
                        .y = {y, z}};
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;

    while ((text = strstr(text, word))) {
        n++;
        text += strlen(word);
    }
    return n;
}

static void what_comes_from_data_is_inert(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_plot plot = plot_of("<script>alert(\"1\" & '2')\n</script>");

    covey_i_plot_svg(&text, &plot);
    assert_false(text.broken);
    assert_null(strstr(text.bytes, "<script"));
    assert_non_null(strstr(text.bytes, "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;) &lt;/script&gt;"));
    covey_i_text_free(&text);
}

static void a_missing_point_breaks_the_line(void **state)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_plot plot = plot_of("t");

    plot.n_curves = 1;
    covey_i_plot_svg(&text, &plot);
    assert_int_equal(count(text.bytes, "<circle"), 3 + 1); /* and the legend's */
    assert_null(strstr(text.bytes, "nan"));
    covey_i_text_free(&text);
    plot.y_log = true; /* 0 has no place on it */
    covey_i_plot_svg(&text, &plot);
    assert_int_equal(count(text.bytes, "<circle"), 2 + 1);
    assert_null(strstr(text.bytes, "inf"));
    covey_i_text_free(&text);
}

static void any_numbers_give_a_picture(void **state)
{
    static const double same[] = {3, 3, 3, 3}, tiny[] = {1e-300, 1e-299, 2e-299, 1}, none[] = {NAN, NAN, NAN, NAN},
                        big[] = {-1e300, 0, 1e300, 1};
    const double *all[] = {same, tiny, none, big, z};

    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            for (int log = 0; log < 4; log++) {
                covey_text text = COVEY_TEXT_INIT;
                covey_plot plot = plot_of("t");

                plot.x = all[i];
                plot.y[0] = plot.y[1] = all[j];
                plot.x_log = log & 1;
                plot.y_log = log & 2;
                covey_i_plot_svg(&text, &plot);
                assert_false(text.broken);
                assert_null(strstr(text.bytes, "nan"));
                assert_null(strstr(text.bytes, "inf"));
                assert_non_null(strstr(text.bytes, "</svg>"));
                covey_i_text_free(&text);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_from_data_is_inert),
        cmocka_unit_test(a_missing_point_breaks_the_line),
        cmocka_unit_test(any_numbers_give_a_picture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
