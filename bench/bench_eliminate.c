/* bench_eliminate - io-equations of all models: one line an output, beside
 * the figures of expected.tsv where there are some.
 *
 * bench_eliminate [-e general|project|linear] [-t SECONDS] [MODEL...]; without
 * models: systems/ * /model.darc and ../shared/models/ *.darc.  Of three runs
 * of what takes less than a fifth of a second the fastest counts.  The last
 * line is the geometric mean of the CPU seconds in shares of those expected. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "eliminate/eliminate.h"

#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const engines[] = {"auto", "general", "project", "linear"};

/* Of the models with expected seconds, so far. */
typedef struct {
    int count, slower; /* than expected */
    double logs;       /* sum of the logarithms of the shares */
} shares;

typedef struct {
    darc_engine engine;
    double seconds;
    FILE *expected;
    shares *peer; /* written by the children, one after the other */
} settings;

/* Write the row of expected.tsv for model and output into row, "" if none. */
static void find_expected(char *row, size_t size, const settings *set,
                          const char *model, const char *output)
{
    char line[1024];
    row[0] = '\0';
    if (set->expected == NULL)
        return;
    rewind(set->expected);
    while (fgets(line, sizeof line, set->expected) != NULL) {
        char name[128], signal[128], order[32], terms[32], degree[32], cpu[32];
        if (sscanf(line, "%127s %127s %31s %31s %31s %31s", name, signal, order,
                   terms, degree, cpu) == 6 &&
            strcmp(name, model) == 0 && strcmp(signal, output) == 0)
            snprintf(row, size, "%s %s %s %s", order, terms, degree, cpu);
    }
}

/* Print equation i beside what is expected; return whether they differ. */
static bool print_equation(const darc_ioeqs_t io, int i, const char *name,
                           const settings *set)
{
    const darc_ioeq *eq = io->eq + i;
    char expected[160], found[160];
    const char *output = io->jet->names->symbol[eq->leader.unknown].name;
    fmpz_t degree;
    fmpz_init(degree);
    fmpz_mpoly_total_degree_fmpz(degree, eq->poly, io->jet->ctx);
    snprintf(found, sizeof found, "%d %ld %ld", eq->leader.order,
             (long)eq->poly->length, (long)fmpz_get_si(degree));
    fmpz_clear(degree);
    find_expected(expected, sizeof expected, set, name, output);
    const char *mark = expected[0] == '\0' ? "?" : "DIFFERS";
    if (strncmp(found, expected, strlen(found)) == 0 &&
        expected[strlen(found)] == ' ')
        mark = "=";
    printf("%-22s %-6s %-10s %-18s %-7s [%s]\n", name, output, eq->engine,
           found, mark, expected);
    return strcmp(mark, "DIFFERS") == 0;
}

/* Print all equations; return whether one differs from what is expected. */
static bool print_equations(const darc_ioeqs_t io, const char *name,
                            const settings *set)
{
    bool differs = false;
    for (int i = 0; i < io->count; i++)
        differs = print_equation(io, i, name, set) || differs;
    return differs;
}

/* Append the names of a kind, of outputs those of the given order alone. */
static void append_names(darc_text_t text, const darc_names_struct *names,
                         darc_kind kind, int order, const char *model,
                         const settings *set)
{
    int count = 0;
    for (int u = 0; u < names->count; u++) {
        char row[160];
        const darc_symbol *s = names->symbol + u;
        if (s->kind != kind)
            continue;
        find_expected(row, sizeof row, set, model, s->name);
        if (kind == DARC_OUTPUT && (row[0] == '\0' || atoi(row) != order))
            continue;
        darc_text_printf(text, "%s%s",
                         count++ > 0     ? " "
                         : text->len > 0 ? " >> "
                                         : "",
                         s->name);
    }
}

/* The split of the orders among outputs depends on the ranking: print the
 * equations under one that gives the orders expected, low ones on top. */
static void print_ranked(const darc_model *model, const char *name,
                         const settings *set, const darc_budget *budget)
{
    enum { MAX_ORDER = 20 };
    const darc_names_struct *names = darc_model_names(model);
    darc_ranking_t rk;
    darc_text_t text;
    darc_ioeqs_t io;
    darc_text_init(text);
    append_names(text, names, DARC_STATE, 0, name, set);
    for (int order = 0; order < MAX_ORDER; order++)
        append_names(text, names, DARC_OUTPUT, order, name, set);
    darc_ranking_init(rk, names->count);
    if (darc_ranking_set_text(rk, text->s, names, NULL) == DARC_OK &&
        darc_ioeqs_init(io, model, rk, set->engine, budget, NULL) == DARC_OK) {
        printf("%-22s under --ranking \"%s\":\n", name, text->s);
        print_equations(io, name, set);
        darc_ioeqs_clear(io);
    }
    darc_ranking_clear(rk);
    darc_text_clear(text);
}

