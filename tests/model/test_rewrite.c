/* Functions in equations: what becomes of them, and that it is true: along
 * the curve x(t) = 0.7 + 0.3 t + 0.2 t^2 every equation that was added must
 * hold, the new unknowns taking the values of their functions. */
#include "models.h"
#include "tests.h"

#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static darc_status try_parse(darc_model **m, const char *text, darc_err *err)
{
    *m = NULL;
    return darc_model_parse(m, text, strlen(text), "t.darc", err);
}

static darc_model *parse(const char *text)
{
    darc_model *m;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(try_parse(&m, text, &err) == DARC_OK, "%s", err.message);
    return m;
}

static darc_model *parse_for_simulation(const char *text)
{
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    darc_status status =
        darc_model_parse_printed(&m, text, strlen(text), "t.darc",
                                 &(darc_reading){.simulated = true}, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return m;
}

static void frame(darc_jet_t jet, darc_dpolys_t eq, darc_dpolys_t ineq,
                  const darc_model *m)
{
    const darc_names_struct *names = darc_model_names(m);
    darc_ranking_t rk;
    int order[100];
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, m);
    darc_model_orders(m, order);
    darc_jet_init(jet, names, rk, order);
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    ck_assert_int_eq(darc_model_equations(eq, ineq, m, jet, NULL), DARC_OK);
    darc_ranking_clear(rk);
}

typedef struct {
    const darc_model *m;
    double t;
} point;

static double value(void *user, darc_deriv d);

/* Function i at time t. */
static double function(const point *at, int i, double t)
{
    point there = {at->m, t};
    return darc_expr_eval(darc_adjoined_expr(at->m, i), value, &there);
}

/* x, its derivatives, k = 0.35, and the functions; their first derivatives
 * by differences of order 4 with step 1e-3: the error is about 1e-13 times
 * the fifth derivative plus 1e-13 of rounding. */
static double value(void *user, darc_deriv d)
{
    const point *at = user;
    double t = at->t, h = 1e-3;
    const char *name = darc_model_names(at->m)->symbol[d.unknown].name;
    if (strcmp(name, "x") == 0)
        return d.order == 0   ? 0.7 + 0.3 * t + 0.2 * t * t
               : d.order == 1 ? 0.3 + 0.4 * t
               : d.order == 2 ? 0.4
                              : 0;
    if (strcmp(name, "k") == 0)
        return 0.35;
    if (strcmp(name, "time") == 0)
        return t;
    for (int i = 0; i < darc_adjoined_count(at->m); i++) {
        if (darc_adjoined_unknown(at->m, i) != d.unknown)
            continue;
        if (d.order == 0)
            return function(at, i, t);
        ck_assert_int_eq(d.order, 1);
        return (8 * (function(at, i, t + h) - function(at, i, t - h)) -
                (function(at, i, t + 2 * h) - function(at, i, t - 2 * h))) /
               (12 * h);
    }
    ck_abort_msg("no value for %s", name);
    return NAN;
}

/* The value of p, and in *size the sum of the absolute values of its terms. */
static double poly_value(double *size, const darc_dpoly_t p,
                         const darc_jet_t jet, point *at)
{
    double sum = 0;
    ulong *exp = calloc((size_t)jet->vars, sizeof *exp);
    *size = 0;
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, i, jet->ctx);
        double term = fmpz_get_d(p->coeffs + i);
        for (slong v = 0; v < jet->vars; v++)
            if (exp[v] > 0)
                term *= pow(value(at, jet->deriv[v]), (double)exp[v]);
        sum += term;
        *size += fabs(term);
    }
    free(exp);
    return sum;
}

/* Every equation but those with y or z holds; return how many there were. */
static int check_true(const darc_model *m)
{
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    int count = 0;
    frame(jet, eq, ineq, m);
    for (slong i = 0; i < eq->count; i++) {
        int y = darc_names_find(jet->names, "y", 1);
        if (darc_dpoly_order(eq->p + i, y, jet) >= 0)
            continue;
        count++;
        for (double t = -0.4; t < 1; t += 0.3) {
            point at = {m, t};
            double size, r = poly_value(&size, eq->p + i, jet, &at);
            ck_assert_msg(fabs(r) < 1e-9 * size, "equation %ld: %g of %g",
                          (long)i, r, size);
        }
    }
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    return count;
}

