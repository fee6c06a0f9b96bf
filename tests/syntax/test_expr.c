#include "tests.h"

#include "base/flint.h"
#include "base/limits.h"
#include "syntax/parser.h"

#include <math.h>
#include <string.h>

/* Parse one expression; NULL when it is refused. */
static darc_expr *parse(const char *text)
{
    darc_script script = {text, strlen(text),       "t",
                          NULL, DARC_LANGUAGE_DARC, NULL};
    darc_tokens tokens;
    darc_tokens_init(&tokens, &script);
    darc_parser p = {.script = &script, .tokens = &tokens};
    darc_expr *e = NULL;
    darc_status status = darc_parse_expression(&p, &e);
    if (status != DARC_OK || darc_parser_peek(&p, 0)->kind != TOKEN_NEWLINE) {
        darc_expr_free(e);
        e = NULL;
    }
    darc_tokens_clear(&tokens);
    return e;
}

static void check_printed(const char *text, const char *printed)
{
    darc_text_t out;
    darc_text_init(out);
    darc_expr *e = parse(text);
    ck_assert_msg(e != NULL, "%s", text);
    darc_expr_print(out, e);
    ck_assert_str_eq(out->s, printed);
    darc_expr *again = parse(out->s);
    ck_assert_msg(again != NULL && darc_expr_equal(e, again), "%s", out->s);
    darc_expr_free(e);
    darc_expr_free(again);
    darc_text_clear(out);
}

START_TEST(printing_keeps_the_tree)
{
    check_printed("a-b-c", "a - b - c");
    check_printed("a-(b-c)", "a - (b - c)");
    check_printed("a/b*c", "a/b*c");
    check_printed("a/(b*c)", "a/(b*c)");
    check_printed("a/(b/c)", "a/(b/c)");
    check_printed("(a*b)*c", "(a*b)*c");
    check_printed("-a*b", "-a*b");
    check_printed("-(a*b)", "-(a*b)");
    check_printed("a - -b", "a - -b");
    check_printed("a + -b", "a - b");
    check_printed("-a^2", "-a^2");
    check_printed("(-a)^2", "(-a)^2");
    check_printed("a^-2", "a^-2");
    check_printed("a^b^c", "a^b^c");
    check_printed("(a^b)^c", "(a^b)^c");
    check_printed("a^(1/2)", "a^(1/2)");
    check_printed("x'''", "x'''");
    check_printed("x''''", "der(x,4)");
    check_printed("der(x')'", "x'''");
    check_printed("(x*y)'", "der(x*y)");
    check_printed("der(x*y,2)'", "der(x*y,3)");
    check_printed("der(x,0)", "x");
    check_printed("max(a, b*c, -d)", "max(a, b*c, -d)");
    check_printed("table(u,\"a \\\"b\\\" \\\\.csv\")",
                  "table(u, \"a \\\"b\\\" \\\\.csv\")");
    check_printed("der + max*sin", "der + max*sin");
    check_printed("1.50e-3*.5", "1.50e-3*.5");
}
END_TEST

/* A choice reaches as far as it can; what stands in it needs no parentheses. */
START_TEST(choices_keep_the_tree)
{
    check_printed("if a>b then c+1 else-d", "if a > b then c + 1 else -d");
    check_printed("if(a)<=b*2 then 1 else 2+3*if c>=d then 1 else 2",
                  "if a <= b*2 then 1 else 2 + 3*(if c >= d then 1 else 2)");
    check_printed("if a < b then if c < d then 1 else 2 else 3",
                  "if a < b then (if c < d then 1 else 2) else 3");
    check_printed("if a < b then 1 else if c < d then 2 else 3",
                  "if a < b then 1 else if c < d then 2 else 3");
    check_printed("(if a > if c > d then e else f then 1 else 2)'^2",
                  "der(if a > (if c > d then e else f) then 1 else 2)^2");
    check_printed("min(if -a > b then 1 else 2, 3)",
                  "min(if -a > b then 1 else 2, 3)");
    check_printed("int(if i > 0 then i else 0)/3",
                  "int(if i > 0 then i else 0)/3");
}
END_TEST

/* `if`, `then`, `else` and `int` stay names where they can be nothing else. */
START_TEST(words_of_choices_are_names_too)
{
    check_printed("if + x*else - int", "if + x*else - int");
    check_printed("if - x", "if - x");
    check_printed("(if)^2 - if'", "if^2 - if'");
    check_printed("if if > then then else else int",
                  "if if > then then else else int");
    check_printed("if - if > 0 then if else -if",
                  "if -if > 0 then if else -if");
    ck_assert_ptr_null(parse("if a > b then c"));
    ck_assert_ptr_null(parse("if a then b else c"));
    ck_assert_ptr_null(parse("a > b"));
}
END_TEST

START_TEST(points_keep_the_tree)
{
    check_printed("table( u*2;-1 +.5,0 g , 2 -1e3)",
                  "table(u*2; -1 .5, 0 g, 2 -1e3)");
    check_printed("table(if u > 0 then u else 0; 0 1, g -g)^2",
                  "table(if u > 0 then u else 0; 0 1, g -g)^2");
    ck_assert_ptr_null(parse("table(u; 0 1)"));
    ck_assert_ptr_null(parse("table(u; 0 1, 2)"));
    ck_assert_ptr_null(parse("table(u; 0 1, 2 3 4)"));
}
END_TEST

