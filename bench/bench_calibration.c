/* Monte Carlo calibration of the verdicts by the weak form: false alarms
 * beside nominal, power beside the Cramer-Rao bound.
 *
 *     bench_calibration [RUNS] [alarms|power [ROW]]     (default 1000; both)
 *
 * False alarms: the rate of "inconsistent" on recordings that obey the model,
 * of four models and five kinds of noise, with its 95 % interval.  Power: a
 * quarter car on an ISO 8608 road of class C at 20 m/s (darc simulate), 20 s
 * at 1 kHz, 1 % white noise.
 */
#include "weak_cases.h"

#include "base/budget.h"
#include "decide/judgement.h"
#include "eliminate/eliminate.h"
#include "stats/stats.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_COUNTS = 8 };

typedef struct {
    long runs, count[MAX_COUNTS];
    double sum[MAX_COUNTS];
} tally;

typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
} subject;

static const char *const text[] = {
    "model quarter\nparameters\n m c d\noutputs\n a z\n"
    "equations\n m*a = c*z + d*z'\n",
    "model duffing\nparameters\n m d k k3\noutputs\n y\ninputs\n u\n"
    "equations\n m*y'' + d*y' + k*y + k3*y^3 = u\n",
    "model prey\nstates\n x p\nparameters\n a b c d\noutputs\n y\n"
    "equations\n x' = a*x - b*x*p\n p' = -c*p + d*x*p\n y = x\n",
    "model square\nparameters\n q k\noutputs\n y\ninputs\n u\n"
    "equations\n y'' + q*y'^2 + k*y = u\n"};

static void die(const darc_err *err)
{
    fprintf(stderr, "bench_calibration: %s\n", err->message);
    exit(1);
}

static subject open_subject(case_kind kind)
{
    subject s;
    darc_err err;
    darc_err_init(&err);
    if (darc_model_parse(&s.model, text[kind], strlen(text[kind]), "model",
                         &err) != DARC_OK ||
        darc_ioeqs_init(s.io, s.model, NULL, DARC_ENGINE_AUTO, NULL, &err) !=
            DARC_OK)
        die(&err);
    return s;
}

/* About equation 0. */
static darc_question ask(const subject *s, const darc_criteria *by)
{
    static const int first = 0;
    return (darc_question){.model = s->model,
                           .io = s->io,
                           .equations = 1,
                           .equation = &first,
                           .by = by};
}

static void close_subject(subject *s)
{
    darc_ioeqs_clear(s->io);
    darc_model_free(s->model);
}

static void name_signals(darc_table *t, case_kind kind)
{
    static const char *const name[4][2] = {
        {"a", "z"}, {"y", "u"}, {"y", NULL}, {"y", "u"}};
    for (int i = 0; i < t->signals; i++)
        t->signal[i].name = strdup(name[kind][i]);
}

static void release(darc_table *t)
{
    for (int i = 0; i < t->signals; i++)
        free(t->signal[i].name);
    case_free(t);
}

/* ---- runs over all cores ----------------------------------------------------
 */

typedef void (*experiment)(tally *t, uint64_t seed, const void *context);

static void child(int fd, experiment run, const void *context, long first,
                  long step, long runs)
{
    tally t = {0};
    for (long i = first; i < runs; i += step, t.runs++) {
        uint64_t seed = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(i + 1);
        run(&t, seed, context);
    }
    if (write(fd, &t, sizeof t) != sizeof t)
        exit(1);
    exit(0);
}

static tally repeat(experiment run, const void *context, long runs)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    tally sum = {0};
    int fd[2];
    fflush(stdout);
    if (pipe(fd) != 0)
        exit(1);
    for (long i = 0; i < cores; i++)
        if (fork() == 0)
            child(fd[1], run, context, i, cores, runs);
    for (long i = 0; i < cores; i++) {
        tally t;
        if (read(fd[0], &t, sizeof t) != sizeof t)
            exit(1);
        sum.runs += t.runs;
        for (int k = 0; k < MAX_COUNTS; k++) {
            sum.count[k] += t.count[k];
            sum.sum[k] += t.sum[k];
        }
    }
    while (wait(NULL) > 0)
        ;
    close(fd[0]);
    close(fd[1]);
    return sum;
}

