/* The progress line, and what a signal does.  The state is global because a signal handler and the library's threads
 * have to reach it. */
#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <covey/io.h>

#include "shown.h"

enum { EXIT_SYSTEM = 3 };

static volatile sig_atomic_t signal_received;

static struct {
    bool shows;       /* stderr is a terminal and the user wants talk */
    atomic_flag busy; /* one thread draws, the others go on with their work */
    bool drawn;
    char phase[120];
    double phase_started, last_drawn; /* seconds */
} line = {.busy = ATOMIC_FLAG_INIT};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 1234567 as "1.2M". */
static void short_number(char *out, size_t size, double x)
{
    static const char *const unit[] = {"", "k", "M", "G", "T"};
    size_t u = 0;

    while (x >= 1000 && u + 1 < sizeof unit / sizeof *unit) {
        x /= 1000;
        u++;
    }
    snprintf(out, size, x < 10 && u > 0 ? "%.1f%s" : "%.0f%s", x, unit[u]);
}

static void draw(int64_t done, int64_t to_do, double t)
{
    const double seconds = t - line.phase_started, rate = seconds > 0.2 ? (double)done / seconds : 0;
    char text[240], number[16];
    size_t n = 0;

    n += (size_t)snprintf(text + n, sizeof text - n, "%s", line.phase);
    if (to_do > 0)
        n += (size_t)snprintf(text + n, sizeof text - n, " %3d%%", (int)(100 * (double)done / (double)to_do));
    if (rate > 0) {
        short_number(number, sizeof number, rate);
        n += (size_t)snprintf(text + n, sizeof text - n, "  %s/s", number);
    }
    if (rate > 0 && to_do > done) {
        const int64_t left = (int64_t)((double)(to_do - done) / rate + 0.5);

        snprintf(text + n, sizeof text - n, "  %" PRId64 ":%02d left", left / 60, (int)(left % 60));
    }
    fprintf(stderr, "\r%.78s\033[K", text);
    fflush(stderr);
    line.drawn = true;
}

static bool progress(void *context, const char *phase, int64_t done, int64_t to_do)
{
    (void)context;
    if (signal_received)
        return false;
    if (line.shows && !atomic_flag_test_and_set(&line.busy)) {
        const double t = now();

        if (strncmp(line.phase, phase, sizeof line.phase - 1) != 0) {
            snprintf(line.phase, sizeof line.phase, "%s", phase);
            line.phase_started = t;
        }
        if (t - line.last_drawn >= 0.1) {
            draw(done, to_do, t);
            line.last_drawn = t;
        }
        atomic_flag_clear(&line.busy);
    }
    return true;
}

/* The first signal ends a search that can publish what it has; then the work goes on, and the next signal stops that.
 */
static bool enough(void *context)
{
    (void)context;
    if (signal_received != SIGINT)
        return false;
    signal_received = 0;
    return true;
}

static void warn(void *context, const char *message)
{
    (void)context;
    while (atomic_flag_test_and_set(&line.busy))
        ; /* a thread that draws is done in a moment; a warning must not get lost */
    if (line.drawn)
        fputs("\r\033[K", stderr);
    line.drawn = false;
    fprintf(stderr, "covey: warning: %s\n", cli_shown(message));
    atomic_flag_clear(&line.busy);
}

void cli_progress_start(covey_run *run, bool quiet)
{
    line.shows = !quiet && isatty(STDERR_FILENO);
    run->progress = progress;
    run->enough = enough;
    run->warn = quiet ? NULL : warn;
}

void cli_progress_end(void)
{
    if (line.drawn)
        fputs("\r\033[K", stderr);
    line.drawn = false;
}

/* What the run should see within a moment; but it may wait for the other end of a pipe, or for a disk, a server, or a
 * step that reports nothing. */
static const struct itimerval patience = {.it_value = {.tv_usec = 600000}};

static void end_at_once(int number)
{
    covey_discard_unfinished();
    _exit(128 + number);
}

static void on_patience_lost(int number)
{
    (void)number;
    if (!signal_received) /* the run has seen it, and publishes what it has */
        return;
    end_at_once(signal_received);
}

static void on_signal(int number)
{
    static const char message[] = "\r\033[Kcovey: stopping; the next signal ends it at once\n";

    if (signal_received)
        end_at_once(number);
    signal_received = number;
    setitimer(ITIMER_REAL, &patience, NULL); /* a system call and nothing else */
    if (line.shows) {
        const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);

        (void)written; /* a terminal that is gone does not matter */
    }
}

/* The input is mapped into memory; if somebody cuts it short meanwhile, its pages are gone. */
static void on_lost_page(int number)
{
    static const char message[] = "covey: a file was cut short while it was read\n";

    const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);

    (void)number;
    (void)written; /* nobody is left to complain to */
    covey_discard_unfinished();
    _exit(EXIT_SYSTEM);
}

/* Nobody reads what is said any more: the program ends as it would without us, but leaves nothing. */
static void on_broken_pipe(int number)
{
    covey_discard_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

/* A signal that is ignored stays so: by nohup, or by a shell for what runs in the background. */
static void watch(int number, const struct sigaction *action)
{
    struct sigaction before;

    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, action, NULL);
}

void cli_watch_signals(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART; /* a read goes on: stopping is the business of the progress function */
    watch(SIGINT, &action);
    watch(SIGTERM, &action);
    watch(SIGHUP, &action);
    action.sa_handler = on_patience_lost;
    sigaction(SIGALRM, &action, NULL);
    action.sa_handler = on_broken_pipe;
    watch(SIGPIPE, &action);
    action.sa_handler = on_lost_page;
    sigaction(SIGBUS, &action, NULL);
    action.sa_handler = SIG_IGN; /* a file that may not grow is an error of its write, which cleans up */
    sigaction(SIGXFSZ, &action, NULL);
}

int cli_signal_received(void)
{
    return signal_received;
}
