#include "golden.h"

#include "series.h"

#include "chain/elim.h"
#include "model/model.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 150 };

char *golden_read(const char *file)
{
    FILE *f = fopen(file, "r");
    if (f == NULL)
        return NULL;
    darc_text_t t;
    darc_text_init(t);
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        darc_text_write(t, buffer, n);
    fclose(f);
    return darc_text_take(t);
}

static void print_poly(darc_text_t out, const darc_dpoly_t p,
                       const darc_jet_t jet)
{
    if (p->length <= MAX_TERMS) {
        darc_dpoly_print(out, p, jet);
        return;
    }
    darc_deriv_print(out, jet->deriv[darc_dpoly_leader(p, jet)], jet->names);
    darc_text_printf(out, ": %ld terms, degree %ld", (long)p->length,
                     (long)fmpz_mpoly_total_degree_si(p, jet->ctx));
}

static void print_component(darc_text_t out, const darc_component *c,
                            const darc_jet_t jet)
{
    darc_text_printf(out, "%s, dimension %d, %d\n",
                     c->generic ? "generic" : "singular", c->free,
                     c->constants);
    for (slong i = 0; i < c->equations->count; i++) {
        darc_text_puts(out, "    ");
        print_poly(out, c->equations->p + i, jet);
        darc_text_puts(out, " = 0\n");
    }
    for (slong i = 0; i < c->inequations->count; i++) {
        darc_text_puts(out, "    ");
        print_poly(out, c->inequations->p + i, jet);
        darc_text_puts(out, " != 0\n");
    }
}

/* Return whether x, which leaves out states that the outputs do not depend
 * on, solves all equations. */
static bool is_complete(const series_solution *x, const darc_dpolys_t eq,
                        const darc_jet_t jet)
{
    for (slong i = 0; i < eq->count; i++)
        if (series_value(eq->p + i, x, jet) != 0)
            return false;
    return true;
}

/* The generic component vanishes on a solution of the solved form. */
static void verify(const darc_decomposition_t d, const darc_model *model,
                   const darc_dpolys_t eq, const darc_jet_t jet)
{
    darc_solved_t s;
    if (darc_solved_init(s, model, NULL) != DARC_OK)
        return;
    flint_rand_t state;
    flint_randinit(state);
    series_solution x;
    ck_assert(series_init(&x, s, 24, state));
    bool complete = is_complete(&x, eq, jet);
    const darc_component *c = d->component;
    ck_assert(!complete || d->count == 1);
    for (slong i = 0; complete && i < c->equations->count; i++)
        ck_assert_uint_eq(series_value(c->equations->p + i, &x, d->jet), 0);
    for (slong i = 0; complete && i < c->inequations->count; i++)
        ck_assert_uint_ne(series_value(c->inequations->p + i, &x, d->jet), 0);
    series_clear(&x);
    flint_randclear(state);
    darc_solved_clear(s);
}

static void recompute(darc_text_t out, const darc_model *model,
                      const char *ranking)
{
    const darc_names_struct *names = darc_model_names(model);
    int *order = calloc((size_t)names->count, sizeof *order);
    darc_model_orders(model, order);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    ck_assert(darc_ranking_set_text(rk, ranking, names, NULL) == DARC_OK);
    darc_jet_t jet;
    darc_jet_init(jet, names, rk, order);
    darc_dpolys_t eq, ineq;
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    ck_assert(darc_model_equations(eq, ineq, model, jet, NULL) == DARC_OK);
    darc_decomposition_t d;
    ck_assert(darc_elim(d, &(darc_system){eq, ineq, jet}, false, NULL, NULL) ==
              DARC_OK);
    verify(d, model, eq, jet);
    darc_text_printf(out, "ranking: %s\n", ranking);
    for (int i = 0; i < d->count; i++)
        print_component(out, d->component + i, d->jet);
    darc_decomposition_clear(d);
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
    free(order);
}

void golden_recompute(darc_text_t out, const char *model, const char *expected)
{
    static const char key[] = "ranking: ";
    darc_err err;
    darc_err_init(&err);
    darc_model *m = NULL;
    darc_status status = darc_model_read(&m, model, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    for (const char *at = expected; at != NULL && *at != '\0';) {
        size_t n = strcspn(at, "\n");
        if (strncmp(at, key, sizeof key - 1) == 0) {
            char *ranking = calloc(n + 1, 1);
            memcpy(ranking, at + sizeof key - 1, n - (sizeof key - 1));
            recompute(out, m, ranking);
            free(ranking);
        }
        at += n + (at[n] == '\n');
    }
    darc_model_free(m);
}
