/* Overlays: a model simulated with the values found, beside the recording. */
#include "tests.h"

#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static darc_text_t out = DARC_TEXT, err = DARC_TEXT, call = DARC_TEXT;

static int run(const char *what, const char *model, const char *with)
{
    darc_text_reset(call);
    darc_text_printf(call, "%s %s %s", what, program_path(model), with);
    return program_run(call->s, out, err);
}

/* Write `text` as a model, simulate it as `made`, and ask for values. */
static int overlay(const char *text, const char *made, const char *with)
{
    darc_text_t to = DARC_TEXT;
    program_write("m.darc", text);
    darc_text_printf(to, "%s --rate 200 --t-end 20 --quiet -o %s", made,
                     program_path("m.csv"));
    ck_assert_msg(run("simulate", "m.darc", to->s) == 0, "%s", err->s);
    darc_text_reset(to);
    darc_text_printf(to, "%s --overlay --json - %s", program_path("m.csv"),
                     with);
    int code = run("values", "m.darc", to->s);
    darc_text_clear(to);
    return code;
}

static double fit(int output)
{
    return program_json_number(out->s, "fit_percent", output);
}

#define LOW_PASS                                                               \
    "model m\nparameters\n T K\ninputs\n u\noutputs\n y\nequations\n T*y' + "  \
    "y = K*u\n"

#define SINES "--input u=multisine:1,0.1,5"

/* With noise of 1 % of the RMS the fit is 99 % but for the output's mean,
 * and 4000 samples, which tell the RMS of noise to 1.1 % of itself (1 sd). */
START_TEST(noise_is_what_is_left)
{
    ck_assert_int_eq(overlay(LOW_PASS,
                             "--param T=0.1,K=2 --init y=3 --noise 0.01 " SINES,
                             ""),
                     0);
    ck_assert(program_json_is(out->s, "name", "y"));
    ck_assert_double_lt(fabs(fit(0) - 99), 0.06);
    darc_text_t with = DARC_TEXT;
    darc_text_printf(with, "%s %s --overlay --html -", program_path("m.csv"),
                     program_path("m.csv"));
    ck_assert_int_eq(run("check equal", "m.darc", with->s), 2);
    darc_text_clear(with);
    ck_assert_ptr_nonnull(strstr(out->s, "The model over the recording"));
    ck_assert_ptr_nonnull(strstr(out->s, "y measured and simulated; fit 9"));
}
END_TEST

/* A held input is held in the overlay too: taken as smooth it would come half a
 * sample early. */
START_TEST(held_inputs_stay)
{
    ck_assert_int_eq(overlay("model m\nparameters\n T K\ninputs\n u "
                             "held\noutputs\n y\nequations\n T*y' + y = K*u\n",
                             "--param T=0.1,K=2 --input u=step:1,5", ""),
                     0);
    ck_assert_double_gt(fit(0), 99.9);
}
END_TEST

/* States that nobody measured begin where they fit best, a pendulum swings
 * over the top, and functions are integrated, not taken from the recording. */
START_TEST(states_are_found)
{
    ck_assert_int_eq(
        overlay("model m\nparameters\n k d\nstates\n w\ninputs\n u\noutputs\n "
                "q\nequations\n q' = w\n w' = u - d*w - k*sin(q)\n",
                "--param k=9,d=0.3 --init q=1,w=5 --input u=multisine:3,0.1,2",
                ""),
        0);
    ck_assert_double_gt(fit(0), 99.9);
}
END_TEST

/* One equation about two outputs: one drives it.  A derived signal is what the
 * recording makes of it: sign(w) would stick where it is integrated. */
START_TEST(recordings_drive)
{
    ck_assert_int_eq(
        overlay("model m\nparameters\n J b F\ninputs\n u\noutputs\n w\n"
                "derived\n s = sign(w)\nequations\n J*w' = u - b*w - F*s\n",
                "--param J=0.1,b=0.2,F=0.3 --init w=9 --input "
                "u=constant:1+sine:0.2,0.7 --noise 0.001",
                ""),
        0);
    ck_assert_double_gt(fit(0), 99);
    program_write("two.darc", "model two\nparameters\n m c d\noutputs\n a "
                              "z\nequations\n m*a = c*z + d*z'\n");
    ck_assert_int_eq(overlay("model m\nparameters\n m c d\ninputs\n z\n"
                             "outputs\n a\nequations\n m*a = c*z + d*z'\n",
                             "--param m=2,c=3,d=5 --input z=multisine:1,0.1,5",
                             ""),
                     0);
    darc_text_t with = DARC_TEXT;
    darc_text_printf(with, "%s --overlay --json -", program_path("m.csv"));
    ck_assert_int_eq(run("values", "two.darc", with->s), 0);
    darc_text_clear(with);
    ck_assert(program_json_is(out->s, "name", "z"));
    ck_assert_double_gt(fit(0), 99.9);
    ck_assert(isnan(fit(1)));
}
END_TEST

/* Where there can be none, a note says why, and the values stand. */
START_TEST(no_overlay_says_why)
{
    ck_assert_int_eq(overlay("model m\nparameters\n T K\ninputs\n u\n v\n"
                             "outputs\n y\n z\nequations\n T*y' + y = K*u + "
                             "v\n z' = v\n",
                             "--param T=0.1,K=2 --input v=sine:1,0.3 " SINES,
                             ""),
                     0);
    program_write("two.darc",
                  "model two\nparameters\n T K\ninputs\n u\n v "
                  "unknown\noutputs\n y\n z\nequations\n T*y' + y = "
                  "K*u + v\n z' = v\n");
    darc_text_t with = DARC_TEXT;
    darc_text_printf(with, "%s --overlay", program_path("m.csv"));
    ck_assert_int_eq(run("values", "two.darc", with->s), 0);
    darc_text_clear(with);
    ck_assert_ptr_nonnull(strstr(out->s, "no overlay: input 'v' was not "
                                         "measured"));
    ck_assert_ptr_nonnull(strstr(out->s, "K = 2.0"));
}
END_TEST

START_TEST(no_mass_is_negative)
{
    static const char cart[] =
        "model m\nparameters\n m [kg]\n d [N*s/m]\ninputs\n u [N]\n"
        "outputs\n v [m/s]\nequations\n m*v' + d*v = u\n";
    ck_assert_int_eq(overlay(cart, "--param m=2,d=1 " SINES, ""), 0);
    ck_assert_ptr_null(strstr(out->s, "less than 0"));
    ck_assert_int_eq(overlay(cart, "--param m=2,d=1 " SINES, "--scale u=-1"),
                     0);
    ck_assert_ptr_nonnull(strstr(out->s, "m = -2 kg is less than 0"));
    ck_assert_ptr_null(strstr(out->s, "d = -1 ")); /* of a damping */
}
END_TEST

Suite *suite_overlay(void)
{
    Suite *s = suite_create("overlay");
    TCase *tc = tcase_create("program");
    tcase_add_test(tc, noise_is_what_is_left);
    tcase_add_test(tc, held_inputs_stay);
    tcase_add_test(tc, states_are_found);
    tcase_add_test(tc, recordings_drive);
    tcase_add_test(tc, no_overlay_says_why);
    tcase_add_test(tc, no_mass_is_negative);
    suite_add_tcase(s, tc);
    return s;
}
