/* Nearest behaviours that are known. */
#include "models.h"
#include "tests.h"

#include "darc.h"
#include "fulfil/nearest.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SISO "inputs\n u\noutputs\n y\nequations\n "

#define LEADS                                                                  \
    "parameters\n K > 0\n a > 0\n b > 0\n c > 0\n d > 0\n" SISO                \
    "y'' + (c + d)*y' + c*d*y = K*(u'' + (a + b)*u' + a*b*u)\n"
/* lags of (1 + 2*p)/(1 + p) */
#define LAGS                                                                   \
    "parameters\n p > 0\n" SISO "(1 + 2*p)*y' + (1 + p)*y = (1 + p)*u\n"
#define LOOP "inputs\n r\noutputs\n w\nequations\n "
#define PASSIVE                                                                \
    "m*zc'' = c*(zw - zc) + d*(zw' - zc')\n mw*zw'' = ct*(road - zw) - "       \
    "c*(zw - zc) - d*(zw' - zc')\n a = zc''\n"
#define SKYHOOK                                                                \
    "m*zc'' = cs*(zw - zc) - ds*zc'\n mw*zw'' = ct*(road - zw) - cs*(zw - "    \
    "zc)\n a = zc''\n"
#define QUARTER                                                                \
    "states\n zc zw\nparameters\n c > 0\n d > 0\nconstants\n m = 300\n mw = "  \
    "40\n ct = 180000\n cs = 16000\n ds = 1400\ninputs\n road\noutputs\n "     \
    "a\nequations\n "
#define PI_LOOP                                                                \
    "states\n e u\nparameters\n kp ki\ninputs\n r\noutputs\n y\nequations\n "  \
    "e' = r - y\n u = kp*(r - y) + ki*e\n y' = u - y\n"
typedef struct {
    const char *model, *target, *param, *tolerance, *band;
    darc_fulfilment verdict;
    double defect, within; /* known; the latter of it, relative */
    const char *says;
    const char *free; /* NULL: all parameters of the model */
} wish;

