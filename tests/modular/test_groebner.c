#include "tests.h"

#include "modular/groebner.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PRIME UINT64_C(2305843009213693951) /* 2^61 - 1 */

static const char *const names[] = {"x", "y", "z", "w"};

static void set(nmod_mpoly_t p, const char *text, const nmod_mpoly_ctx_t ctx)
{
    ck_assert_int_eq(
        nmod_mpoly_set_str_pretty(p, text, (const char **)names, ctx), 0);
}

static void basis(darc_groebner_t b, const char *const *text, slong n,
                  const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_t f;
    nmod_mpoly_init(f, ctx);
    darc_groebner_init(b, ctx);
    for (slong i = 0; i < n; i++) {
        set(f, text[i], ctx);
        darc_groebner_add(b, f);
    }
    ck_assert_int_eq(darc_groebner_find(b, NULL, NULL), DARC_OK);
    nmod_mpoly_clear(f, ctx);
}

static bool contains(const darc_groebner_t b, const char *text,
                     const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_t p;
    nmod_mpoly_init(p, ctx);
    set(p, text, ctx);
    bool in = darc_groebner_contains(b, p);
    nmod_mpoly_clear(p, ctx);
    return in;
}

START_TEST(hand_worked)
{
    static const char *const circle[] = {"x^2+y^2-25", "x-y-1"};
    static const char *const none[] = {"x*y-1", "x-1", "y-2"};
    static const char *const axis[] = {"x*y-x*z", "y+z-4"};
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_init(ctx, 4, ORD_DEGREVLEX, PRIME);
    darc_groebner_t b;
    basis(b, circle, 2, ctx);
    ck_assert(contains(b, "(x-4)*(x+3)", ctx));
    ck_assert(!contains(b, "x-4", ctx));
    ck_assert(!darc_groebner_is_one(b));
    darc_groebner_clear(b);
    basis(b, none, 3, ctx);
    ck_assert(darc_groebner_is_one(b));
    darc_groebner_clear(b);
    basis(b, axis, 2, ctx); /* x = 0 is left out */
    ck_assert(contains(b, "y-2", ctx));
    darc_groebner_clear(b);
    nmod_mpoly_ctx_clear(ctx);
}
END_TEST

/* Elementary symmetric functions of x, y, z: 6 points, and the power sums
 * follow. */
START_TEST(symmetric_functions)
{
    static const char *const f[] = {"x+y+z-10", "x*y+y*z+x*z-31", "x*y*z-30"};
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_init(ctx, 3, ORD_DEGREVLEX, PRIME);
    darc_groebner_t b;
    basis(b, f, 3, ctx);
    ck_assert(contains(b, "x^2+y^2+z^2-38", ctx));
    ck_assert(contains(b, "(z-2)*(z-3)*(z-5)", ctx));
    ck_assert(!contains(b, "(z-2)*(z-3)", ctx));
    darc_groebner_clear(b);
    nmod_mpoly_ctx_clear(ctx);
}
END_TEST

/* With a constant term no monomial is split off at once. */
static void random_with_constant(nmod_mpoly_t p, flint_rand_t state,
                                 const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_randtest_bound(p, state, 4, 3, ctx);
    nmod_mpoly_add_ui(p, p, 1, ctx);
}

/* Combinations of random generators lie in their ideal, and a basis of the
 * basis is itself. */
START_TEST(random_ideals)
{
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_init(ctx, 3, ORD_DEGREVLEX, PRIME);
    flint_rand_t state;
    flint_randinit(state);
    nmod_mpoly_struct f[3];
    nmod_mpoly_t p, q;
    nmod_mpoly_init(p, ctx);
    nmod_mpoly_init(q, ctx);
    for (int i = 0; i < 3; i++)
        nmod_mpoly_init(f + i, ctx);
    for (int run = 0; run < 20; run++) {
        darc_groebner_t b, c;
        darc_groebner_init(b, ctx);
        for (int i = 0; i < 3; i++) {
            random_with_constant(f + i, state, ctx);
            nmod_mpoly_set(p, f + i, ctx);
            darc_groebner_add(b, p);
        }
        ck_assert_int_eq(darc_groebner_find(b, NULL, NULL), DARC_OK);
        nmod_mpoly_zero(p, ctx);
        for (int i = 0; i < 3; i++) {
            nmod_mpoly_randtest_bound(q, state, 4, 3, ctx);
            nmod_mpoly_mul(q, q, f + i, ctx);
            nmod_mpoly_add(p, p, q, ctx);
        }
        ck_assert(darc_groebner_contains(b, p));
        darc_groebner_init(c, ctx);
        for (slong i = 0; i < b->count; i++) {
            nmod_mpoly_set(p, b->g[i].p, ctx);
            if (b->g[i].active)
                darc_groebner_add(c, p);
        }
        ck_assert_int_eq(darc_groebner_find(c, NULL, NULL), DARC_OK);
        for (slong i = 0; i < b->count; i++)
            ck_assert(darc_groebner_contains(c, b->g[i].p));
        for (slong i = 0; i < c->count; i++)
            ck_assert(darc_groebner_contains(b, c->g[i].p));
        darc_groebner_clear(b);
        darc_groebner_clear(c);
    }
    for (int i = 0; i < 3; i++)
        nmod_mpoly_clear(f + i, ctx);
    nmod_mpoly_clear(p, ctx);
    nmod_mpoly_clear(q, ctx);
    flint_randclear(state);
    nmod_mpoly_ctx_clear(ctx);
}
END_TEST

