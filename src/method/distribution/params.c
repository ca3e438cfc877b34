/* What the parameters of a distribution transformation ask for: how fine weights are, how many values may be made up,
 * which target groups have, and which entries `targets` holds for single groups. */
#include "method/distribution/entries.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/yaml_tree.h"

/* Resolution and fakes. */
static covey_status read_numbers(struct distributing *d, covey_error *err)
{
    const char *text = d->params->resolution;
    const size_t size = strlen(d->params->fakes);
    char number[64];
    covey_ratio value;

    d->is_exact = strcmp(text, "exact") == 0;
    if (!d->is_exact) {
        if (covey_ratio_parse(&value, text, NULL) != COVEY_OK || value.den != 1 || value.num < 1 ||
            value.num > COVEY_DIST_MOST_RESOLUTION)
            return covey_i_refuse_param(err, "resolution",
                                        "resolution must be exact or a whole number from 1 to %d, not \"%.60s\"",
                                        COVEY_DIST_MOST_RESOLUTION, text);
        d->resolution = (uint32_t)value.num;
    }
    d->fakes_are_percent = size > 0 && d->params->fakes[size - 1] == '%';
    snprintf(number, sizeof number, "%.*s",
             (int)(size - d->fakes_are_percent < sizeof number ? size - d->fakes_are_percent : sizeof number - 1),
             d->params->fakes);
    if (covey_i_text_is_long_whole(number) && *number != '-')
        return covey_i_refuse_param(err, "fakes", "fakes must be at most " COVEY_MOST_WHOLE ", not %.60s",
                                    d->params->fakes);
    if (covey_ratio_parse(&d->fakes, number, NULL) != COVEY_OK || d->fakes.num < 0 ||
        (!d->fakes_are_percent && d->fakes.den != 1) || d->fakes.den > INT64_MAX / 100)
        return covey_i_refuse_param(err, "fakes",
                                    "fakes must be a whole number from 0 or a percentage such as 5%%, not \"%.60s\"",
                                    d->params->fakes);
    if (d->fakes_are_percent)
        d->fakes.den *= 100;
    return COVEY_OK;
}

/* The method's target; where it says nothing, the promise's; where both say something they must agree. */
static covey_status read_wish(covey_distribution_making *m, covey_error *err)
{
    const covey_promises *promises = &m->d->problem->promises;
    const char *own = m->d->params->target, *promised = NULL;
    covey_distribution_wish other;

    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].model->target)
            promised = promises->promise[i].model->target(promises->promise[i].state);
    COVEY_TRY(covey_i_error_about(covey_i_distribution_read_target(&m->wish,
                                                                   own        ? own
                                                                   : promised ? promised
                                                                              : "source",
                                                                   &m->d->arena, err),
                                  "target", err));
    if (!own || !promised)
        return COVEY_OK;
    COVEY_TRY(
        covey_i_error_about(covey_i_distribution_read_target(&other, promised, &m->d->arena, err), "target", err));
    if (!covey_i_distribution_same_target(&m->wish, &other))
        return covey_i_refuse_param(err, "target",
                                    "the target of the method (%.60s) is not that of the promise (%.60s): say it "
                                    "once, or the same twice",
                                    own, promised);
    return COVEY_OK;
}

static covey_status read_entry(covey_distribution_making *m, covey_distribution_entry *entry, const covey_yaml *node,
                               covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    *entry = (covey_distribution_entry){.wish = m->wish, .target = UINT32_MAX};
    if (node->kind != COVEY_YAML_MAP)
        return covey_fail(err, COVEY_EINVAL,
                          "targets is a list of entries such as {group: {zip: \"911**\"}, target: uniform}");
    for (size_t i = 0; i < node->n && status == COVEY_OK; i++) {
        const char *key = node->key[i]->text;

        if (strcmp(key, "group") == 0 && node->item[i]->kind == COVEY_YAML_MAP) {
            entry->group = node->item[i];
        } else if (strcmp(key, "hierarchy") == 0 && node->item[i]->kind == COVEY_YAML_MAP) {
            entry->has_tree = true;
            status = covey_i_distribution_read_tree(&entry->spec, node->item[i], &m->d->arena, err);
        } else if (strcmp(key, "target") == 0) {
            covey_i_text_clear(&text);
            covey_i_yaml_print(&text, node->item[i]);
            status = text.broken ? covey_i_no_memory(err)
                                 : covey_i_distribution_read_target(&entry->wish, text.bytes, &m->d->arena, err);
        } else {
            status = covey_fail(
                err, COVEY_EINVAL,
                "targets: an entry has group (a mapping), target and hierarchy (a mapping), not \"%.60s\"", key);
        }
    }
    covey_i_text_free(&text);
    return status;
}

static covey_status read_entries(covey_distribution_making *m, covey_error *err)
{
    const char *text = m->d->params->targets;
    const covey_yaml *root = NULL;
    covey_error inner;

    if (!text)
        return COVEY_OK;
    if (covey_i_yaml_parse(&root, text, strlen(text), NULL, &m->d->arena, &inner) != COVEY_OK)
        return covey_fail(err, inner.status == COVEY_ENOMEM ? COVEY_ENOMEM : COVEY_EINVAL, "targets: %s",
                          inner.message);
    if (!root || root->kind != COVEY_YAML_LIST)
        return covey_fail(err, COVEY_EINVAL,
                          "targets is a list of entries such as {group: {zip: \"911**\"}, target: uniform}");
    if (!(m->entry = covey_arena_array(&m->d->arena, covey_distribution_entry, root->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < root->n; i++)
        COVEY_TRY(read_entry(m, &m->entry[m->n_entries++], root->item[i], err));
    return COVEY_OK;
}

covey_status covey_i_distribution_read_params(covey_distribution_making *m, covey_error *err)
{
    COVEY_TRY(read_numbers(m->d, err));
    COVEY_TRY(read_wish(m, err));
    return covey_i_error_about(read_entries(m, err), "targets", err);
}