static const wish wished[] = {
    /* |k (1 + iw) - 1| is largest at w = 1, and least for k = 1/2 */
    {"parameters\n k\n" SISO "y = k*u\n", SISO "y' + y = u\n", NULL, "0.71",
     "0.01,0.159154943", DARC_IS_FULFILLED, 0.7071067812, 1e-3, "k = 0.5",
     NULL},
    {"parameters\n k\n" SISO "y = k*u\n", SISO "y' + y = u\n", NULL, "0.707",
     "0.01,0.159154943", DARC_IS_IMPOSSIBLE, 0.7071067812, 1e-3,
     "certificate |H - G| > 0.707*|G|", NULL},
    /* the mean of both ends of the band is 0.0003 nearer than frequencies
       between which the proof looks */
    {"parameters\n k\n" SISO "y = k*u\n", SISO "y' + y = u\n", NULL, "0.70710",
     "0.01,0.159154943", DARC_IS_IMPOSSIBLE, 0.7071067812, 1e-3, "boxes", NULL},
    /* a gain of either sign that is not told, and two that are one */
    {"parameters\n k\n j\n" SISO "y = k*j*u\n", SISO "y' + y = -u\n", NULL,
     "0.7", "0.01,0.159154943", DARC_IS_IMPOSSIBLE, 0.7071067812, 1e-3,
     "that cover the parameters", NULL},
    /* a gain that is positive answers one that is negative by 0 at best */
    {"parameters\n k > 0\n" SISO "y = k*u\n", SISO "y' + y = -u\n", NULL,
     "0.99", "0.01,0.159154943", DARC_IS_IMPOSSIBLE, NAN, 0, "at 0.", NULL},
    {"parameters\n k > 0\n" SISO "y = k*u\n", SISO "y' + y = -u\n", NULL,
     "1.01", "0.01,0.159154943", DARC_IS_FULFILLED, NAN, 0, "", NULL},
    /* what a constant is does not matter */
    {"parameters\n b may be zero\n k\n" SISO "y' + y = k*u + b\n",
     SISO "y' + y = u\n", NULL, "0.1", "0.01,1", DARC_IS_FULFILLED, 0, 0,
     "nearest     k = 1\n", NULL},
    /* what can be met is */
    {"parameters\n k > 0\n T > 0\n" SISO "T*y' + y = k*u\n",
     SISO "y' + 2*y = 6*u\n", NULL, "1e-9", "0.01,10", DARC_IS_FULFILLED, 0, 0,
     "k = 3, T = 0.5", NULL},
    /* PI control of 1/(s + 1) */
    {PI_LOOP,
     "inputs\n r\noutputs\n y\nequations\n y'' + 3*y' + 5*y = 2*r' "
     "+ 5*r\n",
     NULL, "1e-6", "0.01,10", DARC_IS_FULFILLED, 0, 0, "kp = 2, ki = 5", NULL},
    /* the equations decide where nothing is tolerated */
    {"parameters\n k > 0\n T > 0\n" SISO "T*y' + y = k*u\n",
     SISO "0.01*y'' + 0.3*y' + y = 2*u\n", NULL, "0", "0.1,1",
     DARC_IS_IMPOSSIBLE, 0.13056, 1e-3, "certificate", NULL},
    {"parameters\n k > 0\n T > 0\n" SISO "T*y' + y = k*u\n",
     SISO "3*y' + y = 2*u\n", NULL, "0", "0.1,1", DARC_IS_FULFILLED, 0, 0,
     "witness", NULL},
    /* by random search over all c and d, apart from darc */
    {QUARTER PASSIVE,
     "states\n zc zw\nconstants\n m = 300\n mw = 40\n ct = 180000\n cs = "
     "16000\n ds = 1400\ninputs\n road\noutputs\n a\nequations\n m*zc'' = "
     "cs*(zw - zc) - ds*zc'\n mw*zw'' = ct*(road - zw) - cs*(zw - zc)\n a = "
     "zc''\n",
     NULL, "0.76", "0.5,3", DARC_IS_IMPOSSIBLE, 0.77048, 1e-3, "at 3 Hz", NULL},
    /* three that are sought */
    {"states\n zc zw\nparameters\n c > 0\n d > 0\n ct > 0\nconstants\n m = "
     "300\n mw = 40\ninputs\n road\noutputs\n a\nequations\n "
     "m*zc'' = c*(zw - zc) + d*(zw' - zc')\n mw*zw'' = ct*(road - zw) - "
     "c*(zw - zc) - d*(zw' - zc')\n a = zc''\n",
     "states\n zc zw\nconstants\n m = 300\n mw = 40\n ct = 180000\n cs = "
     "16000\n ds = 1400\ninputs\n road\noutputs\n a\nequations\n m*zc'' = "
     "cs*(zw - zc) - ds*zc'\n mw*zw'' = ct*(road - zw) - cs*(zw - zc)\n a = "
     "zc''\n",
     NULL, "0.17", "0.5,3", DARC_IS_IMPOSSIBLE, 0.199, 1e-2, "boxes", NULL},
    /* two inputs and outputs; from v to y nothing goes in the target */
    {"states\n x1 x2\nparameters\n p q r s\ninputs\n u v\noutputs\n y z\n"
     "equations\n x1' = x2 - x1 + u - p*x1 - q*x2\n"
     " x2' = x1 - 2*x2 + v - r*x1 - s*x2\n y = x1\n z = x2\n",
     "inputs\n v u\noutputs\n z y\nequations\n y' + 2*y = u\n z' + 3*z = v\n",
     NULL, "0.001", "0.01,1", DARC_IS_FULFILLED, 0, 0,
     "p = 1, q = 1, r = 1, s = 1", NULL},
    /* near by gain, but not stable */
    {"parameters\n a > 0\n b\n" SISO "y' - a*y = b*u\n", SISO "y' + y = u\n",
     NULL, "5", "0.01,1", DARC_IS_OPEN, NAN, 0, "not stable", NULL},
    /* a mode that no output shows is one too */
    {"states\n h\nparameters\n k\n" SISO "h' = h + u\n y' + y = k*u\n",
     SISO "y' + y = u\n", NULL, "0.1", "0.01,1", DARC_IS_OPEN, 0, 0,
     "not stable", NULL},
    /* where it would be met, the model divides by 0 */
    {"parameters\n a\n" SISO "y' + y/(a - 1) = u/(a - 1)\n", SISO "y = u\n",
     NULL, "1e-30", "0.01,1", DARC_IS_OPEN, NAN, 0, "test as test", NULL},
    /* an integrator that the target has, and has not */
    {"parameters\n k\n" SISO "y'' + y' = k*u\n", SISO "y'' + y' = 2*u\n", NULL,
     "0.1", "0.01,1", DARC_IS_FULFILLED, 0, 0, "k = 2", NULL},
    {"states\n h\nparameters\n k\n" SISO "h' = u\n y' + y = k*u\n",
     SISO "y' + y = u\n", NULL, "0.1", "0.01,1", DARC_IS_OPEN, 0, 0,
     "not stable", NULL},
    /* a resonance of 1e-6 Hz between the frequencies that are looked at */
    {SISO "y'' + 0.00000001*y' + 40*y = u'' + 0.00000001*u' + 40.0000001*u\n",
     SISO "y = 1.005*u\n", NULL, "0.01", "0.5,3", DARC_IS_IMPOSSIBLE, NAN, 0,
     "at 1.00658424 Hz on each of 1 boxes", NULL},
    {"parameters\n T > 0\n k\n" SISO "T*y' + y = k*u\n",
     SISO "0.01*y' + y = 2*u\n", "T=0.01,k=2", "1e-9", "1,2", DARC_IS_FULFILLED,
     0, 0, "defect      0 %", NULL},
    /* four parameters and more: gains on all states, which move no zeros */
    {"states\n p v a w f\nparameters\n k1\n k2\n k3\n k4\n" SISO
     "p' = v\n v' = f + a\n a' = w\n w' = 11*a + f\n f = u - k1*p - k2*v - "
     "k3*a - k4*w\n y = p\n",
     SISO "y'''' + 4*y''' + 6*y'' + 4*y' + y = u'' - 9*u\n", NULL, "0.03",
     "0.1,1", DARC_IS_IMPOSSIBLE, 0.033673, 1e-3, "negative definite", NULL},
    /* two leads and lags; the nearest by random search */
    {LEADS, SISO "y''' + 5*y'' + 11*y' + 10*y = u'' + 2*u' + 12*u\n", NULL,
     "0.2", "0.1,3", DARC_IS_IMPOSSIBLE, 0.36684, 1e-3, "negative definite",
     NULL},
    {LEADS, SISO "y'' + 11*y' + 10*y = 2*u'' + 10*u' + 12*u\n", NULL, "0.0001",
     "0.1,3", DARC_IS_FULFILLED, 0, 0, "", NULL},
    /* families: a lag of 1 to 2 s, the shortest of which is nearest to a gain
     */
    {"parameters\n k\n" SISO "y = k*u\n", LAGS, NULL, "0.72",
     "0.01,0.159154943", DARC_IS_FULFILLED, 0.7071067812, 1e-3, "k = 0.5",
     "k,p"},
    {"parameters\n k\n" SISO "y = k*u\n", LAGS, NULL, "0.7", "0.01,0.159154943",
     DARC_IS_IMPOSSIBLE, 0.7071067812, 1e-3, "that cover the parameters",
     "k,p"},
    /* a name that both have is two parameters where both are sought */
    {"parameters\n k > 0\n T > 0\n" SISO "T*y' + y = k*u\n",
     "parameters\n k > 0\n T > 0\n" SISO "T*y' + y = k*u\n", "T=3", "0.001",
     "0.01,1", DARC_IS_FULFILLED, 0, 0, "k = 1, k_target = 1\n", "k,k_target"},
    /* a resonance anywhere between two places, by random search */
    {"parameters\n k > 0\n T > 0\n" SISO "T*y' + y = k*u\n",
     "parameters\n p > 0\n" SISO "(3 + 6*p)^2*y''+ 0.2*(1 + p)*(3 + 6*p)*y' + "
     "(1 + p)^2*y = (1 + p)^2*u\n",
     NULL, "0.5", "0.01,0.1", DARC_IS_IMPOSSIBLE, 0.99199, 1e-3, "boxes",
     "k,T,p"},
    {QUARTER PASSIVE,
     "states\n zc zw\nparameters\n cs > 0\nconstants\n m = 300\n mw = 40\n ct "
     "= 180000\n ds = 1400\ninputs\n road\noutputs\n a\nequations\n " SKYHOOK,
     NULL, "0.01", "0.5,3", DARC_IS_FULFILLED, 0.0048829, 1e-3, "", "c,d,cs"},
    /* the nearest ones are not stable; of those that are, by random search */
    {"states\n e i v\nparameters\n p\n q > 0\n" LOOP
     "e' = r - w\n v = q*e - p*w\n 0.01*i' = v - i - 0.05*w\n 0.0005*w' = "
     "0.05*i\n",
     "parameters\n w0 > 0\n" LOOP "w'' + 1.4*w0*w' + w0^2*w = w0^2*r\n", NULL,
     "0.001", "0.1,2", DARC_IS_FULFILLED, 0.00024979, 1e-2, "", "p,q,w0"},
    /* no member of it is stable, or none answers all of the band */
    {"parameters\n k\n" SISO "y' + y = k*u\n",
     "parameters\n a > 0\n" SISO "y' - a*y = u\n", NULL, "0.9", "0.01,1",
     DARC_IS_OPEN, NAN, 0, "not stable", "k,a"},
    {"parameters\n k\n" SISO "y' + y = k*u'' + k*u\n",
     "parameters\n a > 0\n" SISO "y' + y = a*u'' + a*u\n", NULL, "0.1", "0.1,1",
     DARC_IS_OPEN, NAN, 0, "", "k,a"},
};