/* A rate with its exact interval of 95 % (Clopper-Pearson). */
static void print_rate(long count, long runs)
{
    double k = (double)count, rest = (double)(runs - count), low = 0, high = 1;
    if (k > 0) {
        double f = darc_stats_f_quantile(0.025, 2 * k, 2 * (rest + 1));
        low = k * f / (k * f + rest + 1);
    }
    if (rest > 0) {
        double f = darc_stats_f_isf(0.025, 2 * (k + 1), 2 * rest);
        high = (k + 1) * f / ((k + 1) * f + rest);
    }
    printf("  %.3f [%.3f,%.3f]", (double)count / (double)runs, low, high);
}

/* ---- false alarms
 * ------------------------------------------------------------ */

typedef struct {
    case_kind kind;
    case_options o;
    const subject *s;
} alarm_context;

/* Counts: inconsistent at 5 % and 1 %, consistent, undecided. */
static void alarm_run(tally *t, uint64_t seed, const void *context)
{
    const alarm_context *c = context;
    uint64_t exact = seed, state = seed ^ 0x5bd1e995;
    case_uniform(&exact);
    darc_table *table = case_table(c->kind, &c->o, &exact, &state);
    name_signals(table, c->kind);
    for (int level = 0; level < 2; level++) {
        darc_criteria by;
        darc_judgement out;
        darc_err err;
        darc_err_init(&err);
        darc_criteria_init(&by);
        by.alpha = level == 0 ? 0.05 : 0.01;
        darc_question x = ask(c->s, &by);
        if (darc_judge_structure(&out, &x, table, &err) != DARC_OK)
            die(&err);
        darc_verdict v = out.decision.verdict;
        t->count[level] += v == DARC_INCONSISTENT;
        t->count[2] += level == 1 && v == DARC_CONSISTENT;
        t->count[3] += level == 1 && v == DARC_UNDECIDED;
        t->sum[0] += level == 1 ? out.decision.detectable : 0;
        darc_judgement_clear(&out);
    }
    release(table);
}

static void false_alarms(long runs)
{
    static const char *const name[] = {"quarter car", "Duffing",
                                       "predator-prey", "x''+q*x'^2+k*x=u"};
    static const struct {
        const char *name;
        double sd;
        case_noise kind;
    } noise[] = {{"white 0.1 %", 0.001, NOISE_WHITE},
                 {"white 1 %", 0.01, NOISE_WHITE},
                 {"white 5 %", 0.05, NOISE_WHITE},
                 {"15 Hz low-pass 1 %", 0.01, NOISE_LOWPASS},
                 {"8 bits", 0.0001, NOISE_EIGHT_BIT}};
    printf("false alarms: rate at alpha .05, at .01 [95 %% interval]; then "
           "consistent, undecided at .01; detectable defect; ms\n");
    for (int k = 0; k < 4; k++) {
        subject s = open_subject((case_kind)k);
        for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
            alarm_context c = {(case_kind)k,
                               {.seconds = k == 0   ? 20
                                           : k == 2 ? 60
                                                    : 40,
                                .rate = k == 0   ? 1000
                                        : k == 2 ? 100
                                                 : 250,
                                .noise = noise[i].sd,
                                .kind = noise[i].kind,
                                .scale = {1, 1, 1, 1}},
                               &s};
            double start = darc_now();
            tally t = repeat(alarm_run, &c, runs);
            printf("%-18s %-19s", name[k], noise[i].name);
            print_rate(t.count[0], t.runs);
            print_rate(t.count[1], t.runs);
            printf("  %.3f %.3f  %.4f  %.0f\n",
                   (double)t.count[2] / (double)t.runs,
                   (double)t.count[3] / (double)t.runs,
                   t.sum[0] / (double)t.runs,
                   1e3 * (darc_now() - start) / (double)t.runs);
        }
        close_subject(&s);
    }
}

/* ---- power
 * -------------------------------------------------------------------- */

