/* Derived signals are bound to what they are computed from: dependent
 * monomials of io-equations are expressed by others. */
#include "tests.h"

#include "program.h"

#include "base/mem.h"
#include "eliminate/eliminate.h"
#include "eliminate/engine.h"

#include <string.h>

static darc_model *parse(const char *text)
{
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_model_parse(&m, text, strlen(text), "t", &err) ==
                      DARC_OK,
                  "%s", err.message);
    return m;
}

/* ---- equations ------------------------------------------------------------
 */

static const struct {
    const char *derived, *equation, *expected;
} cases[] = {
    /* x'*x = s'/2 */
    {"s = x^2", "a*x*x' + b*s' + c*x = u", "a*s' + 2*b*s' + 2*c*x - 2*u"},
    /* r*r' = 9.81 x' */
    {"r = sqrt(2*g*x)", "a*r*r' + b*x' + c*r = u",
     "981*a*x' + 100*b*x' + 100*c*r - 100*u"},
    {"r = x^(1/3)", "a*r^2*r' + b*x' + c*r = u", "a*x' + 3*b*x' + 3*c*r - 3*u"},
    {"r = x^(-0.5)", "a*r^2*x + b*r + c = u", "a + b*r + c - u"},
    {"e = exp(x)", "a*e' + b*e*x' + c*e = u", "a*e' + b*e' + c*e - u"},
    {"l = log(x)", "a*x*l' + b*x' + c*x = u", "a*x' + b*x' + c*x - u"},
    {"t = tanh(x)", "a*t' + b*x' + c*t^2*x' = u",
     "a*t' - c*t' + b*x' + c*x' - u"},
    {"t = atan(x)", "a*t' + b*x^2*t' + c*x' = u",
     "a*t' - b*t' + b*x' + c*x' - u"},
    {"s = sin(x)\n    k = cos(x)", "a*s^2 + b*k^2 + c = u",
     "a*s^2 - b*s^2 + b + c - u"},
    {"s = sin(x)\n    k = cos(x)", "a*s' + b*k*x' + c*k' = u",
     "a*s' + b*s' + c*k' - u"},
    {"p = sinh(x)\n    q = tanh(x)", "a*p' + b*q*p*x' + c*p^2 = u",
     "a*p' + c*p^2 + b*x'*p*q - u"},
    {"w = time^2", "a*w' + b*time + c*w = u", "2*a*time + b*time + c*w - u"},
    /* what functions of sums, multiples, products are */
    {"e = exp(x + 2*u)\n    f = exp(x)\n    h = exp(u)",
     "a*e + b*f*h^2 + c*x = u", "a*e + b*e + c*x - u"},
    {"e = exp(x/2)\n    f = exp(x)", "a*e^2 + b*f + c*x = u",
     "a*f + b*f + c*x - u"},
    {"e = exp(-x)\n    f = exp(x)", "a*e*f + b*f + c = u", "b*f + a + c - u"},
    {"s = sin(x - u)\n    r = sin(u - x)", "a*s + b*r + c*x = u",
     "a*s - b*s + c*x - u"},
    {"s = sin(2*x)\n    p = sin(x)\n    q = cos(x)", "a*s + b*p*q + c*x = u",
     "2*a*s + b*s + 2*c*x - 2*u"},
    {"p = tanh(x)\n    q = tanh(-x)", "a*p + b*q + c*x = u",
     "a*p - b*p + c*x - u"},
    {"p = atan(x - u)\n    q = atan(u - x)", "a*p + b*q + c*x = u",
     "a*p - b*p + c*x - u"},
    {"l = log(x^2/u)\n    m = log(x)\n    n = log(u)", "a*l + b*m + c*n = u",
     "u - a*l + c*l - b*m - 2*c*m"},
    /* 8 = 2^2*2: as positive numbers have it */
    {"r = sqrt(8*x)\n    q = sqrt(2*x)", "a*r + b*q + c*x' = u",
     "2*a*r + b*r + 2*c*x' - 2*u"},
    {"r = sqrt(11881*x)\n    q = sqrt(x)", "a*r + b*q + c*x' = u",
     "109*a*r + b*r + 109*c*x' - 109*u"},
    /* not bound, or independent */
    {"r = sqrt(x)\n    q = sqrt(2*x)", "a*r + b*q*x + c*x' = u",
     "a*r + b*x*q + c*x' - u"},
    {"r = (8.4/x)^1.7\n    q = (x/4.8)^1.7", "a*r + b*q + c*x' = u",
     "a*r + b*q + c*x' - u"},
    {"s = abs(x)", "a*s^2 + b*x^2 + c*x = u", "a*s^2 + b*x^2 + c*x - u"},
    {"s = sin(x)", "a*s + b*x' + c*s^2 = u", "a*s + c*s^2 + b*x' - u"},
};