static darc_status ask_band(darc_fulfilled **f, darc_err *err, const wish *q)
{
    darc_model *model = model_of(q->model), *target = model_of(q->target);
    darc_options *o;
    ck_assert_int_eq(darc_options_new(&o, "fulfil", NULL), DARC_OK);
    if (q->param != NULL)
        ck_assert_int_eq(darc_options_set(o, "param", q->param, NULL), DARC_OK);
    if (q->free != NULL)
        ck_assert_int_eq(darc_options_set(o, "free", q->free, NULL), DARC_OK);
    if (q->tolerance != NULL)
        ck_assert_int_eq(darc_options_set(o, "tolerance", q->tolerance, NULL),
                         DARC_OK);
    if (q->band != NULL)
        ck_assert_int_eq(darc_options_set(o, "band", q->band, NULL), DARC_OK);
    darc_status status = darc_fulfil(f, model, target, o, NULL, err);
    darc_options_free(o);
    darc_model_free(model);
    darc_model_free(target);
    return status;
}

START_TEST(the_nearest_is_that_known)
{
    const wish *q = &wished[_i];
    darc_fulfilled *f;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(ask_band(&f, &err, q) == DARC_OK, "%s", err.message);
    const char *text = darc_fulfilled_text(f, "text");
    ck_assert_msg(f->verdict == q->verdict, "%s", text);
    ck_assert_msg(strstr(text, q->says) != NULL, "%s", text);
    ck_assert_msg(isnan(q->defect) || fabs(f->defect - q->defect) <=
                                          q->within * q->defect + 1e-9,
                  "%s", text);
    ck_assert_ptr_nonnull(strstr(darc_fulfilled_text(f, "html"), "</html>"));
    darc_fulfilled_free(f);
}
END_TEST

