#define _DEFAULT_SOURCE /* mkdtemp */
#include "random_edge.h"

#include "draw.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    uint64_t draws;
    int states, parameters, inputs, outputs, constants;
    char text[1200];
} edge;

/* Where it works: "/tmp/darc-edge-XXXXXX", then a number. */
static char folder[64];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int below(edge *m, int n)
{
    return (int)(draw_bits(&m->draws) % (uint64_t)n);
}

static void add(edge *m, const char *text)
{
    size_t n = strlen(m->text);
    snprintf(m->text + n, sizeof m->text - n, "%s", text);
}

static void declare(edge *m, const char *section, char letter, int n)
{
    char name[16];
    if (n == 0)
        return;
    add(m, section);
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, " %c%d", letter, i);
        add(m, name);
    }
    add(m, "\n");
}

/* A name of a kind of which there may be none: a number then. */
static void add_name(edge *m, char letter, int n)
{
    char name[16];
    if (n > 0)
        snprintf(name, sizeof name, "%c%d", letter, below(m, n));
    else
        snprintf(name, sizeof name, "%d", below(m, 3));
    add(m, name);
}

/* What may stand behind the sign of equality: a letter is a name of that kind,
 * s a state or output, all else is as it is. */
static const char *const rights[] = {
    "u",       "g",        "-g",        "p",          "0",         "-p*s + u",
    "s",       "s'",       "p*u",       "g*s",        "s*u",       "u - s",
    "p*s + q", "p*sin(u)", "sqrt(u)",   "p*u + g",    "u'",        "-s^3",
    "p*s*s",   "g*u",      "atan(p*s)", "p*exp(s/p)", "s/(p + s)", "u*u - g",
    "p - p",   "abs(u)",   "-s + u'",   "g*p"};

static void add_right(edge *m)
{
    const char *r = rights[below(m, sizeof rights / sizeof *rights)];
    for (; *r != '\0'; r++) {
        bool word = (r[0] >= 'a' && r[0] <= 'z' && r[1] >= 'a' && r[1] <= 'z');
        char one[2] = {*r, '\0'};
        if (word) {
            size_t n = strspn(r, "abcdefghijklmnopqrstuvwxyz");
            char call[8];
            snprintf(call, sizeof call, "%.*s", (int)n, r);
            add(m, call);
            r += n - 1;
        } else if (*r == 'u') {
            add_name(m, 'u', m->inputs);
        } else if (*r == 'p' || *r == 'q') {
            add_name(m, 'p', m->parameters);
        } else if (*r == 'g') {
            add_name(m, 'g', m->constants);
        } else if (*r == 's') {
            bool state = m->states > 0 && below(m, 2) == 0;
            add_name(m, state ? 'x' : 'y', state ? m->states : m->outputs);
        } else {
            add(m, one);
        }
    }
}

static void add_equations(edge *m)
{
    char left[24];
    add(m, "equations\n");
    for (int i = 0; i < m->states; i++) {
        snprintf(left, sizeof left, " x%d' = ", i);
        add(m, left);
        add_right(m);
        add(m, "\n");
    }
    for (int i = 0; i < m->outputs; i++) {
        static const char *const order[] = {"", "'", "''"};
        snprintf(left, sizeof left, " y%d%s = ", i, order[below(m, 3)]);
        add(m, left);
        add_right(m);
        add(m, "\n");
    }
}

static void draw_model(edge *m)
{
    m->states = below(m, 3) == 0 ? 1 + below(m, 2) : 0;
    m->parameters = below(m, 3);
    m->inputs = below(m, 3);
    m->constants = below(m, 2);
    m->outputs = 1 + below(m, 2);
    add(m, "model edge\n");
    declare(m, "states", 'x', m->states);
    declare(m, "parameters", 'p', m->parameters);
    declare(m, "inputs", 'u', m->inputs);
    declare(m, "outputs", 'y', m->outputs);
    if (m->constants > 0)
        add(m, "constants\n g0 = 9.81\n");
    add_equations(m);
}

static void write_model(const edge *m)
{
    FILE *f = fopen(path_of("edge.darc"), "w");
    fputs(m->text, f);
    fclose(f);
}

