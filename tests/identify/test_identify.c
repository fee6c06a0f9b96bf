#include "files.h"
#include "fixture_io.h"
#include "models.h"
#include "tests.h"

#include "eliminate/eliminate.h"
#include "identify/identify.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "c/m, d/m | m no, c no, d no". */
static char *summary(const darc_identification_t id)
{
    darc_text_t t;
    darc_text_init(t);
    for (slong k = 0; k < id->function->count; k++) {
        darc_text_puts(t, k > 0 ? ", " : "");
        darc_identification_print(t, id, k);
    }
    darc_text_puts(t, " |");
    for (slong v = 0; v < id->vars; v++)
        darc_text_printf(t, "%s %s %s", v > 0 ? "," : "", id->name[v],
                         darc_identifiability_text(id->parameter[v]));
    return darc_text_take(t);
}

static const char *const one_of[][2] = {
    {"m*a_0 - c*z_0 - d*z_1", NULL},
    {"y_0*y_2 - y_1^2 - d*y_0^2*y_1 + c*y_0*y_1 + a*d*y_0^3 - a*c*y_0^2", NULL},
    {"y_2 + (p+q)*y_1 + p*q*y_0", NULL},
    {"y_1 + p^2*y_0 + p*q*y_0^2", NULL},
    {"y_1 - p*y_0", "z_1 - q*p*z_0"},
    {"y_1 - y_0^2", NULL},
    /* (p + q)/(p*q) and r/q, over a common divisor */
    {"p*q*y_1 + (p+q)*y_0 + p*r*y_0^2", NULL},
    {"y_2 - (a^2*b+1)*y_1 + a*b*y_0", NULL},
    {"m*y_2 + c*y_1 + d*y_0 + e*y_0^2 + f*u_0", NULL},
};

static const struct {
    const char *names;
    int equations;
    const char *expected;
    slong dimension;
} cases[] = {
    {"m c d / a z", 1, "c/m, d/m | m no, c no, d no", 2},
    {"a b c d / y", 1, "a, c, d | a global, b no, c global, d global", 3},
    {"p q / y", 1, "p+q, p*q | p local, q local", 2},
    {"p q / y", 1, "p*q, q/p | p local, q local", 2},
    {"p q / y z", 2, "p, q | p global, q global", 2},
    {"p / y", 1, " | p no", 0},
    {"p q r / y", 1, "r/q, (p+q)/(p*q) | p no, q no, r no", 2},
    {"a b / y", 1, "a, b | a global, b global", 2},
    {"m c d e f / y / u", 1,
     "c/m, d/m, e/m, f/m | m no, c no, d no, e no, f no", 4},
};

/* The identifiable functions of equations that are expanded, short ones. */
static darc_status functions_of(darc_identification_t id, const darc_ioeqs_t io,
                                const darc_budget *budget, darc_err *err)
{
    darc_status status =
        darc_identification_init_field(id, io, NULL, budget, err);
    return status == DARC_OK ? darc_identification_shorten(id, budget, err)
                             : status;
}

START_TEST(hand_worked)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    fixture_io(io, cases[_i].names, one_of[_i], cases[_i].equations);
    ck_assert_int_eq(functions_of(id, io, NULL, NULL), DARC_OK);
    char *s = summary(id);
    ck_assert_str_eq(s, cases[_i].expected);
    ck_assert_int_eq(id->dimension, cases[_i].dimension);
    free(s);
    darc_identification_clear(id);
    darc_ioeqs_clear(io);
}
END_TEST