/* What a nearest behaviour shows to be possible is never proved not to be, also
 * just beyond it, where a proof is nearest; of numbers alone the largest
 * deviation may lie between those looked at. */
START_TEST(no_proof_goes_beyond_the_nearest)
{
    const wish *q = &wished[_i];
    darc_model *model = model_of(q->model), *target = model_of(q->target);
    bool any[9] = {false};
    darc_nearest n = {.tolerance = 1e-9, .seed = 2};
    char *end;
    n.low = strtod(q->band, &end);
    n.high = strtod(end + 1, NULL);
    if (q->param == NULL &&
        darc_nearest_find(&n, model, target, NULL, NULL) == DARC_OK) {
        int sought = n.of[0].parameters + n.of[1].parameters;
        n.tolerance = n.defect * 1.001 + 1e-6;
        if (sought > 0 && n.defect < 1e6)
            ck_assert_ptr_null(darc_beyond_prove(&n, any, NULL));
        darc_nearest_clear(&n);
    }
    darc_model_free(model);
    darc_model_free(target);
}
END_TEST

START_TEST(wrong_bands_are_refused)
{
    static const char lag[] = "parameters\n T > 0\n" SISO "T*y' + y = u\n";
    static const char one[] = SISO "y' + y = u\n";
    static const struct {
        const char *model, *target, *tolerance, *band;
        darc_status status;
        const char *says;
    } bad[] = {
        {lag, one, "0.1", NULL, DARC_USAGE, "add --band"},
        {lag, one, "0.1", "1", DARC_USAGE, "not two frequencies"},
        {lag, one, "0.1", "2,1", DARC_USAGE, "not two frequencies"},
        {lag, one, "0.1", "0,1", DARC_USAGE, "not two frequencies"},
        {lag, one, "0.1", "1,2x", DARC_USAGE, "not two frequencies"},
        {lag, one, "0.1", "1,inf", DARC_USAGE, "not two frequencies"},
        {one, lag, "0.1", "1,2", DARC_USAGE, "'T' of test needs a number"},
        {"parameters\n T > 0\n" SISO "T*y' + y^3 = u\n", one, "0.1", "1,2",
         DARC_DOMAIN, "linear"},
        {"parameters\n T > 0\n" SISO "T*y' + sqrt(T)*y = u\n", one, "0.1",
         "1,2", DARC_DOMAIN, "linear"},
        {lag, SISO "y' - y = u\n", "0.1", "1,2", DARC_DOMAIN, "not stable"},
        {lag, SISO "y'' + y' + y = u'' + 4*u\n", "0.1", "0.1,2", DARC_DOMAIN,
         "is 0 somewhere"},
        {lag, "inputs\n v\noutputs\n y\nequations\n y' + y = v\n", "0.1", "1,2",
         DARC_USAGE, "other inputs"},
        {lag, "inputs\n u v\noutputs\n y\nequations\n y' + y = u + v\n", "0.1",
         "1,2", DARC_USAGE, "other inputs"},
        {"states\n x\nparameters\n T > 0\n" SISO "T*y' + y = u + x\n", one,
         "0.1", "1,2", DARC_DOMAIN, "as many equations"},
        {"outputs\n y\nequations\n y' + y = 0\n",
         "outputs\n y\nequations\n y' + y = 0\n", "0.1", "1,2", DARC_USAGE,
         "needs an input"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const wish q = {.model = bad[i].model,
                        .target = bad[i].target,
                        .tolerance = bad[i].tolerance,
                        .band = bad[i].band};
        darc_fulfilled *f;
        darc_err err;
        darc_err_init(&err);
        ck_assert_msg(ask_band(&f, &err, &q) == bad[i].status, "%d: %s", (int)i,
                      err.message);
        ck_assert_msg(strstr(err.message, bad[i].says) != NULL, "%s",
                      err.message);
    }
}
END_TEST

Suite *suite_band(void)
{
    Suite *s = suite_create("band");
    TCase *tc = tcase_create("band");
    tcase_add_loop_test(tc, the_nearest_is_that_known, 0,
                        (int)(sizeof wished / sizeof *wished));
    tcase_add_loop_test(tc, no_proof_goes_beyond_the_nearest, 0,
                        (int)(sizeof wished / sizeof *wished));
    tcase_add_test(tc, wrong_bands_are_refused);
    suite_add_tcase(s, tc);
    return s;
}
