#include "session/hold_weak.h"

#include "base/mem.h"
#include "decide/weakfree.h"
#include "session/hold_pointwise.h"
#include "session/thresholds.h"

#include <math.h>
#include <string.h>

/* Split "z^3,sign(z')" at its commas; names[i] are owned. */
static char **against_terms(int *count, const char *text)
{
    char **term = NULL;
    for (*count = 0; text != NULL && *text != '\0';) {
        size_t n = strcspn(text, ",");
        term = darc_realloc(term, (size_t)*count + 1, sizeof *term);
        term[(*count)++] = darc_strndup(text, n);
        text += n + (text[n] == ',');
    }
    return term;
}

static darc_status check_one(darc_weakcheck *out, darc_session *s, int e,
                             darc_test test, const darc_weakcheck_options *w,
                             darc_err *err)
{
    if (e >= s->io->count)
        return darc_weakfree_structure(out, s->model, s->io, e, s->table[0], w,
                                       s->budget, err);
    if (test == DARC_STRUCTURE)
        return darc_weakcheck_structure(out, s->model, s->io, e, s->table[0], w,
                                        s->budget, err);
    return darc_weakcheck_pair(
        out, s->model, s->io, e, s->table[0], s->table[1],
        test == DARC_CHANGED ? s->changed : NULL, w, s->budget, err);
}

/* "a term z^3 explains 94 % of the defect (p = 1e-9)" */
static void note_missing(darc_session *s, const darc_weakcheck *w)
{
    for (int i = 0; i < w->missing && i < DARC_MISSING_NOTED; i++) {
        const darc_missing_term *m = &w->missing_term[i];
        darc_session_note(s,
                          "a term %s explains %.0f %% of the defect (p = "
                          "%.2g)",
                          m->term, 100 * m->explains, m->p_value);
    }
}

/* The residual at every sample is shown beside the verdict of the weak form;
 * where it cannot be had, the io-equation stands alone. */
static void describe(darc_session *s, int e)
{
    darc_holding *h = &s->holding;
    const darc_weakcheck *w = &h->weak[e];
    darc_report_relation *to = &h->report[e];
    *to = (darc_report_relation){.form = w->links ? "links" : "io",
                                 .terms = w->terms,
                                 .order = w->order,
                                 .equation = w->form};
    to->residual = (darc_residual_summary){
        .rms = NAN, .max = NAN, .relative_rms = NAN, .used = w->residual.used};
    if (!w->links && e < s->io->count)
        darc_hold_show(s, e);
    to->weak = w->wide || w->links ? NULL : w->form;
    to->decision = w->decision;
    to->untested = w->untested;
    to->missing = w->missing;
    to->missing_term = w->missing_term;
    for (int i = 0; i < w->notes; i++)
        darc_session_note(s, "%s", w->note[i]);
    note_missing(s, w);
}

static void gather_estimates(darc_holding *h)
{
    for (int e = 0; e < h->count; e++)
        h->estimates += h->weak[e].estimates;
    h->estimate = darc_calloc((size_t)h->estimates, sizeof *h->estimate);
    int n = 0;
    for (int e = 0; e < h->count; e++)
        for (int i = 0; i < h->weak[e].estimates; i++)
            h->estimate[n++] = h->weak[e].estimate[i];
}

/* Whether the coefficients of different equations are to be held against each
 * other. */
static bool is_linked(const darc_session *s, darc_test test)
{
    return test != DARC_EQUAL &&
           darc_weakcheck_is_linked(s->io,
                                    test == DARC_CHANGED ? s->changed : NULL);
}

/* Test the links; where an equation is refuted they say nothing new. */
static darc_status check_links(darc_session *s, darc_test test,
                               const darc_weakcheck_options *w, darc_err *err)
{
    darc_holding *h = &s->holding;
    for (int e = 0; e < h->count; e++)
        if (h->weak[e].decision.verdict == DARC_INCONSISTENT)
            return DARC_OK;
    darc_status status = darc_weakcheck_links(
        h->weak + h->count, s->model, s->io,
        test == DARC_CHANGED ? s->changed : NULL, h->weak, w, s->budget, err);
    h->count += status == DARC_OK;
    return status;
}

darc_status darc_hold_weak(darc_session *s, darc_test test, darc_err *err)
{
    darc_holding *h = &s->holding;
    darc_status status = DARC_OK;
    int n = s->io->count + (test == DARC_STRUCTURE ? s->free : 0);
    bool linked = is_linked(s, test);
    darc_weakcheck_options w;
    *h = (darc_holding){0};
    darc_session_decide(&w, s, n + linked);
    char **against = against_terms(&w.against, s->set.against);
    w.against_term = (const char *const *)against;
    h->weak = darc_calloc((size_t)n + 1, sizeof *h->weak);
    h->report = darc_calloc((size_t)n + 1, sizeof *h->report);
    while (h->count < n) {
        DARC_TRY(check_one(&h->weak[h->count], s, h->count, test, &w, err));
        h->count++;
    }
    if (linked)
        DARC_TRY(check_links(s, test, &w, err));
    for (int e = s->io->count; e < s->io->count + s->free; e++)
        if (test != DARC_STRUCTURE)
            darc_session_note(
                s,
                "the io-equation of '%s' holds no parameter: nothing of it is "
                "compared",
                s->io->jet->names->symbol[s->io->eq[e].leader.unknown].name);
    DARC_TRY(darc_hold_residuals(s, test, err));
    for (int e = 0; e < h->count; e++)
        describe(s, e);
    gather_estimates(h);
done:
    for (int i = 0; against != NULL && i < w.against; i++)
        darc_free(against[i]);
    darc_free(against);
    if (status != DARC_OK)
        darc_holding_clear(h);
    return status;
}