/* Recordings without noise, by the parameters of the quarter car. */
static darc_table *simulate(const char *parameters, int seed, double cubic)
{
    const char *darc = getenv("DARC") != NULL ? getenv("DARC") : "darc";
    const char *file = "build/calibration.csv";
    char command[1024];
    snprintf(command, sizeof command,
             "%s simulate systems/%s/model.darc --param "
             "%s,mw=40,ct=180000%s%.6g --input road=road:C,20 --seed %d "
             "--t-end 20 --rate 1000 --keep a,z -o %s --quiet",
             darc, cubic > 0 ? "quarter_car_cubic" : "quarter_car", parameters,
             cubic > 0 ? ",c3=" : ",x=", cubic, seed, file);
    if (cubic == 0) /* no c3 */
        memmove(strstr(command, ",x="), strstr(command, " --input"),
                strlen(strstr(command, " --input")) + 1);
    darc_load_options load;
    darc_table *table;
    darc_err err;
    darc_err_init(&err);
    darc_load_options_init(&load);
    if (system(command) != 0) {
        fprintf(stderr, "failed: %s\n", command);
        exit(1);
    }
    if (darc_table_load(&table, file, &load, &err) != DARC_OK)
        die(&err);
    return table;
}

static darc_table *disturbed(const darc_table *exact, double noise,
                             uint64_t *state)
{
    darc_table *t = calloc(1, sizeof *t);
    *t = *exact;
    t->file = strdup("simulated");
    t->segment = calloc(1, sizeof *t->segment);
    t->segment[0].end = t->samples;
    t->signal = calloc((size_t)t->signals, sizeof *t->signal);
    case_options o = {.noise = noise, .rate = 1000};
    for (int i = 0; i < t->signals; i++) {
        t->signal[i].name = strdup(exact->signal[i].name);
        t->signal[i].value = calloc(t->samples, sizeof(double));
        memcpy(t->signal[i].value, exact->signal[i].value,
               t->samples * sizeof(double));
        if (strcmp(t->signal[i].name, "t") != 0)
            case_disturb(t->signal[i].value, t->samples, &o, state);
    }
    return t;
}

/* RMS of the cubic force over that of the body's acceleration. */
static double cubic_share(const darc_table *t, double c3, double m)
{
    const double *a = t->signal[darc_table_find(t, "a")].value;
    const double *z = t->signal[darc_table_find(t, "z")].value;
    double force = 0, all = 0;
    for (size_t i = 0; i < t->samples; i++) {
        force += pow(c3 / m * z[i] * z[i] * z[i], 2);
        all += a[i] * a[i];
    }
    return sqrt(force / all);
}

/* A recording whose spring has a cubic force of the given share. */
static darc_table *simulate_share(double share)
{
    double c3 = 1e6;
    for (int i = 0;; i++) {
        darc_table *t = simulate("m=300,c=20000,d=1500", 1, c3);
        double is = cubic_share(t, c3, 300);
        if (i == 3 || fabs(is - share) < 1e-3 * share)
            return t;
        darc_table_free(t);
        c3 *= share / is;
    }
}

typedef struct {
    const subject *s;
    const darc_table *a, *b;
    const char *changed; /* NULL: equal; "": structure */
    const char *against;
    double noise;
} power_context;

/* Counts: consistent, inconsistent, undecided; sum: detectable. */
static void power_run(tally *t, uint64_t seed, const void *context)
{
    const power_context *c = context;
    uint64_t state = seed;
    darc_judgement out;
    darc_criteria by;
    darc_err err;
    darc_err_init(&err);
    darc_criteria_init(&by);
    by.against = c->against != NULL;
    by.against_term = &c->against;
    darc_question x = ask(c->s, &by);
    darc_table *a = disturbed(c->a, c->noise, &state);
    darc_table *b = c->b != NULL ? disturbed(c->b, c->noise, &state) : NULL;
    bool set[16] = {false};
    const darc_names_struct *names = darc_model_names(c->s->model);
    for (const char *p = c->changed; p != NULL && *p != '\0'; p++)
        set[darc_names_find(names, p, 1)] = true;
    darc_status status =
        b == NULL ? darc_judge_structure(&out, &x, a, &err)
                  : darc_judge_pair(&out, &x, (const darc_table *[]){a, b},
                                    c->changed == NULL ? NULL : set, &err);
    if (status != DARC_OK)
        die(&err);
    t->count[out.decision.verdict]++;
    t->sum[0] += out.decision.detectable;
    darc_judgement_clear(&out);
    release(a);
    if (b != NULL)
        release(b);
}

