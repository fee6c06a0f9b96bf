/* What an elimination hands over before it is done: every equation vanishes
 * on random solutions of the model, whenever it is interrupted. */
#include "tests.h"

#include "models.h"
#include "program.h"

#include "chain/elim.h"
#include "eliminate/eliminate.h"
#include "emit/emit.h"
#include "projection/point.h"

#include <stdio.h>
#include <string.h>

/* A part that is done at once beside one that takes many steps. */
static const char two_parts[] =
    "model two_parts\nstates\nx y z w q\nparameters\na b c k\noutputs\ng h\n"
    "equations\nx'=a*(y-x)+y*z\ny'=b*(x+y)-x*z\nz'=-c*z-w+x*y\n"
    "w'=z-w+x*y\nq'=-k*q^2\ng=x\nh=q\n";

/* Its states are eliminated in other coordinates. */
static const char compartments[] =
    "model two\nstates\nx1 x2\nparameters\nk12 k21 k02\ninputs\nu\n"
    "outputs\ny z\nequations\nx1'=-k21*x1+k12*x2+u\n"
    "x2'=k21*x1-(k12+k02)*x2\ny=x1\nz=x1+k02*x2\n";

/* An output that is a state as well, of second order. */
static const char seen_twice[] =
    "model mass\nparameters\nd c o\ninputs\nu\noutputs\nx v\n"
    "equations\nx''+d*x'+c*x-c*o=u\nv=x'\n";

static const struct {
    const char *text;
    darc_engine engine;
    int most; /* checks of the budget after which it may be interrupted */
    int done; /* outputs that are done before it is all over */
} cases[] = {
    {two_parts, DARC_ENGINE_PROJECT, 2000, 1},
    {model_goodwin, DARC_ENGINE_PROJECT, 120, 0},
    {compartments, DARC_ENGINE_PROJECT, 60, 0},
    {seen_twice, DARC_ENGINE_PROJECT, 30, 0},
    {model_lorenz, DARC_ENGINE_GENERAL, 60, 0},
    {model_goodwin, DARC_ENGINE_GENERAL, 12, 0},
};

typedef struct {
    int left; /* checks until the interruption */
    const darc_point_struct *pt;
    int equations, pivots, done; /* of the last partial result */
} reader;

static int interrupted(void *user)
{
    reader *r = user;
    return r->left-- <= 0;
}

static bool has_state(const darc_item *item, const darc_jet_t jet)
{
    for (int u = 0; u < jet->names->count; u++)
        if (jet->names->symbol[u].kind == DARC_STATE &&
            darc_dpoly_order(item->poly, u, jet) >= 0)
            return true;
    return false;
}

/* No two items share a leader; equations hold their leader and vanish. */
static void check_item(reader *r, const darc_partial_struct *p, int i)
{
    const darc_item *item = p->item + i;
    for (int k = 0; k < i; k++)
        ck_assert(p->item[k].leader.unknown != item->leader.unknown ||
                  p->item[k].leader.order != item->leader.order ||
                  p->item[k].place != item->place);
    if (item->kind == DARC_ITEM_SIZE)
        return;
    slong v = darc_jet_var(p->jet, item->leader);
    ck_assert_int_gt(darc_dpoly_degree(item->poly, v, p->jet), 0);
    if (item->place == DARC_ITEM_IO)
        ck_assert(!has_state(item, p->jet));
    if (item->kind != DARC_ITEM_EQUATION)
        return;
    ck_assert_uint_eq(darc_point_eval(r->pt, item->poly, p->jet), 0);
    r->equations++;
    r->done += item->place == DARC_ITEM_IO;
    r->pivots += item->place == DARC_ITEM_CHAIN && item->leader.order == 0;
}

static bool read_partial(void *user, const darc_partial_struct *p)
{
    reader *r = user;
    r->equations = r->done = r->pivots = 0;
    for (int i = 0; i < p->count; i++)
        check_item(r, p, i);
    return true;
}

START_TEST(what_is_reached_holds)
{
    darc_solved_t s;
    darc_point_t pt;
    flint_rand_t rand;
    flint_randinit(rand);
    darc_model *model = model_of(cases[_i].text);
    ck_assert(darc_solved_init(s, model, NULL) == DARC_OK);
    darc_point_init(pt, s, 24, darc_finite_prime(40), rand);
    int most = 0, ended = 0, pivots = 0, done = 0;
    for (int n = 1; n < cases[_i].most; n += 1 + n / 12) {
        darc_ioeqs_t io;
        darc_budget b;
        reader r = {.left = n, .pt = pt};
        darc_budget_init(&b);
        b.interrupted = interrupted;
        b.user = b.reader = &r;
        b.reached = read_partial;
        if (darc_ioeqs_init(io, model, NULL, cases[_i].engine, &b, NULL) ==
            DARC_OK) {
            darc_ioeqs_clear(io);
            break;
        }
        ended++;
        done = r.done > done ? r.done : done;
        most = r.equations > most ? r.equations : most;
        pivots = r.pivots > pivots ? r.pivots : pivots;
    }
    ck_assert_int_gt(ended, 0);
    ck_assert_int_gt(most, 1);
    ck_assert_int_gt(pivots, 0);
    ck_assert_int_ge(done, cases[_i].done);
    darc_point_clear(pt);
    darc_solved_clear(s);
    darc_model_free(model);
    flint_randclear(rand);
}
END_TEST

