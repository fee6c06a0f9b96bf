#include "tests.h"

#include "coefficient/ratio.h"
#include "models.h"
#include "weakbench.h"

/* The coefficient of equation 0 that prints so. */
static int coefficient(const weakbench *b, const char *text)
{
    const darc_ioeq *eq = b->io->eq;
    int found = -1;
    for (int j = 0; j < (int)eq->coeff->count; j++) {
        darc_text_t t;
        darc_text_init(t);
        darc_dpoly_print(t, eq->coeff->p + j, b->io->jet);
        const char *s = t->s[0] == '-' ? t->s + 1 : t->s;
        found = strcmp(s, text) == 0 ? j : found;
        darc_text_clear(t);
    }
    ck_assert_msg(found >= 0, "no %s", text);
    return found;
}

static const char sums[] = "model r\nparameters\n    m c d\noutputs\n    a z\n"
                           "equations\n    2*m^2*a = c*z + (c + d)*z' + "
                           "3*c*d*z^2\n";

/* Sums stand in parentheses, below a slash products too; numbers go into the
 * factor. */
START_TEST(ratios_read_as_they_are_meant)
{
    static const struct {
        const char *coefficient, *whole, *lowest;
        double factor;
    } row[] = {{"c", "c/(2*m^2)", "c/m^2", 0.5},
               {"3*c*d", "3*c*d/(2*m^2)", "c*d/m^2", 1.5},
               {"2*m^2", "1", "1", 1}};
    weakbench b;
    weakbench_open(&b, sums, 0);
    int r = coefficient(&b, "2*m^2");
    for (int i = 0; i < 3; i++) {
        darc_text_t t;
        double factor;
        int j = coefficient(&b, row[i].coefficient);
        darc_text_init(t);
        darc_ratio_print(t, b.io, 0, j, r, NULL);
        const char *s = t->s[0] == '-' ? t->s + 1 : t->s;
        ck_assert_str_eq(s, row[i].whole);
        darc_text_clear(t);
        darc_text_init(t);
        darc_ratio_print(t, b.io, 0, j, r, &factor);
        ck_assert_str_eq(t->s, row[i].lowest);
        ck_assert_double_eq(fabs(factor), row[i].factor);
        darc_text_clear(t);
    }
    weakbench_close(&b);
}
END_TEST

START_TEST(long_ratios_are_named_by_their_terms)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_text_t t;
    double factor = 0;
    darc_text_init(t);
    b.io->eq[0].expanded = false;
    darc_ratio_print(t, b.io, 0, coefficient(&b, "d"), coefficient(&b, "c"),
                     &factor);
    ck_assert_str_eq(t->s, "coefficient of z' over that of z");
    ck_assert(factor == 1);
    darc_text_clear(t);
    weakbench_close(&b);
}
END_TEST

/* A number, or the parameter that is declared first, or what holds the leader.
 */
START_TEST(ratios_refer_to_what_is_known_best)
{
    static const struct {
        const char *model, *reference;
    } row[] = {{model_quarter, "m"},
               {"model n\nparameters\n m c\ninputs\n u\noutputs\n y\n"
                "equations\n m*y' + c*y = u\n",
                "1"},
               {"model l\nparameters\n m c\noutputs\n y z\nequations\n"
                " (m + c)*y' = (m - c)*z\n",
                "m + c"}};
    for (int i = 0; i < 3; i++) {
        weakbench b;
        weakbench_open(&b, row[i].model, 0);
        ck_assert_int_eq(darc_ratio_reference(b.io, 0),
                         coefficient(&b, row[i].reference));
        weakbench_close(&b);
    }
}
END_TEST

START_TEST(coefficients_that_may_vanish)
{
    weakbench b;
    weakbench_open(&b,
                   "model v\nparameters\n m c d may be zero\noutputs\n y z\n"
                   "equations\n m*z = c*y + d*y'\n",
                   0);
    ck_assert(!darc_ratio_may_vanish(b.model, b.io, 0, coefficient(&b, "c")));
    b.io->eq[0].expanded = false;
    bool any = darc_ratio_may_vanish(b.model, b.io, 0, 0);
    b.io->eq[0].expanded = true;
    ck_assert_int_eq(
        any, darc_ratio_may_vanish(b.model, b.io, 0, coefficient(&b, "d")));
    weakbench_close(&b);
}
END_TEST

Suite *suite_ratio(void)
{
    Suite *s = suite_create("ratio");
    TCase *c = tcase_create("ratio");
    tcase_add_test(c, ratios_read_as_they_are_meant);
    tcase_add_test(c, long_ratios_are_named_by_their_terms);
    tcase_add_test(c, ratios_refer_to_what_is_known_best);
    tcase_add_test(c, coefficients_that_may_vanish);
    suite_add_tcase(s, c);
    return s;
}
