/* What is missing is named: of a car of two masses on a road that nobody
 * measured, a term of the difference, friction, a late and a filtered sensor;
 * and a column that the model does not use. */
#include "tests.h"

#include "decide/judgement.h"
#include "weakbench.h"

#include <math.h>

enum { SAMPLES = 10000, FINE = 4, WAVES = 40, RATE = 500 };

static const char model_car[] =
    "model car\nstates\n r\nparameters\n mb mw c d ct\noutputs\n b w\n"
    "equations\n mb*b'' = -c*(b - w) - d*(b' - w')\n"
    " mw*w'' = c*(b - w) + d*(b' - w') + ct*(r - w)\n";

typedef struct {
    double cubic, friction, load;
    int late;      /* samples, of w */
    double filter; /* time constant of two poles on b, s */
    uint64_t seed; /* of the road and the noise */
} car;

typedef struct {
    double value[3][SAMPLES]; /* b, w, load */
    darc_signal signal[3];
    darc_segment segment;
    darc_table used, all;
} drive;

static double road(const double *phase, double t)
{
    double r = 0;
    for (int i = 0; i < WAVES; i++) {
        double hertz = 0.3 * pow(80, (double)i / WAVES);
        r += 0.02 / (1 + hertz) * cos(6.2831853 * (hertz * t + phase[i]));
    }
    return r;
}

static double load(double t)
{
    return cos(6.2831853 * 0.37 * t) + cos(6.2831853 * 1.1 * t + 1);
}

static void slope(double *to, const double *y, double r, double t, const car *c)
{
    double s = y[0] - y[1], v = y[2] - y[3];
    double force = 20000 * s + 1500 * v + c->cubic * s * s * s +
                   c->friction * tanh(v / 0.005);
    to[0] = y[2];
    to[1] = y[3];
    to[2] = (-force + c->load * load(t)) / 300;
    to[3] = (force + 180000 * (r - y[1])) / 40;
}

/* A step by Heun's method of 0.5 ms. */
static void step(double *y, const double *phase, double t, const car *c)
{
    double h = 1.0 / (RATE * FINE), a[4], b[4], z[4];
    slope(a, y, road(phase, t), t, c);
    for (int i = 0; i < 4; i++)
        z[i] = y[i] + h * a[i];
    slope(b, z, road(phase, t + h), t + h, c);
    for (int i = 0; i < 4; i++)
        y[i] += h / 2 * (a[i] + b[i]);
}

static void set_table(darc_table *t, drive *d, int signals)
{
    *t = (darc_table){.file = (char *)"drive.csv",
                      .samples = SAMPLES,
                      .rows = SAMPLES,
                      .dt = 1.0 / RATE,
                      .signals = signals,
                      .signal = d->signal,
                      .segments = 1,
                      .segment = &d->segment};
}

static void add_noise(double *x, double share, uint64_t *state)
{
    double sum = 0, square = 0;
    for (int k = 0; k < SAMPLES; k++) {
        sum += x[k];
        square += x[k] * x[k];
    }
    double sd = sqrt(square / SAMPLES - pow(sum / SAMPLES, 2));
    for (int k = 0; k < SAMPLES; k++)
        x[k] += share * sd * case_normal(state);
}

static drive *run(const car *c)
{
    static const char *const name[] = {"b", "w", "load"};
    drive *d = calloc(1, sizeof *d);
    uint64_t state = c->seed;
    double phase[WAVES], y[4] = {0}, one = 0, two = 0, dt = 1.0 / RATE;
    for (int i = 0; i < WAVES; i++)
        phase[i] = case_uniform(&state);
    for (int k = 0; k < SAMPLES; k++) {
        double keep = c->filter > 0 ? exp(-dt / c->filter) : 0;
        one = keep * one + (1 - keep) * y[0];
        two = keep * two + (1 - keep) * one;
        d->value[0][k] = two;
        d->value[1][k < SAMPLES - c->late ? k + c->late : k] = y[1];
        d->value[2][k] = load(k * dt);
        for (int i = 0; i < FINE; i++)
            step(y, phase, k * dt + i * dt / FINE, c);
    }
    for (int i = 0; i < 3; i++) {
        add_noise(d->value[i], 0.002, &state);
        d->signal[i] = (darc_signal){
            .name = (char *)name[i], .unit = (char *)"", .value = d->value[i]};
    }
    d->segment = (darc_segment){500, SAMPLES};
    set_table(&d->used, d, 2);
    set_table(&d->all, d, 3);
    return d;
}

static const darc_table *beside(void *user)
{
    return &((drive *)user)->all;
}

START_TEST(what_is_missing_is_named)
{
    static const struct {
        car c;
        const char *says;
        double ms; /* what follows; 0: nothing */
    } row[] = {
        {{.cubic = 4e6}, "a cubic term in (b - w) explains", 0},
        {{.friction = 30}, "dry friction, sign(b' - w') explains", 0},
        {{.late = 2}, "a delay or lag of w by about ", 4},
        {{.filter = 0.005}, "a delay or lag of b by about", 0},
        {{.load = 100}, "the column load explains", 0},
    };
    for (uint64_t seed = 1; seed <= 2; seed++) {
        weakbench b;
        darc_judgement j;
        car c = row[_i].c;
        c.seed = seed;
        drive *d = run(&c);
        weakbench_open(&b, model_car, 0);
        b.x.beside = beside;
        b.x.user = d;
        weakbench_structure(&j, &b, &d->used);
        ck_assert_int_ne(j.decision.verdict, DARC_CONSISTENT);
        const char *first = NULL;
        for (int i = 0; i < j.notes && first == NULL; i++)
            if (strstr(j.note[i], " explains ") != NULL)
                first = j.note[i];
        ck_assert_msg(first != NULL && strstr(first, row[_i].says) == first,
                      "%s", first != NULL ? first : "nothing is named");
        double ms = strtod(first + strlen(row[_i].says), NULL);
        ck_assert(row[_i].ms == 0 || fabs(ms / row[_i].ms - 1) < 0.05);
        darc_judgement_clear(&j);
        weakbench_close(&b);
        free(d);
    }
}
END_TEST

/* Nothing is missing: no column makes a verdict. */
START_TEST(a_right_model_lacks_no_column)
{
    weakbench b;
    darc_judgement j;
    drive *d = run(&(car){.seed = 3});
    weakbench_open(&b, model_car, 0);
    b.x.beside = beside;
    b.x.user = d;
    weakbench_structure(&j, &b, &d->used);
    ck_assert_msg(j.decision.verdict == DARC_CONSISTENT, "%s",
                  j.decision.reason);
    darc_judgement_clear(&j);
    weakbench_close(&b);
    free(d);
}
END_TEST

Suite *suite_hints(void)
{
    Suite *s = suite_create("hints");
    TCase *c = tcase_create("hints");
    tcase_add_loop_test(c, what_is_missing_is_named, 0, 5);
    tcase_add_test(c, a_right_model_lacks_no_column);
    suite_add_tcase(s, c);
    return s;
}