/* Published, or found by StructuralIdentifiability.jl 0.3.1. */
static const struct {
    const char *model, *expected;
} published[] = {
    {"si_CRN", "k1 global, k2 global, k4 global, k3 global, k5 global, "
               "k6 global"},
    {"si_Goodwin", "b global, c global, alpha no, beta local, gama no, "
                   "delta local, sigma global"},
    {"si_Biohydrogenation", "k5 global, k6 global, k7 global, k8 local, "
                            "k9 local, k10 local"},
    {"h_2comp_a", "a1 local, a2 no, a21 no"},
    {"h_2comp_leak", "k01 no, k02 no, k12 no, k21 no, V global"},
    {"h_lorenz", "s global, r global, b global"},
    {"h_mm_scaled", "Vm no, km no, k01 global, c no"},
    {"h_quadratic", "p1 no, p2 no, p3 no, p4 no"},
    {"h_clv", "a global, b global, c global, d global"},
    {"h_predprey2", "a global, b global, c global, d global"},
    {"h_predprey", "a global, b no, c global, d global"},
    {"h_3comp_chain_in3", "a1 no, a2 no, b1 no, b2 no"},
    {"si_SIRC_forced", "mu global, b0 global, b1 no, g global, nu global, "
                       "M local"},
};

/* Ask the model for its equations, expanded or (support) not. */
static void identify(darc_identification_t id, const char *file, bool support)
{
    darc_model *model;
    darc_ioeqs_t io;
    ck_assert_int_eq(darc_model_read(&model, file, NULL), DARC_OK);
    ck_assert_int_eq(
        support
            ? darc_ioeqs_init_support(io, model, NULL, NULL, NULL)
            : darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(
        support ? darc_identification_init_field(id, io, model, NULL, NULL)
                : functions_of(id, io, NULL, NULL),
        DARC_OK);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}

START_TEST(agrees_with_published)
{
    char file[200];
    snprintf(file, sizeof file, "../shared/models/%s.darc",
             published[_i].model);
    if (!test_has_shared(file, "agrees_with_published"))
        return;
    for (int support = 0; support < 2; support++) {
        darc_identification_t id;
        identify(id, file, support);
        ck_assert(id->complete);
        char *s = summary(id);
        ck_assert_str_eq(strstr(s, "| ") + 2, published[_i].expected);
        free(s);
        darc_identification_clear(id);
    }
}
END_TEST

START_TEST(refusals)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_err err;
    fixture_io(io, "m c d / a z", one_of[0], 1);
    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    ck_assert_int_eq(functions_of(id, io, &spent, NULL), DARC_LIMIT);
    io->eq->expanded = false;
    darc_err_init(&err);
    ck_assert_int_eq(functions_of(id, io, NULL, &err), DARC_DOMAIN);
    ck_assert_str_eq(err.message, "the coefficients of the io-equation of 'z' "
                                  "are not known as polynomials");
    io->eq->expanded = true;
    darc_ioeqs_clear(io);
}
END_TEST

/* ---- isolable ----------------------------------------------------------- */

/* "m: {c d}; c: {m d}; d: {m c}". */
static char *table_text(const darc_isolability_t t,
                        const darc_identification_t id)
{
    darc_text_t out;
    darc_text_init(out);
    for (slong v = 0; v < t->vars; v++) {
        darc_text_printf(out, "%s%s:", v > 0 ? "; " : "", id->name[v]);
        for (slong i = 0; i < t->of[v].count; i++) {
            const char *between = " {";
            for (slong u = 0; u < t->vars; u++)
                if (t->of[v].set[i][u]) {
                    darc_text_printf(out, "%s%s", between, id->name[u]);
                    between = " ";
                }
            darc_text_putc(out, '}');
        }
        darc_text_puts(out, t->seen[v] ? "" : " unseen");
    }
    return darc_text_take(out);
}

static const char *const tables[] = {
    "m: {c d}; c: {m d}; d: {m c}",
    "a:; b: unseen; c:; d:",
    "p: {q}; q: {p}",
    "p:; q:",
    NULL,
    NULL,
    NULL,
    NULL,
    "m: {c d e f}; c: {m d e f}; d: {m c e f}; e: {m c d f}; f: {m c d e}",
};

