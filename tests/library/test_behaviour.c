#include "tests.h"

#include "library/behaviour.h"
#include "models.h"

/* Monomials are out of reach, determinants are not. */
START_TEST(ways_that_fail_leave_no_message)
{
    static const char model[] =
        "model pendulum\nparameters\n J d h e p q\n o1 may be zero\n"
        " o2 may be zero\ninputs\n u\noutputs\n theta alpha\nequations\n"
        " J*theta'' + d*theta' - h*alpha'' + o1 = u\n"
        " alpha'' - e*theta'' - p*alpha + q*alpha' + o2 = 0\n";
    darc_model *m = model_of(model);
    darc_options *o;
    darc_ioeqs_t io;
    darc_coeffs_t c;
    darc_budget budget;
    darc_err err;
    darc_err_init(&err);
    darc_budget_init(&budget);
    budget.work = 1;
    ck_assert_int_eq(darc_options_new(&o, "identify", &err), DARC_OK);
    ck_assert_int_eq(darc_behaviour_respond(io, c, m, o, &budget, &err),
                     DARC_OK);
    ck_assert_msg(err.status == DARC_OK, "%s", err.message);
    darc_ioeqs_clear(io);
    if (c->vectors > 0)
        darc_coeffs_clear(c);
    darc_options_free(o);
    darc_model_free(m);
}
END_TEST

Suite *suite_behaviour(void)
{
    Suite *s = suite_create("behaviour");
    TCase *c = tcase_create("behaviour");
    tcase_add_test(c, ways_that_fail_leave_no_message);
    suite_add_tcase(s, c);
    return s;
}
