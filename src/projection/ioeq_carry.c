/* ioeq_carry.c - io-equations on their way out of a child. */
#include "base/mem.h"
#include "projection/ioeq.h"

#include <assert.h>
#include <string.h>

/* Carry the coefficients as hexadecimal numbers, a blank behind each. */
static void carry_coefficients(darc_carrier *c, fmpz_mpoly_struct *p, slong n)
{
    darc_text_t text = DARC_TEXT;
    for (slong i = 0; i < n && c->to != NULL; i++) {
        char *s = fmpz_get_str(NULL, 16, p->coeffs + i);
        darc_text_puts(text, s);
        darc_text_putc(text, ' ');
        flint_free(s);
    }
    const char *all = text->s;
    darc_carry_text(c, &all);
    char *s = (char *)all;
    for (slong i = 0; i < n && c->to == NULL; i++) {
        char *end = strchr(s, ' ');
        *end = '\0';
        fmpz_set_str(p->coeffs + i, s, 16);
        s = end + 1;
    }
    darc_text_clear(text);
}

/* Here p becomes a polynomial. */
static void carry_poly(darc_carrier *c, fmpz_mpoly_struct *p,
                       const fmpz_mpoly_ctx_struct *ctx)
{
    struct {
        slong length;
        flint_bitcnt_t bits; /* of an exponent */
    } size = {0, 0}, *s = &size;
    ulong *exponents = NULL;
    if (c->to != NULL) {
        DARC_SAME(&size, p, length, bits);
        exponents = p->exps;
    }
    darc_carry(c, &s, sizeof *s);
    slong words = mpoly_words_per_exp(s->bits, ctx->minfo) * s->length;
    DARC_CARRY(c, exponents, words);
    if (c->to == NULL) {
        fmpz_mpoly_init3(p, s->length, s->bits, ctx);
        if (words > 0)
            memcpy(p->exps, exponents, (size_t)words * sizeof *exponents);
    }
    carry_coefficients(c, p, s->length);
    if (c->to == NULL)
        _fmpz_mpoly_set_length(p, s->length, ctx);
}

static void carry_polys(darc_carrier *c, darc_dpolys_struct *all,
                        const darc_jet_struct *jet)
{
    const slong *n = &all->count;
    darc_carry(c, &n, sizeof *n);
    if (c->to == NULL)
        *all = (darc_dpolys_struct){0};
    for (slong i = 0; i < *n; i++) {
        darc_dpoly_t p;
        carry_poly(c, c->to != NULL ? all->p + i : p, jet->ctx);
        if (c->to == NULL) {
            darc_dpolys_append_take(all, p, jet);
            darc_dpoly_clear(p, jet);
        }
    }
}

/* Carry the frame; here e becomes no equation in it. */
static void carry_frame(darc_carrier *c, darc_ioeqs_struct *e,
                        const darc_names_struct *names)
{
    size_t n = (size_t)names->count;
    int *block = e->jet->ranking->block, *bound = e->jet->bound;
    int *position = e->jet->ranking->position;
    assert(c->to == NULL || e->jet->names->count == names->count);
    DARC_CARRY(c, block, n);
    DARC_CARRY(c, position, n);
    DARC_CARRY(c, bound, n);
    if (c->to != NULL)
        return;
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    memcpy(rk->block, block, n * sizeof *block);
    memcpy(rk->position, position, n * sizeof *position);
    *e = (darc_ioeqs_struct){.count = 0};
    darc_jet_init(e->jet, names, rk, bound);
    darc_ranking_clear(rk);
}

void darc_ioeqs_carry(darc_carrier *c, darc_ioeqs_t e, const darc_names_t names)
{
    const darc_ioeqs_struct *there = e;
    darc_carry(c, &there, sizeof *there);
    int count = there->count;
    const darc_ioeq *eq = there->eq;
    bool linked = there->linked, coupled = there->coupled, bound = there->bound;
    carry_frame(c, e, names);
    DARC_CARRY(c, eq, count);
    if (c->to == NULL) {
        e->count = count;
        e->linked = linked;
        e->coupled = coupled;
        e->bound = bound;
        e->eq = NULL;
    }
    for (int i = 0; i < count; i++) {
        if (c->to == NULL) {
            DARC_ROOM(e->eq, i);
            e->eq[i] = eq[i];
        }
        carry_poly(c, e->eq[i].poly, e->jet->ctx);
        carry_polys(c, e->eq[i].coeff, e->jet);
        carry_polys(c, e->eq[i].part, e->jet);
    }
    carry_polys(c, e->inequations, e->jet);
}
