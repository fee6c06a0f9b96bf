/* launch.c - the program bin/darc of the archive that `make dist` makes: it
 * starts the loader and the darc that lie beside it, whatever the host has.
 *
 * usage: PREFIX/bin/darc ARGUMENT...   (also by a link to it, and by PATH)
 *
 * Linked statically.  The interpreter of a program is an absolute path that
 * nobody knows before the archive is unpacked; so the loader is started by
 * name, with its folder of libraries, and without the host's list of them. */
#define _GNU_SOURCE

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { WORDS = 8 };

/* Set prefix to the folder above bin, without a slash at its end. */
static int find_prefix(char prefix[PATH_MAX])
{
    const char *file = (const char *)getauxval(AT_EXECFN);
    if (file == NULL || realpath(file, prefix) == NULL)
        return -1;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(prefix, '/');
        if (slash == NULL)
            return -1;
        *slash = '\0';
    }
    return 0;
}

/* prefix and rest as one string, kept for good. */
static char *below(const char *prefix, const char *rest)
{
    char *path = malloc(strlen(prefix) + strlen(rest) + 1);
    return path == NULL ? NULL : strcat(strcpy(path, prefix), rest);
}

static int say(const char *what)
{
    fprintf(stderr, "darc: %s: %s\n", what, strerror(errno));
    return 5;
}

int main(int argc, char **argv)
{
    char prefix[PATH_MAX];
    if (argc < 1 || find_prefix(prefix) < 0)
        return say("its own folder cannot be found");
    char **words = calloc((size_t)argc + WORDS, sizeof *words);
    char *loader = below(prefix, "/libexec/darc/loader");
    char *readers = below(prefix, "/libexec/darc");
    char *units = below(prefix, "/share/udunits/udunits2.xml");
    if (words == NULL || loader == NULL || readers == NULL || units == NULL)
        return say("no memory");

    char *begin[WORDS] = {loader,           "--inhibit-cache",
                          "--library-path", below(prefix, "/lib"),
                          "--argv0",        argv[0],
                          below(prefix, "/libexec/darc/darc")};
    memcpy(words, begin, sizeof begin);
    memcpy(words + WORDS - 1, argv + 1, (size_t)argc * sizeof *words);
    unsetenv("LD_PRELOAD"); /* of the host, and for its loader */
    setenv("DARC_LIBEXEC", readers, 0);
    setenv("UDUNITS2_XML_PATH", units, 0);
    execv(loader, words);
    return say(loader);
}
