/* Ages and a number that may rise with them, like the capital losses of the papers on permuted releases: a chosen
 * distribution, domain, correlation and noise.  Integers only, so that every machine gives the same bytes;
 * docs/generators.md tells it draw by draw. Source: [Zhang07], its synthetic tables. */
#include "generate/generator_impl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/fraction.h"
#include "base/exact/log.h"

static const char HEADER[] = "age,capital-loss\n";

enum { FIRST_AGE = 17, N_AGES = 63, MIDDLE_AGE = 48, HALF_AGES = 31 };
enum { N_NOISE_WORDS = 12, NOISE_BITS = 16, MOST_DIGITS_DEN = 1000000, MOST_ZIPF_VALUES = 1 << 24, ZIPF_BITS = 56 };
/* "79,-1000000000000000\n" */
enum { ROW_BYTES = 24, BLOCK_ROWS = COVEY_OUTFILE_ROOM / ROW_BYTES };

static const int64_t most_number = INT64_C(1000000000000000);

struct capital_loss_params {
    const char *distribution, *domain, *noise;
    covey_ratio correlation;
};

typedef enum shape { NORMAL, UNIFORM, ZIPF } shape;

/* Everything that rows depend on. */
typedef struct recipe {
    shape shape;
    int64_t low, high;
    covey_ratio correlation, noise, exponent;
    uint64_t *cumulative; /* ZIPF: [high - low + 1] */
} recipe;

/* --- parameters --- */

static covey_status read_integer(int64_t *out, const char *text, size_t size, covey_error *err)
{
    char copy[32];
    covey_ratio value;

    if (size == 0 || size >= sizeof copy)
        return covey_fail(err, COVEY_EINVAL, "a domain is two whole numbers such as 1024,3072");
    memcpy(copy, text, size);
    copy[size] = '\0';
    if (strchr(copy, '/') || covey_ratio_parse(&value, copy, NULL) != COVEY_OK || value.den != 1 ||
        value.num < -most_number || value.num > most_number)
        return covey_fail(err, COVEY_EINVAL,
                          "a domain is two whole numbers such as 1024,3072, between -10^15 and 10^15, not \"%s\"",
                          copy);
    *out = value.num;
    return COVEY_OK;
}

static covey_status read_domain(recipe *r, const char *text, covey_error *err)
{
    const char *comma = strchr(text, ',');

    if (!comma)
        return covey_fail(err, COVEY_EINVAL, "a domain is two whole numbers such as 1024,3072, not \"%.60s\"", text);
    COVEY_TRY(read_integer(&r->low, text, (size_t)(comma - text), err));
    COVEY_TRY(read_integer(&r->high, comma + 1, strlen(comma + 1), err));
    if (r->low > r->high)
        return covey_fail(err, COVEY_EINVAL, "the domain %s ends before it begins", text);
    return COVEY_OK;
}

static covey_status read_distribution(recipe *r, const char *text, covey_error *err)
{
    if (strcmp(text, "normal") == 0) {
        r->shape = NORMAL;
    } else if (strcmp(text, "uniform") == 0) {
        r->shape = UNIFORM;
    } else if (strncmp(text, "zipf:", 5) == 0) {
        r->shape = ZIPF;
        if (covey_ratio_parse(&r->exponent, text + 5, NULL) != COVEY_OK || r->exponent.num < 0 ||
            covey_ratio_compare(r->exponent, (covey_ratio){100, 1}) > 0)
            return covey_fail(err, COVEY_EINVAL, "the exponent of zipf must be a number from 0 to 100, not \"%.60s\"",
                              text + 5);
        if (r->high - r->low >= MOST_ZIPF_VALUES)
            return covey_fail(err, COVEY_EINVAL, "zipf needs a domain of at most %d numbers", MOST_ZIPF_VALUES);
    } else {
        return covey_fail(err, COVEY_EINVAL,
                          "distribution must be normal, uniform or zipf:EXPONENT such as zipf:0.1, not \"%.60s\"",
                          text);
    }
    return COVEY_OK;
}