/* Write a recording of sines, noise, steps, or what stands still. */
static void write_recording(edge *m, const char *name)
{
    static const int lengths[] = {0, 1, 2, 3, 10, 40, 200, 400};
    int n = lengths[below(m, 8)], kind = below(m, 6);
    int signals = m->outputs + m->inputs, missing = below(m, 12);
    FILE *f = fopen(path_of(name), "w");
    fputs("t", f);
    for (int i = 0; i < signals; i++)
        if (i != missing)
            fprintf(f, ",%c%d", i < m->outputs ? 'y' : 'u',
                    i < m->outputs ? i : i - m->outputs);
    fputc('\n', f);
    double phase = draw_uniform(&m->draws);
    for (int k = 0; k < n; k++) {
        fprintf(f, "%.9g", .1 * k);
        for (int i = 0; i < signals; i++) {
            double w = .3 + .2 * i, x = sin(w * k + phase * i);
            x = kind == 0   ? 0
                : kind == 1 ? 3.25
                : kind == 2 ? k % 20 < 10
                : kind == 3 ? draw_normal(&m->draws)
                            : x + .01 * draw_normal(&m->draws);
            if (kind == 5 && below(m, 50) == 0)
                fputs(",", f);
            else if (i != missing)
                fprintf(f, ",%.9g", x);
        }
        fputc('\n', f);
    }
    fclose(f);
}

/* @m is the model, @a and @b are recordings, @i inputs. */
static const char *const commands[RANDOM_EDGE_COMMANDS] = {
    "check structure @m @a",
    "check equal @m @a @b",
    "values @m @a",
    "isolate @m @a @b",
    "identify @m",
    "eliminate @m",
    "plan @m --values @a@i",
    "drift @m @a @b @a",
    "check structure @m @a --overlay",
    "check structure @m @a --html @a.html",
    "check structure @m @a --method pointwise --json -",
    "check structure @m @a --over-time --tolerance 0.05",
    "check equal @m @a @b --tolerance 0.02 --json -",
    "check changed @m @a @b --changed p0",
    "monitor @m --baseline @a < @b",
    "data @a"};

static void run_command(char *fault, const char *command)
{
    char all[1600], says[300] = "";
    const char *from = strchr(command, '<');
    int words = from != NULL ? (int)(from - command) : (int)strlen(command);
    snprintf(all, sizeof all, "\"$DARC\" %.*s --timeout 20 %s >%s/out 2>%s/err",
             words, command, from != NULL ? from : "--threads 1", folder,
             folder);
    int state = system(all), code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    FILE *f = fopen(path_of("err"), "r");
    if (f != NULL) {
        says[fread(says, 1, sizeof says - 1, f)] = '\0';
        fclose(f);
    }
    bool budget = code == 5 && strstr(says, "--timeout") != NULL;
    if ((code < 0 || code > 4) && !budget)
        snprintf(fault, RANDOM_EDGE_TEXT, "%.300s: exit %d: %.300s", all, code,
                 says);
}

/* Set command to the text with what stands for @m, @a, @b, @i. */
static void fill(char *command, size_t size, const char *text,
                 const char *const with[4])
{
    static const char names[] = "mabi";
    size_t n = 0;
    for (; *text != '\0' && n + 1 < size; text++) {
        const char *at = *text == '@' ? strchr(names, text[1]) : NULL;
        if (at == NULL) {
            command[n++] = *text;
            continue;
        }
        n += (size_t)snprintf(command + n, size - n, "%s", with[at - names]);
        text++;
    }
    command[n < size ? n : size - 1] = '\0';
}

void random_edge_check(char fault[RANDOM_EDGE_TEXT], int seed, int first,
                       int count)
{
    edge m = {.draws = (uint64_t)seed * 77};
    char command[1400], file[3][128], inputs[100] = "";
    const char *const with[4] = {file[0], file[1], file[2], inputs};
    fault[0] = '\0';
    strcpy(folder, "/tmp/darc-edge-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        strcpy(fault, "no folder in /tmp");
        return;
    }
    draw_model(&m);
    write_model(&m);
    write_recording(&m, "a.csv");
    write_recording(&m, "b.csv");
    strcpy(file[0], path_of("edge.darc"));
    strcpy(file[1], path_of("a.csv"));
    strcpy(file[2], path_of("b.csv"));
    for (int i = 0; i < m.inputs; i++) {
        size_t n = strlen(inputs);
        snprintf(inputs + n, sizeof inputs - n, " --input u%d=multisine:1,.1,2",
                 i);
    }
    for (int k = 0; k < count && fault[0] == '\0'; k++) {
        fill(command, sizeof command,
             commands[(first + k) % RANDOM_EDGE_COMMANDS], with);
        run_command(fault, command);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        strcpy(fault, command);
    size_t n = strlen(fault);
    if (n > 0)
        snprintf(fault + n, RANDOM_EDGE_TEXT - n, "\n%s", m.text);
}