/* Set p to one item of each place and kind. */
static void fill(darc_partial_t p, const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    int bound[16] = {2, 2, 2, 2, 2, 2, 2, 2};
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, model);
    darc_partial_init(p, names, rk, bound);
    darc_ranking_clear(rk);
    int x = darc_names_find(names, "x1", 2), y = darc_names_find(names, "y", 1);
    darc_item *item = darc_partial_add(p, DARC_ITEM_IO, DARC_ITEM_EQUATION,
                                       (darc_deriv){y, 2}, 1);
    darc_dpoly_set_deriv(item->poly, item->leader, p->jet);
    item = darc_partial_add(p, DARC_ITEM_CHAIN, DARC_ITEM_EQUATION,
                            (darc_deriv){x, 1}, 1);
    darc_dpoly_set_deriv(item->poly, item->leader, p->jet);
    darc_partial_add(p, DARC_ITEM_CHAIN, DARC_ITEM_SIZE, (darc_deriv){x, 0},
                     4711);
    item = darc_partial_add(p, DARC_ITEM_COMPONENT, DARC_ITEM_EQUATION,
                            (darc_deriv){y, 1}, 1);
    darc_dpoly_set_deriv(item->poly, item->leader, p->jet);
    p->done = 3;
    p->steps = 7;
}

static const struct {
    darc_format format;
    bool summary;
    const char *has, *has_not;
} writings[] = {
    {DARC_FORMAT_TEXT, false, "# partial result: ", "partial\": "},
    {DARC_FORMAT_TEXT, false,
     "# y: done, io-equation of order 2, 1 term\ny'' = 0\n", "// "},
    {DARC_FORMAT_TEXT, false,
     "# triangular set reached after 3 of 7 steps\n# leader x1': 1 term\n"
     "x1' = 0\n# leader x1: 4711 terms\n",
     "// "},
    {DARC_FORMAT_TEXT, false,
     "# component 1, not yet reduced\n# leader y': 1 term\ny' = 0\n", "// "},
    {DARC_FORMAT_TEXT, true, "# leader x1': 1 term\n#", "= 0"},
    {DARC_FORMAT_LATEX, false, "\\[ \\ddot{y} = 0 \\]\n", "\n# "},
    {DARC_FORMAT_C, false, "// y'' = 0\n", "\ny'"},
    {DARC_FORMAT_PYTHON, false, "# y'' = 0\n", "\ny'"},
    {DARC_FORMAT_JSON, false, "\"partial\": true", "# "},
    {DARC_FORMAT_JSON, false, "\"equation\": \"y''\"", "# "},
    {DARC_FORMAT_JSON, false,
     "\"triangular_set\": [{\n      \"leader\": \"x1'\"", "# "},
    {DARC_FORMAT_JSON, true, "\"terms\": 4711", "\"equation\""},
};

START_TEST(partial_results_are_marked)
{
    darc_text_t out;
    darc_partial_t p;
    darc_model *model = model_of(compartments);
    darc_emit how = {writings[_i].format,
                     "two",
                     "two.darc",
                     writings[_i].summary,
                     false,
                     NULL,
                     NULL};
    darc_text_init(out);
    fill(p, model);
    darc_emit_partial(out, p, &how);
    ck_assert_msg(strstr(out->s, writings[_i].has) != NULL, "%s", out->s);
    ck_assert_msg(strstr(out->s, writings[_i].has_not) == NULL, "%s", out->s);
    darc_partial_clear(p);
    darc_text_clear(out);
    darc_model_free(model);
}
END_TEST

/* The program prints the last partial result and ends with code 5. */
START_TEST(the_program_prints_it)
{
    static const char *const arguments[] = {
        "eliminate systems/qwwc/model.darc --form io --timeout 0.2",
        "eliminate systems/qwwc/model.darc --form expanded --timeout 0.2",
        ("eliminate systems/qwwc/model.darc --form io --engine general "
         "--timeout 0.2"),
        "eliminate systems/qwwc/model.darc --for structure --timeout 0.2",
    };
    darc_text_t out, err, json;
    darc_text_init(out);
    darc_text_init(err);
    darc_text_init(json);
    ck_assert_int_eq(program_run(arguments[_i], out, err), 5);
    ck_assert_msg(strncmp(out->s, "# partial result", 16) == 0, "%s", out->s);
    ck_assert_msg(strstr(out->s, "\n# triangular set reached after ") != NULL,
                  "%s", out->s);
    ck_assert_msg(strstr(out->s, " = 0\n") != NULL, "%s", out->s);
    darc_text_printf(json, "%s --format json", arguments[_i]);
    ck_assert_int_eq(program_run(json->s, out, err), 5);
    ck_assert(out->s[0] == '{');
    ck_assert_ptr_nonnull(strstr(out->s, "\"partial\": true"));
    darc_text_clear(json);
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

Suite *suite_reached(void)
{
    Suite *s = suite_create("reached");
    TCase *t = tcase_create("reached");
    tcase_add_loop_test(t, what_is_reached_holds, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_loop_test(t, partial_results_are_marked, 0,
                        (int)(sizeof writings / sizeof writings[0]));
    tcase_add_loop_test(t, the_program_prints_it, 0, 4);
    suite_add_tcase(s, t);
    return s;
}
