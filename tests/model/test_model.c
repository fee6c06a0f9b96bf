#include "files.h"
#include "models.h"
#include "tests.h"

#include "base/limits.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append every polynomial of the model, one a line. */
static void print_polys(darc_text_t out, const darc_model *m)
{
    const darc_names_struct *names = darc_model_names(m);
    darc_ranking_t rk;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    int order[600];
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, m);
    darc_model_orders(m, order);
    darc_jet_init(jet, names, rk, order);
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    ck_assert_int_eq(darc_model_equations(eq, ineq, m, jet, NULL), DARC_OK);
    for (slong i = 0; i < eq->count; i++) {
        darc_dpoly_print(out, eq->p + i, jet);
        darc_text_puts(out, " = 0\n");
    }
    for (slong i = 0; i < ineq->count; i++) {
        darc_dpoly_print(out, ineq->p + i, jet);
        darc_text_puts(out, " != 0\n");
    }
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
}

/* Printing and reading back is the identity, on text and on polynomials. */
static void check_round_trip(const darc_model *m)
{
    darc_text_t once, twice, p, q;
    darc_text_init(once);
    darc_text_init(twice);
    darc_text_init(p);
    darc_text_init(q);
    darc_err err;
    darc_err_init(&err);
    darc_model_print(once, m);
    darc_model *again = NULL;
    darc_status status =
        darc_model_parse(&again, once->s, once->len, darc_model_file(m), &err);
    ck_assert_msg(status == DARC_OK, "%s\n%s", err.message, once->s);
    darc_model_print(twice, again);
    ck_assert_str_eq(once->s, twice->s);
    print_polys(p, m);
    print_polys(q, again);
    ck_assert_str_eq(p->s, q->s);
    darc_model_free(again);
    darc_text_clear(once);
    darc_text_clear(twice);
    darc_text_clear(p);
    darc_text_clear(q);
}

static darc_model *parse(const char *text)
{
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    darc_status status =
        darc_model_parse(&m, text, strlen(text), "t.darc", &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return m;
}

/* The model's polynomials are those expected, and it reads back. */
static void check_polys(const char *text, const char *expected)
{
    darc_text_t out;
    darc_text_init(out);
    darc_model *m = parse(text);
    print_polys(out, m);
    ck_assert_str_eq(out->s, expected);
    check_round_trip(m);
    darc_model_free(m);
    darc_text_clear(out);
}

static void check_file(const char *path, const char *name)
{
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_model_read(&m, path, &err) == DARC_OK, "%s",
                  err.message);
    ck_assert_str_eq(darc_model_file(m), path);
    check_round_trip(m);
    darc_model_free(m);
    (void)name;
}

static void check_system(const char *path, const char *name)
{
    if (strcmp(name, "broken") != 0)
        ck_assert_int_ge(test_walk(path, ".darc", check_file), 0);
}

START_TEST(systems_read_back)
{
    ck_assert_int_gt(test_walk("systems", "", check_system), 10);
}
END_TEST

START_TEST(benchmark_models_read_back)
{
    static const char *const dir = "../shared/models";
    if (test_has_shared(dir, "benchmark_models_read_back"))
        ck_assert_int_gt(test_walk(dir, ".darc", check_file), 0);
}
END_TEST

START_TEST(the_manual_s_example)
{
    darc_model *m = NULL;
    ck_assert_int_eq(
        darc_model_read(&m, "systems/quarter_car_chassis/model.darc", NULL),
        DARC_OK);
    ck_assert_str_eq(darc_model_name(m), "quarter_car_chassis");
    ck_assert_str_eq(darc_model_title(m),
                     "chassis equation of motion of a quarter car");
    const darc_names_struct *names = darc_model_names(m);
    ck_assert_int_eq(names->count, 5);
    ck_assert_str_eq(names->symbol[2].name, "d");
    ck_assert_int_eq(names->symbol[2].kind, DARC_PARAMETER);
    ck_assert_int_eq(names->symbol[3].kind, DARC_OUTPUT);
    ck_assert_str_eq(darc_model_unit(m, 2), "N*s/m");
    ck_assert_str_eq(darc_model_text(m, 3), "chassis acceleration");
    int order[5];
    darc_model_orders(m, order);
    ck_assert_int_eq(order[3], 0);
    ck_assert_int_eq(order[4], 1);
    darc_text_t out;
    darc_text_init(out);
    print_polys(out, m);
    ck_assert_str_eq(out->s, "m*a - c*z - d*z' = 0\n"
                             "m != 0\nc != 0\nd != 0\n");
    darc_text_clear(out);
    darc_model_free(m);
}
END_TEST

