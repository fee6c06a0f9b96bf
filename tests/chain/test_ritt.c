#include "tests.h"

#include "random_poly.h"
#include "ring.h"

#include "chain/ritt.h"

#include <string.h>

/* A ring with the triangular set of its equations. */
typedef struct {
    ring r;
    darc_autored_t a;
} triangular;

static void triangular_init(triangular *t, const char *eq, const char *ineq)
{
    ring_init(&t->r, "x z|a|y u", NULL, 4, eq, ineq);
    darc_autored_init(t->a, t->r.jet);
    for (slong i = 0; i < t->r.eq->count; i++)
        darc_autored_insert(t->a, t->r.eq->p + i, t->r.jet);
}

static void triangular_clear(triangular *t)
{
    darc_autored_clear(t->a, t->r.jet);
    ring_clear(&t->r);
}

/* Replay by multiplication out in full: H*f - C*r must be the sum of the
 * steps' multiples of derivatives of the equations. */
static void expand_and_compare(const darc_cert_t cert, const darc_dpoly_t f,
                               const darc_dpoly_t r, triangular *t)
{
    const darc_jet_struct *jet = t->r.jet;
    darc_dpoly_t h, c, left, right, g;
    darc_dpoly_struct *all[] = {h, c, left, right, g};
    for (int i = 0; i < 5; i++)
        darc_dpoly_init(all[i], jet);
    fmpz_mpoly_one(h, jet->ctx);
    fmpz_mpoly_one(c, jet->ctx);
    for (slong j = 0; j < cert->count; j++) {
        fmpz_mpoly_mul(h, h, cert->step[j].h, jet->ctx);
        fmpz_mpoly_mul(c, c, cert->step[j].c, jet->ctx);
    }
    fmpz_mpoly_mul(left, h, f, jet->ctx);
    fmpz_mpoly_mul(right, c, r, jet->ctx);
    fmpz_mpoly_sub(left, left, right, jet->ctx);
    fmpz_mpoly_zero(right, jet->ctx);
    /* Horner: sum_j q_j g_j (prod_{i>j} h_i) (prod_{i<j} c_i) */
    fmpz_mpoly_one(c, jet->ctx);
    for (slong j = 0; j < cert->count; j++) {
        const darc_cert_step *s = cert->step + j;
        ck_assert(darc_dpoly_diff_n(g, darc_autored_get(t->a, s->unknown),
                                    s->order, jet, NULL) == DARC_OK);
        fmpz_mpoly_mul(right, right, s->h, jet->ctx);
        fmpz_mpoly_mul(g, g, s->q, jet->ctx);
        fmpz_mpoly_mul(g, g, c, jet->ctx);
        fmpz_mpoly_add(right, right, g, jet->ctx);
        fmpz_mpoly_mul(c, c, s->c, jet->ctx);
    }
    ck_assert(fmpz_mpoly_equal(left, right, jet->ctx));
    for (int i = 0; i < 5; i++)
        darc_dpoly_clear(all[i], jet);
}

START_TEST(certificates_hold_on_random_input)
{
    triangular t;
    triangular_init(&t, "a*x_1 - z*x - y; y_1*z^2 - u*z + a; y_2*u - y", "u");
    darc_rng rng = {5};
    darc_dpoly_t f, r;
    darc_dpoly_init(f, t.r.jet);
    darc_dpoly_init(r, t.r.jet);
    for (int i = 0; i < 30; i++) {
        random_poly(f, 4, 1, 2, &rng, t.r.jet);
        darc_cert_t cert;
        darc_cert_init(cert);
        darc_ritt_options o = {.cert = cert,
                               .known = i % 2 == 0 ? t.r.ineq : NULL};
        ck_assert(darc_ritt_reduce(r, f, t.a, &o, t.r.jet, NULL) == DARC_OK);
        ck_assert(darc_ritt_is_reduced(r, t.a, t.r.jet));
        expand_and_compare(cert, f, r, &t);
        darc_cert_clear(cert, t.r.jet);
    }
    darc_dpoly_clear(f, t.r.jet);
    darc_dpoly_clear(r, t.r.jet);
    triangular_clear(&t);
}
END_TEST

START_TEST(partial_reduction_leaves_degrees)
{
    triangular t; /* x'^2 = z by hand: x''*2x' = z', so x''*x' = z'/2 */
    triangular_init(&t, "x_1^2 - z", "");
    darc_dpoly_t f;
    darc_dpoly_init(f, t.r.jet);
    ring_read(f, "x_2*x_1 + x_1^3", t.r.jet);
    darc_ritt_options o = {.partial = true};
    ck_assert(darc_ritt_reduce(f, f, t.a, &o, t.r.jet, NULL) == DARC_OK);
    ck_assert(ring_is(f, "2*x_1^3 + z_1", t.r.jet));
    o.partial = false;
    ck_assert(darc_ritt_reduce(f, f, t.a, &o, t.r.jet, NULL) == DARC_OK);
    ck_assert(ring_is(f, "2*x_1*z + z_1", t.r.jet));
    darc_dpoly_clear(f, t.r.jet);
    triangular_clear(&t);
}
END_TEST

