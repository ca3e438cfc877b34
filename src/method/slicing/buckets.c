/* Which rows stand together: those of closed buckets, parted into groups of rows with different sensitive values; or
 * random ones.
 *
 * Source: [LiLiZhangMolloy12] section 4.3. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/rng.h"
#include "base/sort/sort.h"
#include "base/threads.h"
#include "method/slicing/cut.h"
#include "method/slicing/groups.h"
#include "model/nearest.h"
#include "table/table_impl.h"

enum { SHUFFLE_STREAM = 0x736c6964 };

/* Buckets of about so many rows have random numbers of their own, so that it does not matter which thread parts them.
 */
enum { BLOCK_ROWS = 1 << 12 };

/* --- random buckets --- */

/* Dealing rows out in the order of their sensitive values gives every bucket about the table's share of each. */
static covey_status deal_at_random(covey_slicing_cutting *c, const covey_run *run, covey_error *err)
{
    covey_slicing *s = c->s;
    const uint32_t size = (uint32_t)(s->params->bucket_size < s->n ? s->params->bucket_size : s->n);
    const uint32_t n_buckets = s->n / size > 0 ? s->n / size : 1;
    uint32_t *end = covey_arena_array(s->arena, uint32_t, n_buckets), number;
    covey_changes changes = {.is_lost = false};
    unsigned char key[32];
    covey_rng rng;
    bool holds;

    c->n_closed = 0;
    if (!end)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_rng_key(key, run, err));
    covey_i_rng_init(&rng, key, SHUFFLE_STREAM);
    explicit_bzero(key, sizeof key);
    for (uint32_t i = s->n; i > 1; i--) {
        const uint32_t j = (uint32_t)covey_i_rng_below(&rng, i), row = c->item[i - 1];

        c->item[i - 1] = c->item[j];
        c->item[j] = row;
    }
    covey_i_rng_wipe(&rng);
    for (uint32_t i = 0; i < s->n; i++)
        c->word[i] = (uint64_t)s->pair[c->item[i]] << 32 | i;
    covey_i_sort_u64(c->word, c->word_scratch, s->n, 64);
    memcpy(c->scratch, c->item, s->n * sizeof *c->item);
    for (uint32_t b = 0, at = 0; b < n_buckets; b++) {
        const uint32_t first = at;

        for (uint32_t i = b; i < s->n; i += n_buckets)
            c->item[at++] = c->scratch[(uint32_t)c->word[i]];
        c->closed[c->n_closed++] = (covey_slicing_bucket){first, at - first, 0};
        end[b] = at;
    }
    COVEY_TRY(covey_i_slicing_try_parts(&holds, &number, c, (covey_slicing_bucket){0, s->n, 0}, c->item, end, n_buckets,
                                        err));
    if (holds)
        return COVEY_OK;
    covey_fail(err, COVEY_EINFEASIBLE,
               "buckets of %u row%s at random break the promise, even with the sensitive values dealt out evenly: "
               "take a larger bucket-size (one of %" PRIu32 " row%s keeps it) or a smaller l",
               size, covey_i_plural(size), s->n, covey_i_plural(s->n));
    covey_i_changes_method(&changes, "bucket-size", "%" PRIu32, s->n);
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

/* --- closed buckets --- */

/* Where the rows of closed buckets go. */
struct dealing {
    covey_slicing_cutting *c;
    uint32_t n_blocks, *first, *row_start; /* [n_blocks + 1] closed buckets; places of their rows */
    _Atomic uint32_t next;                 /* block */
    bool parts;                            /* into groups */
    bool carefully;                        /* so that the table holds with them */
    unsigned char key[32];
    covey_slicing_pairs pairs;
    uint32_t *row;   /* [n] */
    uint8_t *begins; /* [n] 1 where a bucket of the release begins */
};

static covey_status find_blocks(struct dealing *d, covey_error *err)
{
    const covey_slicing_cutting *c = d->c;
    const uint32_t most = c->s->n / BLOCK_ROWS + 1;
    uint32_t n = 0;

    d->first = covey_arena_array(c->s->arena, uint32_t, (size_t)most + 1);
    d->row_start = covey_arena_array(c->s->arena, uint32_t, (size_t)most + 1);
    if (!d->first || !d->row_start)
        return covey_i_no_memory(err);
    d->first[0] = d->row_start[0] = 0;
    for (uint32_t b = 0; b < c->n_closed; b++) {
        n += covey_i_slicing_bucket_size(c, c->closed[b]);
        if (b + 1 < c->n_closed && n - d->row_start[d->n_blocks] < BLOCK_ROWS)
            continue;
        d->first[++d->n_blocks] = b + 1;
        d->row_start[d->n_blocks] = n;
    }
    return COVEY_OK;
}

