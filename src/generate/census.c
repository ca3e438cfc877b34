/* A table like the CENSUS data of the papers: age, gender, education, marital status, work class, and a salary class
 * that depends on them.  Integers only, so that every machine gives the same bytes.
 *
 * Rows are ranked by a score and receive the salaries in order, so the salaries' counts are exact.  Ranking needs no
 * sort and no memory per row: scores are few, and each row takes the same number of random words, so the rows are
 * simply made twice, first to count the scores and then to write. Source: after [CaoKarras12] section 7. */
#include "generate/generator_impl.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/fraction.h"

static const char HEADER[] = "age,gender,education,marital,workclass,salary\n";

enum { N_AGES = 79, N_EDUCATIONS = 17, N_MARITALS = 6, N_WORKS = 10, N_SALARIES = 50, N_NOISE_WORDS = 12 };

/* The score's extremes: education 0 .. 16, age 0 .. 78, noise -12288 .. 12 * 2047 - 12288. */
enum {
    LOWEST = -45 * 5 - 1200 - 12288,
    HIGHEST = 220 * 16 + 45 * 40 + 500 + 300 + 500 + 12 * 2047 - 12288,
    N_SCORES = HIGHEST - LOWEST + 1
};

struct census_params {
    covey_ratio spread; /* of the noise */
};

enum { WHOLE_SPREAD = 1 << 16 };

/* "78,1,16,5,9,49\n" */
enum { ROW_BYTES = 16, BLOCK_ROWS = COVEY_OUTFILE_ROOM / ROW_BYTES };

/* Cumulative weights: a pick is the first index whose entry exceeds below(total). */
typedef struct tables {
    uint16_t age[N_AGES], education[N_EDUCATIONS];
    uint16_t marital[N_AGES][N_MARITALS];
    uint16_t work[N_EDUCATIONS][N_AGES][N_WORKS];
    int64_t next[N_SCORES];         /* rank of the next row with that score */
    int64_t salary_end[N_SALARIES]; /* ranks below it have this salary or a lower one */
    uint8_t salary[N_SCORES];       /* of the next row with that score, or one below */
    int spread;                     /* of the noise, in parts of WHOLE_SPREAD */
} tables;

typedef struct census_row {
    int age, gender, education, marital, work, score;
} census_row;

static int at_least(int least, int value)
{
    return value > least ? value : least;
}

static void accumulate(uint16_t *cumulative, const int *weight, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        cumulative[i] = (uint16_t)(sum += weight[i]);
}

/* Appendix A, steps 1 and 3. */
static void set_ages_and_educations(tables *t)
{
    static const int educations[N_EDUCATIONS] = {2, 2, 4, 6, 8, 10, 14, 16, 120, 60, 50, 30, 26, 60, 24, 8, 6};
    int ages[N_AGES];

    for (int a = 0; a < N_AGES; a++)
        ages[a] = a < 25 ? 60 + 2 * a : a < 50 ? 110 - (a - 25) : at_least(6, 85 - 2 * (a - 50) - (a - 50) / 3);
    accumulate(t->age, ages, N_AGES);
    accumulate(t->education, educations, N_EDUCATIONS);
}

/* Steps 4 and 5. */
static void set_maritals_and_works(tables *t)
{
    for (int a = 0; a < N_AGES; a++) {
        const int maritals[N_MARITALS] = {
            at_least(1, 4 + 2 * (a < 40 ? a : 40)), 3, at_least(2, 70 - 2 * a), 6 + a / 4, 4, 1 + at_least(0, a - 40)};

        accumulate(t->marital[a], maritals, N_MARITALS);
        for (int e = 0; e < N_EDUCATIONS; e++) {
            const int works[N_WORKS] = {60,         20,         12 + e,
                                        6 + e / 2,  6,          4 + e / 3,
                                        8 + a / 10, 4 + a / 16, at_least(2, 14 - e) + (a > 45 ? a / 6 : 0),
                                        4};

            accumulate(t->work[e][a], works, N_WORKS);
        }
    }
}

/* How many rows have each salary: rising to value 12, then falling convexly. */
static void set_salaries(tables *t, int64_t n_rows)
{
    int64_t weight[N_SALARIES], count[N_SALARIES], sum = 0, missing = n_rows, end = 0;

    for (int64_t k = 0; k < N_SALARIES; k++) {
        weight[k] = k <= 12 ? 6000 + 42402 * k / 12 : 2018 + 46384 * (49 - k) * (49 - k) / 1369;
        if (k != 12 && k != 49)
            sum += weight[k];
    }
    for (int k = 0; k < N_SALARIES; k++) {
        const bool kept = k == 12 || k == 49;
        const int64_t scaled = kept ? weight[k] : weight[k] * (1000000 - weight[12] - weight[49]) / sum;

        count[k] = (scaled * n_rows + (kept ? 500000 : 0)) / 1000000;
        missing -= count[k];
    }
    assert(missing >= 0);
    for (int64_t i = 0; i < 20; i++)
        count[20 + i] += missing / 20 + (i < missing % 20);
    for (int k = 0; k < N_SALARIES; k++)
        t->salary_end[k] = end += count[k];
    assert(end == n_rows);
}

static int pick(covey_splitmix *rng, const uint16_t *cumulative, int n)
{
    const uint64_t at = covey_i_splitmix_below(rng, cumulative[n - 1]);
    int i = 0;

    while (cumulative[i] <= at)
        i++;
    return i;
}

