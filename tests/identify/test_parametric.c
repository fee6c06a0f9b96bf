/* Functions of parameters alone are known as their arguments are. */
#include "tests.h"

#include "darc/identify.h"
#include "models.h"

#include <string.h>

/* The statuses of the parameters in order, by hand: g, l, n, u. */
static const struct {
    const char *parameters, *equation, *expected;
} cases[] = {
    /* k from its own term, then the positive root, then a; k, a, sqrt_k */
    {"k a", "y' = -a*sqrt(k)*y + k*y^2", "ggg"},
    {"k a", "y' = -a*log(k)*y + k*y^2", "ggg"},
    /* the other way round */
    {"k a", "y' = -a*log(k)*y + a*y^2", "ggg"},
    {"k a", "y' = -a*sqrt(k)*y + a*y^2", "ggg"},
    /* a number is known: a, sqrt_1 */
    {"a", "y' = -a*sqrt(2)*y", "gg"},
    /* products of both: nothing is known of either */
    {"k a", "y' = -a*sqrt(k)*y", "nnn"},
    {"K N a", "y' = -a*log(K/N)*y^2 + u", "nnnn"},
    {"K N a", "y' = -a*log(K/N)*y^2 + a*u", "nngg"},
    /* what is measured leaves the argument: Gompertz */
    {"K a", "y' = a*y*log(K/y)", "ggg"},
    {"k a", "y' = u - a*(y/k)^(2/7) + a*y", "ggg"},
    {"b a", "y' = u - a*y*exp(b + y) + a*y", "ggg"},
    {"b a", "y' = u - a*y*exp(b + y)", "nnn"},
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

Suite *suite_parametric(void)
{
    Suite *s = suite_create("parametric");
    TCase *c = tcase_create("parametric");
    tcase_add_loop_test(c, statuses, 0, (int)(sizeof cases / sizeof cases[0]));
    suite_add_tcase(s, c);
    return s;
}