/* The rewritten model is in the language, and means the same. */
static void check_reads_back(const darc_model *m)
{
    darc_text_t text, again;
    darc_text_init(text);
    darc_text_init(again);
    darc_model_print_rewritten(text, m);
    darc_model *n = parse(text->s);
    ck_assert(!darc_model_is_rewritten(n));
    darc_model_print(again, n);
    ck_assert_str_eq(text->s, again->s);
    darc_jet_t jet, njet;
    darc_dpolys_t eq, ineq, neq, nineq;
    frame(jet, eq, ineq, m);
    frame(njet, neq, nineq, n);
    ck_assert_int_eq(eq->count, neq->count);
    ck_assert_int_eq(ineq->count, nineq->count);
    for (slong i = 0; i < eq->count; i++)
        ck_assert(fmpz_mpoly_equal(eq->p + i, neq->p + i, jet->ctx));
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_dpolys_clear(neq, njet);
    darc_dpolys_clear(nineq, njet);
    darc_jet_clear(jet);
    darc_jet_clear(njet);
    darc_model_free(n);
    darc_text_clear(text);
    darc_text_clear(again);
}

static void model_with(char *text, size_t size, const char *expression)
{
    snprintf(text, size,
             "states x\nparameters k\noutputs y\nequations 0 = %s - y\n",
             expression);
}

START_TEST(added_equations_are_true)
{
    static const struct {
        const char *expression;
        int added, simulated; /* equations, for elimination, for simulation */
    } row[] = {{"exp(x)", 1, 1},
               {"exp(-k/x)", 1, 1},
               {"log(k*x)", 1, 1},
               {"sin(x)", 1, 2},
               {"sin(x)*cos(x)^2 - sin(x)", 1, 2},
               {"tan(x/2)", 1, 1},
               {"tan(x/2) + sin(x)", 1, 3},
               {"cosh(x) - exp(x)", 1, 3},
               {"tanh(x'/k)", 1, 1},
               {"atan(x - k*time)", 1, 1},
               {"sinh(x) + cosh(x)", 1, 2},
               {"sqrt(x)", 1, 1},
               {"sqrt(1 + exp(x))", 2, 2},
               {"x^(2/3) + x^(1/3)", 1, 2},
               {"x^0.7", 1, 1},
               {"x^-0.5", 1, 1},
               {"sqrt(x^2 + x)", 1, 1},
               {"sqrt(2*k*(x + 3)/5 - k)", 1, 1},
               {"sqrt(3/(k - x/7))", 1, 1},
               {"exp(sin(log(x)))", 3, 4},
               {"sqrt(k)*x*sin(k) + exp(k)", 0, 0},
               {"tanh(x*sqrt(k))", 1, 1}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char text[300];
        model_with(text, sizeof text, row[i].expression);
        darc_model *m = parse(text);
        ck_assert(darc_model_is_rewritten(m));
        ck_assert_msg(check_true(m) == row[i].added, "%s", text);
        check_reads_back(m);
        darc_model_free(m);
        m = parse_for_simulation(text);
        ck_assert_msg(check_true(m) == row[i].simulated, "%s", text);
        check_reads_back(m);
        darc_model_free(m);
    }
}
END_TEST

/* What follows the model's own sections in the rewritten model. */
static void check_rewritten(const char *text, const char *expected)
{
    darc_text_t out;
    darc_text_init(out);
    darc_model *m = parse(text);
    darc_model_print_rewritten(out, m);
    const char *equations = strstr(out->s, "equations\n");
    ck_assert_ptr_nonnull(equations);
    ck_assert_str_eq(equations + 10, expected);
    darc_text_clear(out);
    darc_model_free(m);
}

