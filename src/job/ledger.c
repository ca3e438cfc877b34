/* A ledger from one release to the next.  The new one stands beside the old one until the release has its name. */
#include "job/ledger.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/plural.h"
#include "job/links.h"
#include "policy/entity.h"
#include "policy/invariance.h"

static bool is_ledger(const char *head, size_t size)
{
    const size_t n = sizeof COVEY_LEDGER_ENTITY - 1;

    if (size > 0 && *head == '"') {
        head++;
        size--;
    }
    return size > n && memcmp(head, COVEY_LEDGER_ENTITY, n) == 0;
}

static const covey_product product = {.noun = "ledger", .is_one = is_ledger};

/* --- the releases so far --- */

static covey_status hash_manifest(char hex[65], const char *folder, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    unsigned char hash[32];
    uint64_t size;
    covey_status status;

    covey_i_text_add_format(&path, "%s/manifest.json", folder);
    status = path.broken ? covey_i_no_memory(err) : covey_i_hash_sha256_file(hash, &size, path.bytes, err);
    covey_i_text_free(&path);
    if (status == COVEY_OK)
        covey_i_hash_hex(hex, hash);
    return status;
}

/* Each release that is named is one of the ledger's, and all of these are named. */
static covey_status compare_releases(const covey_ledger *before, const covey_anonymize_options *o, covey_error *err)
{
    const size_t n = before ? before->n_releases : 0;
    bool *found = covey_i_array_zero(n, sizeof *found);
    covey_status status = found ? COVEY_OK : covey_i_no_memory(err);

    for (size_t i = 0; i < o->n_previous && status == COVEY_OK; i++) {
        char hex[65];
        size_t r = 0;

        if ((status = hash_manifest(hex, o->previous[i], err)) != COVEY_OK)
            break;
        while (r < n && strcmp(before->manifest[r], hex) != 0)
            r++;
        if (r == n)
            status = covey_fail_at(err, COVEY_EINVAL, o->previous[i], 0, NULL, 0,
                                   "the ledger %s does not know this release%s", o->ledger,
                                   n ? ": it was changed, or made without this ledger" : ": there is no ledger yet");
        else
            found[r] = true;
    }
    for (size_t r = 0; r < n && status == COVEY_OK; r++)
        if (!found[r])
            status =
                covey_fail_at(err, COVEY_EINVAL, o->ledger, 0, NULL, 0,
                              "the ledger knows of %zu release%s, and number %zu is not among those that --previous "
                              "names: give all of them",
                              n, covey_i_plural(n), r + 1);
    covey_i_free(found);
    return status;
}

static bool has_release(const covey_ledger *before, const char *hex)
{
    for (size_t r = 0; before && r < before->n_releases; r++)
        if (strcmp(before->manifest[r], hex) == 0)
            return true;
    return false;
}

/* A release of the ledger has to stay: without it no other can be made, and none be proven. */
static covey_status check_target(const covey_ledger *before, const char *target, covey_error *err)
{
    char hex[65];
    const covey_status status = before ? hash_manifest(hex, target, NULL) : COVEY_ENOTFOUND;

    if (status == COVEY_ENOMEM)
        return covey_i_no_memory(err);
    if (status != COVEY_OK) /* what is there is no release */
        return COVEY_OK;
    if (has_release(before, hex))
        return covey_fail_at(err, COVEY_EINVAL, target, 0, NULL, 0,
                             "the ledger needs this release, which people may hold already: give the new one another "
                             "name");
    return COVEY_OK;
}

/* --- begin --- */

