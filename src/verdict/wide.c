#include "verdict/wide.h"

#include "base/mem.h"
#include "darc/stats.h"
#include "numeric/gls.h"
#include "numeric/pencil.h"
#include "verdict/freedom.h"
#include "verdict/weakcolumns.h"
#include "verdict/weakdoubt.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>

/* A singular value decomposition of so many columns takes some ten seconds. */
#define MOST_TERMS 1000

#define POWER 0.9 /* of the detectable defect */

/* What the columns of one or both recordings show. */
typedef struct {
    const darc_weakcolumns *columns;
    double factor; /* noise may have so many times its power; */
    bool open;     /* or more, nobody knows how much */
    double *value; /* stationary values, ascending; owned */
    double *c;     /* direction of the least; owned */
    double dof;    /* of |W c|^2 */
    double limit;  /* quantile of its ratio to the mean under noise */
    int free;      /* directions that do not exceed it */
    double p_value;
    double defect, low, detectable; /* shares of the leading term */
} finding;

bool darc_wide_is(const darc_ioeqs_t io, int e)
{
    return io->eq[e].part->count > DARC_WEAK_TERMS;
}

/* ---- the finding ------------------------------------------------------------
 */

static void finding_clear(finding *f)
{
    darc_free(f->value);
    darc_free(f->c);
}

/* c'Tc over the square of the leading term of direction c. */
static double error_share(const finding *f)
{
    const darc_weakcolumns *w = f->columns;
    double sum = 0, lead = 0;
    double *size = darc_calloc((size_t)w->n, sizeof *size);
    darc_weakcolumns_sizes(size, w);
    for (int i = 0; i < w->n; i++) {
        lead = fmax(lead, fabs(f->c[i]) * size[i]);
        for (int j = 0; j < w->n; j++)
            sum += f->c[i] * w->t[i * w->n + j] * f->c[j];
    }
    darc_free(size);
    return lead > 0 ? sum / (double)w->rows / (lead * lead) : HUGE_VAL;
}

/* Return the least r such that some c leaves no more than the share r of its
 * leading term, besides errors: |W c|^2 <= 2 limit c'Tc + 2 r^2 c'Gc, where G
 * holds the squares of the columns. */
static double least_defect(const finding *f)
{
    const darc_weakcolumns *w = f->columns;
    int n = w->n;
    double *a = darc_calloc((size_t)n * (size_t)n, sizeof *a);
    double *g = darc_calloc((size_t)n, sizeof *g), least = 0;
    darc_gls_gram(a, w->w, w->rows, n);
    for (int i = 0; i < n; i++)
        g[i] = a[i * n + i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = a[i * n + j] - 2 * f->limit * w->t[i * n + j];
            a[i * n + j] = x / (2 * sqrt(g[i] * g[j]));
        }
    double *value = darc_calloc((size_t)n, sizeof *value);
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, value) == 0)
        least = sqrt(fmax(0, value[0]));
    darc_free(value);
    darc_free(g);
    darc_free(a);
    return least;
}

/* Set f from its columns at level alpha; false where LAPACK fails. */
static bool find(finding *f, double alpha)
{
    const darc_weakcolumns *w = f->columns;
    f->value = darc_calloc((size_t)w->n, sizeof *f->value);
    f->c = darc_calloc((size_t)w->n, sizeof *f->c);
    if (!darc_pencil_values(f->value, f->c, w->w, w->rows, w->t, w->n))
        return false;
    double dof = darc_weakcolumns_dof(w, f->c), of_mean = dof * w->draws;
    f->dof = dof;
    f->limit = f->factor * darc_stats_f_isf(alpha, dof, of_mean);
    f->p_value = darc_stats_f_sf(f->value[0] / f->factor, dof, of_mean);
    while (f->free < w->n && !(f->value[f->free] > f->limit))
        f->free++;
    double share = error_share(f);
    double found =
        f->limit + f->factor * (darc_stats_f_isf(1 - POWER, dof, of_mean) - 1);
    f->defect = sqrt(fmax(0, f->value[0] - 1) * share);
    f->detectable = sqrt(found * share);
    f->low = f->free == 0 ? least_defect(f) : 0;
    return true;
}