START_TEST(worked_examples)
{
    check_rewritten("states x\nparameters k\noutputs y\n"
                    "equations\n x' = -k*exp(-k/x)\n y = k*x\n",
                    "    x' = -k*exp_1\n    y = k*x\n"
                    "    exp_1' = exp_1*der(-k/x)\n\n"
                    "assume\n    exp_1 != 0\n");
    /* The root of a state: the state becomes a square. */
    check_rewritten("states h\nparameters k\noutputs y\n"
                    "equations\n h' = -k*sqrt(h)\n y = k*h\n",
                    "    der(sqrt_h^2) = -k*sqrt_h\n    y = k*sqrt_h^2\n"
                    "    h = sqrt_h^2\n\nassume\n    sqrt_h != 0\n");
    /* Two roots: each state is solved for once. */
    check_rewritten("states h g\nparameters k\noutputs y\n"
                    "equations\n h' = -k*sqrt(h - g)\n g' = sqrt(g)\n"
                    " y = sqrt(h + g)\n",
                    "    der(sqrt_1^2 + sqrt_g^2) = -k*sqrt_1\n"
                    "    der(sqrt_g^2) = sqrt_g\n    y = sqrt_2\n"
                    "    sqrt_2^2 = (sqrt_1^2 + sqrt_g^2) + sqrt_g^2\n"
                    "    h = sqrt_1^2 + sqrt_g^2\n    g = sqrt_g^2\n\n"
                    "assume\n    sqrt_1 != 0\n    sqrt_g != 0\n"
                    "    sqrt_2 != 0\n");
}
END_TEST

/* Each would begin anywhere, and tell parameters apart that are one. */
START_TEST(arguments_are_shared)
{
    check_rewritten("states x z\nparameters a b c\noutputs y\nequations\n"
                    " x' = a*exp(2*x) - b*exp(x)^2 + c*exp(-x)\n"
                    " z' = a*atan(x - z) + b*atan(z - x)\n y = x^3\n",
                    "    x' = a*exp_x^2 - b*exp_x^2 + c/exp_x\n"
                    "    z' = a*atan_1 + b*-atan_1\n    y = x^3\n"
                    "    exp_x' = exp_x*x'\n"
                    "    atan_1' = der(x - z)/(1 + (x - z)^2)\n\n"
                    "assume\n    exp_x != 0\n");
    darc_model *m = parse("outputs y z\nparameters a b\nequations\n"
                          " y' = a*sin(y - z) + b*sin(z - y)*cos(2*y)*cos(y)\n"
                          " z' = cos(z - y)*tanh(y) + exp(y) + exp(2*y)\n");
    ck_assert_int_eq(darc_derived_count(m), 7);
    darc_model_free(m);
    m = parse("states x\noutputs y\nparameters a b\nequations\n"
              " x' = a*sin(2*x) + b*cos(-x) + a*sin(3*x)\n y = x^3\n");
    ck_assert_int_eq(darc_adjoined_count(m), 1); /* a half angle's tan */
    darc_model_free(m);
    check_rewritten("states x z\nparameters a b c\noutputs y\nequations\n"
                    " x' = a*exp(2*x) + b*exp(x - z) + exp(x)\n"
                    " z' = c*exp(-z - x)\n y = x^3*exp(z)\n",
                    "    x' = a*exp_x^2 + b*(exp_x/exp_z) + exp_x\n"
                    "    z' = c*((1/exp_x)/exp_z)\n    y = x^3*exp_z\n"
                    "    exp_x' = exp_x*x'\n    exp_z' = exp_z*z'\n\n"
                    "assume\n    exp_x != 0\n    exp_z != 0\n");
    m = parse("states x z\noutputs y\nparameters a b\nequations\n"
              " x' = a*sin(x + z) + b*cos(x - z)\n z' = sin(x) - cos(z)\n"
              " y = x^3 + z^3\n");
    ck_assert_int_eq(darc_adjoined_count(m), 2); /* of two angles */
    darc_model_free(m);
}
END_TEST

