/* Put in front of the command's sources when they are compiled for the package: what a command prints goes to the text
 * that its caller gets, and not to the program's standard output.  */
#ifndef COVEY_PYTHON_STREAMS_H
#define COVEY_PYTHON_STREAMS_H

#include <stdio.h>

/* cli/main.c, whose main is another's here. */
int covey_python_main(int argc, char **argv);

/* Where this thread prints; standard output unless core.c has said otherwise. */
FILE *covey_python_stream(void);

#undef stdout
#define stdout (covey_python_stream())
#define printf(...) fprintf(stdout, __VA_ARGS__)
#define puts(text) (fputs((text), stdout), fputc('\n', stdout))
#undef putchar
#define putchar(character) fputc((character), stdout)

#endif