/* ---- the decision -----------------------------------------------------------
 */

static void say(darc_decision *d, darc_verdict verdict, const char *format, ...)
    DARC_PRINTF(3, 4);

static void say(darc_decision *d, darc_verdict verdict, const char *format, ...)
{
    va_list args;
    d->verdict = verdict;
    va_start(args, format);
    vsnprintf(d->reason, sizeof d->reason, format, args);
    va_end(args);
}

static darc_decision no_decision(const darc_weakcheck_options *o)
{
    return (darc_decision){.method = "weak",
                           .statistic = NAN,
                           .dof = NAN,
                           .p_value = NAN,
                           .alpha = o->alpha,
                           .defect = NAN,
                           .defect_low = NAN,
                           .defect_high = NAN,
                           .tolerance = o->tolerance,
                           .detectable = NAN,
                           .verdict = DARC_UNDECIDED};
}

static void decide(darc_decision *d, const finding *f, bool full)
{
    int n = f->columns->n;
    double t = d->tolerance;
    d->statistic = f->value[0];
    d->dof = f->dof;
    d->p_value = f->p_value;
    if (f->free > 1) {
        say(d, DARC_UNDECIDED,
            "%d terms, of which the recording moves %d independent ones "
            "beyond its noise: in the other %d directions the coefficients "
            "stay free, so that some always fit; richer excitation, less "
            "noise or a longer recording would help",
            n, n - f->free, f->free);
        return;
    }
    d->defect = f->defect;
    d->defect_low = f->low;
    d->detectable = f->detectable;
    if (f->free == 0 && (t == 0 || f->low > t))
        say(d, DARC_INCONSISTENT,
            "the recording moves all %d terms independently of each other: no "
            "coefficients relate them; at least %.3g %% of the leading term "
            "remain",
            n, 100 * f->low);
    else if (f->free == 0)
        say(d, DARC_UNDECIDED,
            "no coefficients relate the %d terms, but whether less than the "
            "tolerance of %.3g %% of the leading term remains is not shown",
            n, 100 * t);
    else if (f->detectable > (t > 0 ? t : DARC_WEAK_MEANING))
        say(d, DARC_UNDECIDED,
            "nothing contradicts the model, but a defect of less than %.2g %% "
            "of the leading term would not have been found",
            100 * f->detectable);
    else if (!full)
        say(d, DARC_UNDECIDED,
            "nothing contradicts the model: one relation binds the %d terms "
            "to within noise; but its coefficients obey relations in the "
            "model, which are not tested",
            n);
    else
        say(d, DARC_CONSISTENT,
            "one relation binds the %d terms to within noise; a defect of "
            "%.2g %% of the leading term would have been found",
            n, 100 * f->detectable);
}

/* Whether what is not known of the noise, or errors of derived signals, may
 * make what speaks against the model; *d says so. */
static bool is_doubtful(darc_decision *d, const darc_weakfit *f,
                        const finding *found, const darc_weakcheck_options *o)
{
    if (found->free > 0)
        return false;
    if (found->open) {
        say(d, DARC_UNDECIDED,
            "more remains than the noise seen in the recording explains, but "
            "no band is free of signal, so that there may be more noise; give "
            "--noise");
        return true;
    }
    for (int u = 0; u < f->unknowns && o->derived_error != NULL; u++)
        if (o->derived_error[u] > 0 &&
            darc_total_var(f->total, (darc_deriv){u, 0}) >= 0) {
            say(d, DARC_UNDECIDED,
                "more remains than the noise explains, but the errors of "
                "derived signals may make it");
            return true;
        }
    return false;
}

static void describe(darc_weakcheck *out, const darc_ioeq *eq,
                     const darc_jet_t jet)
{
    darc_text_t t;
    darc_text_init(t);
    darc_text_printf(t, "%d terms, each with a coefficient of its own",
                     (int)eq->part->count);
    out->form = darc_text_take(t);
    out->wide = true;
    darc_text_clear(t);
    out->terms = (int)eq->part->count;
    out->order = darc_ioeq_order(eq, jet);
    darc_weakcheck_note(out,
                        "an equation of more than %d terms: asked is how many "
                        "of them the recording moves independently",
                        DARC_WEAK_TERMS);
}

