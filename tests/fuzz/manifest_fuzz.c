/* Release folders from strangers: any bytes as manifest.json and, behind lines of `===`, as table.csv and as
 * hierarchies/edu.csv; what is not given is a fixed table.  Whatever it is, verifying and measuring it ends with a
 * verdict or with a reason in one line. */
#include <covey/audit.h>
#include <covey/utility.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char fixed_table[] = "class,age,edu,city,disease,note\n"
                                  "1,\"[20, 25]\",college,A,cold,x\n1,\"[20, 25]\",college,A,flu,x\n"
                                  "2,\"[30, 39]\",*,B,flu,y\n2,\"[30, 39]\",*,B,gout,y\n"
                                  "3,\"[40, 60]\",*,\"{C, D}\",cold,x\n3,\"[40, 60]\",*,\"{C, D}\",cold,y\n"
                                  "3,\"[40, 60]\",*,\"{C, D}\",flu,x\n3,\"[40, 60]\",*,\"{C, D}\",gout,z\n";
static const char fixed_tree[] = "BA;college;*\nMA;college;*\nPhD;college;*\nHS;school;*\nES;school;*\n";
static const char fixed_original[] = "name,age,edu,city,disease,note\n"
                                     "p,20,BA,A,flu,x\nq,25,MA,A,cold,x\nr,30,BA,B,flu,y\ns,39,HS,B,gout,y\n"
                                     "t,40,HS,C,flu,x\nu,45,PhD,C,cold,x\nv,50,PhD,C,cold,y\nw,60,PhD,D,gout,z\n";

static char folder[128], original[160];

static void put(const char *name, const char *bytes, size_t size)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!(file = fopen(path, "wb")) || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static void clean_up(void)
{
    char path[256];
    static const char *const names[] = {"manifest.json", "table.csv", "hierarchies/edu.csv", "hierarchies", ""};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (remove(path) != 0)
            perror(path);
    }
    remove(original);
}

static void set_up(void)
{
    char path[256];

    snprintf(folder, sizeof folder, "%s/covey-manifest-fuzz-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
    snprintf(original, sizeof original, "%s-original.csv", folder);
    snprintf(path, sizeof path, "%s/hierarchies", folder);
    if (mkdir(folder, 0700) != 0 || mkdir(path, 0700) != 0)
        abort();
    snprintf(path, sizeof path, "../%s", strrchr(original, '/') + 1);
    put(path, fixed_original, sizeof fixed_original - 1);
    atexit(clean_up);
}

/* The bytes up to the next line of `===`, or all; *data moves behind it, to NULL at the end. */
static size_t next_part(const char **part, const char **data, size_t *size)
{
    const char *end = *data ? memmem(*data, *size, "\n===\n", 5) : NULL;
    size_t n = end ? (size_t)(end - *data) + 1 : *size;

    *part = *data;
    if (end) {
        *size -= n + 4;
        *data = end + 5;
    } else {
        *data = NULL;
    }
    return n;
}

static void require_reason(covey_status status, const covey_error *err)
{
    if (status != COVEY_OK && (!err->message[0] || strchr(err->message, '\n') || status == COVEY_EINTERNAL))
        abort();
}

static void verify(const char *with)
{
    covey_verify_options options = {.original = with, .skip_hashes = true};
    covey_run run = {.n_threads = 1};
    covey_verdict *verdict = NULL;
    covey_error err = {0};
    covey_status status = covey_verify(&verdict, folder, &options, &run, &err);

    require_reason(status, &err);
    if (status != COVEY_OK)
        return;
    for (size_t i = 0; i < verdict->n_problems; i++)
        if (!verdict->problem[i][0] || strchr(verdict->problem[i], '\n'))
            abort();
    if (verdict->holds && verdict->n_problems > 0)
        abort();
    covey_verdict_free(verdict);
}

static void measure(void)
{
    covey_measure_options options = {.original = original};
    covey_run run = {.n_threads = 1};
    covey_measurement *measurement = NULL;
    covey_error err = {0};

    require_reason(covey_measure(&measurement, folder, &options, &run, &err), &err);
    covey_measurement_free(measurement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *rest = (const char *)data, *part;
    size_t n;

    if (!folder[0])
        set_up();
    n = next_part(&part, &rest, &size);
    put("manifest.json", part, n);
    n = next_part(&part, &rest, &size);
    put("table.csv", part ? part : fixed_table, part ? n : sizeof fixed_table - 1);
    n = next_part(&part, &rest, &size);
    put("hierarchies/edu.csv", part ? part : fixed_tree, part ? n : sizeof fixed_tree - 1);
    verify(NULL);
    verify(original);
    measure();
    return 0;
}
