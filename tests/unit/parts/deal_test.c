/* Rows on their way to the parts of a plan: from the text and from the rows that the plan's pass has put on disk, which
 * are the same; and what is said of a disk that is full or shows other bytes. */
#include "test.h"

#include <covey/covey.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "support/csvs.h"
#include "base/text.h"
#include "parts/deal/rows.h"
#include "parts/deal/spill.h"

enum { ROWS = 40000, MOST_ROW = 16 };

static const char wish[] =
    "version: 1\ninput: {path: table.csv, missing-quasi: drop}\nattributes:\n  - {name: id, role: insensitive}\n"
    "  - {name: age, role: quasi-identifier}\n  - {name: city, role: quasi-identifier, order: [C, B, A]}\n"
    "  - {name: disease, role: sensitive}\nprivacy:\n  - {model: k-anonymity, k: 2}\nmethod: mondrian\n";

/* Rows that came to parts: their part (two bytes), then their bytes. */
struct collected {
    size_t n, row_size;
    unsigned char (*row)[2 + MOST_ROW]; /* [ROWS] */
    pthread_mutex_t lock;
};

static covey_status collect(void *context, uint32_t part, const unsigned char *rows, uint32_t n, covey_error *err)
{
    struct collected *to = context;

    pthread_mutex_lock(&to->lock);
    assert_true(n > 0 && to->n + n <= ROWS);
    for (uint32_t i = 0; i < n; i++) {
        unsigned char *row = to->row[to->n++];

        memset(row, 0, sizeof *to->row);
        row[0] = (unsigned char)part;
        row[1] = (unsigned char)(part >> 8);
        memcpy(row + 2, rows + i * to->row_size, to->row_size);
    }
    pthread_mutex_unlock(&to->lock);
    return COVEY_OK;
}

static int compare_rows(const void *a, const void *b)
{
    return memcmp(a, b, 2 + MOST_ROW);
}

/* Numbers of four columns, of which every 50th row lacks its age; identifiers come again in other pieces. */
static covey_policy *put_table(void)
{
    static const char *const disease[] = {"flu", "cold", "cancer", "\"a \"\"rash\"\", red\""};
    covey_text text = COVEY_TEXT_INIT;
    covey_policy *policy = NULL;

    covey_i_text_add_string(&text, "id,age,city,disease\n");
    for (unsigned i = 0; i < ROWS; i++) {
        covey_i_text_add_format(&text, "%u,", i * 7919u % 30011u);
        if (i % 50 != 0)
            covey_i_text_add_format(&text, "%u", 18 + i * 31u % 70);
        covey_i_text_add_format(&text, ",%c,%s\n", 'A' + (int)(i % 3), disease[i * 13u / 7 % 4]);
    }
    csv_put_file(csv_path("table.csv"), text.bytes, text.size);
    csv_put_file(csv_path("policy.yaml"), wish, sizeof wish - 1);
    covey_i_text_free(&text);
    assert_int_equal(covey_policy_read(&policy, csv_path("policy.yaml"), NULL), COVEY_OK);
    assert_int_equal(covey_policy_check(policy, NULL), COVEY_OK);
    return policy;
}