START_TEST(every_section_in_any_order)
{
    check_polys("\xEF\xBB\xBF"
                "equations # first\r\n"
                "    x' = -k*x + g*u +\r\n      s*time\r\n"
                "    (x*y)' = der(y, 2)/2\r\n"
                "outputs y \"measured\" # here\r\n"
                "model all \"a \\\"title\\\"\"\r\n"
                "ranking\r\n    x >> y\r\n      >> k\r\n"
                "parameters k [1/s] may be zero, b\r\n"
                "assume\r\n    x + b != 2*b\r\n"
                "inputs\r\n    u [1/s^2]\r\n"
                "derived\r\n    s [1/s^3] \"size\" = abs(u')\r\n"
                "constants\r\n    h = 2 g = h*4.905 "
                "[1]\r\n"
                "states\r\n    x\r\n",
                "100*x' + 100*k*x - 981*u - 100*s*time = 0\n"
                "2*x'*y + 2*x*y' - y'' = 0\n"
                "x - b != 0\n"
                "b != 0\n");
}
END_TEST

START_TEST(divisors_become_inequations)
{
    static const char head[] = "states\n x y z\noutputs\n v\nequations\n";
    static const struct {
        const char *equation, *polys;
    } row[] = {
        {"v = x/y", "x - y*v = 0\ny != 0\n"},
        {"v = x/y/y", "x - y^2*v = 0\ny != 0\n"},
        {"v = x^-2", "x^2*v - 1 = 0\nx != 0\n"},
        {"v = x/(1/y)", "x*y - v = 0\ny != 0\n"},
        {"v = 1/(x/y - 1)", "x*v - y*v - y = 0\ny != 0\nx - y != 0\n"},
        {"v = x*y/x", "y - v = 0\nx != 0\n"},
        {"v = x/2 + y/3", "3*x + 2*y - 6*v = 0\n"},
        {"v = x/(y*z) + y/(x*z)",
         "x^2 - x*y*z*v + y^2 = 0\ny*z != 0\nx*z != 0\n"},
        {"v = (x/y)'", "x'*y - y'*x - y^2*v = 0\ny != 0\n"},
        {"v = (x/y)''",
         "x''*y^2 - y''*x*y - 2*x'*y'*y + 2*y'^2*x - y^3*v = 0\ny != 0\n"},
        {"v = 0.5*x + 1e-2", "50*x - 100*v + 1 = 0\n"},
        {"v = x'' - x''", "v = 0\n"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s %s\n", head, row[i].equation);
        check_polys(text, row[i].polys);
    }
}
END_TEST

START_TEST(cancelled_derivatives_do_not_count)
{
    darc_model *m = parse("states\n x\noutputs\n y\nequations\n"
                          " y = x'' - x'' + x'\n");
    int order[2];
    darc_model_orders(m, order);
    ck_assert_int_eq(order[0], 1);
    darc_model_free(m);
}
END_TEST

START_TEST(keywords_are_names_where_they_can_be)
{
    check_polys("states\n    inputs [m]  assume\n    model []\noutputs\n"
                "    der max sign\n    states \"s\"\nequations\n"
                "    inputs' = inputs*assume + max/der\n"
                "    model = states\n    model^2 = sign\n"
                "ranking inputs assume >> model\n",
                "inputs'*der - inputs*assume*der - max = 0\n"
                "model - states = 0\nmodel^2 - sign = 0\nder != 0\n");
}
END_TEST

START_TEST(a_model_without_name_has_that_of_its_file)
{
    darc_model *m = NULL;
    const char *text = "outputs\n y\nequations\n y' = y\n";
    ck_assert_int_eq(
        darc_model_parse(&m, text, strlen(text), "a/b/my-car.v2.darc", NULL),
        DARC_OK);
    ck_assert_str_eq(darc_model_name(m), "my_car");
    ck_assert_str_eq(darc_model_title(m), "");
    check_round_trip(m);
    darc_model_free(m);
}
END_TEST

START_TEST(rankings)
{
    static const char head[] = "states\n x1 x2\nparameters\n k\noutputs\n y\n"
                               "equations\n y = k*x1 + x2\nranking\n";
    darc_model *m = parse(head);
    darc_ranking_t rk;
    darc_ranking_init(rk, 4);
    darc_model_ranking(rk, m);
    /* x1 x2 >> k >> y */
    ck_assert_int_gt(
        darc_ranking_cmp((darc_deriv){0, 0}, (darc_deriv){1, 0}, rk), 0);
    ck_assert_int_gt(
        darc_ranking_cmp((darc_deriv){1, 0}, (darc_deriv){2, 0}, rk), 0);
    ck_assert_int_gt(
        darc_ranking_cmp((darc_deriv){2, 0}, (darc_deriv){3, 9}, rk), 0);
    darc_model_free(m);

    char text[300];
    snprintf(text, sizeof text, "%s y >>\n x2, x1\n", head);
    m = parse(text);
    darc_model_ranking(rk, m);
    ck_assert_int_gt(
        darc_ranking_cmp((darc_deriv){3, 0}, (darc_deriv){1, 9}, rk), 0);
    ck_assert_int_gt(
        darc_ranking_cmp((darc_deriv){1, 0}, (darc_deriv){0, 0}, rk), 0);
    ck_assert_int_gt(
        darc_ranking_cmp((darc_deriv){0, 1}, (darc_deriv){1, 0}, rk), 0);
    ck_assert_int_gt(
        darc_ranking_cmp((darc_deriv){0, 0}, (darc_deriv){2, 0}, rk), 0);
    check_round_trip(m);
    darc_model_free(m);
    darc_ranking_clear(rk);
}
END_TEST

START_TEST(derived_signals)
{
    darc_model *m = parse("constants\n k = 1/4\ninputs\n u\noutputs\n q\n"
                          "derived\n s = sign(q')\n"
                          " v = delay(u, k/100) + s*table(u, \"f.csv\")\n"
                          "parameters\n F\nequations\n q'' = u - F*s + v\n");
    const darc_names_struct *names = darc_model_names(m);
    int s = darc_names_find(names, "s", 1);
    ck_assert_int_eq(names->symbol[s].kind, DARC_INPUT);
    ck_assert_int_eq(darc_derived_count(m), 2);
    ck_assert_int_eq(derived(m, 0), s);
    ck_assert_ptr_null(darc_derived_expr(m, darc_names_find(names, "u", 1)));
    const darc_expr *e = darc_derived_expr(m, derived(m, 0))->child[0];
    ck_assert_int_eq(darc_expr_get_kind(e), DARC_EXPR_UNKNOWN);
    ck_assert_int_eq(darc_expr_deriv(e).unknown,
                     darc_names_find(names, "q", 1));
    ck_assert_int_eq(darc_expr_deriv(e).order, 1);
    double t;
    e = darc_derived_expr(m, derived(m, 1))->child[0]->child[1];
    ck_assert(darc_expr_is_constant(e, &t));
    ck_assert(t == 0.0025);
    check_round_trip(m);
    darc_model_free(m);
}
END_TEST

/* A model whose single equation is y = EXPRESSION. */
static darc_status read_equation(const char *expression)
{
    darc_text_t text;
    darc_text_init(text);
    darc_text_printf(text, "states\n x z\noutputs\n y\nequations\n y = %s\n",
                     expression);
    darc_model *m = NULL;
    darc_status status = darc_model_parse(&m, text->s, text->len, "t", NULL);
    darc_model_free(m);
    darc_text_clear(text);
    return status;
}

START_TEST(limits)
{
    char at[100], past[100];
    static const struct {
        const char *format;
        int limit;
    } row[] = {{"der(x,%d)", DARC_MAX_ORDER},
               {"x^%d", DARC_MAX_EXPONENT},
               {"1e%d*x", DARC_MAX_DIGITS},
               {"(x^20)^50*z^%d/z^60", 0},
               {"(x^20)^49*(x*z)^%d", 10}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        snprintf(at, sizeof at, row[i].format, row[i].limit);
        snprintf(past, sizeof past, row[i].format, row[i].limit + 1);
        ck_assert_msg(read_equation(at) == DARC_OK, "%s", at);
        ck_assert_msg(read_equation(past) == DARC_LIMIT, "%s", past);
    }
    static char text[DARC_MAX_MODEL_BYTES + 2];
    memset(text, ' ', sizeof text);
    memcpy(text, "outputs\n y\nequations\n y' = y\n", 29);
    darc_model *m = NULL;
    ck_assert_int_eq(
        darc_model_parse(&m, text, DARC_MAX_MODEL_BYTES, "t", NULL), DARC_OK);
    darc_model_free(m);
    ck_assert_int_eq(
        darc_model_parse(&m, text, DARC_MAX_MODEL_BYTES + 1, "t", NULL),
        DARC_LIMIT);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_model_read(&m, "no/such.darc", &err), DARC_IO);
    ck_assert_str_eq(err.message, "no/such.darc: error: cannot open: No such "
                                  "file or directory");
    darc_err_init(&err);
    ck_assert_int_eq(darc_model_read(&m, "systems", &err), DARC_IO);
    darc_model_free(NULL);
}
END_TEST

