#include "program.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[64];
static pid_t owner;

static void remove_directory(void)
{
    if (directory[0] == '\0' || getpid() != owner)
        return;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", directory);
}

const char *program_directory(void)
{
    if (directory[0] != '\0' && getpid() == owner)
        return directory;
    owner = getpid();
    strcpy(directory, "/tmp/darc-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    atexit(remove_directory);
    return directory;
}

const char *program_path(const char *name)
{
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", program_directory(), name);
    return path[next];
}

const char *program_write(const char *name, const char *text)
{
    const char *path = program_path(name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
    return path;
}

bool program_read_file(const char *file, darc_text_t out)
{
    FILE *f = fopen(file, "rb");
    if (f == NULL)
        return false;
    char buffer[4096];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        darc_text_write(out, buffer, n);
    fclose(f);
    return true;
}

int program_run(const char *arguments, darc_text_t out, darc_text_t err)
{
    const char *darc = getenv("DARC");
    ck_assert_msg(darc != NULL, "the environment variable DARC is not set");
    darc_text_t command, file;
    darc_text_init(command);
    darc_text_init(file);
    darc_text_printf(file, "%s/stderr", program_directory());
    darc_text_printf(command, "%s %s 2>%s", darc, arguments, file->s);
    fflush(NULL);
    FILE *p = popen(command->s, "r");
    ck_assert_ptr_nonnull(p);
    char buffer[4096];
    size_t n;
    darc_text_reset(out);
    darc_text_reset(err);
    while ((n = fread(buffer, 1, sizeof buffer, p)) > 0)
        darc_text_write(out, buffer, n);
    int state = pclose(p);
    ck_assert(program_read_file(file->s, err));
    darc_text_clear(command);
    darc_text_clear(file);
    ck_assert_msg(WIFEXITED(state), "darc %s: state %d", arguments, state);
    return WEXITSTATUS(state);
}

double program_json_number(const char *json, const char *key, int n)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);
    for (; n > 0 && at != NULL; n--)
        at = strstr(at + 1, quoted);
    if (at == NULL)
        return NAN;
    char *end;
    double x = strtod(at + strlen(quoted), &end);
    return end == at + strlen(quoted) ? NAN : x;
}

bool program_json_is(const char *json, const char *key, const char *value)
{
    char quoted[256];
    snprintf(quoted, sizeof quoted, "\"%s\": \"%s\"", key, value);
    return strstr(json, quoted) != NULL;
}
