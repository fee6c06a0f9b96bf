#include "tests.h"

#include "ring.h"

#include "chain/regular.h"

typedef struct {
    ring r;
    darc_autored_t a;
    darc_tower_t t;
    const darc_dpoly_struct *bad;
} fibre;

static void fibre_init(fibre *f, const char *eq, const char *tested)
{
    ring_init(&f->r, "x y z|a|u", "x >> y >> z >> u >> a", 4, eq, tested);
    darc_autored_init(f->a, f->r.jet);
    for (slong i = 0; i < f->r.eq->count; i++)
        darc_autored_insert(f->a, f->r.eq->p + i, f->r.jet);
    ck_assert(darc_tower_init(f->t, &f->bad, f->a, 9, f->r.jet, NULL) ==
              DARC_OK);
}

static void fibre_clear(fibre *f)
{
    darc_tower_clear(f->t);
    darc_autored_clear(f->a, f->r.jet);
    ring_clear(&f->r);
}

/* Return whether polynomial i under test is regular. */
static bool regular(fibre *f, slong i)
{
    bool yes;
    ck_assert(darc_tower_is_regular(&yes, f->t, f->r.ineq->p + i, f->a,
                                    f->r.jet, NULL) == DARC_OK);
    return yes;
}

START_TEST(zero_divisors_are_not_invertible)
{
    fibre f; /* z^2 = 2, y^2 = 2: y - z and y + z divide zero */
    fibre_init(&f, "z^2 - 2; y^2 - 2; x^3 - u*y",
               "y - z; y + z; y - 3*z; x - 1; y^2 - 2; x^6 - 2*u^2; x*y");
    ck_assert_ptr_null(f.bad);
    ck_assert_int_eq(f.t->dim, 12);
    static const bool expected[] = {false, false, true, true,
                                    false, false, true};
    for (slong i = 0; i < 7; i++)
        ck_assert_msg(regular(&f, i) == expected[i], "polynomial %ld", (long)i);
    fibre_clear(&f);
}
END_TEST

START_TEST(derivatives_of_leaders_follow)
{
    fibre f; /* x' = a x, y^2 = x: then 2 y y' = a x, 4 y'^2 = a^2 x */
    fibre_init(&f, "x - y^2; 2*y_1 - a*y",
               "4*y_1^2 - a^2*x; x_2 - a^2*x; x_3 - a^2*x; y_2 + u_4");
    ck_assert_ptr_null(f.bad);
    ck_assert(!regular(&f, 0) && !regular(&f, 1));
    ck_assert(regular(&f, 2) && regular(&f, 3));
    fibre_clear(&f);
}
END_TEST

START_TEST(a_vanishing_initial_is_named)
{
    fibre f;
    fibre_init(&f, "z^2 - 2; y^2 - 2; x_1*(y - z) - 1", "x");
    ck_assert_ptr_eq(f.bad, darc_autored_get(f.a, 0));
    fibre_clear(&f);
    /* The separant of y^2 - 2 y z + z^2 is not needed for the fibre, but for
     * y': */
    fibre_init(&f, "z - u; y^2 - 2*y*z + z^2", "y - u; y_1");
    ck_assert_ptr_null(f.bad);
    ck_assert(!regular(&f, 0) && !regular(&f, 1));
    fibre_clear(&f);
}
END_TEST

START_TEST(a_large_dimension_is_refused)
{
    fibre f;
    fibre_init(&f, "z^9 - u; y^9 - z; x^9 - y", "x");
    ck_assert_ptr_eq(f.bad, darc_autored_get(f.a, 0));
    fibre_clear(&f);
}
END_TEST

START_TEST(a_small_frame_is_reported)
{
    ring r;
    ring_init(&r, "x|a|u", NULL, 2, "x - u_1", "x_2");
    darc_autored_t a;
    darc_autored_init(a, r.jet);
    darc_autored_insert(a, r.eq->p, r.jet);
    darc_tower_t t;
    const darc_dpoly_struct *bad;
    ck_assert(darc_tower_init(t, &bad, a, 1, r.jet, NULL) == DARC_OK);
    bool yes;
    ck_assert(darc_tower_is_regular(&yes, t, r.ineq->p, a, r.jet, NULL) ==
              DARC_LIMIT);
    darc_tower_clear(t);
    darc_autored_clear(a, r.jet);
    ring_clear(&r);
}
END_TEST

Suite *suite_tower(void)
{
    Suite *s = suite_create("tower");
    TCase *c = tcase_create("tower");
    tcase_add_test(c, zero_divisors_are_not_invertible);
    tcase_add_test(c, derivatives_of_leaders_follow);
    tcase_add_test(c, a_vanishing_initial_is_named);
    tcase_add_test(c, a_large_dimension_is_refused);
    tcase_add_test(c, a_small_frame_is_reported);
    suite_add_tcase(s, c);
    return s;
}
