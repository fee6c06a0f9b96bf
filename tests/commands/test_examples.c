/* The paper's seven examples through the program, on the recordings in
 * systems/quarter_car_chassis, and with exact derivatives. */
#include "tests.h"

#include "program.h"
#include "simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The figures are RMS(residual) / RMS(sum of the absolute values of its
 * terms); the measured ones have to lie within a factor 2. */
typedef struct {
    const char *name, *arguments; /* '@' stands for the directory */
    int code;                     /* exit code with central4 */
    double figure[3];             /* with central2, 4, 6; 0: none known */
} example;

static const example examples[] = {
    {"1", "structure @model.darc @data.csv", 0, {3.2e-3, 5.9e-5, 1.3e-6}},
    {"2", "structure @model.darc @cubic.csv", 1, {0, 3.0e-2, 3.0e-2}},
    {"3", "equal @model.darc @data.csv @other_road.csv", 0, {0, 0, 0}},
    {"4",
     "equal @model.darc @data.csv @heavier.csv",
     1,
     {5.1e-3, 5.3e-3, 5.3e-3}},
    {"5",
     "changed @model.darc @data.csv @heavier.csv --changed m",
     0,
     {0, 0, 0}},
    {"6",
     "changed @model.darc @data.csv @heavier_damped.csv --changed m",
     1,
     {0, 1.6e-2, 1.6e-2}},
    {"7",
     "changed @model.darc @data.csv @heavier_stiffer_damped.csv --changed m",
     0,
     {0, 0, 0}},
};

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static void append_arguments(darc_text_t out, const char *s)
{
    for (; *s != '\0'; s++)
        if (*s == '@')
            darc_text_puts(out, "systems/quarter_car_chassis/");
        else
            darc_text_putc(out, *s);
}

/* Run the example with differences of that order; return the exit code and
 * set *figure. */
static int check(const example *e, int order, double *figure)
{
    darc_text_t arguments, out, err;
    darc_text_init(arguments);
    darc_text_init(out);
    darc_text_init(err);
    darc_text_puts(arguments, "check ");
    append_arguments(arguments, e->arguments);
    darc_text_printf(arguments, " --method pointwise --diff central%d --json -",
                     order);
    int code = program_run(arguments->s, out, err);
    *figure = program_json_number(out->s, "relative_rms", 0);
    static const char *const verdict[] = {"consistent", "inconsistent",
                                          "undecided"};
    ck_assert_msg(code >= 0 && code <= 2, "example %s: %s", e->name, err->s);
    ck_assert(program_json_is(out->s, "verdict", verdict[code]));
    darc_text_clear(arguments);
    darc_text_clear(out);
    darc_text_clear(err);
    return code;
}

static void check_figure(const example *e, int order, double figure)
{
    double known = e->figure[order / 2 - 1];
    ck_assert_msg(known == 0 || (figure > known / 2 && figure < known * 2),
                  "example %s, central%d: %g, expected %g", e->name, order,
                  figure, known);
}

START_TEST(verdicts_with_central4)
{
    for (int i = 0; i < EXAMPLES; i++) {
        double figure;
        int code = check(&examples[i], 4, &figure);
        ck_assert_msg(code == examples[i].code, "example %s: %d",
                      examples[i].name, code);
        check_figure(&examples[i], 4, figure);
        if (code == 0) /* what is left is truncation */
            ck_assert_double_lt(figure, 2e-4);
    }
}
END_TEST

/* Higher order decides alike; what holds falls with the sixth power. */
START_TEST(verdicts_with_central6)
{
    for (int i = 0; i < EXAMPLES; i++) {
        double figure;
        int code = check(&examples[i], 6, &figure);
        ck_assert_int_eq(code, examples[i].code);
        check_figure(&examples[i], 6, figure);
        if (code == 0)
            ck_assert_double_lt(figure, 4e-6);
    }
}
END_TEST

/* Second order at 1 kHz cannot see everything, but is never wrong. */
START_TEST(verdicts_with_central2)
{
    for (int i = 0; i < EXAMPLES; i++) {
        double figure;
        int code = check(&examples[i], 2, &figure);
        ck_assert(code == examples[i].code || code == 2);
        check_figure(&examples[i], 2, figure);
    }
}
END_TEST

/* ---- exact derivatives -------------------------------------------------- */