static covey_status check_options(const covey_policy *policy, const covey_anonymize_options *o, const char *target,
                                  covey_error *err)
{
    const bool is_promised = covey_i_policy_invariance(policy);

    if (is_promised && (!o || !o->ledger))
        return covey_fail(
            err, COVEY_EINVAL,
            "m-invariance is about releases over time, which it has to know: name a private file that keeps "
            "them, outside the release (--ledger FILE; it is made with the first release)");
    if (is_promised && o->links)
        return covey_fail(err, COVEY_EINVAL, "the ledger has the class of each row already: take out --links");
    if (o && o->n_previous > 0 && !o->ledger)
        return covey_fail(err, COVEY_EINVAL, "--previous names releases of a ledger: give that, too (--ledger FILE)");
    if (!o || !o->ledger)
        return COVEY_OK;
    if (!covey_i_policy_entity(policy))
        return covey_fail(err, COVEY_EINVAL,
                          "a ledger is about persons: give the column that names them the role entity");
    if (covey_i_links_is_inside(o->ledger, target))
        return covey_fail(err, COVEY_EINVAL,
                          "%s: a ledger tells who was in which class and must not be published: choose a place outside "
                          "all releases",
                          o->ledger);
    return COVEY_OK;
}

static covey_status begin(covey_job_ledger *l, const covey_policy *policy, const covey_anonymize_options *o,
                          const char *target, const covey_run *run, covey_error *err)
{
    const bool is_there = access(o->ledger, F_OK) == 0;

    if (is_there)
        COVEY_TRY(covey_i_ledger_read(&l->before, o->ledger, run, err));
    else if (!covey_i_policy_invariance(policy))
        return covey_fail_at(err, COVEY_ENOTFOUND, o->ledger, 0, NULL, 0,
                             "there is no such ledger: m-invariance makes one, with its first release");
    COVEY_TRY(check_target(l->before, target, err));
    if (!covey_i_policy_invariance(policy))
        return COVEY_OK; /* who only wants to be warned need not show the releases */
    COVEY_TRY(compare_releases(l->before, o, err));
    COVEY_TRY(covey_i_newfile_begin(&l->file, o->ledger, is_there ? &product : NULL, err));
    covey_i_newfile_make_private(l->file);
    return COVEY_OK;
}

covey_status covey_i_job_ledger_begin(covey_job_ledger *out, const covey_policy *policy,
                                      const covey_anonymize_options *options, const char *target, const covey_run *run,
                                      covey_error *err)
{
    covey_status status;

    *out = (covey_job_ledger){.text = COVEY_TEXT_INIT};
    COVEY_TRY(check_options(policy, options, target, err));
    if (!options || !options->ledger)
        return COVEY_OK;
    if ((status = begin(out, policy, options, target, run, err)) != COVEY_OK)
        covey_i_job_ledger_clear(out);
    return status;
}

/* --- end --- */

covey_status covey_i_job_ledger_write(covey_job_ledger *l, const char *folder, covey_error *err)
{
    char manifest[65], seal[COVEY_LEDGER_HEX + 1];
    char *at;

    if (!l->file)
        return COVEY_OK;
    COVEY_TRY(hash_manifest(manifest, folder, err));
    if (has_release(l->before, manifest))
        return covey_fail(
            err, COVEY_EINVAL,
            "the table gives a release that the ledger knows already, byte for byte: there is nothing new "
            "to publish");
    memcpy(l->text.bytes + l->manifest_at, manifest, COVEY_LEDGER_HEX);
    COVEY_TRY(covey_i_ledger_seal(seal, l->text.bytes, l->text.size, err));
    at = l->text.bytes + (covey_i_ledger_find_seal(l->text.bytes, l->text.size) - l->text.bytes);
    memcpy(at, seal, COVEY_LEDGER_HEX);
    covey_i_outfile_write(covey_i_newfile_stream(l->file), l->text.bytes, l->text.size);
    covey_i_text_free(&l->text);
    return covey_i_newfile_finish(l->file, err);
}

covey_status covey_i_job_ledger_commit(covey_job_ledger *l, covey_error *err)
{
    covey_newfile *file = l->file;

    l->file = NULL;
    return file ? covey_i_newfile_commit(file, err) : COVEY_OK;
}

void covey_i_job_ledger_clear(covey_job_ledger *l)
{
    covey_i_newfile_abort(l->file);
    covey_i_ledger_free(l->before);
    covey_i_text_free(&l->text);
    *l = (covey_job_ledger){.text = COVEY_TEXT_INIT};
}
