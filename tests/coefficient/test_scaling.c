#include "coefficient/scaling.h"

#include "identify/identify.h"
#include "tests.h"

#include <string.h>

/* Models, and what stands for what, by hand. */
static const struct {
    const char *model, *scales;
} cases[] = {
    {"parameters m c d\noutputs a z\nequations\nm*a = c*z + d*z'\n",
     "m=1 c=c/m d=d/m "},
    {"parameters a b\nstates x\noutputs y\nequations\nx' = -a*x\ny = b*x\n",
     "b=1 x=x*b "},
    /* A scale of time shows, and so does all that is in a sum with 1. */
    {"parameters k\nstates x\noutputs y\nequations\nx' = -k*x + 1\ny = x\n",
     ""},
    {"parameters a b\nstates x\noutputs y\nequations\nx' = 1 - a*x\ny = b*x\n",
     ""},
    /* Functions keep their values, what is in them is not scaled. */
    {"parameters b c k m\nstates x z\ninputs u\noutputs y\nequations\n"
     "x' = -c*x + u\nz' = -b*z + m*sin(x)\ny = k*z\n",
     "k=1 m=m*k z=z*k "},
    {"parameters b c k p\nstates x\noutputs y\nequations\nx' = -c*x\n"
     "y = b*exp(k*x + p)\n",
     ""},
    /* Two scales; what they leave of J is a product of powers. */
    {"parameters K R J\nstates i w\ninputs u\noutputs t\nequations\n"
     "R*i = u - K*w\nJ*w' = K*i\nt = w*K\n",
     "K=1 R=1 J=J*R/K^2 i=i*R w=w*K "},
    /* Squares: k^2 alone has weight 2, and z makes up for it. */
    {"parameters k q\nstates z\noutputs y\nequations\nz' = -z\n"
     "y = k^2*z + q\n",
     "k=1 z=z*k^2 "},
    /* Weights 2 and 3: there is no parameter of weight 1. */
    {"parameters a b\noutputs y\ninputs u\nequations\n"
     "a^3*y' = b^2*y + b^2*u\n",
     ""},
    /* 0 cannot be scaled to 1: the other one is. */
    {"parameters\nf may be zero\ng\noutputs y\ninputs u\nequations\n"
     "g*y' = f*y + f*u^2\n",
     "f=f/g g=1 "},
    /* A root goes along, an exponential does not. */
    {"parameters a b\nstates h\noutputs y\nequations\n"
     "h' = -a*sqrt(h)\ny = b*h\n",
     "a=1 b=b*a^2 h=h/a^2 "},
    {"parameters a b\nstates h\noutputs y\nequations\nh' = -a*exp(-h)\n"
     "y = b*h\n",
     ""},
};

START_TEST(scales_are_those_by_hand)
{
    darc_model *m = NULL;
    darc_scaling s;
    darc_text_t t = DARC_TEXT;
    const char *text = cases[_i].model;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "test", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_scaling_init(&s, m, NULL), DARC_OK);
    for (int u = 0; u < s.unknowns; u++)
        if (s.one[u] || s.stands[u] != NULL)
            darc_text_printf(t, "%s=%s ", darc_model_unknown(m, u),
                             s.one[u] ? "1" : s.stands[u]);
    ck_assert_str_eq(t->s, cases[_i].scales);
    ck_assert((s.model != NULL) == (s.count > 0));
    darc_text_clear(t);
    darc_scaling_clear(&s);
    darc_model_free(m);
}
END_TEST

/* No function that shows gets lost: the model that is left has as many. */
START_TEST(as_much_shows_afterwards)
{
    darc_model *m = NULL;
    darc_scaling s;
    darc_identification_t before, after;
    const char *text = cases[_i].model;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "test", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_scaling_init(&s, m, NULL), DARC_OK);
    if (s.count > 0 &&
        darc_identification_init_local(before, m, NULL, NULL) == DARC_OK) {
        ck_assert_int_eq(
            darc_identification_init_local(after, s.model, NULL, NULL),
            DARC_OK);
        ck_assert_int_eq(before->dimension, after->dimension);
        ck_assert_int_eq(before->vars - s.count, after->vars);
        darc_identification_clear(before);
        darc_identification_clear(after);
    }
    darc_scaling_clear(&s);
    darc_model_free(m);
}
END_TEST

Suite *suite_scaling(void)
{
    Suite *s = suite_create("scaling");
    TCase *c = tcase_create("scaling");
    const int n = (int)(sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(c, scales_are_those_by_hand, 0, n);
    tcase_add_loop_test(c, as_much_shows_afterwards, 0, n);
    suite_add_tcase(s, c);
    return s;
}