START_TEST(a_frame_that_is_too_small)
{
    darc_model *m = parse("outputs\n y\nequations\n y' = y\n");
    darc_ranking_t rk;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    darc_ranking_init(rk, 1);
    darc_jet_init(jet, darc_model_names(m), rk, (int[]){0});
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    ck_assert_int_eq(darc_model_equations(eq, ineq, m, jet, NULL), DARC_LIMIT);
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
    darc_model_free(m);
}
END_TEST

static unsigned random_below(unsigned n)
{
    static unsigned long long x = 88172645463325252ULL;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return (unsigned)(x >> 32) % n;
}

static void random_expression(darc_text_t out, int depth)
{
    static const char *const atom[] = {"x1", "x2'", "k", "y", "u''",
                                       "3",  "0.5", "g", "s", "der(x1,4)"};
    static const char *const middle[] = {" + ", " - ", "*", "/", " - -", "*-"};
    if (depth == 0) {
        darc_text_puts(out, atom[random_below(10)]);
        return;
    }
    switch (random_below(6)) {
    case 0:
        darc_text_puts(out, "-(");
        random_expression(out, depth - 1);
        darc_text_putc(out, ')');
        break;
    case 1:
        darc_text_puts(out, random_below(2) ? "der((" : "(");
        random_expression(out, depth - 1);
        darc_text_putc(out, ')');
        break;
    default:
        darc_text_puts(out, random_below(2) ? "(" : "");
        random_expression(out, depth - 1);
        darc_text_puts(out, middle[random_below(6)]);
        random_expression(out, depth - 1);
    }
}