/* Whether a and b have the same terms, whatever their order: both are sums of
 * words with signs between. */
static bool same_terms(const char *a, const char *b)
{
    darc_text_t t[2];
    for (int i = 0; i < 2; i++) {
        darc_text_init(t[i]);
        const char *p = i == 0 ? a : b;
        darc_text_printf(t[i], " %c %s ", *p == '-' ? '-' : '+',
                         p + (*p == '-'));
    }
    bool same = t[0]->len == t[1]->len;
    for (const char *s = t[0]->s; same && s[1] != '\0';) {
        size_t n = 3 + strcspn(s + 3, " ");
        char *word = darc_calloc(n + 2, 1);
        memcpy(word, s, n + 1);
        same = strstr(t[1]->s, word) != NULL;
        darc_free(word);
        s += n;
    }
    darc_text_clear(t[0]);
    darc_text_clear(t[1]);
    return same;
}

START_TEST(monomials_become_independent)
{
    darc_text_t text, poly;
    darc_text_init(text);
    darc_text_init(poly);
    darc_text_printf(text,
                     "model t\nparameters\n    a b c\nconstants\n    g = "
                     "9.81\ninputs\n    u\noutputs\n    x\nderived\n    "
                     "%s\nequations\n    %s\n",
                     cases[_i].derived, cases[_i].equation);
    darc_model *m = parse(text->s);
    darc_ioeqs_t io;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_ioeqs_init(io, m, NULL, DARC_ENGINE_AUTO, NULL, &err) ==
                      DARC_OK,
                  "%s", err.message);
    ck_assert_int_eq(io->count, 1);
    darc_dpoly_t negative;
    darc_dpoly_init(negative, io->jet);
    fmpz_mpoly_neg(negative, io->eq[0].poly, io->jet->ctx);
    darc_dpoly_print(poly, io->eq[0].poly, io->jet);
    bool same = same_terms(poly->s, cases[_i].expected);
    darc_text_clear(text);
    darc_dpoly_print(text, negative, io->jet);
    same = same || same_terms(text->s, cases[_i].expected);
    ck_assert_msg(same, "%s", poly->s);
    darc_dpoly_clear(negative, io->jet);
    darc_text_clear(text);
    darc_text_clear(poly);
    darc_ioeqs_clear(io);
    darc_model_free(m);
}
END_TEST

/* The potassium channel of Hodgkin and Huxley (1952), from the voltage alone:
 * 9102 monomials, few of which are the same but for functions of it. */
START_TEST(groups_of_monomials)
{
    darc_model *m =
        parse("model t\nstates\n    n\nparameters\n    C gk ek gl el a b\n"
              "inputs\n    I\noutputs\n    v\nequations\n"
              "    C*v' = I - gk*n^4*(v - ek) - gl*(v - el)\n"
              "    n' = a*(1 - n)*(10 - v)/(exp((10 - v)/10) - 1)"
              " - b*exp(-v/80)*n\n");
    darc_ioeqs_t io;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_ioeqs_init(io, m, NULL, DARC_ENGINE_AUTO, NULL, &err) ==
                      DARC_OK,
                  "%s", err.message);
    ck_assert_int_eq(io->count, 1);
    ck_assert_int_eq(io->eq[0].leader.order, 2);
    darc_ioeqs_clear(io);
    darc_model_free(m);
}
END_TEST

START_TEST(an_identity_is_no_equation)
{
    darc_model *m = parse("model t\nparameters\n    a\noutputs\n    x\nderived"
                          "\n    s = x^2\nequations\n    a*s' = 2*a*x*x'\n");
    darc_ioeqs_t io;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_ioeqs_init(io, m, NULL, DARC_ENGINE_AUTO, NULL, &err),
                     DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "no relation"));
    darc_model_free(m);
}
END_TEST

/* ---- laws -----------------------------------------------------------------
 */

static ulong at(const ulong *value, const darc_jet_t jet, const char *name,
                int order)
{
    int u = darc_names_find(jet->names, name, strlen(name));
    return value[darc_jet_var(jet, (darc_deriv){u, order})];
}

/* r^2 = x and what follows by hand from differentiating it twice; q = r^3;
 * k'' = -s*x'' - k*x'^2 for k = cos(x); j' = s for j = int(s). */