enum { A, A1, A2, Z, Z1, Z2, Z3, JETS };

static const char car_text[] =
    "model car\nstates\n x w\nparameters\n m c d mw ct\ninputs\n u\n"
    "outputs\n a a1 a2 z z1 z2 z3\nequations\n"
    " m*x'' = c*(w - x) + d*(w' - x')\n"
    " mw*w'' = ct*(u - w) - c*(w - x) - d*(w' - x')\n"
    " a = x''\n a1 = x'''\n a2 = der(x, 4)\n z = w - x\n z1 = w' - x'\n"
    " z2 = w'' - x''\n z3 = w''' - x'''\n";

static darc_table *drive(const char *m, const char *c, const char *d,
                         unsigned seed)
{
    darc_err err;
    darc_err_init(&err);
    darc_model *model = NULL;
    darc_table *table = NULL;
    const char *name[] = {"m", "c", "d", "mw", "ct"}, *u[] = {"u"};
    const char *value[] = {m, c, d, "40", "180000"}, *road[] = {"road:C,20"};
    darc_simulate_options o;
    darc_simulate_options_init(&o);
    o.param = (darc_settings){5, name, value};
    o.input = (darc_settings){1, u, road};
    o.t_end = 4;
    o.seed = seed;
    darc_status status =
        darc_model_parse(&model, car_text, strlen(car_text), "car", &err);
    if (status == DARC_OK)
        status = darc_simulate(&table, model, &o, NULL, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    darc_model_free(model);
    return table;
}

/* Set r to rows (a, z, z') and their derivatives at sample i. */
static void rows(double r[3][3], const darc_table *t, size_t i)
{
    for (int k = 0; k < 3; k++) {
        r[k][0] = t->signal[1 + A + k].value[i];
        r[k][1] = t->signal[1 + Z + k].value[i];
        r[k][2] = t->signal[1 + Z1 + k].value[i];
    }
}

/* Add p q r to the determinant, its size to the sum of sizes. */
static void add(double sum[2], double sign, double p, double q, double r)
{
    sum[0] += sign * p * q * r;
    sum[1] += fabs(p * q * r);
}

static void determinant(double sum[2], const double *p, const double *q,
                        const double *r)
{
    sum[0] = sum[1] = 0;
    add(sum, 1, p[0], q[1], r[2]);
    add(sum, 1, p[1], q[2], r[0]);
    add(sum, 1, p[2], q[0], r[1]);
    add(sum, -1, p[2], q[1], r[0]);
    add(sum, -1, p[1], q[0], r[2]);
    add(sum, -1, p[0], q[2], r[1]);
}

/* The relation of `structure` for b = NULL, of `equal` otherwise. */
static double relative_rms(const darc_table *a, const darc_table *b)
{
    double top = 0, bottom = 0, p[3][3], q[3][3], sum[2];
    for (size_t i = 0; i < a->samples; i++) {
        rows(p, a, i);
        if (b != NULL)
            rows(q, b, i);
        determinant(sum, p[0], b != NULL ? q[0] : p[2], p[1]);
        top += sum[0] * sum[0];
        bottom += sum[1] * sum[1];
    }
    return sqrt(top / bottom);
}

/* With exact derivatives a relation that holds does so to rounding: a dozen
 * operations of 1.1e-16 each. */
START_TEST(exact_derivatives)
{
    darc_table *one = drive("300", "20000", "1500", 1);
    darc_table *other = drive("300", "20000", "1500", 2);
    darc_table *heavier = drive("305", "20000", "1500", 2);
    ck_assert_double_lt(relative_rms(one, NULL), 1e-15);
    ck_assert_double_lt(relative_rms(one, other), 1e-15);
    double figure = relative_rms(one, heavier);
    ck_assert_double_gt(figure, 5.3e-3 / 2);
    ck_assert_double_lt(figure, 5.3e-3 * 2);
    darc_table_free(one);
    darc_table_free(other);
    darc_table_free(heavier);
}
END_TEST

Suite *suite_examples(void)
{
    Suite *s = suite_create("examples");
    TCase *c = tcase_create("examples");
    tcase_add_test(c, verdicts_with_central4);
    tcase_add_test(c, verdicts_with_central6);
    tcase_add_test(c, verdicts_with_central2);
    tcase_add_test(c, exact_derivatives);
    suite_add_tcase(s, c);
    return s;
}