/* Where some set of a bucket has too large a share, which others make up for, groups may take away what does. */
static covey_status check_groups(struct dealing *d, covey_slicing_bucket bucket, uint32_t at, uint32_t n,
                                 covey_error *err)
{
    uint32_t *end = covey_arena_array(d->c->s->arena, uint32_t, n), n_groups = 0, number;
    bool holds;

    if (!end)
        return covey_i_no_memory(err);
    for (uint32_t i = 1; i <= n; i++)
        if (i == n || d->begins[at + i])
            end[n_groups++] = i;
    if (n_groups < 2)
        return COVEY_OK;
    COVEY_TRY(covey_i_slicing_try_parts(&holds, &number, d->c, bucket, d->row + at, end, n_groups, err));
    if (!holds) /* else the test keeps what it has of the groups */
        memset(d->begins + at + 1, 0, n - 1);
    return COVEY_OK;
}

/* What one thread deals with. */
struct dealer {
    covey_slicing_groups groups;
    covey_slicing_contents contents;
    uint32_t most; /* rows that there is room for */
};

static covey_status make_room(struct dealer *dealer, uint32_t n, covey_error *err)
{
    covey_slicing_contents *contents = &dealer->contents;

    if (n <= dealer->most)
        return COVEY_OK;
    covey_i_free(contents->row);
    covey_i_free(contents->count);
    covey_i_free(contents->pair);
    dealer->most = n < UINT32_MAX / 2 && n < 2 * dealer->most ? 2 * dealer->most : n;
    contents->row = covey_i_array(dealer->most, sizeof *contents->row);
    contents->count = covey_i_array(dealer->most, sizeof *contents->count);
    contents->pair = covey_i_array(dealer->most, sizeof *contents->pair);
    return contents->row && contents->count && contents->pair ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status deal_bucket(struct dealing *d, struct dealer *dealer, covey_slicing_bucket bucket, uint32_t at,
                                uint32_t n, covey_error *err)
{
    covey_slicing_contents *contents = &dealer->contents;

    COVEY_TRY(make_room(dealer, n, err));
    covey_i_slicing_bucket_contents(contents, d->c, bucket);
    if (!d->parts) {
        covey_i_slicing_keep(d->row + at, d->begins + at, contents);
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_slicing_part(&dealer->groups, d->row + at, d->begins + at, contents, err));
    return d->carefully ? check_groups(d, bucket, at, n, err) : COVEY_OK;
}

/* A thread takes block after block. */
static covey_status deal_blocks(void *context, size_t worker, covey_error *err)
{
    struct dealing *d = context;
    const covey_slicing_cutting *c = d->c;
    struct dealer dealer = {.most = 0};
    uint32_t block;
    covey_status status = covey_i_slicing_groups_new(&dealer.groups, c->s, &d->pairs, err);

    while (status == COVEY_OK && (block = atomic_fetch_add(&d->next, 1)) < d->n_blocks) {
        uint32_t at = d->row_start[block];

        covey_i_slicing_groups_seed(&dealer.groups, d->key, c->s->n_blocks + block);
        for (uint32_t b = d->first[block]; b < d->first[block + 1] && status == COVEY_OK; b++) {
            const uint32_t n = covey_i_slicing_bucket_size(c, c->closed[b]);

            status = deal_bucket(d, &dealer, c->closed[b], at, n, err);
            at += n;
        }
    }
    covey_i_free(dealer.contents.row);
    covey_i_free(dealer.contents.count);
    covey_i_free(dealer.contents.pair);
    covey_i_slicing_groups_clear(&dealer.groups);
    return status;
}

static covey_status list_buckets(covey_dealt *dealt, const uint8_t *begins, covey_error *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < dealt->n; i++)
        n += begins[i];
    if (!(dealt->start = covey_i_array_full((size_t)n + 1, sizeof *dealt->start)))
        return covey_i_no_memory(err);
    dealt->n_buckets = n;
    n = 0;
    for (uint32_t i = 0; i < dealt->n; i++) { /* what does not begin one is overwritten */
        dealt->start[n] = i;
        n += begins[i];
    }
    dealt->start[n] = dealt->n;
    return COVEY_OK;
}

static covey_status list_pairs(covey_slicing_pairs *pairs, const covey_slicing *s, covey_error *err)
{
    const covey_column *sensitive = s->problem->field[s->sensitive].column;

    pairs->set = covey_arena_array(s->arena, uint32_t, s->n_pairs);
    pairs->value = covey_arena_array(s->arena, uint32_t, s->n_pairs);
    if (!pairs->set || !pairs->value)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++) {
        const uint32_t row = s->content[i];

        pairs->set[s->pair[row]] = s->set[row];
        pairs->value[s->pair[row]] = covey_i_code(sensitive, row);
    }
    return COVEY_OK;
}

/* Where several attributes are sensitive, only if the policy asks for it: rows then match more buckets than others do,
 * which tells who is in the table. */
