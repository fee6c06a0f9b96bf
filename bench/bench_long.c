/* Long recordings: `darc check structure` end to end against reading the same
 * CSV file alone, at three lengths; and reading a MAT file (version 5, not
 * compressed) against reading its bytes.
 *
 * The recording is a quarter car's: z a sum of sines, a = (c z + d z')/m, a
 * third signal besides, 1 % of white noise, 9 significant digits; then that of
 * a damper with dry friction, whose model has a derived signal, sign(x').  Wall
 * times are those of the machine as it is; CPU times are of all threads.  Time
 * per row and peak memory should be the same for all lengths.  At last a
 * campaign of 40 recordings of a hundredth of the length.
 *
 *     DARC=build/release/darc bench_long [ROWS]     (default 1e7, and a
 *                                     tenth and a hundredth of it; the files
 *                                     stay under build/ while it runs)
 */
#define _DEFAULT_SOURCE /* wait4 */

#include "base/budget.h"
#include "data/reader.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES = 24, RATE = 1000 };

static const double PI = 3.14159265358979323846;

/* ---- the recording -------------------------------------------------------
 */

typedef struct {
    uint64_t state;
    double re[LINES], im[LINES]; /* of each line, in m */
    double c[LINES], s[LINES];   /* its turn in a sample */
    double omega[LINES];
} plant;

static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(0x2545F4914F6CDD1D)) >> 11) /
           9007199254740992.0;
}

static double normal(uint64_t *state)
{
    double r = sqrt(-2 * log(1 - uniform(state)));
    return r * cos(2 * PI * uniform(state));
}

static void start(plant *p, int seed)
{
    p->state = 88172645463325252u + (uint64_t)seed * 0x9E3779B97F4A7C15u;
    for (int k = 0; k < LINES; k++) {
        double w = 2 * PI * 0.3 * pow(60, k / (LINES - 1.0));
        double phase = 2 * PI * uniform(&p->state);
        p->omega[k] = w;
        p->re[k] = 0.01 / (1 + w) * cos(phase);
        p->im[k] = 0.01 / (1 + w) * sin(phase);
        p->c[k] = cos(w / RATE);
        p->s[k] = sin(w / RATE);
    }
}

/* What is measured: the acceleration of a quarter car, or the force of a
 * damper with dry friction. */
typedef enum { CAR, DAMPER } output;

static double force(output o, double z, double v)
{
    return o == CAR ? (20000 * z + 1500 * v) / 300
                    : 3 + 20000 * z + 150 * v + 2 * ((v > 0) - (v < 0));
}

/* Set value to the output, z and a third signal, and go on by a sample. */
static void step(plant *p, output o, double *value)
{
    double z = 0, v = 0;
    for (int k = 0; k < LINES; k++) {
        double re = p->re[k] * p->c[k] - p->im[k] * p->s[k];
        z += p->re[k];
        v -= p->omega[k] * p->im[k];
        p->im[k] = p->re[k] * p->s[k] + p->im[k] * p->c[k];
        p->re[k] = re;
    }
    value[0] = force(o, z, v) + (o == CAR ? 0.01 : 0.5) * normal(&p->state);
    value[1] = z + 1e-5 * normal(&p->state);
    value[2] = v;
}

static FILE *create(const char *name)
{
    FILE *f = fopen(name, "wb");
    if (f == NULL) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    return f;
}

static void write_csv(const char *name, output o, long rows, int seed)
{
    plant p;
    FILE *f = create(name);
    start(&p, seed);
    fputs(o == CAR ? "t [s],a [m/s^2],z [m],v [m/s]\n"
                   : "t [s],F [N],x [m],v [m/s]\n",
          f);
    for (long i = 0; i < rows; i++) {
        double x[3];
        step(&p, o, x);
        fprintf(f, "%ld.%03ld,%.9g,%.9g,%.9g\n", i / RATE, i % RATE, x[0], x[1],
                x[2]);
    }
    fclose(f);
}

/* ---- MAT -------------------------------------------------------------------
 */

static void put_words(FILE *f, const uint32_t *word, size_t n)
{
    fwrite(word, sizeof *word, n, f);
}

/* A matrix of n x 1 doubles, named by one letter; as the machine has them. */
static void write_vector(FILE *f, char name, plant *p, int which, long n)
{
    uint32_t bytes = (uint32_t)(8 * n), word[2] = {0, 0};
    memcpy(word, (char[4]){name, 0, 0, 0}, 4);
    put_words(f, (uint32_t[]){14, bytes + 16 + 16 + 8 + 8}, 2);
    put_words(f, (uint32_t[]){6, 8, 6, 0}, 4);
    put_words(f, (uint32_t[]){5, 8, (uint32_t)n, 1}, 4);
    put_words(f, (uint32_t[]){1 << 16 | 1, word[0]}, 2);
    put_words(f, (uint32_t[]){9, bytes}, 2);
    start(p, 0);
    for (long i = 0; i < n; i++) {
        double x[3], t = (double)i / RATE;
        step(p, CAR, x);
        fwrite(which < 0 ? &t : &x[which], sizeof t, 1, f);
    }
}

