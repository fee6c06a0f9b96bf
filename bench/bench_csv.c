/* Reading CSV against a loop over strtod, in one run: rows x 3 columns, once
 * with 9 significant digits, once with 17.  Every value is compared.
 *
 * Reading the file is part of each time.  Two threads read: `busiest` is the
 * CPU time of the busier one, which is what a machine with two idle cores
 * needs; wall times are those of the machine as it is.
 *
 *     bench_csv [ROWS]      (default 1e7; the files stay under build/)
 */
#include "base/budget.h"
#include "data/reader.h"
#include "data/table.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* CPU time of this thread, s. */
static double own_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* Append "d.ddd..." with that many digits after the point. */
static char *put(char *s, uint64_t value, int digits)
{
    char reversed[32];
    int n = 0;
    for (; n <= digits || value > 0; value /= 10) {
        if (n == digits)
            reversed[n++] = '.';
        reversed[n++] = (char)('0' + value % 10);
    }
    while (n > 0)
        *s++ = reversed[--n];
    return s;
}

static void make_file(const char *name, long rows, int digits)
{
    uint64_t modulus = 1, state = 1;
    for (int i = 0; i < digits; i++)
        modulus *= 10;
    FILE *f = fopen(name, "wb");
    if (f == NULL)
        exit(EXIT_FAILURE);
    fputs("t [s],a [m/s^2],z [m]\n", f);
    char line[200];
    for (long i = 0; i < rows; i++) {
        char *s = put(line, (uint64_t)i, 3);
        *s++ = ',';
        *s = '-';
        s += next_random(&state) & 1;
        s = put(s, next_random(&state) % modulus, digits - 1);
        *s++ = ',';
        s = put(s, next_random(&state) % modulus, digits);
        *s++ = '\n';
        fwrite(line, 1, (size_t)(s - line), f);
    }
    fclose(f);
}

/* Read the file into memory, then every number by strtod. */
static double *by_strtod(const char *name, long rows, double *seconds)
{
    double *value = malloc((size_t)rows * 3 * sizeof *value);
    double start = darc_now(), own = own_time();
    FILE *f = fopen(name, "rb");
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(size + 1);
    text[fread(text, 1, size, f)] = '\0';
    fclose(f);
    char *s = strchr(text, '\n') + 1;
    for (long i = 0; i < 3 * rows; i++) {
        value[i] = strtod(s, &s);
        s++;
    }
    seconds[0] = darc_now() - start;
    seconds[1] = own_time() - own;
    free(text);
    return value;
}

static long differing(const darc_table *t, const double *value)
{
    long n = 0;
    for (size_t i = 0; i < t->samples; i++)
        n += memcmp(&t->signal[0].value[i], &value[3 * i + 1], 8) != 0 ||
             memcmp(&t->signal[1].value[i], &value[3 * i + 2], 8) != 0;
    return n;
}

static double streamed(const char *name, const darc_load_options *o)
{
    double start = darc_now(), sum = 0;
    darc_reader *r;
    darc_block block;
    if (darc_reader_open(&r, name, o, NULL) != DARC_OK)
        exit(EXIT_FAILURE);
    do {
        if (darc_reader_next(r, &block, NULL) != DARC_OK)
            exit(EXIT_FAILURE);
        for (size_t k = 0; k < block.samples; k++)
            sum += block.value[0][k];
    } while (block.samples > 0);
    darc_reader_close(r);
    return darc_now() - start + 0 * sum;
}

static void measure(long rows, int digits)
{
    char name[100];
    snprintf(name, sizeof name, "build/bench_%ld_%d.csv", rows, digits);
    make_file(name, rows, digits);
    darc_load_options o;
    darc_load_options_init(&o);
    darc_table *t = NULL;
    darc_err err;
    darc_err_init(&err);
    double start = darc_now(), own = own_time(), all = darc_cpu_time();
    if (darc_table_load(&t, name, &o, &err) != DARC_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(EXIT_FAILURE);
    }
    double load = darc_now() - start, mine = own_time() - own;
    double other = darc_cpu_time() - all - mine, slow[2];
    double busiest = mine > other ? mine : other, stream = streamed(name, &o);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double *value = by_strtod(name, rows, slow);
    printf("csv_%d_digits %ld rows: load %.0f ms (busiest %.0f), stream %.0f "
           "ms, strtod %.0f ms (busiest %.0f), ratio %.2f, on idle cores "
           "%.2f, peak %ld kB, differing %ld\n",
           digits, rows, 1e3 * load, 1e3 * busiest, 1e3 * stream, 1e3 * slow[0],
           1e3 * slow[1], slow[0] / load, slow[1] / busiest, usage.ru_maxrss,
           differing(t, value));
    free(value);
    darc_table_free(t);
    remove(name);
}

int main(int argc, char **argv)
{
    long rows = argc > 1 ? (long)atof(argv[1]) : 10000000;
    measure(rows, 9);
    measure(rows, 17);
    return EXIT_SUCCESS;
}
