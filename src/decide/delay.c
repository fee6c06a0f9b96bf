#include "decide/delay.h"

#include "stats/real.h"

#include <math.h>
#include <stdio.h>

/* The coefficient of signal u by itself in equation q; 0 where it is in none.
 */
static double coefficient_of(const darc_evidence *s, int q, int u)
{
    const darc_total_struct *total = s->fit.r.total + q;
    const double *c = s->fit.fit.c + s->est.eq[q].first;
    int v = darc_total_var(total, (darc_deriv){u, 0});
    double sum = 0;
    for (int i = 0; i < total->count && v >= 0; i++) {
        const darc_total_term *t = total->term + i;
        bool alone = t->order == 0 && t->log < 0;
        for (int w = 0; w < total->vars; w++)
            alone = alone && t->exponent[w] == (w == v ? 1 : 0);
        if (alone)
            sum += c[t->coeff] *
                   darc_real(fmpq_numref(t->factor), fmpq_denref(t->factor));
    }
    return sum;
}

const char *darc_delay_of_slope(const darc_evidence *s, const darc_missing *m,
                                char *text, size_t size)
{
    const darc_candidate_factor *f = m->what.f;
    text[0] = '\0';
    if (m->what.kind != DARC_CANDIDATE_TERM || m->what.count != 1 ||
        f->power != 1 || f->sign || f->other >= 0 || f->d.order != 1)
        return text;
    double ms = -1e3 * m->value / coefficient_of(s, m->equation, f->d.unknown);
    if (isfinite(ms))
        snprintf(text, size, ", as if %s were %.2g ms %s",
                 s->x->io->jet->names->symbol[f->d.unknown].name, fabs(ms),
                 ms > 0 ? "late" : "early");
    return text;
}

/* Return the one signal that equation q holds besides u; -1: several. */
static int other_signal(const darc_evidence *s, int q, int u)
{
    int found = -1, count = 0;
    const darc_total_struct *total = s->fit.r.total + q;
    for (int v = 0; v < total->vars; v++) {
        int w = total->var[v].unknown;
        if (w == u || w == found || s->fit.r.column[w] < 0 ||
            !darc_weak_uses(total, v))
            continue;
        found = w;
        count++;
    }
    return count == 1 ? found : -1;
}

void darc_delay_name(darc_text_t t, const darc_evidence *s,
                     const darc_missing *m)
{
    int u = m->what.f[0].d.unknown, w = other_signal(s, m->equation, u);
    bool early = m->value < 0;
    const char *but = early && w < 0 ? "all signals but " : "";
    u = early && w >= 0 ? w : u;
    darc_text_printf(t, "a delay or lag of %s%s by about %.2g ms", but,
                     s->x->io->jet->names->symbol[u].name,
                     1e3 * fabs(m->value));
}
