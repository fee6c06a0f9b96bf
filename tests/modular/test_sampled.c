/* Resultants by evaluation against those by determinants, and a model that
 * nothing else eliminates. */
#include "tests.h"

#include "modular/sampled.h"
#include "project/point.h"

#include <string.h>

enum { V, T, A, B, VARS };

/* Polynomials in v, t, a, b. */
static const char *const names[] = {"v", "t", "a", "b"};

/* f is irreducible, g linear in t; pole (if any) is known not to vanish. */
static const struct {
    const char *f, *g, *pole;
} cases[] = {
    {"v^2-a", "t-v*b", NULL},
    {"v^3+a*v+b", "(a+1)*t-v^2-b*v", NULL},
    {"v^4-a*v+b^2*v^3+1", "(v+b)*t-v^3-a", NULL},
    {"(v^3+a)*b-2", "(v^3+a)*t-v", "v^3+a"},
    {"v^5-a*b", "b*t-v^2-v", NULL},
    {"t*(v-3)-v^2+a", "v^3-b*v+a", "v-3"}, /* the other way round */
};

/* Set ring to a prime field with a point at which f and g vanish. */
static void set_point(darc_ring_t ring, const darc_mpoly *f,
                      const darc_mpoly *g)
{
    const darc_mpoly *linear = darc_ring_degree(g, T, ring) == 1 ? g : f;
    const darc_mpoly *other = linear == g ? f : g;
    nmod_mpoly_t h;
    nmod_mpoly_init(h, ring->ctx);
    for (bool found = false; !found;) {
        for (int i = 0; i < VARS; i++)
            ring->point[i] = n_randint(ring->rand, ring->mod.n);
        /* a such that the free one vanishes: both are linear in a or b */
        int x = darc_ring_degree(other, A, ring) == 1 ? A : B;
        ring->point[x] = 0;
        ulong c = darc_ring_value(other, ring);
        nmod_mpoly_derivative(h, other, x, ring->ctx);
        ulong d = darc_ring_value(h, ring);
        ring->point[x] =
            d == 0 ? 0 : nmod_div(nmod_neg(c, ring->mod), d, ring->mod);
        ring->point[T] = 0;
        c = darc_ring_value(linear, ring);
        nmod_mpoly_derivative(h, linear, T, ring->ctx);
        d = darc_ring_value(h, ring);
        ring->point[T] =
            d == 0 ? 0 : nmod_div(nmod_neg(c, ring->mod), d, ring->mod);
        found = darc_ring_value(f, ring) == 0 && darc_ring_value(g, ring) == 0;
    }
    nmod_mpoly_clear(h, ring->ctx);
}

START_TEST(samples_give_the_determinant)
{
    darc_ring_t ring;
    darc_err err;
    darc_err_init(&err);
    darc_ring_init(ring, VARS, darc_prime(0), 2385, NULL);
    nmod_mpoly_t f, g, pole, r, s;
    nmod_mpoly_struct *all[] = {f, g, pole, r, s};
    for (int i = 0; i < 5; i++)
        nmod_mpoly_init(all[i], ring->ctx);
    const char **x = (const char **)names;
    ck_assert_int_eq(nmod_mpoly_set_str_pretty(f, cases[_i].f, x, ring->ctx),
                     0);
    ck_assert_int_eq(nmod_mpoly_set_str_pretty(g, cases[_i].g, x, ring->ctx),
                     0);
    set_point(ring, f, g);
    if (cases[_i].pole != NULL) {
        ck_assert_int_eq(
            nmod_mpoly_set_str_pretty(pole, cases[_i].pole, x, ring->ctx), 0);
        darc_ring_remember(ring, pole);
    }
    ck_assert(darc_ring_eliminate(r, f, g, V, ring, &err) == DARC_OK);
    ck_assert_msg(darc_sampled_resultant(s, f, g, V, ring, &err) == DARC_OK,
                  "%s", err.message);
    ck_assert(nmod_mpoly_equal(r, s, ring->ctx));
    for (int i = 0; i < 5; i++)
        nmod_mpoly_clear(all[i], ring->ctx);
    darc_ring_clear(ring);
}
END_TEST

/* v is seen up to its sign: the resultant is a square. */
START_TEST(powers_are_refused)
{
    darc_ring_t ring;
    darc_ring_init(ring, VARS, darc_prime(0), 2385, NULL);
    nmod_mpoly_t f, g, r;
    nmod_mpoly_init(f, ring->ctx);
    nmod_mpoly_init(g, ring->ctx);
    nmod_mpoly_init(r, ring->ctx);
    const char **x = (const char **)names;
    nmod_mpoly_set_str_pretty(f, "v^4-a*v^2+b", x, ring->ctx);
    nmod_mpoly_set_str_pretty(g, "t-v^2*b", x, ring->ctx);
    ck_assert(darc_sampled_resultant(r, f, g, V, ring, NULL) == DARC_LIMIT);
    ring->work_limit = 10;
    nmod_mpoly_set_str_pretty(g, "t-v*b", x, ring->ctx);
    ck_assert(darc_sampled_resultant(r, f, g, V, ring, NULL) == DARC_LIMIT);
    nmod_mpoly_set_str_pretty(g, "t^2-v*b", x, ring->ctx);
    ck_assert(darc_sampled_resultant(r, f, g, V, ring, NULL) == DARC_LIMIT);
    nmod_mpoly_clear(f, ring->ctx);
    nmod_mpoly_clear(g, ring->ctx);
    nmod_mpoly_clear(r, ring->ctx);
    darc_ring_clear(ring);
}
END_TEST

Suite *suite_sampled(void)
{
    Suite *s = suite_create("sampled");
    TCase *t = tcase_create("sampled");
    tcase_add_loop_test(t, samples_give_the_determinant, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(t, powers_are_refused);
    suite_add_tcase(s, t);
    return s;
}
