/* From a policy file to a verified release: anonymize POLICY RELEASE */
#include <covey/covey.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_status status;
    covey_error err;

    if (argc != 3) {
        fprintf(stderr, "usage: anonymize POLICY RELEASE\n");
        return 2;
    }
    if ((status = covey_policy_read(&policy, argv[1], &err)) == COVEY_OK &&
        (status = covey_policy_check(policy, &err)) == COVEY_OK &&
        (status = covey_anonymize(&report, policy, argv[2], NULL, NULL, &err)) == COVEY_OK) {
        printf("%lld rows in %lld classes by %s, information loss %.4f\n", (long long)report.n_published,
               (long long)report.n_classes, report.method, report.figures.ail);
        for (size_t i = 0; i < report.verdict->n_promises; i++)
            printf("%s: %s\n", report.verdict->promise[i].model, report.verdict->promise[i].achieved);
        covey_anonymize_report_clear(&report);
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    covey_policy_free(policy);
    return status == COVEY_OK ? 0 : status == COVEY_EINFEASIBLE ? 1 : 2;
}
