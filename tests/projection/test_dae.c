/* Structure of equations with constraints, and points that obey them. */
#include "tests.h"

#include "models.h"
#include "projection/dae.h"

#define PENDULUM                                                               \
    "model pendulum\nparameters\n m l\nconstants\n g = 9.81\nstates\n"         \
    " x y lam\noutputs\n v\nequations\n m*x'' = -lam*x\n"                      \
    " m*y'' = -lam*y - m*g\n x^2 + y^2 = l^2\n v = x\n"

/* By hand: the constraint is differentiated twice; two initial values are
 * free, an angle and its velocity. */
START_TEST(pendulum)
{
    darc_dae_t x;
    darc_model *model = model_of(PENDULUM);
    ck_assert_int_eq(darc_dae_init(x, model, NULL), DARC_OK);
    const int times[] = {0, 0, 2, 0}, highest[] = {2, 2, 0, 0};
    ck_assert_int_eq(x->count, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(x->times[i], times[i] + (i == 3 ? x->times[3] : 0));
        ck_assert_int_eq(x->highest[i],
                         highest[i] + (i == 3 ? x->times[3] : 0));
    }
    ck_assert_int_eq(x->first, -2);
    ck_assert_int_eq(x->free, 2);
    darc_dae_clear(x);
    darc_model_free(model);
}
END_TEST

static const struct {
    const char *text;
    int free;     /* initial values */
    bool another; /* a second point has the parameters of the first */
} mechanisms[] = {
    {PENDULUM, 2, true},
    {"model slider\nparameters\n J m r l\nstates\n th x lam\ninputs\n u\n"
     "outputs\n y\nequations\n J*th'' = u - lam*x*r*sin(th)\n"
     " m*x'' = -lam*(x - r*cos(th))\n"
     " (x - r*cos(th))^2 + (r*sin(th))^2 = l^2\n y = th\n",
     2, true},
    {"model two_angles\nparameters\n J m r l\nstates\n th ph x p q\ninputs\n"
     " u\noutputs\n y\nequations\n J*th'' = u - p*r*cos(th) - q*r*sin(th)\n"
     " p*l*cos(ph) = q*l*sin(ph) + m*ph''\n m*x'' = q\n"
     " r*sin(th) = l*sin(ph)\n x = r*cos(th) + l*cos(ph)\n y = th\n",
     2, true},
    {"model fourbar\nparameters\n J1 J2 J3 a b c d\nstates\n th al be p q\n"
     "inputs\n u\noutputs\n y\nequations\n"
     " J1*th'' = u + p*a*sin(th) - q*a*cos(th)\n"
     " J2*al'' = p*b*sin(al) - q*b*cos(al)\n"
     " J3*be'' = -p*c*sin(be) + q*c*cos(be)\n"
     " a*cos(th) + b*cos(al) = d + c*cos(be)\n"
     " a*sin(th) + b*sin(al) = c*sin(be)\n y = th\n",
     2, false},
};

/* All equations and their derivatives vanish there, and twins lie on their
 * circle. */
static void check_point(const darc_solution_t s, const darc_dae_t x, int last)
{
    ulong out[16];
    for (int i = 0; i < x->count; i++) {
        int n = last + x->times[i] + 1;
        darc_solution_derivatives(out, n, x->eq->p + i, x->jet, s);
        for (int k = 0; k < n; k++)
            ck_assert_uint_eq(out[k], 0);
    }
    for (int i = 0; i + 1 < darc_adjoined_count(x->model); i += 2) {
        const ulong *a = darc_dae_twin(x, i, s);
        const ulong *b = darc_dae_twin(x, i + 1, s);
        ck_assert_uint_eq(nmod_add(nmod_mul(*a, *a, s->mod),
                                   nmod_mul(*b, *b, s->mod), s->mod),
                          1);
    }
}

START_TEST(points)
{
    enum { LAST = 3 };
    darc_dae_t x;
    darc_model *whole;
    flint_rand_t rand;
    flint_randinit(rand);
    ulong prime = darc_finite_random_prime(rand);
    darc_model *model = model_of(mechanisms[_i].text);
    ck_assert_int_eq(darc_dae_model(&whole, model, NULL), DARC_OK);
    ck_assert_int_eq(darc_dae_init(x, whole, NULL), DARC_OK);
    int functions = darc_adjoined_count(whole); /* these start anywhere */
    ck_assert_int_eq(x->free - functions, mechanisms[_i].free);
    darc_solution_t a, b;
    ck_assert(darc_dae_point(a, x, LAST, prime, NULL, rand));
    check_point(a, x, LAST);
    ulong param[64];
    for (int u = 0; u < x->jet->names->count; u++)
        param[u] = a->value[u * a->stride];
    bool another = darc_dae_point(b, x, LAST, prime, param, rand);
    ck_assert_int_eq(another, mechanisms[_i].another);
    if (another) {
        check_point(b, x, LAST);
        for (int u = 0; u < x->jet->names->count; u++)
            if (x->jet->names->symbol[u].kind == DARC_PARAMETER)
                ck_assert_uint_eq(b->value[u * b->stride], param[u]);
        darc_solution_clear(b);
    }
    darc_solution_clear(a);
    darc_dae_clear(x);
    darc_model_free(whole);
    darc_model_free(model);
    flint_randclear(rand);
}
END_TEST

START_TEST(refusals)
{
    darc_dae_t x;
    darc_err err = {DARC_OK, ""};
    darc_model *model = model_of("model few\nstates\n x y\noutputs\n v\n"
                                 "equations\n x' = y\n v = x\n");
    ck_assert_int_eq(darc_dae_init(x, model, &err), DARC_DOMAIN);
    ck_assert_str_eq(err.message, "2 equations for 3 unknowns");
    darc_model_free(model);
    err = (darc_err){DARC_OK, ""};
    model = model_of("model same\nstates\n x y\noutputs\n v\nequations\n"
                     " x' = x\n v = x\n x^2 = v\n");
    ck_assert_int_eq(darc_dae_init(x, model, &err), DARC_DOMAIN);
    darc_model_free(model);
    darc_model *whole;
    model = model_of("model any\nstates\n x\ninputs\n w unknown\noutputs\n v\n"
                     "equations\n x' = w\n v = x\n");
    ck_assert_int_eq(darc_dae_model(&whole, model, NULL), DARC_DOMAIN);
    darc_model_free(model);
}
END_TEST

Suite *suite_dae(void)
{
    Suite *s = suite_create("dae");
    TCase *c = tcase_create("dae");
    tcase_add_test(c, pendulum);
    tcase_add_loop_test(c, points, 0,
                        (int)(sizeof mechanisms / sizeof *mechanisms));
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return s;
}