START_TEST(functions_of_measured_signals_are_derived)
{
    darc_model *m = parse("states x\nparameters k\noutputs y\ninputs u\n"
                          "equations\n x' = k*sin(x) + abs(u)*sin(y)\n"
                          " y = x\n");
    const darc_names_struct *names = darc_model_names(m);
    ck_assert_int_eq(darc_derived_count(m), 2);
    ck_assert_int_eq(darc_adjoined_count(m), 2);
    int u = derived(m, 0);
    ck_assert_str_eq(names->symbol[u].name, "sin_y");
    ck_assert_int_eq(names->symbol[u].kind, DARC_INPUT);
    ck_assert_str_eq(darc_model_text(m, u), "sin(y)");
    const darc_expr *e = darc_derived_expr(m, derived(m, 0));
    ck_assert_int_eq(e->function, DARC_FUNCTION_SIN);
    ck_assert_int_eq(darc_expr_deriv(e->child[0]).unknown,
                     darc_names_find(names, "y", 1));
    darc_model_free(m);
    /* A derivative is not in the recording: sin(y') stays exact. */
    m = parse("outputs y\nparameters k\nequations y'' = k*sin(y')\n");
    ck_assert_int_eq(darc_derived_count(m), 0);
    darc_model_free(m);
    /* Dry friction has no differential equation: its sign is taken of what is
     * estimated, also where a state is the speed. */
    m = parse("states v\noutputs y\nparameters k c\ninputs u\n"
              "equations\n y' = v\n v' = u - k*sign(v) - c*abs(y')*v\n");
    ck_assert_int_eq(darc_derived_count(m), 2);
    ck_assert_str_eq(darc_model_text(m, derived(m, 0)), "sign(y')");
    ck_assert_str_eq(darc_model_text(m, derived(m, 1)), "abs(y')");
    darc_model_free(m);
    m = parse_for_simulation("outputs y\nparameters k\n"
                             "equations y'' = k*sin(y)\n");
    ck_assert_int_eq(darc_derived_count(m), 0);
    ck_assert_int_eq(darc_adjoined_count(m), 2);
    darc_model_free(m);
}
END_TEST

/* A root of an even power has one sign, whatever is under it; of what is not
 * measured it stays a root. */
START_TEST(roots_of_squares_are_absolute)
{
    darc_model *m = parse("states v z\noutputs y\nparameters k c\ninputs u\n"
                          "equations\n y' = v\n"
                          " v' = u - k*sqrt(v^2)*v - z\n"
                          " z' = c*(y*y)^(3/2) - sqrt(z^4)*z - c*abs(v)\n");
    ck_assert_int_eq(darc_derived_count(m), 2);
    ck_assert_int_eq(darc_adjoined_count(m), 2);
    ck_assert_str_eq(darc_model_text(m, derived(m, 0)), "abs(y')");
    ck_assert_str_eq(darc_model_text(m, derived(m, 1)), "abs(y)");
    darc_model_free(m);
    check_rewritten("states v z\noutputs y\nparameters k\nequations\n"
                    " y' = v\n v' = -k*(v^2)^(3/2) - z\n z' = -sqrt(z^2)\n",
                    "    y' = v\n    v' = -k*abs_1^3 - z\n"
                    "    z' = -sqrt_2\n    sqrt_2^2 = z^2\n\n"
                    "assume\n    sqrt_2 != 0\n");
}
END_TEST

/* Between other things the condition alone is one, once; an integral of what
 * is not measured is a state. */
START_TEST(choices_and_integrals)
{
    darc_model *m = parse("states x\nparameters k p\noutputs y\ninputs u\n"
                          "equations\n x' = if u > y then k*x else p + int(x)\n"
                          " y = (if u > y then p else 0) + x + int(u)\n");
    ck_assert_int_eq(darc_derived_count(m), 2);
    ck_assert_int_eq(darc_adjoined_count(m), 3);
    ck_assert_str_eq(darc_model_text(m, derived(m, 0)),
                     "if u > y then 1 else 0");
    ck_assert_str_eq(darc_model_text(m, derived(m, 1)), "int(u)");
    darc_text_t out;
    darc_text_init(out);
    darc_model_print_rewritten(out, m);
    ck_assert_ptr_nonnull(
        strstr(out->s, "x' = (p + int_x) + if_u*(k*x - (p + int_x))"));
    ck_assert_ptr_nonnull(strstr(out->s, "int_x' = x"));
    darc_text_clear(out);
    check_reads_back(m);
    darc_model_free(m);
}
END_TEST

