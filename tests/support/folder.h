/* Files of a test in a folder of its own (test_folder). */
#ifndef COVEY_TESTS_FOLDER_H
#define COVEY_TESTS_FOLDER_H

#include <stdbool.h>

void file_put(const char *path, const char *text);
int folder_entries(const char *path); /* hidden ones, too */

#endif
