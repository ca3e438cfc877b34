#include "support/job/publish.h"

#include "test.h"

#include <string.h>

#include "support/csvs.h"

bool publish_policy(const char *what, const char *text, const char *name, const covey_anonymize_options *options,
                    const covey_run *run)
{
    char target[1024];
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_error err;
    covey_status status;

    snprintf(target, sizeof target, "%s", csv_path(name));
    csv_put_file(csv_path("policy.yaml"), text, strlen(text));
    if ((status = covey_policy_read(&policy, csv_path("policy.yaml"), &err)) == COVEY_OK &&
        (status = covey_policy_check(policy, &err)) == COVEY_OK &&
        (status = covey_anonymize(&report, policy, target, options, run, &err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    if (status != COVEY_OK && status != COVEY_EINFEASIBLE)
        fail_msg("%s: %s\n%s", what, err.message, text);
    return status == COVEY_OK;
}
