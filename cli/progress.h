/* The progress line, warnings, and what a signal does to a run. */
#ifndef COVEY_CLI_PROGRESS_H
#define COVEY_CLI_PROGRESS_H

#include <covey/base.h>

/* Sets progress and warn of a run.  The progress line is shown on stderr only if that is a terminal. */
void cli_progress_start(covey_run *run, bool quiet);
/* Removes the line, if there is one, before something else is printed. */
void cli_progress_end(void);

/* SIGHUP, SIGINT and SIGTERM ask the run to stop at the next call of its progress function; a second one ends the
 * program at once. Also what must not end it without a word: a file that may not grow, an input that is cut short while
 * it is read. */
void cli_watch_signals(void);
/* The signal that asked to stop, 0 if none did. */
int cli_signal_received(void);

#endif