/* ---- structure --------------------------------------------------------------
 */

/* A recording of an equation and its columns. */
typedef struct {
    darc_weakfit fit; /* open */
    int *column;      /* owned */
    darc_weakcolumns columns;
    double factor;
    bool idle; /* no signal moves */
} side;

static void side_clear(side *s)
{
    darc_weakfit_clear(&s->fit);
    darc_weakcolumns_clear(&s->columns);
    darc_free(s->column);
}

/* Set s to recording number `number`, table; at.f and at.column are set. */
static darc_status side_init(side *s, int number, darc_weakdoubt at,
                             darc_err *err)
{
    darc_status status;
    *s = (side){.factor = 1};
    s->column = darc_calloc((size_t)at.io->jet->names->count, sizeof(int));
    DARC_TRY(darc_weakfit_open(&s->fit, s->column, at.model, at.io, at.e,
                               at.table, at.o, err));
    at.f = &s->fit;
    at.column = s->column;
    DARC_TRY(darc_weakfit_margin(&s->factor, &at, err));
    darc_weaksource from = {&s->fit, s->column, at.table, number};
    DARC_TRY(darc_weakcolumns_init(&s->columns, &from, at.o, at.budget, err));
done:
    s->idle = s->fit.idle;
    if (status != DARC_OK)
        darc_weakcolumns_clear(&s->columns);
    return status;
}

static darc_status look(finding *f, const darc_weakcolumns *columns,
                        double factor, double alpha, darc_err *err)
{
    *f = (finding){.columns = columns,
                   .factor = isinf(factor) ? 1 : factor,
                   .open = isinf(factor)};
    if (find(f, alpha))
        return DARC_OK;
    finding_clear(f);
    return darc_fail(err, DARC_INTERNAL, "no singular values of %d columns",
                     columns->n);
}

/* Whether there are too many terms, for us or for the recording; *d is the
 * decision then. */
static bool is_out_of_reach(darc_decision *d, int terms, const side *s)
{
    if (s == NULL && terms > MOST_TERMS)
        say(d, DARC_UNDECIDED,
            "the io-equation has %d terms, more than the %d of which it can "
            "be asked whether a recording moves them independently",
            terms, MOST_TERMS);
    else if (s != NULL && s->columns.rows == 0)
        say(d, DARC_UNDECIDED,
            "the io-equation has %d terms, and the recording is too short for "
            "as many moments of each",
            terms);
    else
        return false;
    return true;
}

darc_status darc_wide_structure(darc_weakcheck *out, const darc_model *model,
                                const darc_ioeqs_t io, int e,
                                const darc_table *table,
                                const darc_weakcheck_options *o,
                                const darc_budget *budget, darc_err *err)
{
    const darc_ioeq *eq = io->eq + e;
    darc_weakdoubt at = {NULL, model, io, e, table, NULL, o, budget};
    darc_decision *d = &out->decision;
    darc_err why;
    side s;
    finding f;
    *out = (darc_weakcheck){.residual = {.rms = NAN, .relative_rms = NAN}};
    *d = no_decision(o);
    describe(out, eq, io->jet);
    if (is_out_of_reach(d, (int)eq->part->count, NULL))
        return DARC_OK;
    darc_err_init(&why);
    darc_status status = side_init(&s, 0, at, &why);
    if (status == DARC_DATA && s.idle) {
        say(d, DARC_UNDECIDED, "%s", why.message);
        status = DARC_OK;
    } else if (status != DARC_OK) {
        darc_fail(err, status, "%s", why.message);
    } else if (!is_out_of_reach(d, s.fit.model, &s)) {
        out->residual.used = s.columns.used;
        status = look(&f, &s.columns, s.factor, o->alpha, err);
        if (status == DARC_OK) {
            decide(d, &f,
                   f.free == 1 && darc_freedom_is_full(model, io, e, budget));
            is_doubtful(d, &s.fit, &f, o);
            finding_clear(&f);
        }
    }
    side_clear(&s);
    if (status != DARC_OK)
        darc_weakcheck_clear(out);
    return status;
}
