#include "agree/credibility.h"

#include "agree/evidence.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>

double darc_credibility_transform(double g, double gth, double cth)
{
    assert(g >= 0 && g <= 1 && gth > 0 && gth < 1);
    if (g < gth)
        return cth * g / gth;
    return (1 - cth) / (1 - gth) * (g - gth) + cth;
}

/* Factors are settled in the order of their dependence. */
typedef enum { OPEN, UNDER_WAY, SETTLED } progress;

typedef struct {
    darc_factor_space *s;
    progress *state; /* of every factor */
} work;

/* Find similarity and credibility of factor i; -1: there is none. */
static darc_status settle(work *w, int i, darc_err *err);

static double threshold_of(const darc_factor_space *s, const darc_factor *f)
{
    return isnan(f->accept) ? s->credibility : f->accept;
}

static void judge(const darc_factor_space *s, darc_factor *f)
{
    f->acceptable = isnan(f->credibility)                  ? DARC_UNKNOWN
                    : f->credibility >= threshold_of(s, f) ? DARC_TRUE
                                                           : DARC_FALSE;
}

/* Whether the link's condition holds, whose factor is settled. */
static bool holds(const darc_factor_space *s, const darc_factor_link *l)
{
    return l->condition < 0 || s->factor[l->condition].acceptable ==
                                   (l->unless ? DARC_FALSE : DARC_TRUE);
}

/* What the links of each kind say about a factor without evidence. */
typedef struct {
    double sum, weight; /* compose: weighted sum and weights */
    double least;       /* derive, inherit */
    double substitute;  /* the first one known, else NAN */
    bool unknown;       /* some factor it depends on is not known */
    bool any;
} findings;

static void add_finding(findings *v, const darc_factor_link *l, double c)
{
    if (l->kind == DARC_LINK_SUBSTITUTE) {
        v->substitute = isnan(v->substitute) ? c : v->substitute;
        return;
    }
    v->any = true;
    v->unknown |= isnan(c);
    if (l->kind == DARC_LINK_COMPOSE) {
        v->sum += l->weight * c;
        v->weight += l->weight;
    } else {
        v->least = fmin(v->least, c);
    }
}

static darc_status from_links(work *w, int i, darc_err *err)
{
    darc_factor_space *s = w->s;
    findings v = {.least = HUGE_VAL, .substitute = NAN};
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i || l->kind == DARC_LINK_SURPASS ||
            l->kind == DARC_LINK_CONTRADICT)
            continue;
        DARC_NEED(settle(w, l->condition, err));
        if (!holds(s, l))
            continue;
        DARC_NEED(settle(w, l->child, err));
        add_finding(&v, l, s->factor[l->child].credibility);
    }
    double c = NAN;
    if (v.any && !v.unknown)
        c = v.weight > 0 ? fmin(v.least, v.sum / v.weight) : v.least;
    s->factor[i].credibility = isnan(c) ? v.substitute : c;
    return DARC_OK;
}

/* Links that outrank what the factor itself says. */
static darc_status apply_surpass(work *w, int i, darc_err *err)
{
    darc_factor_space *s = w->s;
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i || l->kind != DARC_LINK_SURPASS)
            continue;
        DARC_NEED(settle(w, l->condition, err));
        bool active = holds(s, l);
        DARC_NEED(settle(w, l->child, err));
        const darc_factor *child = &s->factor[l->child];
        double limit =
            isnan(l->threshold) ? threshold_of(s, child) : l->threshold;
        if (active && child->credibility < limit)
            s->factor[i].acceptable = DARC_FALSE;
    }
    return DARC_OK;
}

static darc_status settle(work *w, int i, darc_err *err)
{
    if (i < 0 || w->state[i] == SETTLED)
        return DARC_OK;
    darc_factor_space *s = w->s;
    darc_factor *f = &s->factor[i];
    if (w->state[i] == UNDER_WAY)
        return darc_fail(err, DARC_MODEL,
                         "%s:1:1: error: '%s' depends on itself: an iterated "
                         "factor needs evidence of its own",
                         s->file, f->name);
    w->state[i] = UNDER_WAY;
    if (f->evidence == DARC_EVIDENCE_NONE) {
        DARC_NEED(from_links(w, i, err));
    } else if (f->evidence == DARC_EVIDENCE_GRADE) {
        f->credibility = f->given;
    } else {
        f->similarity = f->given;
        if (f->evidence != DARC_EVIDENCE_SIMILARITY)
            DARC_NEED(darc_evidence_similarity(&f->similarity, f, s, err));
        f->credibility = darc_credibility_transform(
            f->similarity, s->similarity, s->credibility);
    }
    judge(s, f);
    /* From here on cycles through this factor end here. */
    w->state[i] = SETTLED;
    return apply_surpass(w, i, err);
}

/* Both sides of a contradiction cannot be credible; all factors are settled. */
static void apply_contradictions(darc_factor_space *s)
{
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->kind == DARC_LINK_CONTRADICT && holds(s, l) &&
            s->factor[l->parent].acceptable == DARC_TRUE &&
            s->factor[l->child].acceptable == DARC_TRUE)
            s->factor[l->parent].acceptable = DARC_FALSE;
    }
}

/* Mark factor i, which is not acceptable, and what lies below it. */
static void trace(darc_factor_space *s, int i)
{
    darc_factor *f = &s->factor[i];
    bool leaf = true, all_pass = true;
    f->defect = true;
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i || l->kind == DARC_LINK_CONTRADICT || !holds(s, l))
            continue;
        leaf = false;
        all_pass &= s->factor[l->child].acceptable == DARC_TRUE;
        if (s->factor[l->child].acceptable == DARC_FALSE &&
            !s->factor[l->child].defect)
            trace(s, l->child);
    }
    f->origin = leaf;
    f->stricter = !leaf && all_pass;
}

darc_status darc_credibility_assess(darc_factor_space *s, darc_err *err)
{
    darc_status status = DARC_OK;
    work w = {s, darc_calloc((size_t)s->factors, sizeof *w.state)};
    for (int i = 0; i < s->factors; i++)
        DARC_TRY(settle(&w, i, err));
    apply_contradictions(s);
    for (int i = 0; i < s->factors; i++)
        if (s->factor[i].role == DARC_FACTOR_OUTPUT &&
            s->factor[i].acceptable == DARC_FALSE)
            trace(s, i);
done:
    darc_free(w.state);
    return status;
}

darc_truth darc_credibility_verdict(const darc_factor_space *s)
{
    darc_truth all = DARC_TRUE;
    for (int i = 0; i < s->factors; i++) {
        if (s->factor[i].role != DARC_FACTOR_OUTPUT)
            continue;
        if (s->factor[i].acceptable == DARC_FALSE)
            return DARC_FALSE;
        if (s->factor[i].acceptable == DARC_UNKNOWN)
            all = DARC_UNKNOWN;
    }
    return all;
}
