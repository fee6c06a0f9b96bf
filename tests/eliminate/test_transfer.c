/* Transfer functions against those by hand. */
#include "tests.h"

#include "eliminate/transfer.h"

#include <math.h>
#include <string.h>

static const char quarter[] =
    "model q\nstates\n zc zw\nparameters\n m > 0\n c\n d\n g\nconstants\n mw = "
    "40\n ct = 1800\ninputs\n road f\noutputs\n a p\nequations\n m*zc'' = "
    "c*(zw - zc) + d*(zw' - zc') + f - m*g\n mw*zw'' = ct*(road - zw) - c*(zw "
    "- "
    "zc) - d*(zw' - zc') - f\n a = zc''\n p = zw/m\n";

static void by_hand(double complex *h, double complex s, const double *x)
{
    double m = x[0], mw = 40, ct = 1800;
    double complex q = x[1] + x[2] * s, a = m * s * s + q;
    double complex e = mw * s * s + q + ct, den = a * e - q * q;
    /* a zc - q zw = f, -q zc + e zw = ct road - f */
    h[0] = s * s * q * ct / den;
    h[1] = s * s * (e - q) / den;
    h[2] = a * ct / den / m;
    h[3] = (q - a) / den / m;
}

START_TEST(responses_are_those_by_hand)
{
    static const double value[][4] = {{30, 700, 12, 9.81}, {0.3, -5, 1e3, 1}};
    darc_model *model;
    darc_transfer r;
    ck_assert_int_eq(
        darc_model_parse(&model, quarter, strlen(quarter), "q", NULL), DARC_OK);
    ck_assert_int_eq(darc_transfer_init(&r, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(r.parameters, 4);
    ck_assert(r.conditions > 0);
    for (int k = 0; k < 2; k++) {
        darc_transfer_set(&r, value[k]);
        fmpz_poly_struct *f = darc_transfer_exact(&r, value[k]);
        for (double w = 0.013; w < 1e3; w *= 3) {
            double complex h[4], known[4], part[5];
            double share = darc_transfer_at(&r, w, h);
            ck_assert(share > 0 && share <= 1 + 1e-12);
            by_hand(known, I * w, value[k]);
            for (int i = 0; i < 5; i++) {
                part[i] = 0;
                for (slong n = fmpz_poly_degree(f + i); n >= 0; n--)
                    part[i] = part[i] * I * w +
                              fmpz_get_d(fmpz_poly_get_coeff_ptr(f + i, n));
            }
            for (int i = 0; i < 4; i++) {
                ck_assert_double_le(cabs(h[i] - known[i]),
                                    1e-9 * cabs(known[i]));
                ck_assert_double_le(cabs(part[i + 1] / part[0] - known[i]),
                                    1e-9 * cabs(known[i]));
            }
        }
        darc_transfer_exact_free(f, &r);
    }
    darc_transfer_clear(&r);
    darc_model_free(model);
}
END_TEST

Suite *suite_transfer(void)
{
    Suite *s = suite_create("transfer");
    TCase *tc = tcase_create("transfer");
    tcase_add_test(tc, responses_are_those_by_hand);
    suite_add_tcase(s, tc);
    return s;
}
