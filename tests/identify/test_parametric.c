/* Functions of parameters alone are known as their arguments are. */
#include "tests.h"

#include "darc/identify.h"
#include "models.h"

#include <string.h>

/* The statuses of the parameters in order, by hand: g, l, n, u. */
static const struct {
    const char *parameters, *equation, *expected;
} cases[] = {
    /* k from its own term, then the positive root, then a */
    {"k a", "y' = -a*sqrt(k)*y + k*y^2", "gg"},
    {"k a", "y' = -a*log(k)*y + k*y^2", "gg"},
    /* the other way round */
    {"k a", "y' = -a*log(k)*y + a*y^2", "gg"},
    {"k a", "y' = -a*sqrt(k)*y + a*y^2", "gg"},
    /* a number is known */
    {"a", "y' = -a*sqrt(2)*y", "g"},
    {"a b", "y' = u - (a*sqrt(2) + b*sqrt(3))*y - b*y^2", "gg"},
    {"a b", "y' = u - (a*sqrt(2) + b*sqrt(3))*y", "nn"},
    /* roots of multiples: one, times a number */
    {"a b", "y' = u - a*sqrt(2*y) - b*sqrt(3*y)", "nn"},
    {"a b", "y' = u - a*sqrt(2*y) - b*sqrt(3*y)*y", "gg"},
    {"a b", "y' = u - a*sqrt(y) - b*sqrt(4*y)", "nn"},
    {"a b", "y' = u - a*(8.4/y)^1.7 - b*(y/4.8)^1.7", "gg"},
    {"a b", "y' = u - a*(2*y)^(2/3) - b*(3*y)^(2/3)", "nn"},
    /* an exponent that is a parameter */
    {"a g", "y' = u - a*y^g", "gg"},
    {"a g h", "y' = u - a*y^(g + h)", "lnn"},
    /* products of both: nothing is known of either */
    {"k a", "y' = -a*sqrt(k)*y", "nn"},
    {"K N a", "y' = -a*log(K/N)*y^2 + u", "nnn"},
    {"K N a", "y' = -a*log(K/N)*y^2 + a*u", "nng"},
    /* what is measured leaves the argument: Gompertz */
    {"K a", "y' = a*y*log(K/y)", "gg"},
    {"k a", "y' = u - a*(y/k)^(2/7) + a*y", "gg"},
    {"b a", "y' = u - a*y*exp(b + y) + a*y", "gg"},
    {"b a", "y' = u - a*y*exp(b + y)", "nn"},
    /* what stands beside others in a function shows when these do */
    {"a b", "y' = -b*y + sqrt(a*b)*u", "lg"},
    {"a b", "y' = -(a + b)*y + sqrt(a*b)*u", "ll"},
    {"a b", "y' = -(a + b)*y + exp(a - b)*u", "ll"},
    {"a b c", "y' = -(a + b*c)*y + sqrt(a*b)*u + c*u^2", "llg"},
    {"a b", "y' = -sqrt(a*b)*y + u", "nn"},
    {"k", "y' = -(k + sqrt(k))*y + u", "l"},
    {"k b", "y' = -(k + sqrt(k) + b)*y + u", "nn"},
    /* the sign of both changes: a root of an argument that is known is not */
    {"a b", "y' = sqrt(a)*y^2 - (b - sqrt(a))^2*y", "gl"},
};

START_TEST(statuses)
{
    static const char word[] = "nlgu";
    darc_text_t text = DARC_TEXT;
    darc_text_printf(text,
                     "model p\nparameters\n %s\ninputs\n u\noutputs\n y\n"
                     "equations\n %s\n",
                     cases[_i].parameters, cases[_i].equation);
    darc_model *model = model_of(text->s);
    darc_identified *found = NULL;
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(found->parameters, (int)strlen(cases[_i].expected));
    for (int v = 0; v < found->parameters; v++) {
        const darc_identified_parameter *p = found->parameter + v;
        ck_assert_msg(word[p->identifiable] == cases[_i].expected[v],
                      "%s: %s is %s", cases[_i].equation, p->name,
                      darc_identifiability_text(p->identifiable));
    }
    darc_identified_free(found);
    darc_model_free(model);
    darc_text_clear(text);
}
END_TEST

/* States: k*x' = ..., the root stays; the functions as the model writes them.
 */
START_TEST(functions)
{
    static const struct {
        const char *equations, *function, *parameters;
    } of[] = {
        {"x' = u - a*sqrt(2*x) - b*sqrt(3*x)\n y = x", "b*((3/2)^(1/2))+a",
         "nn"},
        {"x' = u - a*sqrt(2*x) - b*sqrt(3*x)*x\n y = k*x", "a", "ggg"},
        {"x' = u - a*(5/x)^1.7 - b*(x/4)^1.7\n y = x", "a", "gg"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        static const char word[] = "nlgu";
        darc_text_t text = DARC_TEXT;
        darc_text_printf(text,
                         "model p\nparameters\n a b%s\nstates\n x\ninputs\n "
                         "u\noutputs\n y\nequations\n %s\n",
                         of[i].parameters[2] != 0 ? " k" : "", of[i].equations);
        darc_model *model = model_of(text->s);
        darc_identified *found = NULL;
        ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL),
                         DARC_OK);
        ck_assert_str_eq(found->function[0], of[i].function);
        for (int v = 0; v < found->parameters; v++)
            ck_assert_int_eq(word[found->parameter[v].identifiable],
                             of[i].parameters[v]);
        darc_identified_free(found);
        darc_model_free(model);
        darc_text_clear(text);
    }
}
END_TEST

Suite *suite_parametric(void)
{
    Suite *s = suite_create("parametric");
    TCase *c = tcase_create("parametric");
    tcase_add_loop_test(c, statuses, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(c, functions);
    suite_add_tcase(s, c);
    return s;
}