START_TEST(explanations)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_isolability_t t;
    bool known;
    if (tables[_i] == NULL)
        return;
    fixture_io(io, cases[_i].names, one_of[_i], 1);
    ck_assert_int_eq(functions_of(id, io, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_isolability_init(t, &known, id, NULL, NULL), DARC_OK);
    char *s = table_text(t, id);
    ck_assert_str_eq(s, tables[_i]);
    free(s);
    darc_isolability_clear(t);
    darc_identification_clear(id);
    darc_ioeqs_clear(io);
}
END_TEST

/* The quarter car: {m} is explained by {c, d}, not the other way round. */
START_TEST(car_sets)
{
    static const struct {
        bool s[3], other[3], explains;
    } sets[] = {
        {{0, 1, 1}, {1, 0, 0}, true},  {{1, 0, 0}, {0, 1, 1}, false},
        {{1, 0, 0}, {0, 1, 0}, false}, {{1, 0, 0}, {0, 0, 1}, false},
        {{1, 0, 0}, {1, 0, 0}, true},  {{0, 0, 0}, {1, 1, 1}, false},
        {{1, 1, 0}, {0, 1, 1}, true},  {{0, 0, 0}, {0, 0, 0}, true},
    };
    darc_ioeqs_t io;
    darc_identification_t id;
    fixture_io(io, "m c d / a z", one_of[0], 1);
    ck_assert_int_eq(functions_of(id, io, NULL, NULL), DARC_OK);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        bool explains;
        ck_assert_int_eq(darc_isolable_explains(&explains, id, sets[i].s,
                                                sets[i].other, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(explains, sets[i].explains);
    }
    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    darc_isolability_t t;
    bool known;
    ck_assert_int_eq(darc_isolability_init(t, &known, id, &spent, NULL),
                     DARC_LIMIT);
    darc_identification_clear(id);
    darc_ioeqs_clear(io);
}
END_TEST

START_TEST(report_reads_well)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_isolability_t t;
    bool known;
    darc_text_t out;
    darc_text_init(out);
    fixture_io(io, "m c d / a z", one_of[0], 1);
    ck_assert_int_eq(functions_of(id, io, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_isolability_init(t, &known, id, NULL, NULL), DARC_OK);
    darc_identified found;
    darc_identified_set(&found, id, t);
    darc_identify_report r = {"car", "car.darc", io, &found, NULL};
    darc_identify_text(out, &r, true);
    ck_assert(strstr(out->s,
                     "  m  no      a change is explained by {c, d}\n") != NULL);
    darc_text_reset(out);
    darc_identify_json(out, &r);
    ck_assert(strstr(out->s, "\"identifiable\": [\"c/m\", \"d/m\"]") != NULL);
    ck_assert(strstr(out->s, "\"explained_by\": [[\"c\", \"d\"]]") != NULL);
    darc_text_clear(out);
    darc_isolability_clear(t);
    darc_identified_clear(&found);
    darc_identification_clear(id);
    darc_ioeqs_clear(io);
}
END_TEST

/* Ranks alone, as they are told when time runs out. */
START_TEST(report_of_ranks)
{
    darc_model *model = model_of(model_goodwin);
    darc_identification_t id;
    darc_text_t out;
    darc_text_init(out);
    ck_assert_int_eq(darc_identification_init_local(id, model, NULL, NULL),
                     DARC_OK);
    darc_identified found;
    darc_identified_set(&found, id, NULL);
    darc_identify_report r = {"goodwin", "test", NULL, &found, NULL};
    darc_identify_text(out, &r, true);
    ck_assert(strstr(out->s, "io-equations") == NULL);
    ck_assert(strstr(out->s, "  they are not known (5 independent ones") !=
              NULL);
    ck_assert(strstr(out->s, "  alpha  no    \n") != NULL);
    ck_assert(strstr(out->s, "'at least': perhaps globally") != NULL);
    darc_text_reset(out);
    darc_identify_json(out, &r);
    ck_assert(strstr(out->s, "\"complete\": false") != NULL);
    ck_assert(strstr(out->s, "\"rank\": 5") != NULL);
    ck_assert(strstr(out->s, "isolable") == NULL);
    darc_text_clear(out);
    darc_identified_clear(&found);
    darc_identification_clear(id);
    darc_model_free(model);
}
END_TEST

/* Expanded within the work that is allowed, else monomials; what is global is
 * proved over Q in the one case alone. */
START_TEST(report_of_monomials)
{
    static const struct {
        double work;
        bool expanded;
        const char *equation, *size, *confirmed;
    } way[] = {
        {1, false, "  y: order 4, 91 monomials in the signals",
         "\"monomials\": 91",
         "global, modulo two random primes of 61 bits: "
         "b, c, sigma\n"},
        {1e9, true, "  y: order 4, 281 terms", "\"terms\": 281",
         "global, proved over Q: b, c, sigma\n"},
    };
    darc_model *model = model_of(model_goodwin);
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_text_t out;
    darc_text_init(out);
    ck_assert_int_eq(
        darc_ioeqs_init_within(io, model, NULL, way[_i].work, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(io->eq->expanded, way[_i].expanded);
    ck_assert_int_eq(darc_identification_init_field(id, io, model, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_identification_shorten(id, NULL, NULL), DARC_OK);
    darc_identified found;
    darc_identified_set(&found, id, NULL);
    darc_identify_report r = {"goodwin", "test", io, &found, NULL};
    darc_identify_text(out, &r, true);
    ck_assert(strstr(out->s, way[_i].equation) != NULL);
    ck_assert(strstr(out->s, way[_i].confirmed) != NULL);
    darc_text_reset(out);
    darc_identify_json(out, &r);
    ck_assert(strstr(out->s, way[_i].size) != NULL);
    ck_assert((strstr(out->s, "\"io_equations\": [null]") == NULL) ==
              way[_i].expanded);
    ck_assert_ptr_nonnull(strstr(out->s, "\"further_relation\": false"));
    io->linked = true;
    darc_identify_json(out, &r);
    ck_assert_ptr_nonnull(strstr(out->s, "\"further_relation\": true"));
    darc_text_reset(out);
    darc_identify_text(out, &r, true);
    ck_assert_ptr_nonnull(strstr(out->s, "may be better identifiable"));
    io->linked = false;
    darc_text_reset(out);
    darc_identify_text(out, &r, true);
    ck_assert_ptr_null(strstr(out->s, "may be better identifiable"));
    darc_text_clear(out);
    darc_identified_clear(&found);
    darc_identification_clear(id);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* A row of masses on springs, the first pushed and seen: a basis among the
 * fibres that compare its parameters was without end. */
START_TEST(long_chains)
{
    enum { MASSES = 6 };
    darc_text_t text = DARC_TEXT;
    darc_text_puts(text, "model chain\ninputs\n u\noutputs\n y\nstates\n");
    for (int i = 1; i <= MASSES; i++)
        darc_text_printf(text, " x%d", i);
    darc_text_puts(text, "\nparameters\n k0");
    for (int i = 1; i <= MASSES; i++)
        darc_text_printf(text, " m%d k%d", i, i);
    darc_text_puts(text, "\nequations\n y = x1\n");
    for (int i = 1; i <= MASSES; i++) {
        darc_text_printf(text, " m%d*x%d'' = -(k%d + k%d)*x%d", i, i, i - 1, i,
                         i);
        if (i > 1)
            darc_text_printf(text, " + k%d*x%d", i - 1, i - 1);
        if (i < MASSES)
            darc_text_printf(text, " + k%d*x%d", i, i + 1);
        darc_text_puts(text, i == 1 ? " + u\n" : "\n");
    }
    darc_model *model = model_of(text->s);
    darc_identified *found = NULL;
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(found->states, MASSES);
    ck_assert_int_eq(found->state[0].identifiable, DARC_GLOBALLY);
    for (int v = 0; v < found->parameters; v++)
        ck_assert_int_eq(found->parameter[v].identifiable,
                         strcmp(found->parameter[v].name, "m1") == 0
                             ? DARC_GLOBALLY
                             : DARC_NOT_IDENTIFIABLE);
    darc_identified_free(found);
    darc_model_free(model);
    darc_text_clear(text);
}
END_TEST

/* Append compartments in a row, the first fed, measured and leaking. */
static void put_compartments(darc_text_t text, int n)
{
    darc_text_puts(text, "states\n");
    for (int i = 1; i <= n; i++)
        darc_text_printf(text, " q%d", i);
    darc_text_puts(text, "\nparameters\n e");
    for (int i = 1; i < n; i++)
        darc_text_printf(text, " a%d b%d", i, i);
    darc_text_puts(text, "\nequations\n y = q1\n");
    for (int i = 1; i <= n; i++) {
        darc_text_printf(text, " q%d' = %s", i, i == 1 ? "u - e*q1" : "0");
        if (i > 1)
            darc_text_printf(text, " + a%d*q%d - b%d*q%d", i - 1, i - 1, i - 1,
                             i);
        if (i < n)
            darc_text_printf(text, " - a%d*q%d + b%d*q%d", i, i, i, i + 1);
        darc_text_putc(text, '\n');
    }
}

/* A ladder of resistors and capacitors, or inductors too, whose current is
 * measured. */
static void put_ladder(darc_text_t text, int n, bool inductors)
{
    darc_text_puts(text, "states\n");
    for (int k = 1; k <= n; k++)
        darc_text_printf(text, " v%d i%d", k, k);
    darc_text_puts(text, "\nparameters\n");
    for (int k = 1; k <= n; k++)
        darc_text_printf(text, inductors ? " R%d C%d L%d" : " R%d C%d", k, k,
                         k);
    darc_text_puts(text, "\nequations\n y = i1\n");
    for (int k = 1; k <= n; k++) {
        darc_text_printf(text, k == 1 ? " u" : " v%d", k - 1);
        darc_text_printf(text, " - v%d = R%d*i%d", k, k, k);
        if (inductors)
            darc_text_printf(text, " + L%d*i%d'", k, k);
        darc_text_printf(text, "\n i%d = C%d*v%d'", k, k, k);
        if (k < n)
            darc_text_printf(text, " + i%d", k + 1);
        darc_text_putc(text, '\n');
    }
}

/* Continued fractions of the transfer function give all parameters; they are
 * found among sums of coefficients, where a basis was out of reach. */
START_TEST(ladders)
{
    darc_text_t text = DARC_TEXT;
    darc_text_puts(text, "model ladder\ninputs\n u\noutputs\n y\n");
    if (_i == 0)
        put_compartments(text, 8);
    else
        put_ladder(text, _i == 1 ? 8 : 5, _i == 2);
    darc_model *model = model_of(text->s);
    darc_identified *found = NULL;
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    ck_assert(found->complete);
    ck_assert_int_eq(found->functions, found->parameters);
    for (int v = 0; v < found->parameters; v++)
        ck_assert_int_eq(found->parameter[v].identifiable, DARC_GLOBALLY);
    for (int i = 0; i < found->states; i++)
        ck_assert_int_eq(found->state[i].identifiable, DARC_GLOBALLY);
    darc_identified_free(found);
    darc_model_free(model);
    darc_text_clear(text);
}
END_TEST

Suite *suite_identify(void)
{
    Suite *s = suite_create("identify");
    TCase *c = tcase_create("identify");
    tcase_add_loop_test(c, hand_worked, 0, sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(c, agrees_with_published, 0,
                        sizeof published / sizeof published[0]);
    tcase_add_test(c, refusals);
    tcase_add_loop_test(c, explanations, 0, sizeof tables / sizeof tables[0]);
    tcase_add_test(c, car_sets);
    tcase_add_test(c, report_reads_well);
    tcase_add_test(c, report_of_ranks);
    tcase_add_loop_test(c, report_of_monomials, 0, 2);
    tcase_add_test(c, long_chains);
    tcase_add_loop_test(c, ladders, 0, 3);
    suite_add_tcase(s, c);
    return s;
}
