#include "sample.h"

#include <check.h>

void test_sample_names(darc_names_t names)
{
    darc_names_init(names);
    darc_names_add(names, "x", DARC_STATE);
    darc_names_add(names, "k", DARC_PARAMETER);
    darc_names_add(names, "y", DARC_OUTPUT);
    darc_names_add(names, "u", DARC_INPUT);
    darc_names_add(names, "time", DARC_TIME);
}

void test_sample_init(darc_jet_t jet, const char *ranking, int order)
{
    darc_names_t names;
    darc_ranking_t rk;
    test_sample_names(names);
    darc_ranking_init(rk, SAMPLE_NAMES);
    darc_ranking_set_default(rk, names);
    if (ranking[0] != '\0')
        ck_assert_int_eq(darc_ranking_set_text(rk, ranking, names, NULL),
                         DARC_OK);
    int bound[SAMPLE_NAMES];
    for (int u = 0; u < SAMPLE_NAMES; u++)
        bound[u] = order;
    darc_jet_init(jet, names, rk, bound);
    darc_ranking_clear(rk);
    darc_names_clear(names);
}

void test_sample_random(darc_dpoly_t p, flint_rand_t state, int room,
                        const darc_jet_t jet)
{
    darc_dpoly_t term, v;
    darc_dpoly_init(term, jet);
    darc_dpoly_init(v, jet);
    fmpz_mpoly_zero(p, jet->ctx);
    for (ulong i = n_randint(state, 6); i > 0; i--) {
        fmpz_mpoly_set_si(term, (slong)n_randint(state, 19) - 9, jet->ctx);
        for (ulong k = n_randint(state, 5); k > 0; k--) {
            int u = (int)n_randint(state, SAMPLE_NAMES);
            int top = jet->bound[u] < room ? 0 : jet->bound[u] - room;
            int order = (int)n_randint(state, (ulong)top + 1);
            darc_dpoly_set_deriv(v, (darc_deriv){u, order}, jet);
            fmpz_mpoly_mul(term, term, v, jet->ctx);
        }
        fmpz_mpoly_add(p, p, term, jet->ctx);
    }
    darc_dpoly_clear(term, jet);
    darc_dpoly_clear(v, jet);
}

const char *test_sample_text(const darc_dpoly_t p, const darc_jet_t jet)
{
    static char text[2000];
    darc_text_t out;
    darc_text_init(out);
    darc_dpoly_print(out, p, jet);
    ck_assert_uint_lt(out->len, sizeof text);
    for (size_t i = 0; i <= out->len; i++)
        text[i] = out->s[i];
    darc_text_clear(out);
    return text;
}
