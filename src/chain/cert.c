#include "chain/cert.h"

#include "base/mem.h"

void darc_cert_init(darc_cert_t cert)
{
    *cert = (darc_cert_struct){0, 0, NULL};
}

void darc_cert_clear(darc_cert_t cert, const darc_jet_t jet)
{
    for (slong i = 0; i < cert->count; i++) {
        darc_dpoly_clear(cert->step[i].h, jet);
        darc_dpoly_clear(cert->step[i].q, jet);
        darc_dpoly_clear(cert->step[i].c, jet);
    }
    darc_free(cert->step);
    darc_cert_init(cert);
}

darc_cert_step *darc_cert_append(darc_cert_t cert, int unknown, int order,
                                 const darc_jet_t jet)
{
    cert->step = darc_grow(cert->step, (size_t)cert->count, &cert->alloc,
                           sizeof *cert->step);
    darc_cert_step *s = cert->step + cert->count++;
    s->unknown = unknown;
    s->order = order;
    darc_dpoly_init(s->h, jet);
    darc_dpoly_init(s->q, jet);
    darc_dpoly_init(s->c, jet);
    fmpz_mpoly_one(s->h, jet->ctx);
    fmpz_mpoly_one(s->c, jet->ctx);
    return s;
}

/* Set p to (h*p - q * delta^k g) / c; return whether that is exact. */
static bool replay_step(darc_dpoly_t p, const darc_cert_step *s,
                        const darc_dpoly_t g, const darc_jet_t jet)
{
    darc_dpoly_t dg;
    darc_dpoly_init(dg, jet);
    bool good = darc_dpoly_diff_n(dg, g, s->order, jet, NULL) == DARC_OK;
    if (good) {
        fmpz_mpoly_mul(p, p, s->h, jet->ctx);
        fmpz_mpoly_mul(dg, dg, s->q, jet->ctx);
        fmpz_mpoly_sub(p, p, dg, jet->ctx);
        good = fmpz_mpoly_divides(p, p, s->c, jet->ctx);
    }
    darc_dpoly_clear(dg, jet);
    return good;
}

bool darc_cert_replay(const darc_cert_t cert, const darc_dpoly_t f,
                      const darc_dpoly_t r,
                      const darc_dpoly_struct *const *equation,
                      const darc_jet_t jet)
{
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    fmpz_mpoly_set(p, f, jet->ctx);
    bool good = true;
    for (slong i = 0; good && i < cert->count; i++)
        good = replay_step(p, cert->step + i, equation[cert->step[i].unknown],
                           jet);
    good = good && fmpz_mpoly_equal(p, r, jet->ctx);
    darc_dpoly_clear(p, jet);
    return good;
}