/* Appendix A, steps 1 to 6; always 17 words. */
static inline census_row make_row(covey_splitmix *rng, const tables *t)
{
    static const int bonus[N_WORKS] = {0, 150, 100, 400, 300, 200, 500, 250, -900, -1200};
    census_row row;

    row.age = pick(rng, t->age, N_AGES);
    row.gender = (int)covey_i_splitmix_below(rng, 2);
    row.education = pick(rng, t->education, N_EDUCATIONS);
    row.marital = pick(rng, t->marital[row.age], N_MARITALS);
    row.work = pick(rng, t->work[row.education][row.age], N_WORKS);
    row.score = -12288;
    for (int i = 0; i < N_NOISE_WORDS; i++)
        row.score += (int)(covey_i_splitmix_word(rng) >> 53);
    row.score = (int)((int64_t)row.score * t->spread / WHOLE_SPREAD);
    row.score += 220 * row.education + 45 * (40 - abs(row.age - 33)) + 500 * row.gender + (row.marital < 2 ? 300 : 0) +
                 bonus[row.work];
    return row;
}

/* Counts the scores and turns the counts into first ranks: rows are ranked by score, then by number. */
static covey_status rank_scores(tables *t, int64_t n_rows, uint64_t seed, const covey_run *run, covey_error *err)
{
    covey_splitmix rng = {seed};
    int64_t rank = 0;

    for (int64_t row = 0; row < n_rows; row++) {
        if (row % BLOCK_ROWS == 0 && !covey_i_generate_goes_on(run, row / 2, n_rows))
            return covey_fail(err, COVEY_ECANCELLED, "stopped on request");
        t->next[make_row(&rng, t).score - LOWEST]++;
    }
    for (int score = 0; score < N_SCORES; score++) {
        const int64_t n = t->next[score];

        t->next[score] = rank;
        rank += n;
    }
    return COVEY_OK;
}

static int take_salary(tables *t, int score)
{
    const int64_t rank = t->next[score]++;

    while (t->salary_end[t->salary[score]] <= rank)
        t->salary[score]++;
    return t->salary[score];
}

/* A number below 100. */
static char *add_number(char *to, int number)
{
    if (number >= 10)
        *to++ = (char)('0' + number / 10);
    *to++ = (char)('0' + number % 10);
    return to;
}

static char *add_row(char *to, const census_row *row, int salary)
{
    to = add_number(to, row->age);
    *to++ = ',';
    *to++ = (char)('0' + row->gender);
    *to++ = ',';
    to = add_number(to, row->education);
    *to++ = ',';
    *to++ = (char)('0' + row->marital);
    *to++ = ',';
    *to++ = (char)('0' + row->work);
    *to++ = ',';
    to = add_number(to, salary);
    *to++ = '\n';
    return to;
}

static covey_status write_rows(covey_outfile *out, tables *t, int64_t n_rows, uint64_t seed, const covey_run *run,
                               covey_error *err)
{
    covey_splitmix rng = {seed};

    for (int64_t done = 0; done < n_rows && !covey_i_outfile_is_broken(out); done += BLOCK_ROWS) {
        const int64_t n = n_rows - done < BLOCK_ROWS ? n_rows - done : BLOCK_ROWS;
        char *room = covey_i_outfile_room(out, (size_t)n * ROW_BYTES), *to = room;

        if (!covey_i_generate_goes_on(run, n_rows / 2 + done / 2, n_rows))
            return covey_fail(err, COVEY_ECANCELLED, "stopped on request");
        for (int64_t i = 0; i < n; i++) {
            const census_row row = make_row(&rng, t);

            to = add_row(to, &row, take_salary(t, row.score - LOWEST));
        }
        covey_i_outfile_used(out, (size_t)(to - room));
    }
    return COVEY_OK;
}

static covey_status write(covey_outfile *out, const void *params, int64_t n_rows, uint64_t seed, const covey_run *run,
                          covey_error *err)
{
    const struct census_params *p = params;
    tables *t = covey_i_array_zero(1, sizeof *t);
    covey_status status;

    if (!t)
        return covey_i_no_memory(err);
    t->spread = (int)((covey_i128)p->spread.num * WHOLE_SPREAD / p->spread.den);
    set_ages_and_educations(t);
    set_maritals_and_works(t);
    set_salaries(t, n_rows);
    covey_i_outfile_string(out, HEADER);
    if ((status = rank_scores(t, n_rows, seed, run, err)) == COVEY_OK)
        status = write_rows(out, t, n_rows, seed, run, err);
    covey_i_free(t);
    return status;
}

/* Heights 1, 2 and 3; age, education and salary are numbers and need none. */
static const covey_companion companions[] = {
    {"gender", "0;*\n1;*\n"},
    {"marital", "0;0-1;*\n1;0-1;*\n2;2-5;*\n3;2-5;*\n4;2-5;*\n5;2-5;*\n"},
    {"workclass", "0;0-2;0-5;*\n1;0-2;0-5;*\n2;0-2;0-5;*\n3;3-5;0-5;*\n4;3-5;0-5;*\n5;3-5;0-5;*\n"
                  "6;6-7;6-9;*\n7;6-7;6-9;*\n8;8-9;6-9;*\n9;8-9;6-9;*\n"},
};

static const covey_param param_list[] = {
    {.name = "spread",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct census_params, spread),
     .fallback = "1",
     .minimum = "0",
     .maximum = "1",
     .help = "share of the noise between a salary and what it depends on"},
};

const covey_generator covey_generator_census = {
    .name = "census",
    .summary =
        "people with age, gender, education, marital status, work class, and a salary class of 50 that depends on them",
    .header = HEADER,
    .source = "CaoKarras12, section 7",
    .companions = companions,
    .n_companions = sizeof companions / sizeof *companions,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct census_params),
    .write = write,
};