START_TEST(values_obey_laws)
{
    darc_model *m =
        parse("model t\nparameters\n    a\noutputs\n    x\nderived\n    r = "
              "sqrt(x)\n    q = x^1.5\n    s = sin(x)\n    k = cos(x)\n"
              "    j = int(s)\nequations\n    a*x'' + r'' + q + s'' + k'' + "
              "j'' = 0\n");
    darc_ranking_t rk;
    darc_jet_t jet;
    darc_rng rng = {7};
    const darc_names_struct *names = darc_model_names(m);
    int order[10] = {2, 2, 2, 2, 2, 2, 2};
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, m);
    darc_jet_init(jet, names, rk, order);
    ulong *v = darc_calloc((size_t)jet->vars, sizeof *v);
    int points = 0;
    for (int i = 0; i < 60; i++) {
        nmod_t mod;
        nmod_init(&mod, darc_laws_prime(&rng));
        if (!darc_laws_values(v, m, jet, mod, &rng))
            continue;
        points++;
        ulong x = at(v, jet, "x", 0), x1 = at(v, jet, "x", 1);
        ulong x2 = at(v, jet, "x", 2), r = at(v, jet, "r", 0);
        ulong r1 = at(v, jet, "r", 1), r2 = at(v, jet, "r", 2);
        ulong s = at(v, jet, "s", 0), k = at(v, jet, "k", 0);
        ck_assert_uint_eq(nmod_mul(r, r, mod), x);
        ck_assert_uint_eq(nmod_mul(nmod_mul(2, r, mod), r1, mod), x1);
        ck_assert_uint_eq(
            nmod_mul(2,
                     nmod_add(nmod_mul(r1, r1, mod), nmod_mul(r, r2, mod), mod),
                     mod),
            x2);
        ck_assert_uint_eq(nmod_mul(r, x, mod), at(v, jet, "q", 0));
        ck_assert_uint_eq(
            nmod_add(nmod_mul(s, s, mod), nmod_mul(k, k, mod), mod), 1);
        ck_assert_uint_eq(
            nmod_neg(nmod_add(nmod_mul(s, x2, mod),
                              nmod_mul(k, nmod_mul(x1, x1, mod), mod), mod),
                     mod),
            at(v, jet, "k", 2));
        ck_assert_uint_eq(at(v, jet, "j", 1), s);
        ck_assert_uint_eq(at(v, jet, "j", 2), at(v, jet, "s", 1));
    }
    ck_assert_int_ge(points, 15); /* x is a square every other time */
    darc_free(v);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
    darc_model_free(m);
}
END_TEST

/* ---- the three questions --------------------------------------------------
 */

static void simulate(const char *dir, const char *file, const char *k2,
                     int seed)
{
    darc_text_t arguments, out, err;
    darc_text_init(arguments);
    darc_text_init(out);
    darc_text_init(err);
    darc_text_printf(arguments,
                     "simulate systems/tanks_sqrt_lower/model.darc --quiet "
                     "--param A1=2,A2=2,k1=0.5,k2=%s --init h1=1,h2=1 --input "
                     "u=constant:0.6+multisine:0.15,0.002,0.05 --t-end 1200 "
                     "--rate 4 --noise 0.001 --seed %d -o %s/%s.csv",
                     k2, seed, dir, file);
    ck_assert_msg(program_run(arguments->s, out, err) == 0, "%s", err->s);
    darc_text_clear(arguments);
    darc_text_clear(out);
    darc_text_clear(err);
}

static void ask(const char *dir, const char *question, const char *files,
                int code, const char *expected)
{
    darc_text_t arguments, out, err;
    darc_text_init(arguments);
    darc_text_init(out);
    darc_text_init(err);
    darc_text_printf(arguments, "%s systems/tanks_sqrt_lower/model.darc",
                     question);
    for (const char *f = files; *f != '\0'; f++)
        darc_text_printf(arguments, " %s/%c.csv", dir, *f);
    ck_assert_msg(program_run(arguments->s, out, err) == code, "%s: %s%s",
                  arguments->s, out->s, err->s);
    ck_assert_msg(strstr(out->s, expected) != NULL, "%s", out->s);
    darc_text_clear(arguments);
    darc_text_clear(out);
    darc_text_clear(err);
}

START_TEST(tanks_answer)
{
    const char *dir = program_directory();
    simulate(dir, "a", "0.4", 1);
    simulate(dir, "b", "0.4", 2);
    simulate(dir, "c", "0.42", 3);
    ask(dir, "check structure", "a", 0, "CONSISTENT");
    ask(dir, "check equal", "ab", 0, "CONSISTENT");
    ask(dir, "check equal", "ac", 1, "INCONSISTENT");
    ask(dir, "isolate", "ac", 0, "diagnosis   {k2}");
}
END_TEST

Suite *suite_dependence(void)
{
    Suite *s = suite_create("dependence");
    TCase *c = tcase_create("dependence");
    tcase_add_loop_test(c, monomials_become_independent, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(c, groups_of_monomials);
    tcase_add_test(c, an_identity_is_no_equation);
    tcase_add_test(c, values_obey_laws);
    tcase_add_test(c, tanks_answer);
    suite_add_tcase(s, c);
    return s;
}
