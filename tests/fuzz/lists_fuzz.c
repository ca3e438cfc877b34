/* The small files beside a table: shares of a target distribution, the population among whom people are hidden, the
 * ledger of releases.  Whatever they hold, they are used, or refused with a reason in one line. */
#include <covey/covey.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/folder.h"
#include "kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char people[] =
    "age,city,pay\n20,A,1\n21,A,2\n22,B,3\n23,B,1\n30,A,2\n31,B,3\n32,A,1\n33,B,2\n40,A,3\n41,A,1\n42,B,2\n43,B,3\n";

static char table[200], list[200], release[200], made[200];

static void require_reason(covey_status status, const covey_error *err)
{
    fuzz_require(status == COVEY_OK || (err->message[0] && !strchr(err->message, '\n') && status != COVEY_EINTERNAL &&
                                        status != COVEY_ENOMEM));
}

/* A release of the people; target: NULL, or the file of shares that it aims at. */
static covey_status anonymize(const char *folder, const char *target, covey_error *err)
{
    const char *const keys[][2] = {{"input", table},
                                   {"quasi", "age,city"},
                                   {"sensitive", "pay"},
                                   {"model", target ? "p-private" : "k-anonymity:k=3"},
                                   {"method", target ? "distribution" : "mondrian"},
                                   {"target", target}};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    covey_anonymize_report report = {0};
    covey_policy *policy = NULL;
    covey_status status = covey_policy_new(&policy, err);

    for (size_t i = 0; i < sizeof keys / sizeof *keys && status == COVEY_OK; i++)
        if (keys[i][1])
            status = covey_policy_set(policy, keys[i][0], keys[i][1], err);
    if (status == COVEY_OK && (status = covey_policy_check(policy, err)) == COVEY_OK)
        status = covey_anonymize(&report, policy, folder, NULL, &run, err);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    return status;
}

static void clean_up(void)
{
    covey_i_folder_remove(release, NULL);
    remove(table);
    remove(list);
}

static void set_up(void)
{
    covey_error err = {0};

    fuzz_path(table, sizeof table, "people.csv");
    fuzz_path(list, sizeof list, "list.csv");
    fuzz_path(release, sizeof release, "release");
    fuzz_path(made, sizeof made, "made");
    fuzz_put(table, people, sizeof people - 1);
    fuzz_require(anonymize(release, NULL, &err) == COVEY_OK);
    atexit(clean_up);
}

static void aim(void)
{
    char target[256];
    covey_error err = {0};
    covey_status status;

    snprintf(target, sizeof target, "{file: %s}", list);
    status = anonymize(made, target, &err);
    require_reason(status, &err);
    if (status == COVEY_OK)
        fuzz_require(covey_i_folder_remove(made, NULL) == COVEY_OK);
}

static void attack(bool is_population)
{
    const covey_attack_options options = {
        .population = is_population ? list : NULL, .ledger = is_population ? NULL : list, .quick = true};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    covey_attack_report *report = NULL;
    covey_error err = {0};

    require_reason(covey_attack_release(&report, release, &options, &run, &err), &err);
    covey_attack_report_free(report);
}

/* The first byte chooses whose file it is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!table[0])
        set_up();
    if (size == 0)
        return 0;
    fuzz_put(list, (const char *)data + 1, size - 1);
    if (data[0] % 3 == 0)
        aim();
    else
        attack(data[0] % 3 == 1);
    return 0;
}