START_TEST(a_false_certificate_is_refused)
{
    triangular t;
    triangular_init(&t, "a*x_1 - y", "");
    darc_dpoly_t f, r;
    darc_dpoly_init(f, t.r.jet);
    darc_dpoly_init(r, t.r.jet);
    ring_read(f, "x_2 + u*x_1", t.r.jet);
    darc_cert_t cert;
    darc_cert_init(cert);
    const darc_ritt_options o = {.cert = cert};
    ck_assert(darc_ritt_reduce(r, f, t.a, &o, t.r.jet, NULL) == DARC_OK);
    ck_assert(ring_is(r, "y_1 + u*y", t.r.jet));
    ck_assert_int_eq(cert->count, 2);
    ck_assert(darc_cert_replay(cert, f, r, t.a, t.r.jet));
    cert->step[1].order++;
    ck_assert(!darc_cert_replay(cert, f, r, t.a, t.r.jet));
    cert->step[1].order--;
    fmpz_mpoly_add_si(r, r, 1, t.r.jet->ctx);
    ck_assert(!darc_cert_replay(cert, f, r, t.a, t.r.jet));
    darc_cert_clear(cert, t.r.jet);
    darc_dpoly_clear(f, t.r.jet);
    darc_dpoly_clear(r, t.r.jet);
    triangular_clear(&t);
}
END_TEST

static void fails(triangular *t, const char *f, const darc_ritt_options *o,
                  const char *message)
{
    darc_err err;
    darc_err_init(&err);
    darc_dpoly_t p, r;
    darc_dpoly_init(p, t->r.jet);
    darc_dpoly_init(r, t->r.jet);
    ring_read(p, f, t->r.jet);
    ck_assert(darc_ritt_reduce(r, p, t->a, o, t->r.jet, &err) == DARC_LIMIT);
    ck_assert(fmpz_mpoly_is_zero(r, t->r.jet->ctx));
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    darc_dpoly_clear(p, t->r.jet);
    darc_dpoly_clear(r, t->r.jet);
}

START_TEST(limits_are_kept)
{
    triangular t;
    triangular_init(&t, "x_1 - y_2 - u", "");
    darc_ritt_options o = {.max_terms = 2};
    fails(&t, "x_1^2", &o, "more than 2 terms");
    o.max_terms = 0;
    fails(&t, "x_4", &o, "derivative 5 of 'y' lies outside the frame");
    darc_budget b;
    darc_budget_init(&b);
    b.deadline = darc_now() - 1;
    o.budget = &b;
    fails(&t, "x_1", &o, "time limit");
    triangular_clear(&t);
}
END_TEST

START_TEST(a_set_knows_its_members)
{
    triangular t;
    triangular_init(&t, "x_1 - y_2; y_1*z - u; y_3 - y", "");
    int unknown[5];
    ck_assert_int_eq(darc_autored_sorted(unknown, t.a, t.r.jet), 3);
    ck_assert_int_eq(unknown[0], 3); /* y, z, x: rank ascending */
    ck_assert_int_eq(unknown[1], 1);
    ck_assert_int_eq(unknown[2], 0);
    ck_assert_int_eq(darc_autored_order(t.a, 3, t.r.jet), 3);
    ck_assert_int_eq(darc_autored_order(t.a, 4, t.r.jet), -1);
    const darc_dpoly_struct *g;
    ck_assert(darc_autored_diff(&g, t.a, 1, 1, t.r.jet, NULL) == DARC_OK);
    ck_assert(ring_is(g, "y_2*z + y_1*z_1 - u_1", t.r.jet));
    ck_assert(darc_autored_diff(&g, t.a, 0, 3, t.r.jet, NULL) == DARC_LIMIT);
    darc_autored_remove(t.a, 1, t.r.jet);
    ck_assert(darc_autored_get(t.a, 1) == NULL);
    ck_assert_int_eq(darc_autored_sorted(unknown, t.a, t.r.jet), 2);
    triangular_clear(&t);
}
END_TEST

Suite *suite_ritt(void)
{
    Suite *s = suite_create("ritt");
    TCase *c = tcase_create("ritt");
    tcase_add_test(c, certificates_hold_on_random_input);
    tcase_add_test(c, partial_reduction_leaves_degrees);
    tcase_add_test(c, a_false_certificate_is_refused);
    tcase_add_test(c, limits_are_kept);
    tcase_add_test(c, a_set_knows_its_members);
    suite_add_tcase(s, c);
    return s;
}