static covey_status read_noise(recipe *r, const char *text, covey_error *err)
{
    const int64_t width = r->high - r->low;

    if (!text) {
        const covey_fraction share = covey_i_fraction((covey_i128)width * 300, 2048);

        r->noise = (covey_ratio){(int64_t)share.num, (int64_t)share.den};
        return COVEY_OK;
    }
    if (r->shape != NORMAL)
        return covey_fail(err, COVEY_EINVAL, "noise is the deviation of the distribution normal; the others have none");
    if (covey_ratio_parse(&r->noise, text, NULL) != COVEY_OK || r->noise.num < 0 || r->noise.den > MOST_DIGITS_DEN)
        return covey_fail(err, COVEY_EINVAL,
                          "noise must be a number of at least 0 with at most six digits after the point, not \"%.60s\"",
                          text);
    if (covey_i_fraction_compare(covey_i_fraction_of_ratio(r->noise), (covey_fraction){(covey_i128)100 * width, 1}) > 0)
        return covey_fail(err, COVEY_EINVAL,
                          "noise must be at most 100 times as wide as the domain, which is %" PRId64 " wide", width);
    return COVEY_OK;
}

static covey_status read_recipe(recipe *r, const struct capital_loss_params *p, covey_error *err)
{
    COVEY_TRY(read_domain(r, p->domain, err));
    COVEY_TRY(read_distribution(r, p->distribution, err));
    r->correlation = p->correlation;
    if (r->correlation.den > MOST_DIGITS_DEN)
        return covey_fail(err, COVEY_EINVAL, "correlation must have at most six digits after the point");
    return read_noise(r, p->noise, err);
}

static covey_status check(const void *params, covey_error *err)
{
    recipe r = {0};

    return read_recipe(&r, params, err);
}

/* --- zipf --- */

/* e^-y * 2^50 for y = x / 2^40 <= 23. */
static uint64_t small_power(int64_t x)
{
    return (uint64_t)(((covey_u128)1 << 100) / (covey_i_log_exp_floor((covey_ratio){x, INT64_C(1) << 40}) >> 40));
}

/* rank^-s * 2^bits, at least 1. */
static uint64_t zipf_weight(uint64_t rank, covey_ratio s, int bits)
{
    const covey_i128 exponent =
        (covey_i128)(covey_i_log_floor(rank, 1) >> 24) * s.num / s.den; /* s ln rank, in units of 2^-40 */
    uint64_t half;

    if (exponent >= (covey_i128)46 << 40)
        return 1;
    half = small_power((int64_t)exponent / 2);
    half = (uint64_t)((covey_u128)half * half >> (100 - bits));
    return half > 0 ? half : 1;
}

static covey_status list_weights(recipe *r, covey_error *err)
{
    const uint64_t n = (uint64_t)(r->high - r->low) + 1;
    int bits = ZIPF_BITS;
    uint64_t sum = 0;

    if (!(r->cumulative = covey_i_array(n, sizeof *r->cumulative)))
        return covey_i_no_memory(err);
    while ((UINT64_C(1) << (ZIPF_BITS - bits)) < n)
        bits--;
    for (uint64_t i = 0; i < n; i++)
        r->cumulative[i] = sum += zipf_weight(i + 1, r->exponent, bits);
    return COVEY_OK;
}

