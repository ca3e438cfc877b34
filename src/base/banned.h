/* Functions that have no place in this code, because each has a safer brother.  The build includes this file before
 * everything else (-include), so that using one does not compile.
 *
 * The headers that declare them come first: the macros below must not meet the declarations.
 * Instead: snprintf; memcpy with a known length; strtok_r or a scan; strtol or base/text; the generator of base/rng. */
#ifndef COVEY_BASE_BANNED_H
#define COVEY_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COVEY_BANNED(function) function##_is_banned_see_base_banned_h()

#undef strcpy
#define strcpy(to, from) COVEY_BANNED(strcpy)
#undef strcat
#define strcat(to, from) COVEY_BANNED(strcat)
#undef strncpy
#define strncpy(to, from, n) COVEY_BANNED(strncpy)
#undef strncat
#define strncat(to, from, n) COVEY_BANNED(strncat)
#undef strtok
#define strtok(text, separators) COVEY_BANNED(strtok)

#undef sprintf
#define sprintf(...) COVEY_BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) COVEY_BANNED(vsprintf)
#undef gets
#define gets(to) COVEY_BANNED(gets)

#undef atoi
#define atoi(text) COVEY_BANNED(atoi)
#undef atol
#define atol(text) COVEY_BANNED(atol)
#undef atof
#define atof(text) COVEY_BANNED(atof)

#undef rand
#define rand() COVEY_BANNED(rand)
#undef srand
#define srand(seed) COVEY_BANNED(srand)

#endif