static bool parts_closed(const covey_slicing *s)
{
    const int asked = s->params->anatomize;
    const bool is_on = asked == COVEY_ANATOMIZE_TRUE || asked == COVEY_ANATOMIZE_YES,
               is_off = asked == COVEY_ANATOMIZE_FALSE || asked == COVEY_ANATOMIZE_NO;
    bool is_promised = s->l.num > s->l.den; /* l = 1 asks for no group */

    for (size_t i = 0; i < s->n_others; i++)
        is_promised = is_promised || s->other[i].l.num > s->other[i].l.den;
    return s->params->buckets == 0 && s->n_holding == 1 && is_promised && (s->n_others > 0 ? is_on : !is_off);
}

static covey_status deal_closed(covey_dealt *dealt, covey_slicing_cutting *c, const covey_run *run, covey_error *err)
{
    struct dealing d = {.c = c, .parts = parts_closed(c->s), .begins = covey_i_array_full(c->s->n, sizeof *d.begins)};
    covey_status status;

    dealt->n = c->s->n;
    d.row = dealt->row = covey_i_array_full(dealt->n, sizeof *dealt->row);
    d.carefully = d.parts && c->exact && covey_i_slicing_exact_hot(c->exact) > 0;
    status = !d.row || !d.begins ? covey_i_no_memory(err) : find_blocks(&d, err);
    if (status == COVEY_OK && d.parts)
        status = list_pairs(&d.pairs, c->s, err);
    if (status == COVEY_OK && d.parts)
        status = covey_i_rng_key(d.key, run, err);
    if (status == COVEY_OK) {
        const uint32_t n_workers = d.carefully ? 1 : (uint32_t)covey_run_threads(run);

        status =
            covey_i_parallel((int)n_workers, n_workers < d.n_blocks ? n_workers : d.n_blocks, deal_blocks, &d, err);
    }
    explicit_bzero(d.key, sizeof d.key);
    c->s->n_blocks += d.n_blocks;
    if (status == COVEY_OK)
        status = list_buckets(dealt, d.begins, err);
    covey_i_free(d.begins);
    return status;
}

/* --- all of them --- */

/* Cuts that were tested by the weights of the paper must hold by what really follows. */
static covey_status check_weights(covey_slicing *s, const covey_dealt *dealt, covey_error *err)
{
    covey_changes changes = {.is_lost = false};
    covey_slicing_exact *exact;
    uint32_t number;
    bool holds;

    COVEY_TRY(covey_i_slicing_exact_new(&exact, s, dealt->row, false, err));
    COVEY_TRY(
        covey_i_slicing_exact_replace(&holds, &number, exact, 0, dealt->row, dealt->start + 1, dealt->n_buckets, err));
    if (holds)
        return COVEY_OK;
    covey_fail(err, COVEY_EINFEASIBLE,
               "weight: paper takes all matching buckets for equally likely, whatever their size, and allows buckets "
               "from which "
               "more follows than sliced-l-diversity promises: leave it at size");
    covey_i_changes_method(&changes, "weight", "size");
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

static covey_status make_buckets(covey_dealt *dealt, covey_slicing_cutting *c, const covey_run *run, covey_error *err)
{
    covey_i_dealt_clear(dealt);
    COVEY_TRY(c->s->params->buckets == 1 ? deal_at_random(c, run, err) : covey_i_slicing_cut_table(c, run, err));
    return deal_closed(dealt, c, run, err);
}

covey_status covey_i_slicing_buckets(covey_dealt *dealt, covey_slicing *s, const covey_run *run, covey_error *err)
{
    const bool separates = s->params->buckets == 0 && s->params->cut == 0; /* a signature matches one bucket only */
    bool holds = true;
    covey_slicing_cutting c;

    *dealt = (covey_dealt){.table = s->problem, .given = s->of_given};
    COVEY_TRY(
        covey_i_slicing_cutting_start(&c, s, separates && s->n_holding == 1 && s->n_others == 0 && !s->kind, err));
    if (s->n_holding > 1) /* what holds in every bucket holds for all that match: no cut needs to look further */
        COVEY_TRY(covey_i_slicing_joined_new(&c.joined, s, err));
    else if (!separates && s->n_others == 0)
        COVEY_TRY(covey_i_slicing_exact_new(&c.exact, s, c.item, s->params->weight == 1, err));
    COVEY_TRY(make_buckets(dealt, &c, run, err));
    if (s->params->weight == 1) /* not with several such columns */
        return separates ? COVEY_OK : check_weights(s, dealt, err);
    if (c.exact && s->params->buckets == 0)
        COVEY_TRY(covey_i_slicing_exact_check(&holds, c.exact, err));
    if (holds)
        return COVEY_OK;
    /* Nobody could check these buckets: there are too many signatures.  So every set must hold by itself. */
    c.exact = NULL;
    covey_i_slicing_list_rows(c.item, s);
    return make_buckets(dealt, &c, run, err);
}
