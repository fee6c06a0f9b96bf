#include "tests.h"

#include "models.h"
#include "terms/candidate.h"
#include "weakbench.h"

static const char oscillator[] =
    "model oscillator\nparameters\n m d k k3\ninputs\n u\noutputs\n y\n"
    "equations\n m*y'' + d*y' + k*y + k3*y^3 = u\n";
static const char masses[] =
    "model masses\nparameters\n m c d\noutputs\n y z\nequations\n"
    " m*y'' = c*(z - y) + d*(z' - y')\n";

START_TEST(terms_are_read_as_they_are_printed)
{
    static const struct {
        const char *text, *print, *say;
    } row[] = {
        {"y^3", "y^3", "a cubic term in y"},
        {" y ^ 2 ", "y^2", "a quadratic term in y"},
        {"y'^2*u", "y'^2*u", "the term y'^2*u"},
        {"y", "y", "the term y"},
        {"(y - u)^3", "(y - u)^3", "a cubic term in (y - u)"},
        {"(y' - u')", "(y' - u')", "the term (y' - u')"},
        {"sign(y')", "sign(y')", "dry friction, sign(y')"},
        {"sign(y' - u')", "sign(y' - u')", "dry friction, sign(y' - u')"},
        {"y*sign(u)", "y*sign(u)", "the term y*sign(u)"},
        {"lag(u)", "lag(u)", "a delay or lag of u"},
        {"origin(y)", "origin(y)", "another origin of y"},
        {"offset", "1", "an offset"},
        {"1", "1", "an offset"}};
    weakbench b;
    weakbench_open(&b, oscillator, 0);
    const darc_names_struct *names = b.io->jet->names;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        darc_candidate c;
        darc_text_t t;
        darc_text_init(t);
        ck_assert_int_eq(darc_candidate_parse(&c, row[i].text, names, NULL),
                         DARC_OK);
        darc_candidate_print(t, &c, names);
        ck_assert_str_eq(t->s, row[i].print);
        darc_text_clear(t);
        darc_text_init(t);
        darc_candidate_say(t, &c, names);
        ck_assert_str_eq(t->s, row[i].say);
        darc_text_clear(t);
    }
    weakbench_close(&b);
}
END_TEST

START_TEST(other_shapes_are_refused)
{
    static const char *const wrong[] = {
        "",         "q^3",        "y^",         "y^0",   "sign(y",
        "(y - u'",  "(y - u')",   "lag(y*u",    "lag(y", "lag(y)*u",
        "lag(y^2)", "origin(y')", "lag(y - u)", "y*",    "y*y*y*y*y"};
    weakbench b;
    weakbench_open(&b, oscillator, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        darc_candidate c;
        darc_err err;
        darc_err_init(&err);
        ck_assert_msg(darc_candidate_parse(&c, wrong[i], b.io->jet->names,
                                           &err) == DARC_USAGE,
                      "'%s' is taken", wrong[i]);
        ck_assert_ptr_nonnull(strstr(err.message, wrong[i]));
    }
    weakbench_close(&b);
}
END_TEST

typedef struct {
    weakbench b;
    darc_total_t total;
    darc_candidate list[DARC_CANDIDATES];
    int count;
} offer;

static void open_offer(offer *o, const char *model, const char *skip)
{
    bool skipped[16] = {false};
    weakbench_open(&o->b, model, 0);
    weakbench_name(skipped, &o->b, skip);
    const darc_ioeq *eq = o->b.io->eq;
    ck_assert_int_eq(
        darc_total_init(o->total, eq->part, o->b.io->jet, true, NULL), DARC_OK);
    o->count =
        darc_candidates_list(o->list, o->total, skipped, eq, o->b.io->jet);
    ck_assert_int_le(o->count, DARC_CANDIDATES);
}

static void close_offer(offer *o)
{
    darc_total_clear(o->total);
    weakbench_close(&o->b);
}

static bool offers(const offer *o, const char *text)
{
    int found = 0;
    for (int i = 0; i < o->count; i++) {
        darc_text_t t;
        darc_text_init(t);
        darc_candidate_print(t, o->list + i, o->b.io->jet->names);
        found += strcmp(t->s, text) == 0;
        darc_text_clear(t);
    }
    ck_assert_int_le(found, 1);
    return found == 1;
}

