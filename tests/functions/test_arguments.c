/* Functions of sums and multiples: what stands for them has their value, and is
 * of a basis of the arguments. */
#include "tests.h"

#include "functions/arguments.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double value_of(void *user, darc_deriv d)
{
    (void)user;
    return .3 + .17 * d.unknown;
}

static darc_known known_of(const darc_expr *e, void *user)
{
    int *n = user, hidden = 0; /* y is measured, k a parameter */
    for (int i = 0; i < 3; i++)
        hidden += darc_expr_occurrences(e, (const char *[]){"x", "z", "w"}[i]);
    n[hidden > 0]++;
    return hidden > 0 ? DARC_KNOWN_HIDDEN
           : darc_expr_occurrences(e, "y") > 0 &&
                   darc_expr_occurrences(e, "k") > 0
               ? DARC_KNOWN_HIDDEN
           : darc_expr_occurrences(e, "y") > 0 ? DARC_KNOWN_MEASURED
           : darc_expr_is_constant(e, NULL)    ? DARC_KNOWN_NUMBER
                                               : DARC_KNOWN_PARAMETRIC;
}

/* w = x + z */
static void resolve(darc_expr **e, void *user)
{
    darc_expr *by = darc_expr_read("x + z", 5);
    (void)user;
    darc_expr_substitute(e, "w", by);
    darc_expr_free(by);
}

static void bind(darc_expr *e)
{
    for (int i = 0; i < e->count; i++)
        bind(e->child[i]);
    for (int i = 0; e->kind == DARC_EXPR_UNKNOWN && i < 5; i++)
        if (strcmp(e->text, (const char *[]){"x", "z", "y", "k", "w"}[i]) == 0)
            e->unknown = i;
}

/* Share the arguments in `from`, which is to be `to` then, and of its value. */
static void check_with(const char *from, const char *to, bool all, bool lawful)
{
    char text[400];
    int n[2] = {0, 0};
    darc_syntax s = {.name = NULL};
    snprintf(text, sizeof text,
             "model m\nstates x z w\noutputs y\nparameters k\nequations\n"
             " 0 = %s\n",
             from);
    const darc_script script = {text, strlen(text),       "",
                                NULL, DARC_LANGUAGE_DARC, NULL};
    ck_assert_int_eq(darc_parse(&s, &script), DARC_OK);
    darc_expr **side = &s.equations.statement->right,
              *before = darc_expr_copy(*side);
    const darc_arguments about = {known_of, resolve, n, lawful};
    ck_assert_int_eq(darc_share_arguments(&s, &about), all);
    darc_text_t out = DARC_TEXT;
    darc_expr_print(out, *side);
    ck_assert_str_eq(out->s, to);
    darc_text_clear(out);
    bind(before);
    bind(*side);
    double a = darc_expr_eval(before, value_of, NULL),
           b = darc_expr_eval(*side, value_of, NULL);
    if (strchr(from, 'w') == NULL) /* its value is another here */
        ck_assert_msg(fabs(a - b) < 1e-12 * (1 + fabs(a)), "%s: %g, %g", from,
                      a, b);
    darc_expr_free(before);
    darc_syntax_clear(&s);
}

static void check(const char *from, const char *to, bool all)
{
    check_with(from, to, all, true);
}

START_TEST(arguments_are_of_a_basis)
{
    /* Sums, multiples, quotients. */
    check("exp(2*x - z) + exp(x) + exp(z)", "exp(x)^2/exp(z) + exp(x) + exp(z)",
          true);
    check("exp(x + z) + exp(x - z) + exp(x)",
          "exp(x)*exp(z) + exp(x)/exp(z) + exp(x)", true);
    check("exp(x/2) + exp(x/3) + sinh(x)",
          "exp((1/6)*x)^3 + exp((1/6)*x)^2 + (exp((1/6)*x)^6 - "
          "1/exp((1/6)*x)^6)/2",
          true);
    check("sin(3*x) + cos(2*x) - sin(-x)*tan(x)",
          "(3*(cos(x)^2*sin(x)) - sin(x)^3) + (cos(x)^2 - sin(x)^2) - "
          "-sin(x)*((2*(cos(x)*sin(x)))/(1 + (cos(x)^2 - sin(x)^2)))",
          true);
    check(
        "sin(x + z) + sin(x - z) + cos(x)*tan(x + z)",
        "(sin(x)*cos(z) + cos(x)*sin(z)) + (sin(x)*cos(z) + cos(x)*-sin(z)) + "
        "cos(x)*(((2*(cos(x)*sin(x)))*(cos(z)^2 - sin(z)^2) + (cos(x)^2 - "
        "sin(x)^2)*(2*(cos(z)*sin(z))))/(1 + ((cos(x)^2 - sin(x)^2)*(cos(z)^2 "
        "- sin(z)^2) - (2*(cos(x)*sin(x)))*(2*(cos(z)*sin(z))))))",
        true);
    check("tanh(x) + cosh(2*x) + tanh(-x)*exp(z)",
          "(exp(2*x) - 1)/(exp(2*x) + 1) + (exp(2*x) + 1/exp(2*x))/2 + "
          "((1/exp(2*x) - 1)/(1/exp(2*x) + 1))*exp(z)",
          true);
    check("exp((x^2 - z^2)/(x - z)) + exp(x)*exp(z)",
          "exp(x)*exp(z) + exp(x)*exp(z)", true);
    /* Parameters, numbers, measured signals leave. */
    check("sin(x + k) + sin(x)", "(sin(x)*cos(k) + cos(x)*sin(k)) + sin(x)",
          true);
    check("cos(y + k) + cos(y)", "(cos(y)*cos(k) - sin(y)*sin(k)) + cos(y)",
          true);
    check("exp(x - y) + exp(x)", "exp(x)/exp(y) + exp(x)", true);
    check("exp(x + 1) + exp(x) + exp(y + 2) + exp(y)",
          "exp(x)*exp(1) + exp(x) + exp(y)*exp(1)^2 + exp(y)", true);
    check("exp(2*y) + exp(y)", "exp(2*y) + exp(y)", true); /* laws */
    check_with("exp(2*y) + exp(y)", "exp(y)^2 + exp(y)", true, false);
    check("exp(x - y) + exp(x) + exp(-y)", "exp(x)/exp(y) + exp(x) + 1/exp(y)",
          true); /* of what states need */
    /* Logarithms and powers. */
    check("log(x*z^2/k) + log(2*x) + log(z)",
          "((log(x) + 2*log(z)) - log(k)) + (log(x) + log(2)) + log(z)", true);
    check("x^(k + 1) + x^k", "exp(k*log(x))*x + exp(k*log(x))", true);
    check("log(x/x) + log(x)", "0 + log(x)", true);
    /* By an equation. */
    check("exp(w) + exp(x)*exp(z)", "exp(w) + exp(x)*(exp(w)/exp(x))", true);
}
END_TEST