/* Return the least CPU seconds of two more runs, or first. */
static double run_again(const darc_model *model, double first,
                        const settings *set, const darc_budget *budget)
{
    for (int i = 0; i < 2 && first < .2; i++) {
        darc_ioeqs_t io;
        double start = darc_cpu_time();
        if (darc_ioeqs_init(io, model, NULL, set->engine, budget, NULL) !=
            DARC_OK)
            break;
        first = fmin(first, darc_cpu_time() - start);
        darc_ioeqs_clear(io);
    }
    return first;
}

/* Add the seconds of the model to the shares, where some are expected. */
static void take_share(const char *model, double cpu, const settings *set)
{
    char line[1024], name[128], peer[32];
    if (set->expected == NULL)
        return;
    rewind(set->expected);
    while (fgets(line, sizeof line, set->expected) != NULL)
        if (sscanf(line, "%127s %*s %*s %*s %*s %31s", name, peer) == 2 &&
            strcmp(name, model) == 0 && atof(peer) > 0) {
            set->peer->count++;
            set->peer->slower += cpu > atof(peer);
            set->peer->logs += log(cpu / atof(peer));
            return;
        }
}

static int run_model(const char *file, const char *name, const settings *set)
{
    darc_err err;
    darc_model *model = NULL;
    darc_ioeqs_t io;
    darc_budget budget;
    darc_err_init(&err);
    darc_budget_init(&budget);
    budget.deadline = darc_now() + set->seconds;
    if (darc_model_read(&model, file, &err) != DARC_OK) {
        printf("%-22s %s\n", name, err.message);
        return 1;
    }
    double start = darc_cpu_time();
    darc_status status =
        darc_ioeqs_init(io, model, NULL, set->engine, &budget, &err);
    double cpu = darc_cpu_time() - start;
    if (status != DARC_OK) {
        printf("%-22s %s (%.3f s)\n", name, err.message, cpu);
    } else {
        bool differs = print_equations(io, name, set);
        darc_ioeqs_clear(io);
        cpu = run_again(model, cpu, set, &budget);
        take_share(name, cpu, set);
        if (differs)
            print_ranked(model, name, set, &budget);
    }
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("%-22s cpu %.4f s, peak %ld MB\n", name, cpu, use.ru_maxrss / 1024);
    darc_model_free(model);
    return status != DARC_OK;
}

/* Set name to the file's without its ending, or to its folder's where it is
 * a model.darc. */
static void set_name(char *name, size_t size, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash == NULL ? file : slash + 1;
    int length = (int)strcspn(base, ".");
    if (slash != NULL && strcmp(base, "model.darc") == 0) {
        base = slash;
        while (base > file && base[-1] != '/')
            base--;
        length = (int)(slash - base);
    }
    snprintf(name, size, "%.*s", length, base);
}

/* Run a model in a child of its own, for its peak memory and its death. */
static void bench_model(const char *file, const settings *set)
{
    char name[128];
    set_name(name, sizeof name, file);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm((unsigned)ceil(set->seconds) + 2);
        int failed = run_model(file, name, set);
        fflush(stdout);
        _exit(failed);
    }
    int how = 0;
    if (child < 0 || waitpid(child, &how, 0) != child)
        perror("bench_eliminate");
    else if (WIFSIGNALED(how))
        printf("%-22s ended by signal %d\n", name, WTERMSIG(how));
}

static void bench_pattern(const char *pattern, const settings *set)
{
    glob_t files;
    if (glob(pattern, 0, NULL, &files) == 0)
        for (size_t i = 0; i < files.gl_pathc; i++)
            bench_model(files.gl_pathv[i], set);
    globfree(&files);
}

static darc_engine parse_engine(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(name, engines[i]) == 0)
            return (darc_engine)i;
    fprintf(stderr, "bench_eliminate: no engine %s\n", name);
    exit(3);
}

int main(int argc, char **argv)
{
    settings set = {DARC_ENGINE_PROJECT, 10, NULL, NULL};
    set.peer = mmap(NULL, sizeof *set.peer, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (set.peer == MAP_FAILED)
        return 1;
    int option;
    while ((option = getopt(argc, argv, "e:t:")) != -1) {
        if (option == 'e')
            set.engine = parse_engine(optarg);
        else if (option == 't')
            set.seconds = atof(optarg);
        else
            return 3;
    }
    set.expected = fopen("../shared/models/expected.tsv", "r");
    for (int i = optind; i < argc; i++)
        bench_model(argv[i], &set);
    if (optind == argc) {
        bench_pattern("systems/*/model.darc", &set);
        bench_pattern("../shared/models/*.darc", &set);
    }
    if (set.expected != NULL)
        fclose(set.expected);
    if (set.peer->count > 0)
        printf("%d models: %.3f of the seconds expected (geometric mean), %d "
               "above\n",
               set.peer->count, exp(set.peer->logs / set.peer->count),
               set.peer->slower);
    return 0;
}
