/* The field by transfer functions against that by io-equations. */
#include "tests.h"

#include "eliminate/eliminate.h"
#include "identify/field.h"
#include "identify/identify.h"

#include <string.h>

#define HEAD "model m\ninputs\n u\n"

static const char *const agreeing[] = {
    /* two masses, both seen; three, the ends */
    HEAD "outputs\n y z\nstates\n x1 x2\nparameters\n m1 m2 c1 c2 k1 k2\n"
         "equations\n m1*x1'' = u - k1*x1 - c1*x1' + k2*(x2 - x1) + "
         "c2*(x2' - x1')\n m2*x2'' = k2*(x1 - x2) + c2*(x1' - x2')\n y = x1\n"
         " z = x2\n",
    HEAD "outputs\n y z\nstates\n x1 x2 x3\nparameters\n m1 m2 m3 k1 k2 k3\n"
         "equations\n m1*x1'' = u - k1*x1 + k2*(x2 - x1)\n"
         " m2*x2'' = k2*(x1 - x2) + k3*(x3 - x2)\n m3*x3'' = k3*(x2 - x3)\n"
         " y = x1\n z = x3\n",
    /* compartments; a gain that is known up to a factor alone */
    HEAD "outputs\n y z\nstates\n q1 q2 q3\nparameters\n a1 a2 b1 b2 e g\n"
         "equations\n q1' = u - (a1 + e)*q1 + b1*q2\n"
         " q2' = a1*q1 - (a2 + b1)*q2 + b2*q3\n q3' = a2*q2 - b2*q3\n"
         " y = g*q3\n z = q2\n",
    /* no solved form: the current of a ladder */
    HEAD "outputs\n y z\nstates\n v1 v2 i1 i2\nparameters\n R1 R2 C1 C2\n"
         "equations\n u = R1*i1 + v1\n v1 = R2*i2 + v2\n C1*v1' = i1 - i2\n"
         " C2*v2' = i2\n y = i1\n z = v2\n",
};

static const char *const refused[] = {
    /* one output; a constant force; a function */
    HEAD "outputs\n y\nstates\n x\nparameters\n a\nequations\n x' = u - a*x\n"
         " y = x\n",
    HEAD "outputs\n y z\nstates\n x\nparameters\n a b\nequations\n"
         " x' = u - a*x + b\n y = x\n z = a*x\n",
    HEAD "outputs\n y z\nstates\n x\nparameters\n a b\nequations\n"
         " x' = u - a*sin(x)\n y = x\n z = b*x\n",
    /* seen and not driven; driven and not seen */
    HEAD "outputs\n y z\nstates\n x w\nparameters\n a b\nequations\n"
         " x' = u - a*x\n w' = -b*w\n y = x + w\n z = w\n",
    HEAD "outputs\n y z\nstates\n x w\nparameters\n a b c\nequations\n"
         " x' = u - a*x\n w' = u - b*w\n y = x\n z = c*x\n",
};

static darc_model *model_of(const char *text)
{
    darc_model *model;
    ck_assert_int_eq(darc_model_parse(&model, text, strlen(text), "m", NULL),
                     DARC_OK);
    return model;
}

/* Are all functions of b in the field of those of a? */
static void check_inside(const darc_identification_t a,
                         const darc_identification_t b)
{
    darc_field_t f;
    darc_field_open(f, a->ctx);
    darc_ratios_append_all(f->ratio, a->function);
    ck_assert_int_eq(darc_field_slice(f, NULL, NULL), DARC_OK);
    for (slong k = 0; k < b->function->count; k++)
        ck_assert(
            darc_field_contains(f, b->function->num + k, b->function->den + k));
    darc_field_clear(f);
}

START_TEST(both_ways_agree)
{
    darc_coeffs_t c;
    darc_ioeqs_t io;
    darc_identification_t id[2];
    darc_model *model = model_of(agreeing[_i]);
    ck_assert(darc_response_coeffs(c, model, NULL));
    ck_assert_int_eq(
        darc_identification_init_response(id[0], c, model, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(
        darc_identification_init_field(id[1], io, model, NULL, NULL), DARC_OK);
    ck_assert(id[0]->complete && id[1]->complete);
    ck_assert_int_eq(id[0]->dimension, id[1]->dimension);
    for (slong v = 0; v < id[0]->vars; v++)
        ck_assert_int_eq(id[0]->parameter[v], id[1]->parameter[v]);
    check_inside(id[0], id[1]);
    check_inside(id[1], id[0]);
    for (int i = 0; i < 2; i++)
        darc_identification_clear(id[i]);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

START_TEST(what_it_does_not_say)
{
    darc_coeffs_t c;
    darc_model *model = model_of(refused[_i]);
    ck_assert(!darc_response_coeffs(c, model, NULL));
    darc_model_free(model);
}
END_TEST

/* The monomials alone are those of the equations. */
START_TEST(monomials_with_numbers)
{
    darc_ioeqs_t io, sum;
    darc_model *model = model_of(agreeing[_i]);
    ck_assert_int_eq(darc_ioeqs_init_support(sum, model, NULL, NULL, NULL),
                     DARC_OK);
    bool stands = strcmp(sum->eq[0].engine, "model") == 0;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL,
                        stands ? DARC_ENGINE_AUTO : DARC_ENGINE_PROJECT, NULL,
                        NULL),
        DARC_OK);
    ck_assert_int_eq(io->count, sum->count);
    for (int i = 0; i < io->count; i++) {
        darc_monomials g;
        darc_monomials_init(&g, io->eq[i].poly, io->jet);
        if (stands)
            ck_assert(fmpz_mpoly_equal(io->eq[i].poly, sum->eq[i].poly,
                                       io->jet->ctx));
        else
            ck_assert_int_eq(g.monomial->count, sum->eq[i].part->count);
        ck_assert_int_eq(io->eq[i].leader.order, sum->eq[i].leader.order);
        darc_monomials_clear(&g, io->jet);
    }
    darc_ioeqs_clear(io);
    darc_ioeqs_clear(sum);
    darc_model_free(model);
}
END_TEST

Suite *suite_response(void)
{
    Suite *s = suite_create("response");
    TCase *tc = tcase_create("response");
    tcase_add_loop_test(tc, both_ways_agree, 0,
                        (int)(sizeof agreeing / sizeof *agreeing));
    tcase_add_loop_test(tc, what_it_does_not_say, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(tc, monomials_with_numbers, 0, 3);
    suite_add_tcase(s, tc);
    return s;
}
