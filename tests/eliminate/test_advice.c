/* What should be measured besides, where equations are out of reach. */
#include "tests.h"

#include "base/mem.h"
#include "eliminate/eliminate.h"
#include "models.h"
#include "program.h"

#include <string.h>

START_TEST(the_shortest_is_named)
{
    darc_text_t advice = DARC_TEXT;
    darc_model *model =
        model_of("model chain\nstates\na b c\nparameters\nk l m\noutputs\ny\n"
                 "equations\na'=-k*a*b\nb'=k*a*b-l*b*c\nc'=l*b*c-m*c\ny=a\n");
    ck_assert(darc_ioeqs_advise(advice, model, NULL));
    ck_assert_str_eq(
        advice->s,
        "with 'c' measured, too, the equations are found at once: 7 terms");
    darc_model_free(model);
    darc_text_clear(advice);
}
END_TEST

START_TEST(what_has_no_states_needs_nothing)
{
    darc_text_t advice = DARC_TEXT;
    darc_model *model =
        model_of("model m\ninputs\nu\noutputs\ny\nparameters\nk\n"
                 "equations\ny'=k*u\n");
    ck_assert(!darc_ioeqs_advise(advice, model, NULL));
    ck_assert_uint_eq(advice->len, 0);
    darc_model_free(model);
    darc_text_clear(advice);
}
END_TEST

/* A resultant of degrees 19 and 19. */
static const char hill[] =
    "model hill\nstates\nX Y\nparameters\np K v\noutputs\ny\n"
    "equations\nX'=p-X\nY'=-Y+v*X^17/(K+X^19)\ny=Y\n";

START_TEST(what_is_out_of_reach_says_so)
{
    darc_ioeqs_t io;
    darc_err err = {DARC_OK, ""};
    darc_model *model = model_of(hill);
    ck_assert_int_eq(
        darc_ioeqs_init_advised(io, model, NULL, DARC_ENGINE_AUTO, NULL, &err),
        DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "; with 'X'"));
    darc_model_free(model);
}
END_TEST

/* Two of these: either state alone is not enough. */
START_TEST(several_are_named)
{
    darc_text_t advice = DARC_TEXT;
    darc_model *model =
        model_of("model hills\nstates\nX Y U V\nparameters\np K v q L w\n"
                 "outputs\ny z\nequations\nX'=p-X\nY'=-Y+v*X^17/(K+X^19)\n"
                 "U'=q-U\nV'=-V+w*U^17/(L+U^19)\ny=Y\nz=V\n");
    ck_assert(darc_ioeqs_advise(advice, model, NULL));
    const char *says = "with 'X' and 'U' measured, too, the equations";
    ck_assert_int_eq(strncmp(advice->s, says, strlen(says)), 0);
    darc_model_free(model);
    darc_text_clear(advice);
}
END_TEST

/* Programs, and those who check, are told, too. */
START_TEST(programs_are_told)
{
    static const char says[] =
        "with 'X' measured, too, the equations are found";
    darc_text_t out = DARC_TEXT, err = DARC_TEXT, data = DARC_TEXT;
    char *line =
        darc_text_of("identify %s --json -", program_write("hill.darc", hill));
    ck_assert_int_eq(program_run(line, out, err), 0);
    char *want = darc_text_of("\"advice\": \"%s", says);
    ck_assert_ptr_nonnull(strstr(out->s, want));
    darc_free(line);
    darc_free(want);
    darc_text_puts(data, "t,y\n");
    for (int i = 0; i < 200; i++)
        darc_text_printf(data, "%g,%g\n", .01 * i, i % 7 / 7.);
    line =
        darc_text_of("check structure %s %s", program_write("hill.darc", hill),
                     program_write("hill.csv", data->s));
    darc_text_reset(err);
    ck_assert_int_eq(program_run(line, out, err), 5);
    ck_assert_ptr_nonnull(strstr(err->s, says));
    darc_free(line);
    darc_text_clear(out);
    darc_text_clear(err);
    darc_text_clear(data);
}
END_TEST

Suite *suite_advice(void)
{
    TCase *tc = tcase_create("advice");
    Suite *s = suite_create("advice");
    tcase_add_test(tc, the_shortest_is_named);
    tcase_add_test(tc, what_has_no_states_needs_nothing);
    tcase_add_test(tc, what_is_out_of_reach_says_so);
    tcase_add_test(tc, several_are_named);
    tcase_add_test(tc, programs_are_told);
    suite_add_tcase(s, tc);
    return s;
}