static void write_mat(const char *name, long rows)
{
    plant p;
    char head[128];
    FILE *f = create(name);
    memset(head, ' ', sizeof head);
    memcpy(head, "MATLAB 5.0 MAT-file", 19);
    memcpy(head + 124, (uint16_t[]){0x0100, 0x4D49}, 4);
    fwrite(head, 1, sizeof head, f);
    write_vector(f, 't', &p, -1, rows);
    write_vector(f, 'a', &p, 0, rows);
    write_vector(f, 'z', &p, 1, rows);
    fclose(f);
}

/* ---- timing ----------------------------------------------------------------
 */

typedef struct {
    double wall, cpu; /* s */
    long peak;        /* kB */
} cost;

static cost read_bytes(const char *name)
{
    static char buffer[1 << 18];
    double wall = darc_now(), cpu = darc_cpu_time();
    FILE *f = fopen(name, "rb");
    size_t n, sum = 0;
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        sum += n;
    fclose(f);
    return (cost){darc_now() - wall + 0 * (double)sum, darc_cpu_time() - cpu,
                  0};
}

static cost read_rows(const char *name)
{
    double wall = darc_now(), cpu = darc_cpu_time();
    darc_load_options o;
    darc_reader *r;
    darc_block block;
    darc_load_options_init(&o);
    if (darc_reader_open(&r, name, &o, NULL) != DARC_OK)
        exit(EXIT_FAILURE);
    do {
        if (darc_reader_next(r, &block, NULL) != DARC_OK)
            exit(EXIT_FAILURE);
    } while (block.samples > 0);
    darc_reader_close(r);
    return (cost){darc_now() - wall, darc_cpu_time() - cpu, 0};
}

/* Run darc with arguments, which end with NULL, argument[0] becoming the
 * program; *code gets its exit code. */
static cost run(char **argument, int *code)
{
    argument[0] = getenv("DARC");
    double wall = darc_now();
    int status;
    struct rusage u;
    pid_t child = fork();
    if (child == 0) {
        execv(argument[0], argument);
        _exit(127);
    }
    if (wait4(child, &status, 0, &u) < 0 || !WIFEXITED(status))
        exit(EXIT_FAILURE);
    *code = WEXITSTATUS(status);
    double cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    return (cost){darc_now() - wall, cpu, u.ru_maxrss};
}

static char car[] = "systems/quarter_car_chassis/model.darc";

static void measure_check(output o, long rows)
{
    char damper[] = "systems/friction_force/model.darc";
    char name[] = "build/bench_long.csv";
    char *argument[] = {NULL,
                        (char[]){"check"},
                        (char[]){"structure"},
                        o == CAR ? car : damper,
                        name,
                        (char[]){"--quiet"},
                        NULL};
    int code;
    write_csv(name, o, rows, 0);
    read_bytes(name);
    cost read = read_rows(name), whole = run(argument, &code);
    printf("%s %ld rows: %.0f ms (CPU %.0f, %.0f ns a row), "
           "reading alone %.0f ms (CPU %.0f), ratio %.2f (CPU %.2f), peak %ld "
           "kB, exit code %d\n",
           o == CAR ? "check_structure" : "check_derived", rows,
           1e3 * whole.wall, 1e3 * whole.cpu, 1e9 * whole.cpu / (double)rows,
           1e3 * read.wall, 1e3 * read.cpu, whole.wall / read.wall,
           whole.cpu / read.cpu, whole.peak, code);
    fflush(stdout);
    remove(name);
}

static void measure_mat(long rows)
{
    const char *name = "build/bench_long.mat";
    write_mat(name, rows);
    read_bytes(name);
    cost bytes = read_bytes(name), read = read_rows(name);
    printf("mat_read %ld rows: %.0f ms (CPU %.0f), its bytes %.0f ms (CPU "
           "%.0f)\n",
           rows, 1e3 * read.wall, 1e3 * read.cpu, 1e3 * bytes.wall,
           1e3 * bytes.cpu);
    remove(name);
}

/* A campaign of recordings, by all threads and by one. */
static void measure_drift(long rows)
{
    enum { RECORDINGS = 40 };
    char name[RECORDINGS][40];
    char *argument[RECORDINGS + 10] = {NULL, (char[]){"drift"}, car};
    int n = 3, code;
    for (int i = 0; i < RECORDINGS; i++) {
        snprintf(name[i], sizeof name[i], "build/bench_long_%d.csv", i);
        write_csv(name[i], CAR, rows, i);
        argument[n++] = name[i];
    }
    argument[n++] = (char[]){"--quiet"};
    cost all = run(argument, &code);
    argument[n++] = (char[]){"--threads"};
    argument[n++] = (char[]){"1"};
    cost one = run(argument, &code);
    printf("drift %d recordings of %ld rows: %.0f ms (CPU %.0f), one thread "
           "%.0f ms, peak %ld kB, exit code %d\n",
           RECORDINGS, rows, 1e3 * all.wall, 1e3 * all.cpu, 1e3 * one.wall,
           all.peak, code);
    for (int i = 0; i < RECORDINGS; i++)
        remove(name[i]);
}

int main(int argc, char **argv)
{
    long rows = argc > 1 ? (long)atof(argv[1]) : 10000000;
    if (getenv("DARC") == NULL) {
        fprintf(stderr, "DARC names no program\n");
        return EXIT_FAILURE;
    }
    for (output o = CAR; o <= DAMPER; o++)
        for (long n = rows / 100; n <= rows && n > 0; n *= 10)
            measure_check(o, n);
    measure_mat(rows);
    measure_drift(rows / 100);
    return EXIT_SUCCESS;
}
