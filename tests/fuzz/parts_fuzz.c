/* Recipes and files of parts, changed as the input says (kit.h), with check sums that fit again: making a part and
 * merging end with what is right, or with a reason in one line. */
#include <covey/covey.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "base/hash.h"
#include "kit.h"
#include "parts/part/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_PARTS = 3, N_PLANS = 3, MOST_EDITS = 12, MOST_BYTES = 40000 };

struct plan {
    covey_text recipe, part[MOST_PARTS];
    size_t n_parts;
};

static struct plan plans[N_PLANS];
static char table[200], recipe[200], part[MOST_PARTS][200], release[200], made[200];

static void put_table(void)
{
    covey_text text = COVEY_TEXT_INIT;
    unsigned state = 5;

    covey_i_text_add_string(&text, "age,city,pay,illness\n");
    for (int row = 0; row < 48; row++) {
        state = state * 1103515245u + 12345u;
        covey_i_text_add_format(&text, "%u,%c,%u,%s\n", 20 + (state >> 8) % 30, 'A' + (char)((state >> 20) % 3),
                                (state >> 12) % 90, row % 3 ? "flu" : "cold");
    }
    fuzz_put(table, text.bytes, text.size);
    covey_i_text_free(&text);
}

static void require_done(covey_status status, const covey_error *err)
{
    if (status == COVEY_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    abort();
}

static void make_plan(struct plan *plan, const char *const *wish)
{
    const covey_parts_options options = {.force = true, .rows_per_part = 20};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    covey_policy *policy = NULL;
    covey_plan_report report;
    covey_error err = {0};

    fuzz_require(covey_policy_new(&policy, NULL) == COVEY_OK);
    require_done(covey_policy_set(policy, "input", table, &err), &err);
    require_done(covey_policy_set(policy, "quasi", "age,city", &err), &err);
    for (; *wish; wish += 2)
        require_done(covey_policy_set(policy, wish[0], wish[1], &err), &err);
    require_done(covey_policy_check(policy, &err), &err);
    require_done(covey_plan_table(&report, policy, recipe, &options, &run, &err), &err);
    covey_policy_free(policy);
    plan->n_parts = (size_t)report.n_parts;
    fuzz_require(plan->n_parts <= MOST_PARTS && fuzz_get(&plan->recipe, recipe));
    for (size_t p = 0; p < plan->n_parts; p++) {
        covey_part_report done;

        require_done(
            covey_part_anonymize(&done, recipe, (int64_t)p + 1, (int64_t)p + 1, NULL, part[p], &options, &run, &err),
            &err);
        fuzz_require(fuzz_get(&plan->part[p], part[p]));
    }
}

static void clean_up(void)
{
    remove(table);
    remove(recipe);
    remove(made);
    for (size_t p = 0; p < MOST_PARTS; p++)
        remove(part[p]);
}

static void set_up(void)
{
    static const char *const wishes[N_PLANS][9] = {
        {"sensitive", "illness", "insensitive", "pay", "model", "k-anonymity:k=3", "method", "mondrian", NULL},
        {"sensitive", "pay", "insensitive", "illness", "model", "ke-anonymity:k=2,e=1", "method", "ke-permutation",
         NULL},
        {"sensitive", "illness", "insensitive", "pay", "model", "basic-beta-likeness:beta=4", "method", "perturbation",
         NULL},
    };

    fuzz_path(table, sizeof table, "people.csv");
    fuzz_path(recipe, sizeof recipe, "recipe");
    fuzz_path(release, sizeof release, "merged");
    fuzz_path(made, sizeof made, "made");
    for (size_t p = 0; p < MOST_PARTS; p++) {
        char what[16];

        snprintf(what, sizeof what, "part-%zu", p);
        fuzz_path(part[p], sizeof part[p], what);
    }
    put_table();
    for (size_t i = 0; i < N_PLANS; i++)
        make_plan(&plans[i], wishes[i]);
    atexit(clean_up);
}

/* --- check sums that fit --- */

/* The digest of the recipe as it is now; false if it is no JSON object. */
static bool seal_recipe(unsigned char digest[COVEY_PART_DIGEST], covey_text *text)
{
    json_t *root = json_loadb(text->bytes, text->size, 0, NULL);
    char *bytes, hex[65];

    if (!json_is_object(root)) {
        json_decref(root);
        return false;
    }
    json_object_del(root, "digest");
    bytes = json_dumps(root, JSON_COMPACT);
    covey_i_hash_sha256(digest, bytes, strlen(bytes));
    free(bytes);
    covey_i_hash_hex(hex, digest);
    json_object_set_new(root, "digest", json_string(hex));
    bytes = json_dumps(root, JSON_INDENT(1));
    covey_i_text_clear(text);
    covey_i_text_add_string(text, bytes);
    free(bytes);
    json_decref(root);
    return true;
}

static void seal_part(covey_text *text, const unsigned char digest[COVEY_PART_DIGEST])
{
    unsigned char *bytes = (unsigned char *)text->bytes;
    size_t at = COVEY_PART_MAGIC_SIZE;
    uint64_t check = 0;

    while (text->size >= 12 && at <= text->size - 12) {
        const size_t size =
            (size_t)bytes[at] | (size_t)bytes[at + 1] << 8 | (size_t)bytes[at + 2] << 16 | (size_t)bytes[at + 3] << 24;

        at += 4;
        if (size > text->size - at - 8)
            return;
        if (at == COVEY_PART_MAGIC_SIZE + 4 && size >= COVEY_PART_DIGEST)
            memcpy(bytes + at, digest, COVEY_PART_DIGEST);
        check = covey_i_mix(check + 1, covey_i_hash_bytes(text->bytes + at, size));
        at += size;
        for (int i = 0; i < 8; i++)
            bytes[at++] = (unsigned char)(check >> 8 * i);
    }
}

/* --- what must hold --- */

static void require_reason(covey_status status, const covey_error *err)
{
    fuzz_require(status == COVEY_OK || (err->message[0] && !strchr(err->message, '\n') && status != COVEY_ENOMEM));
}

static void use(size_t n_parts)
{
    const covey_parts_options options = {.force = true};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    const char *const paths[MOST_PARTS] = {part[0], part[1], part[2]};
    covey_anonymize_report report = {0};
    covey_part_report done;
    covey_error err = {0};
    covey_status status = covey_part_anonymize(&done, recipe, 1, 1, NULL, made, &options, &run, &err);

    require_reason(status, &err);
    status = covey_merge_parts(&report, recipe, paths, n_parts, release, NULL, &run, &err);
    require_reason(status, &err);
    fuzz_require((access(release, F_OK) == 0) == (status == COVEY_OK));
    if (status == COVEY_OK) {
        fuzz_require(report.verdict->holds);
        fuzz_require(covey_i_folder_remove(release, NULL) == COVEY_OK);
    }
    covey_anonymize_report_clear(&report);
}

/* The first bytes choose a plan and whether check sums are to fit; the others change its files. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, data + size};
    unsigned char digest[COVEY_PART_DIGEST];
    covey_text text[1 + MOST_PARTS] = {{0}};
    const struct plan *plan;
    unsigned flags;

    if (!table[0])
        set_up();
    plan = &plans[fuzz_byte(&in) % N_PLANS];
    flags = fuzz_byte(&in);
    covey_i_text_add(&text[0], plan->recipe.bytes, plan->recipe.size);
    for (size_t p = 0; p < plan->n_parts; p++)
        covey_i_text_add(&text[1 + p], plan->part[p].bytes, plan->part[p].size);
    for (int i = 0; i < MOST_EDITS && in.at < in.end; i++) {
        covey_text *one = &text[fuzz_byte(&in) % (1 + plan->n_parts)];

        if (one == text && fuzz_byte(&in) % 4 != 0)
            fuzz_edit_json(one, &in);
        else
            fuzz_edit(one, &in, MOST_BYTES);
    }
    if (flags % 8 != 0 && seal_recipe(digest, &text[0]))
        for (size_t p = 0; p < plan->n_parts; p++)
            seal_part(&text[1 + p], digest);
    fuzz_put(recipe, text[0].bytes, text[0].size);
    for (size_t p = 0; p < plan->n_parts; p++)
        fuzz_put(part[p], text[1 + p].bytes, text[1 + p].size);
    for (size_t i = 0; i <= plan->n_parts; i++)
        covey_i_text_free(&text[i]);
    use(plan->n_parts);
    return 0;
}