START_TEST(obeys_the_budget)
{
    static const char *const f[] = {"x^2+y*z-1", "x*y-z^2-2"};
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_init(ctx, 4, ORD_DEGREVLEX, PRIME);
    nmod_mpoly_t p;
    nmod_mpoly_init(p, ctx);
    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    darc_groebner_t b;
    darc_groebner_init(b, ctx);
    for (int i = 0; i < 2; i++) {
        set(p, f[i], ctx);
        darc_groebner_add(b, p);
    }
    ck_assert_int_eq(darc_groebner_find(b, &spent, NULL), DARC_LIMIT);
    darc_groebner_clear(b);
    nmod_mpoly_clear(p, ctx);
    nmod_mpoly_ctx_clear(ctx);
}
END_TEST

/* Sums of generators that are short are found, and what they fix is put into
 * the others, without a single S-polynomial of long ones. */
START_TEST(short_sums)
{
    static const char *const f[] = {"x*y*z*w+y^2*w+z+w-10",
                                    "x*y*z*w+y^2*w+z+w+x-12",
                                    "x*y*z*w+3*z*w^2-4*w+y*z^3-2*y"};
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_init(ctx, 4, ORD_DEGREVLEX, PRIME);
    darc_groebner_t b;
    nmod_mpoly_t p;
    nmod_mpoly_init(p, ctx);
    darc_groebner_init(b, ctx);
    for (int i = 0; i < 3; i++) {
        set(p, f[i], ctx);
        darc_groebner_add(b, p);
        ck_assert(nmod_mpoly_is_zero(p, ctx));
    }
    ck_assert_int_eq(darc_groebner_find_short(b, NULL, NULL), DARC_OK);
    ck_assert_int_eq(b->values, 1);
    ck_assert(b->fixed[0] && b->at[0] == 2);
    ck_assert_int_eq(b->count, 1);
    ck_assert_int_eq(b->waiting, 2);
    ck_assert(contains(b, "x^2*y-4*y", ctx));
    ck_assert_int_eq(darc_groebner_find(b, NULL, NULL), DARC_OK);
    for (int i = 0; i < 3; i++)
        ck_assert(contains(b, f[i], ctx));
    darc_groebner_clear(b);
    nmod_mpoly_clear(p, ctx);
    nmod_mpoly_ctx_clear(ctx);
}
END_TEST

/* A value that comes late turns what linear elements say into values. */
START_TEST(values_follow)
{
    static const char *const f[] = {"x+y-3", "y+z-5", "x*z*w^2-z*w^2"};
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_init(ctx, 4, ORD_DEGREVLEX, PRIME);
    darc_groebner_t b;
    basis(b, f, 3, ctx);
    ck_assert_int_eq(b->values, 3);
    ck_assert(b->at[0] == 1 && b->at[1] == 2 && b->at[2] == 3);
    ck_assert(!b->fixed[3]);
    darc_groebner_clear(b);
    nmod_mpoly_ctx_clear(ctx);
}
END_TEST

/* Mixed by a random matrix, short polynomials come out again, and span what
 * they spanned; what depends on the others is 0. */
START_TEST(echelon_forms)
{
    enum { ROWS = 6 };
    static const char *const shorts[ROWS - 1] = {
        "x*y-2*w", "y^2-3*w", "z*x-5*w", "x^2*w+w", "z^3+y*w-w"};
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_init(ctx, 4, ORD_DEGREVLEX, PRIME);
    flint_rand_t state;
    flint_randinit(state);
    nmod_mpoly_t p;
    nmod_mpoly_struct f[ROWS];
    nmod_mpoly_init(p, ctx);
    for (int i = 0; i < ROWS; i++) {
        nmod_mpoly_init(f + i, ctx);
        for (int k = 0; k < ROWS - 1; k++) {
            set(p, shorts[k], ctx);
            nmod_mpoly_scalar_mul_ui(p, p, 1 + n_randint(state, 1000), ctx);
            nmod_mpoly_add(f + i, f + i, p, ctx);
        }
    }
    double terms = 0;
    ck_assert_int_eq(darc_echelon(f, ROWS, &terms, ctx), ROWS - 1);
    ck_assert(terms > 0);
    slong length = 0;
    for (int i = 0; i < ROWS - 1; i++) {
        length += f[i].length;
        nmod_mpoly_clear(f + i, ctx);
    }
    ck_assert_int_eq(length, 4 * 2 + 3);
    nmod_mpoly_clear(p, ctx);
    flint_randclear(state);
    nmod_mpoly_ctx_clear(ctx);
}
END_TEST

Suite *suite_groebner(void)
{
    Suite *s = suite_create("groebner");
    TCase *c = tcase_create("groebner");
    tcase_add_test(c, hand_worked);
    tcase_add_test(c, symmetric_functions);
    tcase_add_test(c, random_ideals);
    tcase_add_test(c, obeys_the_budget);
    tcase_add_test(c, short_sums);
    tcase_add_test(c, values_follow);
    tcase_add_test(c, echelon_forms);
    suite_add_tcase(s, c);
    return s;
}