static int64_t find_number(const recipe *r, uint64_t at)
{
    uint64_t low = 0, high = (uint64_t)(r->high - r->low);

    while (low < high) {
        const uint64_t middle = (low + high) / 2;

        if (r->cumulative[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return r->low + (int64_t)low;
}

/* --- rows --- */

static covey_i128 floor_div(covey_i128 a, covey_i128 b)
{
    return a / b - (a % b < 0);
}

/* The mean goes from one end of the domain (youngest) to the other (oldest) with correlation 1; redrawn until it lies
 * in the domain. */
static int64_t draw_normal(const recipe *r, int age, covey_splitmix *rng)
{
    const covey_i128 width = r->high - r->low, c = (covey_i128)r->correlation.num * r->noise.den,
                     den = (covey_i128)r->correlation.den * r->noise.den;
    /* twice the mean and the noise, over 31 * den * 2^16 */
    const covey_i128 mean = (((covey_i128)r->low + r->high) * HALF_AGES * den + c * (age - MIDDLE_AGE) * width)
                            << NOISE_BITS;
    const covey_i128 unit = (den * HALF_AGES) << NOISE_BITS;

    for (;;) {
        int64_t sum = -(int64_t)N_NOISE_WORDS * 65535 / 2, number;

        for (int i = 0; i < N_NOISE_WORDS; i++)
            sum += (int64_t)(covey_i_splitmix_word(rng) >> (64 - NOISE_BITS));
        number = (int64_t)floor_div(mean + (covey_i128)2 * HALF_AGES * r->correlation.den * r->noise.num * sum + unit,
                                    2 * unit);
        if (number >= r->low && number <= r->high)
            return number;
    }
}

/* A place in 0 .. n-1: with probability |correlation| the one that corresponds to the age, else any. */
static uint64_t draw_place(const recipe *r, int age, uint64_t n, covey_splitmix *rng)
{
    const bool falls = r->correlation.num < 0;
    const uint64_t share = (uint64_t)(falls ? -r->correlation.num : r->correlation.num);
    const bool is_by_age = covey_i_splitmix_below(rng, (uint64_t)r->correlation.den) < share;
    const covey_u128 word = covey_i_splitmix_word(rng);
    const covey_u128 rank = falls ? FIRST_AGE + N_AGES - 1 - age : age - FIRST_AGE;

    return is_by_age ? (uint64_t)((((rank << 64) | word) / N_AGES) * n >> 64) : (uint64_t)(word * n >> 64);
}

static int64_t draw_number(const recipe *r, int age, covey_splitmix *rng)
{
    const uint64_t n = (uint64_t)(r->high - r->low) + 1;

    switch (r->shape) {
    case NORMAL:
        return draw_normal(r, age, rng);
    case UNIFORM:
        return r->low + (int64_t)draw_place(r, age, n, rng);
    case ZIPF:
        return find_number(r, draw_place(r, age, r->cumulative[n - 1], rng));
    }
    return r->low;
}

static char *add_number(char *to, int64_t number)
{
    char digits[24];
    int n = 0;

    if (number < 0)
        *to++ = '-';
    do
        digits[n++] = (char)('0' + llabs(number % 10));
    while ((number /= 10) != 0);
    while (n > 0)
        *to++ = digits[--n];
    return to;
}

static covey_status write(covey_outfile *out, const void *params, int64_t n_rows, uint64_t seed, const covey_run *run,
                          covey_error *err)
{
    covey_splitmix rng = {seed};
    covey_status status;
    recipe r = {0};

    COVEY_TRY(read_recipe(&r, params, err));
    if (r.shape == ZIPF)
        COVEY_TRY(list_weights(&r, err));
    covey_i_outfile_string(out, HEADER);
    status = COVEY_OK;
    for (int64_t done = 0; done < n_rows && status == COVEY_OK && !covey_i_outfile_is_broken(out); done += BLOCK_ROWS) {
        const int64_t n = n_rows - done < BLOCK_ROWS ? n_rows - done : BLOCK_ROWS;
        char *room = covey_i_outfile_room(out, (size_t)n * ROW_BYTES), *to = room;

        if (!covey_i_generate_goes_on(run, done, n_rows))
            status = covey_fail(err, COVEY_ECANCELLED, "stopped on request");
        for (int64_t i = 0; i < n && status == COVEY_OK; i++) {
            const int age = FIRST_AGE + (int)covey_i_splitmix_below(&rng, N_AGES);

            to = add_number(to, age);
            *to++ = ',';
            to = add_number(to, draw_number(&r, age, &rng));
            *to++ = '\n';
        }
        covey_i_outfile_used(out, (size_t)(to - room));
    }
    covey_i_free(r.cumulative);
    return status;
}

static const covey_param param_list[] = {
    {.name = "distribution",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct capital_loss_params, distribution),
     .fallback = "normal",
     .help = "of the number: normal, uniform or zipf:EXPONENT"},
    {.name = "domain",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct capital_loss_params, domain),
     .fallback = "1024,3072",
     .help = "its least and its greatest value"},
    {.name = "correlation",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct capital_loss_params, correlation),
     .fallback = "0",
     .minimum = "-1",
     .maximum = "1",
     .help = "how much it rises with age; 1: from one end of the domain to the other"},
    {.name = "noise",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct capital_loss_params, noise),
     .help = "standard deviation of the distribution normal; 300/2048 of the domain if not given"},
};

const covey_generator covey_generator_capital_loss = {
    .name = "capital-loss",
    .summary = "people with age and a capital loss of a chosen distribution, domain and correlation with age",
    .header = HEADER,
    .source = "Zhang07, experiments",
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct capital_loss_params),
    .check = check,
    .write = write,
};