START_TEST(functions_of_parameters_are_parameters)
{
    darc_model *m = parse("states x\nparameters k p may be zero\noutputs y\n"
                          "equations\n x' = k*sin(p)*exp(p)*sqrt(p)*x\n"
                          " y = k*x\n");
    const darc_names_struct *names = darc_model_names(m);
    int s = darc_names_find(names, "sin_p", 5);
    int e = darc_names_find(names, "exp_p", 5);
    int r = darc_names_find(names, "sqrt_p", 6);
    ck_assert_int_eq(names->symbol[s].kind, DARC_PARAMETER);
    ck_assert(darc_model_may_be_zero(m, s));
    ck_assert(!darc_model_may_be_zero(m, e));
    ck_assert(darc_model_may_be_zero(m, r));
    check_reads_back(m);
    darc_model_free(m);
}
END_TEST

START_TEST(names_and_rankings_stay_apart)
{
    darc_model *m = parse("states x exp_x\nparameters k\noutputs y\n"
                          "equations\n x' = exp(x) + cos(2*x)\n"
                          " exp_x' = exp(x)\n y = k*x\n"
                          "ranking y >> x exp_x >> k\n");
    const darc_names_struct *names = darc_model_names(m);
    ck_assert_int_ge(darc_names_find(names, "exp_1", 5), 0);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, m);
    darc_deriv s = {darc_names_find(names, "exp_1", 5), 0};
    ck_assert_int_gt(
        darc_ranking_cmp(s, (darc_deriv){darc_names_find(names, "x", 1), 9},
                         rk),
        0);
    darc_ranking_clear(rk);
    darc_text_t out;
    darc_text_init(out);
    darc_model_print(out, m); /* as the user wrote it */
    ck_assert_ptr_nonnull(strstr(out->s, "x' = exp(x) + cos(2*x)"));
    ck_assert_ptr_null(strstr(out->s, "exp_1"));
    darc_text_clear(out);
    check_reads_back(m);
    darc_model_free(m);
}
END_TEST

/* The values of the sine itself: tan(a/2) gives it back. */
START_TEST(functions_keep_their_values)
{
    static const struct {
        const char *expression;
        double (*f)(double);
    } row[] = {{"sin(x)", sin},   {"cos(x)", cos},   {"sinh(x)", sinh},
               {"cosh(x)", cosh}, {"tanh(x)", tanh}, {"sqrt(x)", sqrt}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char text[300];
        model_with(text, sizeof text, row[i].expression);
        darc_model *m = parse(text);
        darc_jet_t jet;
        darc_dpolys_t eq, ineq;
        frame(jet, eq, ineq, m);
        /* p = n*y - d: y = d/n at y = 0 and 1. */
        point at = {m, 0.3};
        double x = value(&at, (darc_deriv){0, 0}), size;
        darc_dpoly_t n, d;
        darc_dpoly_init(n, jet);
        darc_dpoly_init(d, jet);
        slong y = darc_jet_var(
            jet, (darc_deriv){darc_names_find(jet->names, "y", 1), 0});
        darc_dpoly_coeff(n, eq->p + 0, y, 1, jet);
        darc_dpoly_coeff(d, eq->p + 0, y, 0, jet);
        double f =
            -poly_value(&size, d, jet, &at) / poly_value(&size, n, jet, &at);
        ck_assert_msg(fabs(f - row[i].f(x)) < 1e-14, "%s: %g",
                      row[i].expression, f);
        darc_dpoly_clear(n, jet);
        darc_dpoly_clear(d, jet);
        darc_dpolys_clear(eq, jet);
        darc_dpolys_clear(ineq, jet);
        darc_jet_clear(jet);
        darc_model_free(m);
    }
}
END_TEST

