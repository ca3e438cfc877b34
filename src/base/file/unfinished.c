/* A list of what is unfinished, for a signal handler.  Everything that covey_discard_unfinished calls must be safe in a
 * signal handler: no memory, no locks, no readdir (which allocates), so that folders are read by the system call
 * itself. */
#include "base/file/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_SLOTS = 8, MAX_PATH = 4096, MAX_DEPTH = 8, MAX_ATTEMPTS = 100 };

enum { SLOT_FREE, SLOT_CHANGING, SLOT_USED };

static struct slot {
    atomic_int state;
    char path[MAX_PATH];
} slots[N_SLOTS];

/* What getdents64 fills in; the C library's own name for it is not the system's. */
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
};

void covey_i_unfinished_add(const char *path)
{
    const size_t size = strlen(path) + 1;

    for (size_t i = 0; i < N_SLOTS && size <= MAX_PATH; i++) {
        int expected = SLOT_FREE;

        if (!atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_CHANGING))
            continue;
        memcpy(slots[i].path, path, size);
        atomic_store(&slots[i].state, SLOT_USED);
        return;
    }
}

void covey_i_unfinished_remove(const char *path)
{
    for (size_t i = 0; i < N_SLOTS; i++)
        if (atomic_load(&slots[i].state) == SLOT_USED && strcmp(slots[i].path, path) == 0) {
            atomic_store(&slots[i].state, SLOT_FREE);
            return;
        }
}

static bool is_dot_or_dots(const char *name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static void empty_folder(int folder, int depth)
{
    _Alignas(struct entry) char buffer[2048];
    long size;

    while ((size = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < size;) {
            const struct entry *entry = (const struct entry *)(buffer + at);

            at += entry->size;
            if (is_dot_or_dots(entry->name) || unlinkat(folder, entry->name, 0) == 0 || depth == MAX_DEPTH)
                continue;
            const int inner = openat(folder, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

            if (inner < 0)
                continue;
            empty_folder(inner, depth + 1);
            close(inner);
            unlinkat(folder, entry->name, AT_REMOVEDIR);
        }
}

/* Other threads may still be writing: a folder that is not empty after all is emptied again. */
static void discard(const char *path)
{
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (folder < 0 && errno == ENOTDIR)
            unlink(path);
        if (folder < 0)
            return;
        empty_folder(folder, 0);
        close(folder);
        if (rmdir(path) == 0 || (errno != ENOTEMPTY && errno != EEXIST))
            return;
    }
}

void covey_discard_unfinished(void)
{
    const int saved = errno;

    for (size_t i = 0; i < N_SLOTS; i++)
        if (atomic_load(&slots[i].state) == SLOT_USED)
            discard(slots[i].path);
    errno = saved;
}
