/* The ledger: a file of the publisher's own that remembers what was released, so that a second release of the same rows
 * does not go unnoticed.  A line per release: a hash of the sensitive values with their counts and of the number of
 * rows, the number of rows, a hash of the manifest, form and method.  Hashes of few values can be guessed: the file is
 * not for publication.
 *
 * Source: [Ganta08]. */
#include "attack/ledger.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/newfile.h"
#include "base/hash.h"
#include "base/plural.h"
#include "base/text.h"
#include "reader/contents.h"
#include "reader/ledger/ledger.h"

static const char HEAD[] = "covey ledger 1\n", HEX[] = "0123456789abcdef", WORD[] = "abcdefghijklmnopqrstuvwxyz-";
enum { LARGEST = 1 << 28 };

/* Values of all sensitive attributes that occur, and how often. */
static void hash_values(char out[65], const covey_attacked *r)
{
    crypto_hash_sha256_state state;
    unsigned char hash[32];

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < r->n_targets; i++) {
        const covey_attack_target *t = &r->target[i];

        crypto_hash_sha256_update(&state, (const unsigned char *)t->view->name, strlen(t->view->name) + 1);
        for (uint32_t v = 0; v < t->n_values; v++) {
            const char *label = covey_column_label(t->view->dictionary, v);
            char count[32];
            const int n = snprintf(count, sizeof count, "%" PRId64, t->prior[v]);

            if (t->prior[v] == 0)
                continue;
            crypto_hash_sha256_update(&state, (const unsigned char *)label, strlen(label) + 1);
            crypto_hash_sha256_update(&state, (const unsigned char *)count, (size_t)n + 1);
        }
    }
    crypto_hash_sha256_final(&state, hash);
    covey_i_hash_hex(out, hash);
}

static covey_status hash_manifest(char out[65], covey_attacked *r, covey_error *err)
{
    const char *path = covey_i_contents_path(&r->arena, r->folder, "manifest.json");
    unsigned char hash[32];
    uint64_t size;

    if (!path)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_hash_sha256_file(hash, &size, path, err));
    covey_i_hash_hex(out, hash);
    return COVEY_OK;
}

/* What stands behind the line of a release; NULL: this is none. */
static const char *behind_release(const char *line)
{
    static const struct {
        const char *of;
        size_t size; /* 0: any but none */
    } field[] = {{HEX, 64}, {"0123456789", 0}, {HEX, 64}, {WORD, 0}, {WORD, 0}};
    const size_t n = sizeof field / sizeof *field;

    for (size_t i = 0; i < n; i++) {
        const size_t size = strspn(line, field[i].of);

        if (size == 0 || (field[i].size && size != field[i].size) || line[size] != (i + 1 < n ? ' ' : '\n'))
            return NULL;
        line += size + 1;
    }
    return line;
}

/* A line that was cut off, or changed, would let a release go unnoticed, and the next one be written behind it. */
static covey_status check_lines(const char *path, const char *text, size_t size, covey_error *err)
{
    const char *line = text + strlen(HEAD);

    for (uint64_t row = 2; line < text + size; row++)
        if (!(line = behind_release(line)))
            return covey_fail_at(err, COVEY_EPARSE, path, row, NULL, 0,
                                 "is no line of a ledger: the file was cut off or changed; take it from a backup");
    return COVEY_OK;
}

/* Lines of the same values and rows, but for that of the release itself, which *listed tells of. */
static int64_t count_lines(bool *listed, const char *text, const char *same, const char *manifest)
{
    int64_t n = 0;

    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        const char *end = strchr(line, '\n'), *own = strstr(line, manifest);

        if (own && (!end || own < end))
            *listed = true;
        else
            n += strncmp(line, same, strlen(same)) == 0;
    }
    return n;
}

static const covey_beginning beginnings[] = {{HEAD, NULL}};

static const covey_product product = {.noun = "ledger", COVEY_BEGINNINGS(beginnings)};

static covey_status write_ledger(const char *path, const char *old, const char *line, covey_error *err)
{
    covey_newfile *file = NULL;

    COVEY_TRY(covey_i_newfile_begin(&file, path, &product, err));
    covey_i_outfile_string(covey_i_newfile_stream(file), old ? old : HEAD);
    covey_i_outfile_string(covey_i_newfile_stream(file), line);
    return covey_i_newfile_commit(file, err);
}

static covey_status enter(int64_t *matches, covey_attacked *r, const char *path, const char *old, covey_error *err)
{
    char values[65], manifest[65], line[512], same[128];
    const char *method = r->stated->method;
    bool listed = false;

    hash_values(values, r);
    COVEY_TRY(hash_manifest(manifest, r, err));
    snprintf(same, sizeof same, "%s %" PRId64 " ", values, r->stated->n_rows);
    /* A manifest may call its method anything. */
    snprintf(line, sizeof line, "%s%s %.64s %.64s\n", same, manifest, r->stated->form,
             method[0] && method[strspn(method, WORD)] == '\0' ? method : "unknown");
    *matches = count_lines(&listed, old, same, manifest);
    if (*matches > 0 && r->run && r->run->warn) {
        char message[256];

        snprintf(message, sizeof message,
                 "the same sensitive values were released before, %" PRId64
                 " time%s: together the releases tell more than "
                 "each promises; `--with` and the attack composition say how much",
                 *matches, covey_i_plural(*matches));
        r->run->warn(r->run->context, message);
    }
    return listed ? COVEY_OK : write_ledger(path, old, line, err);
}

covey_status covey_i_attack_ledger(int64_t *matches, covey_attacked *r, covey_error *err)
{
    const char *path = r->options->ledger;
    char *old = NULL;
    size_t size;
    covey_status status;

    *matches = -1;
    if (!path || r->n_targets == 0)
        return COVEY_OK;
    if (!r->target[0].view->has_prior &&
        (r->stated->n_suppressed > 0 || (r->stated->n_counterfeits > 0 && !r->original))) {
        if (r->run && r->run->warn)
            r->run->warn(r->run->context,
                         "the ledger: rows were suppressed or made up and no prior is published, so that the "
                         "sensitive values cannot be compared");
        return COVEY_OK;
    }
    status = covey_i_contents_read_file(&old, &size, path, LARGEST, err);
    if (status == COVEY_ENOTFOUND)
        status = COVEY_OK;
    else if (status == COVEY_OK && strncmp(old, HEAD, strlen(HEAD)) != 0)
        status = covey_fail(err, COVEY_EPARSE, "%s is not a ledger: its first line is not \"covey ledger 1\"%s", path,
                            strncmp(old, COVEY_LEDGER_ENTITY, strlen(COVEY_LEDGER_ENTITY)) == 0
                                ? "; the ledger of m-invariant releases goes with --releases-ledger FILE"
                                : "");
    if (status == COVEY_OK && old)
        status = check_lines(path, old, size, err);
    if (status == COVEY_OK)
        status = enter(matches, r, path, old, err);
    covey_i_free(old);
    return status;
}