START_TEST(what_is_exact)
{
    darc_model *m = parse("states x\nparameters k\noutputs y\nequations\n"
                          " x' = sqrt(x) + exp(k*x) + x^0.7 + sin(k)\n"
                          " y = x\n y' = sin(x)\n");
    for (int i = 0; i < darc_adjoined_count(m); i++) {
        const char *name =
            darc_model_names(m)->symbol[darc_adjoined_unknown(m, i)].name;
        bool exact = strcmp(name, "exp_1") != 0 && strcmp(name, "sin_k") != 0;
        ck_assert_msg(darc_adjoined_is_exact(m, i) == exact, "%s", name);
    }
    darc_model_free(m);
}
END_TEST

START_TEST(what_cannot_be_rewritten)
{
    static const char *const expression[] = {"abs(k)",
                                             "delay(x, 1)",
                                             "table(x, \"f.csv\")",
                                             "table(x; 0 1, 1 2)",
                                             "x^(1/101)",
                                             "max(k, 2)",
                                             "min(x, 2)",
                                             "sign(k)",
                                             "if x > 0 then 1 else 2"};
    for (size_t i = 0; i < sizeof expression / sizeof expression[0]; i++) {
        char text[300];
        darc_model *m;
        model_with(text, sizeof text, expression[i]);
        ck_assert_msg(try_parse(&m, text, NULL) != DARC_OK, "%s", text);
        ck_assert_ptr_null(m);
    }
}
END_TEST

/* Values by darc_expr_eval against the C library. */
START_TEST(expressions_have_values)
{
    darc_model *m =
        parse("inputs x\nderived\n"
              " a = max(x, 2*x, -1) - min(x, 3, 0.5)*sign(-x) + abs(-x)\n"
              " b = exp(x)/(1 + x^2) - x^(1/3) + acos(x)*asin(x)\n"
              " c = delay(x, 1)\n d = max(x, c)\n e = table(x, \"f\")\n"
              " f = (if x > 0.8 then x^2 else c) + if x <= x then 2 else c\n"
              " g = table(x; 0 1, 0.5 2, 1 -2)\n h = int(x)\n"
              "outputs y\nequations y' = a + b + c + d + e\n");
    point at = {m, 0.3};
    double x = 0.7 + 0.3 * 0.3 + 0.2 * 0.3 * 0.3;
    double a = 2 * x + 0.5 + x;
    double b = exp(x) / (1 + x * x) - cbrt(x) + acos(x) * asin(x);
    ck_assert(
        fabs(darc_expr_eval(darc_derived_expr(m, derived(m, 0)), value, &at) -
             a) < 1e-14);
    ck_assert(
        fabs(darc_expr_eval(darc_derived_expr(m, derived(m, 1)), value, &at) -
             b) < 1e-14);
    ck_assert(
        isnan(darc_expr_eval(darc_derived_expr(m, derived(m, 2)), value, &at)));
    ck_assert(
        isnan(darc_expr_eval(darc_derived_expr(m, derived(m, 4)), value, &at)));
    ck_assert(
        fabs(darc_expr_eval(darc_derived_expr(m, derived(m, 5)), value, &at) -
             x * x - 2) < 1e-14);
    ck_assert(
        fabs(darc_expr_eval(darc_derived_expr(m, derived(m, 6)), value, &at) -
             2 + 8 * (x - 0.5)) < 1e-14);
    ck_assert(
        isnan(darc_expr_eval(darc_derived_expr(m, derived(m, 7)), value, &at)));
    darc_model_free(m);
}
END_TEST

Suite *suite_rewrite(void)
{
    Suite *s = suite_create("rewrite");
    TCase *c = tcase_create("rewrite");
    tcase_add_test(c, added_equations_are_true);
    tcase_add_test(c, worked_examples);
    tcase_add_test(c, arguments_are_shared);
    tcase_add_test(c, functions_of_measured_signals_are_derived);
    tcase_add_test(c, roots_of_squares_are_absolute);
    tcase_add_test(c, choices_and_integrals);
    tcase_add_test(c, functions_of_parameters_are_parameters);
    tcase_add_test(c, names_and_rankings_stay_apart);
    tcase_add_test(c, functions_keep_their_values);
    tcase_add_test(c, what_is_exact);
    tcase_add_test(c, what_cannot_be_rewritten);
    tcase_add_test(c, expressions_have_values);
    suite_add_tcase(s, c);
    return s;
}