static void make_plan(covey_plan *plan, covey_spill **spill, const covey_policy *policy, int64_t rows_per_part)
{
    const covey_run run = {.n_threads = 3};
    covey_error err;

    if (covey_i_spill_new(spill, csv_path("rows"), &err) != COVEY_OK ||
        covey_i_plan_make(plan, policy, *spill, csv_path("text"), 0, rows_per_part, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    assert_true(covey_i_plan_row_size(plan) <= MOST_ROW);
}

static void deal_text(const covey_dealer *dealer, const covey_policy *policy, int64_t n_expected)
{
    const covey_run run = {.n_threads = 2};
    covey_prepared columns = {0};
    covey_preparing s = {.p = &columns, .policy = policy, .run = &run};
    covey_csv_stream *stream = NULL;
    covey_csv_options options;
    int64_t n_rows, n_dropped;

    s.found = covey_arena_array_zero(&columns.arena, bool, policy->n_attributes);
    covey_i_preparing_csv(&options, &s);
    assert_int_equal(covey_i_csv_stream_open(&stream, csv_path("table.csv"), &options, 100000, NULL, &run, NULL),
                     COVEY_OK);
    assert_int_equal(covey_i_deal_stream(&n_rows, &n_dropped, dealer, stream, &s, NULL), COVEY_OK);
    assert_int_equal(n_rows, n_expected);
    assert_int_equal(n_dropped, ROWS / 50);
    covey_i_csv_stream_close(stream);
    covey_i_prepared_clear(&columns);
}

static void test_spill__deals_the_rows_of_the_text(void **unused)
{
    static const int64_t rows_per_part[] = {0, 20000, 1000};
    const covey_run run = {.n_threads = 2};

    csv_folder();
    for (size_t i = 0; i < sizeof rows_per_part / sizeof *rows_per_part; i++) {
        struct collected text = {.row = calloc(ROWS, sizeof *text.row), .lock = PTHREAD_MUTEX_INITIALIZER}, disk = text;
        const covey_dealer from_text = {.sink = collect, .context = &text},
                           from_disk = {.sink = collect, .context = &disk};
        covey_dealer dealer = from_text;
        covey_policy *policy = put_table();
        covey_spill *spill = NULL;
        struct stat facts;
        covey_plan plan;

        disk.row = calloc(ROWS, sizeof *disk.row);
        make_plan(&plan, &spill, policy, rows_per_part[i]);
        assert_int_equal(stat(csv_path("rows"), &facts), 0);
        assert_int_equal(facts.st_mode & 07777, 0600);
        assert_true(rows_per_part[i] == 0 ? plan.n_parts == 1 : plan.n_parts > 1);
        text.row_size = disk.row_size = covey_i_plan_row_size(&plan);
        dealer.plan = &plan;
        deal_text(&dealer, policy, plan.n_rows);
        dealer = from_disk;
        dealer.plan = &plan;
        assert_int_equal(covey_i_spill_deal(spill, &dealer, &run, NULL), COVEY_OK);
        assert_int_equal(text.n, plan.n_rows);
        assert_int_equal(disk.n, plan.n_rows);
        qsort(text.row, text.n, sizeof *text.row, compare_rows);
        qsort(disk.row, disk.n, sizeof *disk.row, compare_rows);
        assert_memory_equal(text.row, disk.row, text.n * sizeof *text.row);
        covey_i_spill_free(spill);
        assert_int_not_equal(stat(csv_path("rows"), &facts), 0);
        covey_i_plan_clear(&plan);
        covey_policy_free(policy);
        free(text.row);
        free(disk.row);
    }
    csv_folder_remove();
}

/* Bytes of the file that mean no value, or are not there. */
static void test_spill__refuses_other_bytes(void **unused)
{
    static const unsigned char wrong[64] = {[0 ... 63] = 0xff};
    struct collected rows = {.row = calloc(ROWS, sizeof *rows.row), .lock = PTHREAD_MUTEX_INITIALIZER};
    covey_dealer dealer = {.sink = collect, .context = &rows};
    covey_policy *policy;
    struct stat facts;
    covey_plan plan;

    csv_folder();
    policy = put_table();
    for (int where = 0; where < 3; where++) { /* the maps, the rows, the end */
        covey_spill *spill = NULL;
        covey_error err;
        int file;

        make_plan(&plan, &spill, policy, 0);
        rows.n = 0;
        rows.row_size = covey_i_plan_row_size(&plan);
        dealer.plan = &plan;
        assert_true((file = open(csv_path("rows"), O_WRONLY)) >= 0 && fstat(file, &facts) == 0);
        if (where == 2)
            assert_int_equal(ftruncate(file, facts.st_size - 1), 0);
        else
            assert_int_equal(pwrite(file, wrong, sizeof wrong, where == 0 ? 0 : facts.st_size - (off_t)sizeof wrong),
                             sizeof wrong);
        close(file);
        assert_int_equal(covey_i_spill_deal(spill, &dealer, NULL, &err), COVEY_EIO);
        assert_non_null(strstr(err.message, "was changed or cut off"));
        covey_i_spill_free(spill);
        covey_i_plan_clear(&plan);
    }
    covey_policy_free(policy);
    free(rows.row);
    csv_folder_remove();
}

/* A file of a part that cannot grow. */
static void test_part_files__say_which_one_is_full(void **unused)
{
    struct rlimit before, least;
    covey_part_files *files = NULL;
    covey_dealer dealer = {.sink = covey_i_part_files_sink};
    covey_status status;
    covey_spill *spill = NULL;
    covey_policy *policy;
    covey_plan plan;
    covey_error err;

    csv_folder();
    policy = put_table();
    make_plan(&plan, &spill, policy, 20000);
    assert_int_equal(covey_i_part_files_open(&files, &plan, csv_path("."), 1, &err), COVEY_OK);
    dealer.plan = &plan;
    dealer.context = files;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    least = before;
    least.rlim_cur = 10000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &least), 0);
    status = covey_i_spill_deal(spill, &dealer, NULL, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, COVEY_EIO);
    assert_non_null(strstr(err.message, "rows-"));
    covey_i_part_files_free(files);
    covey_i_spill_free(spill);
    covey_i_plan_clear(&plan);
    covey_policy_free(policy);
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spill__deals_the_rows_of_the_text),
        cmocka_unit_test(test_spill__refuses_other_bytes),
        cmocka_unit_test(test_part_files__say_which_one_is_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