static void check_value(const char *text, const char *fraction)
{
    darc_expr *e = parse(text);
    ck_assert_msg(e != NULL, "%s", text);
    fmpq_t q, r;
    fmpq_init(q);
    fmpq_init(r);
    ck_assert_int_eq(darc_expr_rational(q, e, "it", NULL), DARC_OK);
    fmpq_set_str(r, fraction, 10);
    ck_assert_msg(fmpq_equal(q, r), "%s", text);
    double d;
    ck_assert(darc_expr_is_constant(e, &d));
    fmpq_clear(q);
    fmpq_clear(r);
    darc_expr_free(e);
}

START_TEST(numbers_are_exact)
{
    check_value("0.05", "1/20");
    check_value("1.2e-3", "3/2500");
    check_value("12E+2", "1200");
    check_value("0.1 + 0.2", "3/10");
    check_value("2^-3^1*-4", "-1/2");
    check_value("1 - 2/3/4", "5/6");
    check_value("(2/3)^3", "8/27");
    check_value("9.81", "981/100");
    check_value("0^0", "1");
}
END_TEST

START_TEST(what_is_no_number)
{
    static const char *const text[] = {
        "x",        "1/0",     "0^-1",
        "2^x",      "2^(1/2)", "sin(1)",
        "der(x*y)", "2^101",   "((9^100)^100)^100"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        darc_expr *e = parse(text[i]);
        ck_assert_ptr_nonnull(e);
        ck_assert_msg(!darc_expr_is_constant(e, NULL), "%s", text[i]);
        darc_expr_free(e);
    }
}
END_TEST

/* Doubles are the nearest: the compiler rounds the same literals. */
START_TEST(doubles_are_nearest)
{
    static const struct {
        const char *text;
        double value;
    } row[] = {
        {"0.1", 0.1},
        {"2.385", 2.385},
        {"1e-320", 1e-320},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"9007199254740993", 9007199254740993.0}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        darc_expr *e = parse(row[i].text);
        ck_assert_int_eq(darc_expr_get_kind(e), DARC_EXPR_NUMBER);
        ck_assert(darc_expr_number(e) == row[i].value);
        darc_expr_free(e);
    }
}
END_TEST

START_TEST(nesting_is_bounded)
{
    char text[2 * DARC_MAX_NESTING + 3];
    for (int n = DARC_MAX_NESTING - 1; n <= DARC_MAX_NESTING; n++) {
        memset(text, '(', (size_t)n);
        text[n] = 'x';
        memset(text + n + 1, ')', (size_t)n);
        text[2 * n + 1] = '\0';
        darc_expr *e = parse(text);
        ck_assert((e != NULL) == (n < DARC_MAX_NESTING));
        darc_expr_free(e);
    }
    memset(text, '-', sizeof text - 2);
    text[sizeof text - 2] = 'x';
    text[sizeof text - 1] = '\0';
    ck_assert_ptr_null(parse(text));
}
END_TEST

START_TEST(trees_are_walked)
{
    darc_expr *e = parse("2*tanh(x') - table(u, \"f.csv\")/y^2 + (u*y)''");
    ck_assert_int_eq(darc_expr_get_kind(e), DARC_EXPR_SUM);
    ck_assert_int_eq(e->count, 3);
    const darc_expr *call = e->child[0]->child[1];
    ck_assert_int_eq(darc_expr_get_kind(call), DARC_EXPR_CALL);
    ck_assert_int_eq(call->function, DARC_FUNCTION_TANH);
    ck_assert_str_eq(darc_function_name(DARC_FUNCTION_TANH), "tanh");
    ck_assert_int_eq(darc_expr_get_kind(e->child[1]), DARC_EXPR_NEGATE);
    const darc_expr *quotient = e->child[1]->child[0];
    ck_assert_str_eq(quotient->child[0]->text, "f.csv");
    ck_assert_int_eq(darc_expr_get_kind(quotient->child[1]), DARC_EXPR_INVERT);
    ck_assert_int_eq(e->child[2]->order, 2);
    darc_expr *copy = darc_expr_copy(e);
    ck_assert(darc_expr_equal(copy, e));
    darc_expr_free(copy);
    darc_expr_free(e);
}
END_TEST

Suite *suite_expr(void)
{
    Suite *s = suite_create("expr");
    TCase *c = tcase_create("expr");
    tcase_add_test(c, printing_keeps_the_tree);
    tcase_add_test(c, choices_keep_the_tree);
    tcase_add_test(c, words_of_choices_are_names_too);
    tcase_add_test(c, points_keep_the_tree);
    tcase_add_test(c, numbers_are_exact);
    tcase_add_test(c, what_is_no_number);
    tcase_add_test(c, doubles_are_nearest);
    tcase_add_test(c, nesting_is_bounded);
    tcase_add_test(c, trees_are_walked);
    suite_add_tcase(s, c);
    return s;
}
