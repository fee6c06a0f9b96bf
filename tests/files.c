#include "files.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void test_read_file(darc_text_t out, const char *path)
{
    char buffer[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        darc_text_write(out, buffer, n);
    fclose(f);
}

bool test_has_shared(const char *path, const char *test)
{
    if (access(path, R_OK) == 0)
        return true;
    printf("skipped: %s needs %s\n", test, path);
    fflush(stdout);
    return false;
}

static bool has_suffix(const char *s, const char *suffix)
{
    size_t m = strlen(s), n = strlen(suffix);
    return s[0] != '.' && m >= n && strcmp(s + m - n, suffix) == 0;
}

int test_walk(const char *dir, const char *suffix,
              void (*visit)(const char *path, const char *name))
{
    struct dirent **entry;
    int n = scandir(dir, &entry, NULL, alphasort), count = 0;
    for (int i = 0; i < n; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", dir, entry[i]->d_name);
        if (has_suffix(entry[i]->d_name, suffix)) {
            visit(path, entry[i]->d_name);
            count++;
        }
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return n < 0 ? -1 : count;
}

static int (*replayed)(const uint8_t *bytes, size_t n);

static void replay(const char *path, const char *name)
{
    (void)name;
    darc_text_t bytes = DARC_TEXT;
    test_read_file(bytes, path);
    uint8_t *exact = malloc(bytes->len + 1); /* sanitizers see the end */
    memcpy(exact, bytes->s, bytes->len);
    replayed(exact, bytes->len);
    free(exact);
    darc_text_clear(bytes);
}

int test_replay(const char *folder,
                int (*harness)(const uint8_t *bytes, size_t n))
{
    replayed = harness;
    return test_walk(folder, "", replay);
}
