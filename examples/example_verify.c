/* Proves a release again from its files: verify RELEASE */
#include <covey/covey.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    covey_verdict *verdict = NULL;
    covey_error err;
    bool holds;

    if (argc != 2) {
        fprintf(stderr, "usage: verify RELEASE\n");
        return 2;
    }
    if (covey_verify(&verdict, argv[1], NULL, NULL, &err) != COVEY_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    holds = verdict->holds;
    for (size_t i = 0; i < verdict->n_promises; i++)
        printf("%-24s %s\n", verdict->promise[i].model, verdict->promise[i].holds ? "holds" : "is broken");
    for (size_t i = 0; i < verdict->n_problems; i++)
        printf("problem: %s\n", verdict->problem[i]);
    covey_verdict_free(verdict);
    return holds ? 0 : 1;
}