static const char *only; /* rows that begin like this; NULL: all */

static void print_power(const char *what, power_context c, long runs)
{
    if (only != NULL && strncmp(what, only, strlen(only)) != 0)
        return;
    tally t = repeat(power_run, &c, runs);
    printf("%-58s", what);
    for (int v = 0; v < 3; v++)
        print_rate(t.count[v], t.runs);
    printf("  %.5f\n", t.sum[0] / (double)t.runs);
}

static void power(long runs)
{
    subject s = open_subject(CASE_QUARTER);
    darc_table *a = simulate("m=300,c=20000,d=1500", 1, 0);
    darc_table *other = simulate("m=300,c=20000,d=1500", 2, 0);
    darc_table *little = simulate("m=300.3,c=20000,d=1500", 2, 0);
    darc_table *half = simulate("m=301.5,c=20000,d=1500", 2, 0);
    darc_table *heavy = simulate("m=305,c=20000,d=1500", 2, 0);
    darc_table *damped = simulate("m=305,c=20000,d=1650", 2, 0);
    darc_table *both = simulate("m=305,c=22000,d=1650", 2, 0);
    darc_table *cubic = simulate("m=300,c=20000,d=1500", 1, 1.7e7);
    darc_table *six = simulate_share(.006), *quarter = simulate_share(.0025);
    printf("\npower: rates of consistent, inconsistent, undecided at alpha "
           ".01 [95 %% interval]; detectable with power .9\n");
    print_power("1 structure", (power_context){&s, a, NULL, "", NULL, .01},
                runs);
    print_power("2 structure, cubic force 18 % of the linear",
                (power_context){&s, cubic, NULL, "", NULL, .01}, runs);
    print_power("cubic force of .6 % of a (RMS)",
                (power_context){&s, six, NULL, "", NULL, .01}, runs);
    print_power("cubic force of .25 % of a (RMS), --against z^3",
                (power_context){&s, quarter, NULL, "", "z^3", .01}, runs);
    print_power("no cubic force, --against z^3",
                (power_context){&s, a, NULL, "", "z^3", .01}, runs);
    print_power("3 equal, other road",
                (power_context){&s, a, other, NULL, NULL, .01}, runs);
    print_power("4 equal, mass + 5 kg",
                (power_context){&s, a, heavy, NULL, NULL, .01}, runs);
    print_power("5 changed m, mass + 5 kg",
                (power_context){&s, a, heavy, "m", NULL, .01}, runs);
    print_power("6 changed m, damping + 10 % besides",
                (power_context){&s, a, damped, "m", NULL, .01}, runs);
    print_power("7 changed m, spring and damper + 10 %",
                (power_context){&s, a, both, "m", NULL, .01}, runs);
    print_power("equal, mass + 0.1 % (bound .00064)",
                (power_context){&s, a, little, NULL, NULL, .01}, runs);
    print_power("mass + 0.5 %: changed m",
                (power_context){&s, a, half, "m", NULL, .01}, runs);
    print_power("mass + 0.5 %: changed c",
                (power_context){&s, a, half, "c", NULL, .01}, runs);
    print_power("mass + 0.5 %: changed d",
                (power_context){&s, a, half, "d", NULL, .01}, runs);
    darc_table *all[] = {a,      other, little, half, heavy,
                         damped, both,  cubic,  six,  quarter};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        darc_table_free(all[i]);
    close_subject(&s);
}

int main(int argc, char **argv)
{
    only = argc > 3 ? argv[3] : NULL;
    long runs = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    if (runs < 1) {
        fprintf(stderr, "bench_calibration: RUNS is a number > 0\n");
        return 1;
    }
    if (argc <= 2 || strcmp(argv[2], "alarms") == 0)
        false_alarms(runs);
    if (argc <= 2 || strcmp(argv[2], "power") == 0)
        power(runs);
    return 0;
}
