#include "decide/terms.h"

#include "base/mem.h"
#include "decide/thresholds.h"
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

/* Return the precision with which %g prints a number of two digits or more
 * without an exponent. */
static int digits(double ms)
{
    return ms < 100 || ms > 1e9 ? 2 : 1 + (int)log10(ms);
}

/* Whether unknown u is an input that a delay of -ms would make one that is
 * held, and it is not: a line between samples is half a step early. */
static bool looks_held(const darc_evidence *s, int u, double ms)
{
    double half = 500 * s->fit.weak->dt;
    return s->x->io->jet->names->symbol[u].kind == DARC_INPUT &&
           s->fit.r.held[u] == DARC_HELD_NOT &&
           fabs(ms + half) < DARC_HALF_STEP * half;
}

/* ", as if u were recorded 20 ms late", where the missing term m is the slope
 * of a signal that stands in the equation: c u(t + T) is c u + c T u'; ""
 * elsewhere. Return text. */
static const char *delay_of_slope(const darc_evidence *s, const darc_missing *m,
                                  char *text, size_t size)
{
    const darc_candidate_factor *f = m->what.f;
    text[0] = '\0';
    if (m->what.kind != DARC_CANDIDATE_TERM || m->what.count != 1 ||
        f->power != 1 || f->sign || f->other >= 0 || f->d.order != 1)
        return text;
    double ms = 1e3 * m->value / coefficient_of(s, m->equation, f->d.unknown);
    if (isfinite(ms))
        snprintf(text, size, ", as if %s were recorded %.*g ms %s%s",
                 s->x->io->jet->names->symbol[f->d.unknown].name,
                 digits(fabs(ms)), fabs(ms), ms > 0 ? "late" : "early",
                 looks_held(s, f->d.unknown, ms)
                     ? ": half a step, as if it were held (--hold)"
                     : "");
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

/* Append "a delay or lag of u by about 3 ms" for a candidate of that kind; one
 * of T < 0 is that of the others. */
static void name_delay(darc_text_t t, const darc_evidence *s,
                       const darc_missing *m)
{
    int u = m->what.f[0].d.unknown, w = other_signal(s, m->equation, u);
    bool early = m->value < 0;
    const char *but = early && w < 0 ? "all signals but " : "";
    u = early && w >= 0 ? w : u;
    double ms = 1e3 * fabs(m->value);
    darc_text_printf(t, "a delay or lag of %s%s by about %.*g ms", but,
                     s->x->io->jet->names->symbol[u].name, digits(ms), ms);
}

static void say_what(darc_text_t t, const darc_evidence *s,
                     const darc_missing *m)
{
    if (m->what.kind == DARC_CANDIDATE_LAG)
        name_delay(t, s, m);
    else
        darc_candidate_say(t, &m->what, s->x->io->jet->names);
}

char *darc_terms_called(const darc_evidence *s, const darc_missing *m)
{
    darc_text_t t = DARC_TEXT;
    bool constant = darc_candidate_is_constant(&m->what);
    if (m->what.kind == DARC_CANDIDATE_TERM) {
        darc_text_puts(t, constant ? "the constant term " : "the term ");
        darc_candidate_print(t, &m->what, s->x->io->jet->names);
    } else
        say_what(t, s, m);
    return darc_text_take(t);
}

enum { SHOWN = 3 };

static void say_term(darc_judgement *out, const darc_evidence *s,
                     const darc_missing *m)
{
    char shift[200];
    darc_text_t t = DARC_TEXT;
    say_what(t, s, m);
    darc_judgement_note(out, "%s explains %.0f %% of the defect%s%s", t->s,
                        100 * m->explains, s->where[m->equation],
                        delay_of_slope(s, m, shift, sizeof shift));
    darc_text_clear(t);
}

static void add_term(darc_judged *to, const darc_evidence *s,
                     const darc_missing *m)
{
    int most = s->x->by->against > 0 ? s->missing.count : SHOWN;
    if (to->missing == most)
        return;
    if (to->missing_term == NULL)
        to->missing_term = darc_calloc((size_t)most, sizeof *to->missing_term);
    darc_text_t name = DARC_TEXT;
    darc_candidate_print(name, &m->what, s->x->io->jet->names);
    double unit = s->fit.fit.c[s->est.eq[m->equation].reference];
    to->missing_term[to->missing++] =
        (darc_missing_term){.term = darc_text_take(name),
                            .p_value = m->p_value,
                            .explains = m->explains,
                            .value = m->value / unit,
                            .sd = m->sd / fabs(unit)};
}

void darc_terms_list(darc_judgement *out, const darc_evidence *s)
{
    const darc_missings *m = &s->missing;
    double alpha = s->x->by->alpha, most = 0;
    bool lag = false; /* one was named: of the other signal it is the same */
    bool named = s->x->by->against > 0;
    for (int i = 0, said = 0; i < m->count; i++) {
        const darc_missing *term = m->term + i;
        /* A constant that explains most is told of, though slow noise may be
         * one as well: a sensor's zero is the commonest fault. */
        bool tells =
            term->p_value < alpha || (darc_candidate_is_constant(&term->what) &&
                                      term->explains > DARC_TOLD);
        if (!tells && !named)
            continue;
        bool much = term->explains > DARC_AS_MUCH * most && said < SHOWN;
        bool again = lag && term->what.kind == DARC_CANDIDATE_LAG;
        if (tells && (named || (much && !again))) {
            say_term(out, s, term);
            lag = lag || term->what.kind == DARC_CANDIDATE_LAG;
            said++;
        }
        most = fmax(most, tells ? term->explains : 0);
        add_term(out->equation + term->equation, s, term);
    }
    if (s->unsearched[0] != '\0')
        darc_judgement_detail(out, "no search for missing terms: %s",
                              s->unsearched);
}