START_TEST(what_the_model_has_is_not_offered)
{
    static const char *const yes[] = {
        "1",   "y'''",   "y^2",    "y*y'", "y'^2",   "sign(y')",  "u*y",
        "u^3", "lag(u)", "lag(y)", "u'",   "y^2*y'", "origin(y)", "y'^2*y''"};
    static const char *const no[] = {"y",   "y'",        "y''",      "u",
                                     "y^3", "origin(u)", "(y - u)^3"};
    offer o;
    open_offer(&o, oscillator, "");
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        ck_assert_msg(offers(&o, yes[i]), "no %s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ck_assert_msg(!offers(&o, no[i]), "%s", no[i]);
    close_offer(&o);
    open_offer(&o, oscillator, "u");
    ck_assert(!offers(&o, "u^3") && !offers(&o, "u*y") && offers(&o, "y^2"));
    close_offer(&o);
}
END_TEST

START_TEST(differences_of_the_model_are_offered)
{
    offer o;
    open_offer(&o, masses, "");
    ck_assert(offers(&o, "(y - z)^3") && offers(&o, "(y' - z')^2"));
    ck_assert(offers(&o, "sign(y' - z')") && offers(&o, "z^3"));
    close_offer(&o);
}
END_TEST

/* What is appended, in total derivatives; with the model's own coefficients 1,
 * 2, 3, ... */
START_TEST(terms_are_appended_to_the_equation)
{
    static const struct {
        const char *term, *form;
    } row[] = {{"y*y'", "1/2*(y^2)'"},
               {"(y - u)^2", "c5*(u^2) - c5*2*(u*y) + c5*(y^2)"},
               {"y''''", NULL}};
    for (int i = 0; i < 3; i++) {
        offer o;
        darc_candidate c;
        double own[5] = {1, 2, 3, 4, 5};
        open_offer(&o, oscillator, "");
        darc_model_terms m = {o.total->count, own};
        ck_assert_int_eq(
            darc_candidate_parse(&c, row[i].term, o.b.io->jet->names, NULL),
            DARC_OK);
        int at = darc_candidate_append(o.total, &c, &m, -1);
        ck_assert_int_eq(at, row[i].form == NULL ? -1 : 5);
        ck_assert_int_eq(o.total->coeffs, row[i].form == NULL ? 5 : 6);
        darc_text_t t;
        darc_text_init(t);
        darc_total_print(t, o.total, o.b.io->jet->names);
        if (row[i].form != NULL)
            ck_assert_msg(strstr(t->s, row[i].form) != NULL, "%s", t->s);
        darc_text_clear(t);
        close_offer(&o);
    }
}
END_TEST

/* A lag of u adds its derivative times what stands before u; of y, that of all
 * four terms; another origin of y, the derivative of the cube. */
START_TEST(sensors_act_through_the_model)
{
    static const struct {
        const char *term;
        int terms, order, coeffs;
    } row[] = {{"lag(u)", 1, 1, 6},
               {"lag(y)", 4, 3, 6},
               {"origin(y)", 1, 0, 6},
               {"origin(u)", 0, 0, 5}};
    for (int i = 0; i < 4; i++) {
        offer o;
        darc_candidate c;
        double own[5] = {1, 2, 3, 4, 5};
        open_offer(&o, oscillator, "");
        int before = o.total->count, order = 0;
        darc_model_terms m = {before, own};
        ck_assert_int_eq(
            darc_candidate_parse(&c, row[i].term, o.b.io->jet->names, NULL),
            DARC_OK);
        darc_candidate_append(o.total, &c, &m, -1);
        ck_assert_int_eq(o.total->coeffs, row[i].coeffs);
        ck_assert_int_eq(o.total->count - before, row[i].terms);
        for (int k = before; k < o.total->count; k++)
            order =
                o.total->term[k].order > order ? o.total->term[k].order : order;
        ck_assert_int_eq(order, row[i].order);
        close_offer(&o);
    }
}
END_TEST

Suite *suite_candidate(void)
{
    Suite *s = suite_create("candidate");
    TCase *c = tcase_create("candidate");
    tcase_add_test(c, terms_are_read_as_they_are_printed);
    tcase_add_test(c, other_shapes_are_refused);
    tcase_add_test(c, what_the_model_has_is_not_offered);
    tcase_add_test(c, differences_of_the_model_are_offered);
    tcase_add_test(c, terms_are_appended_to_the_equation);
    tcase_add_test(c, sensors_act_through_the_model);
    suite_add_tcase(s, c);
    return s;
}
