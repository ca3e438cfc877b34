/* Links: a list of the class of each row, and a file beside it that says of which table and release it is. */
#include "job/links.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/source.h"
#include "base/hash.h"
#include "policy/entity.h"

static const covey_beginning line_beginnings[] = {{"row,class\n", NULL}};
static const covey_beginning fact_beginnings[] = {{"{\"links\": 1,", NULL}};
static const covey_product line_product = {.noun = "list of links", COVEY_BEGINNINGS(line_beginnings)};
static const covey_product fact_product = {.noun = "description of links", COVEY_BEGINNINGS(fact_beginnings)};

bool covey_i_links_is_inside(const char *path, const char *target)
{
    size_t size = strlen(target);

    while (size > 1 && target[size - 1] == '/')
        size--;
    return (strncmp(path, target, size) == 0 && (path[size] == '/' || path[size] == '\0')) ||
           covey_i_product_is_in_release(path);
}

covey_status covey_i_links_begin(covey_links *out, const char *path, const covey_policy *policy, const char *target,
                                 bool force, covey_error *err)
{
    covey_text facts = COVEY_TEXT_INIT;
    covey_links links = {0};
    covey_status status;

    *out = links;
    if (!path)
        return COVEY_OK;
    if (!covey_i_policy_entity(policy))
        return covey_fail(err, COVEY_EINVAL,
                          "--links lists whose rows are in which class: it goes with an attribute of the role entity");
    if (covey_i_links_is_inside(path, target))
        return covey_fail(err, COVEY_EINVAL,
                          "%s: links tell whose rows are in which class and must not be published: choose a place "
                          "outside all releases",
                          path);
    covey_i_text_add_format(&facts, "%s.json", path);
    if (facts.broken)
        status = covey_i_no_memory(err);
    else if ((status = covey_i_newfile_begin(&links.lines, path, force ? &line_product : NULL, err)) == COVEY_OK)
        status = covey_i_newfile_begin(&links.facts, facts.bytes, force ? &fact_product : NULL, err);
    covey_i_text_free(&facts);
    if (status != COVEY_OK) {
        covey_i_links_abort(&links);
        return status;
    }
    covey_i_newfile_make_private(links.lines);
    covey_i_newfile_make_private(links.facts);
    *out = links;
    return COVEY_OK;
}

covey_status covey_i_links_write(covey_links *links, const covey_release *release, const covey_prepared *prepared,
                                 covey_error *err)
{
    const int64_t n_rows = (int64_t)prepared->problem.n_rows + prepared->n_dropped;
    covey_outfile *out = links->lines ? covey_i_newfile_stream(links->lines) : NULL;
    covey_text line = COVEY_TEXT_INIT;
    uint32_t *class_of;

    if (!out)
        return COVEY_OK;
    if (!(class_of = covey_i_array_zero((size_t)n_rows, sizeof *class_of)))
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < release->n_classes; c++)
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
            const uint32_t row = release->row_order[i];

            class_of[prepared->kept ? prepared->kept[row] : row] = c + 1;
        }
    covey_i_outfile_string(out, "row,class\n");
    for (int64_t row = 0; row < n_rows && !covey_i_outfile_is_broken(out); row++) {
        covey_i_text_clear(&line);
        if (class_of[row])
            covey_i_text_add_format(&line, "%" PRId64 ",%" PRIu32 "\n", row + 1, class_of[row]);
        else
            covey_i_text_add_format(&line, "%" PRId64 ",\n", row + 1);
        if (line.broken)
            break;
        covey_i_outfile_write(out, line.bytes, line.size);
    }
    covey_i_text_free(&line);
    covey_i_free(class_of);
    return line.broken ? covey_i_no_memory(err) : COVEY_OK;
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static covey_status put_hash(json_t *object, const char *key, const char *path, covey_error *err)
{
    unsigned char hash[32];
    uint64_t size;
    char hex[65];

    COVEY_TRY(covey_i_hash_sha256_file(hash, &size, path, err));
    covey_i_hash_hex(hex, hash);
    return json_object_set_new(object, key, json_string(hex)) == 0 ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_links_describe(covey_links *links, const covey_policy *policy, const char *folder,
                                    covey_error *err)
{
    const covey_wish_attribute *entity = covey_i_policy_entity(policy);
    covey_text path = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    json_t *object = NULL;
    char digits[2][12], *text = NULL;

    if (!links->lines)
        return COVEY_OK;
    object =
        json_pack("{s:i, s:o, s:o, s:b}", "links", 1, "entity",
                  text_or_null(covey_policy_unpublished(digits[0], policy, entity ? entity->name : NULL)), "within",
                  text_or_null(covey_policy_unpublished(digits[1], policy, entity ? entity->within : NULL)),
                  "missing_is_own", entity && entity->missing_is_own);
    covey_i_text_add_format(&path, "%s/manifest.json", folder);
    if (!object || path.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = put_hash(object, "manifest_sha256", path.bytes, err);
    if (status == COVEY_OK && covey_i_source_kind(policy->input_source) == COVEY_SOURCE_FILE)
        status = put_hash(object, "input_sha256", policy->input_source, err); /* a table of a database is no file */
    if (status == COVEY_OK && !(text = json_dumps(object, JSON_PRESERVE_ORDER)))
        status = covey_i_no_memory(err);
    if (status == COVEY_OK) {
        covey_i_outfile_string(covey_i_newfile_stream(links->facts), text);
        covey_i_outfile_string(covey_i_newfile_stream(links->facts), "\n");
        status = covey_i_newfile_finish(links->facts, err);
    }
    if (status == COVEY_OK)
        status = covey_i_newfile_finish(links->lines, err);
    free(text);
    json_decref(object);
    covey_i_text_free(&path);
    return status;
}

covey_status covey_i_links_commit(covey_links *links, covey_error *err)
{
    const covey_links done = *links;

    *links = (covey_links){0};
    return done.lines ? covey_i_newfile_commit_all((covey_newfile *const[]){done.lines, done.facts}, 2, err) : COVEY_OK;
}

void covey_i_links_abort(covey_links *links)
{
    covey_i_newfile_abort(links->lines);
    covey_i_newfile_abort(links->facts);
    *links = (covey_links){0};
}