/* Parentheses that are still open are closed, with a power or a prime. */
static void close_parentheses(darc_text_t out, size_t from)
{
    int open = 0;
    for (size_t i = from; i < out->len; i++)
        open += (out->s[i] == '(') - (out->s[i] == ')');
    static const char *const end[] = {")", ")^2", ")'", ")^-1"};
    while (open-- > 0)
        darc_text_puts(out, end[random_below(4)]);
}

START_TEST(random_models_read_back)
{
    int accepted = 0;
    darc_text_t text;
    darc_text_init(text);
    for (int i = 0; i < 300; i++) {
        darc_text_reset(text);
        darc_text_puts(text, "states\n x1 x2\nparameters\n k may be zero\n"
                             "outputs\n y\ninputs\n u\nderived\n"
                             " s = sign(u)\nconstants\n g = 9.81\n"
                             "equations\n x1' = ");
        for (int k = 0; k < 2; k++) {
            size_t from = text->len;
            random_expression(text, 3);
            close_parentheses(text, from);
            darc_text_puts(text, k == 0 ? "\nassume\n y != " : "\n");
        }
        darc_model *m = NULL;
        darc_status status =
            darc_model_parse(&m, text->s, text->len, "t", NULL);
        if (status == DARC_OK) {
            check_round_trip(m);
            accepted++;
        }
        darc_model_free(m);
    }
    ck_assert_int_gt(accepted, 100);
    darc_text_clear(text);
}
END_TEST

Suite *suite_model(void)
{
    Suite *s = suite_create("model");
    TCase *c = tcase_create("model");
    tcase_add_test(c, systems_read_back);
    tcase_add_test(c, benchmark_models_read_back);
    tcase_add_test(c, the_manual_s_example);
    tcase_add_test(c, every_section_in_any_order);
    tcase_add_test(c, divisors_become_inequations);
    tcase_add_test(c, cancelled_derivatives_do_not_count);
    tcase_add_test(c, keywords_are_names_where_they_can_be);
    tcase_add_test(c, a_model_without_name_has_that_of_its_file);
    tcase_add_test(c, rankings);
    tcase_add_test(c, derived_signals);
    tcase_add_test(c, limits);
    tcase_add_test(c, files_that_cannot_be_read);
    tcase_add_test(c, a_frame_that_is_too_small);
    tcase_add_test(c, random_models_read_back);
    suite_add_tcase(s, c);
    return s;
}