START_TEST(others_stay)
{
    check("exp(x + z) + exp(x - z)", "exp(x + z) + exp(x - z)", true);
    check("sin(x + k) + sin(2*y)", "sin(x + k) + sin(2*y)", true);
    check("exp(13*x) + exp(x)", "exp(13*x) + exp(x)", false);
    check("log(x*z) + log(x)*log(x/k)", "log(x*z) + log(x)*(log(x) - log(k))",
          true);
    check("atan(x) + atan(-x) + sqrt(x + z) + sqrt(z + x)",
          "atan(x) - atan(x) + sqrt(x + z) + sqrt(x + z)", true);
}
END_TEST

/* A model for points that obey all equations keeps what binds its functions,
 * and a simulation has each of its own. */
START_TEST(points_obey_what_binds_functions)
{
    const char text[] = "states x\noutputs y\nparameters a b\nequations\n"
                        " x' = a*exp(2*x) + b*exp(x)\n y = x^3\n";
    darc_model *m = NULL, *bound = NULL, *driven = NULL;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "t.darc", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_model_bound(&bound, m, NULL), DARC_OK);
    ck_assert_int_eq(darc_model_driven(&driven, m, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_adjoined_count(bound), 1);
    ck_assert_int_eq(darc_adjoined_count(driven), 2);
    darc_model_free(m);
    darc_model_free(bound);
    darc_model_free(driven);
}
END_TEST

static darc_model *parse(const char *text)
{
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_model_parse(&m, text, strlen(text), "t.darc", &err) ==
                      DARC_OK,
                  "%s", err.message);
    return m;
}

START_TEST(models_say_what_is_known)
{
    /* An equation says what w is: exp(z) is made of the others. */
    darc_model *m = parse("states x z w\noutputs y\nparameters a\nequations\n"
                          " x' = a*exp(w) + exp(x)*exp(z)\n z' = z*x\n"
                          " w = x + z\n y = x^3 + z\n");
    ck_assert_int_eq(darc_adjoined_count(m), 2);
    darc_model_free(m);
    /* Two derived signals where laws bind them, one where x is eliminated. */
    m = parse("outputs y\nparameters a\nequations\n"
              " y' = a*exp(2*y) + exp(y)\n");
    ck_assert_int_eq(darc_derived_count(m), 2);
    darc_model_free(m);
    m = parse("states x\noutputs y\nparameters a\nequations\n"
              " y' = a*exp(2*y) + exp(y) + x\n x' = -x\n");
    ck_assert_int_eq(darc_derived_count(m), 1);
    ck_assert_int_eq(darc_model_remarks(m), 0);
    darc_model_free(m);
    /* What is not bound is said. */
    m = parse("states x\noutputs y\nparameters a\nequations\n"
              " x' = a*exp(13*x) + exp(x)\n y = x^3\n");
    ck_assert_int_eq(darc_model_remarks(m), 1);
    ck_assert_ptr_nonnull(
        strstr(darc_model_remark(m, 0), "t.darc: warning: arguments of exp"));
    darc_model_free(m);
}
END_TEST

Suite *suite_arguments(void)
{
    Suite *s = suite_create("arguments");
    TCase *c = tcase_create("arguments");
    tcase_add_test(c, arguments_are_of_a_basis);
    tcase_add_test(c, others_stay);
    tcase_add_test(c, points_obey_what_binds_functions);
    tcase_add_test(c, models_say_what_is_known);
    suite_add_tcase(s, c);
    return s;
}
