#include "tests.h"

#include "algebra/finite.h"
#include "functions/basis.h"

static void set_random(fmpq_mat_t v, slong below, darc_rng *rng)
{
    for (slong i = 0; i < fmpq_mat_nrows(v); i++)
        for (slong j = 0; j < fmpq_mat_ncols(v); j++)
            fmpq_set_si(fmpq_mat_entry(v, i, j),
                        (slong)(darc_rng_next(rng) % 7) - 3,
                        1 + darc_rng_next(rng) % (ulong)below);
}

/* rows = by*basis, and the basis is made of the rows: it has their
 * determinant where these are as many. */
START_TEST(rows_are_whole_in_their_basis)
{
    darc_rng rng = {5};
    for (int k = 0; k < 50; k++) {
        fmpq_mat_t v, basis, back, whole;
        fmpz_mat_t by;
        bool in[4] = {true, true, true, true};
        fmpq_mat_init(v, 4, 3);
        set_random(v, 3, &rng);
        darc_basis_find(basis, by, in, v, 1000000000);
        ck_assert(in[0] && in[1] && in[2] && in[3]);
        ck_assert_int_eq(fmpq_mat_nrows(basis), fmpz_mat_ncols(by));
        fmpq_mat_init(whole, 4, fmpz_mat_ncols(by));
        fmpq_mat_init(back, 4, 3);
        fmpq_mat_set_fmpz_mat(whole, by);
        fmpq_mat_mul(back, whole, basis);
        ck_assert(fmpq_mat_equal(back, v));
        /* Whole combinations of the rows give the basis: so do those of by. */
        fmpz_mat_hnf(by, by);
        for (slong i = 0; i < fmpz_mat_ncols(by); i++)
            for (slong j = 0; j < fmpz_mat_ncols(by); j++)
                ck_assert(fmpz_equal_si(fmpz_mat_entry(by, i, j), i == j));
        fmpz_mat_clear(by);
        fmpq_mat_clear(v);
        fmpq_mat_clear(basis);
        fmpq_mat_clear(back);
        fmpq_mat_clear(whole);
    }
}
END_TEST

START_TEST(large_multiples_leave)
{
    fmpq_mat_t v, basis;
    fmpz_mat_t by;
    bool in[3] = {true, true, true};
    fmpq_mat_init(v, 3, 1);
    fmpq_set_si(fmpq_mat_entry(v, 0, 0), 13, 1);
    fmpq_set_si(fmpq_mat_entry(v, 1, 0), 1, 1);
    fmpq_set_si(fmpq_mat_entry(v, 2, 0), 26, 1);
    darc_basis_find(basis, by, in, v, 12);
    ck_assert(in[0] && !in[1] && in[2]);
    ck_assert(fmpz_equal_si(fmpz_mat_entry(by, 2, 0), 2));
    fmpz_mat_clear(by);
    fmpq_mat_clear(v);
    fmpq_mat_clear(basis);
}
END_TEST

START_TEST(functions_are_expressed_by_earlier_ones)
{
    /* x, z, x/2 - 3*z, 5, x*z by values at points */
    nmod_mat_t value;
    fmpq_mat_t by;
    slong pivot[5];
    darc_rng rng = {7};
    nmod_mat_init(value, 7, 5, darc_finite_prime(0));
    for (slong i = 0; i < 7; i++) {
        ulong x = darc_rng_residue(&rng, value->mod),
              z = darc_rng_residue(&rng, value->mod),
              half = nmod_mul(x, nmod_inv(2, value->mod), value->mod);
        nmod_mat_entry(value, i, 0) = x;
        nmod_mat_entry(value, i, 1) = z;
        nmod_mat_entry(value, i, 2) =
            nmod_sub(half, nmod_mul(3, z, value->mod), value->mod);
        nmod_mat_entry(value, i, 3) = 5;
        nmod_mat_entry(value, i, 4) = nmod_mul(x, z, value->mod);
    }
    ck_assert_int_eq(darc_basis_express(by, pivot, value), 4);
    ck_assert_int_eq(pivot[2], 3);
    ck_assert_int_eq(pivot[3], 4);
    fmpq_t half, three;
    fmpq_init(half);
    fmpq_init(three);
    fmpq_set_si(half, 1, 2);
    fmpq_set_si(three, -3, 1);
    ck_assert(fmpq_equal(fmpq_mat_entry(by, 2, 0), half));
    ck_assert(fmpq_equal(fmpq_mat_entry(by, 2, 1), three));
    ck_assert(fmpq_is_zero(fmpq_mat_entry(by, 2, 2)));
    fmpq_mat_clear(by);
    fmpq_clear(half);
    fmpq_clear(three);
    nmod_mat_clear(value);
}
END_TEST

START_TEST(relations_name_their_rows)
{
    fmpq_mat_t v; /* (1, 0 | 1), (2, 0 | 0), (0, 1 | 0), (0, 0 | 1) */
    bool in[4] = {false, false, false, false};
    fmpq_mat_init(v, 4, 3);
    fmpq_set_si(fmpq_mat_entry(v, 0, 0), 1, 1);
    fmpq_set_si(fmpq_mat_entry(v, 0, 2), 1, 1);
    fmpq_set_si(fmpq_mat_entry(v, 1, 0), 2, 1);
    fmpq_set_si(fmpq_mat_entry(v, 2, 1), 1, 1);
    fmpq_set_si(fmpq_mat_entry(v, 3, 2), 1, 1);
    ck_assert(darc_basis_related(in, v, 0, 2));
    ck_assert(in[0] && in[1] && !in[2] && !in[3]);
    in[0] = in[1] = false;
    ck_assert(!darc_basis_related(in, v, 2, 3));
    ck_assert(!in[0] && !in[1] && !in[2] && !in[3]);
    fmpq_mat_clear(v);
}
END_TEST

Suite *suite_basis(void)
{
    Suite *s = suite_create("basis");
    TCase *c = tcase_create("basis");
    tcase_add_test(c, rows_are_whole_in_their_basis);
    tcase_add_test(c, large_multiples_leave);
    tcase_add_test(c, functions_are_expressed_by_earlier_ones);
    tcase_add_test(c, relations_name_their_rows);
    suite_add_tcase(s, c);
    return s;
}
