#include "coefficient/coeffrel.h"

#include "base/mem.h"
#include "coefficient/relsearch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void copy_layout(darc_coeffrel_t out, const darc_vectors_t c)
{
    size_t n = (size_t)c->vectors;
    out->vectors = c->vectors;
    out->recording = darc_calloc(n, sizeof *out->recording);
    out->equation = darc_calloc(n, sizeof *out->equation);
    out->first = darc_calloc(n + 1, sizeof *out->first);
    memcpy(out->recording, c->recording, n * sizeof *out->recording);
    memcpy(out->equation, c->equation, n * sizeof *out->equation);
    memcpy(out->first, c->first, (n + 1) * sizeof *out->first);
    out->vars = c->first[c->vectors];
    fmpz_mpoly_ctx_init(out->ctx, out->vars, ORD_DEGREVLEX);
}

static darc_status set_vectors(darc_coeffrel_t out, const darc_vectors_t v,
                               double work, const darc_budget *budget,
                               darc_err *err)
{
    memset(out, 0, sizeof *out);
    copy_layout(out, v);
    darc_status status = darc_relsearch_run(out, v, work, budget, err);
    if (status != DARC_OK)
        darc_coeffrel_clear(out);
    return status;
}

darc_status darc_coeffrel_set_coeffs(darc_coeffrel_t out, const darc_coeffs_t c,
                                     const darc_budget *budget, darc_err *err)
{
    darc_vectors_t v;
    darc_vectors_init_polynomials(v, c);
    darc_status status = set_vectors(out, v, HUGE_VAL, budget, err);
    darc_vectors_clear(v);
    return status;
}

darc_status darc_coeffrel_init_blackbox(darc_coeffrel_t out, darc_blackbox_t g,
                                        int equation, const bool *changed,
                                        double work, darc_err *err)
{
    darc_vectors_t v;
    darc_vectors_init_blackbox(v, g, equation, changed);
    darc_status status = set_vectors(out, v, work, g->budget, err);
    darc_vectors_clear(v);
    return status;
}

darc_status darc_coeffrel_init(darc_coeffrel_t out, const darc_ioeqs_t io,
                               int equation, const bool *changed,
                               const darc_budget *budget, darc_err *err)
{
    assert(equation < io->count);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < io->count; i++)
        if ((equation < 0 || equation == i) && !io->eq[i].expanded)
            return darc_fail(
                err, DARC_DOMAIN,
                "the coefficients of the io-equation of '%s' are "
                "not known as polynomials",
                io->jet->names->symbol[io->eq[i].leader.unknown].name);
    darc_coeffs_t c;
    darc_coeffs_init(c, io, equation, changed);
    darc_status status = darc_coeffrel_set_coeffs(out, c, budget, err);
    darc_coeffs_clear(c);
    return status;
}

void darc_coeffrel_clear(darc_coeffrel_t r)
{
    if (r->first == NULL)
        return;
    for (slong i = 0; i < r->count; i++)
        fmpz_mpoly_clear(r->h + i, r->ctx);
    darc_free(r->h);
    darc_free(r->mixed);
    darc_free(r->recording);
    darc_free(r->equation);
    darc_free(r->first);
    fmpz_mpoly_ctx_clear(r->ctx);
    memset(r, 0, sizeof *r);
}
