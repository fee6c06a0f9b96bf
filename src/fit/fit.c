#include "fit/fit.h"

#include "base/mem.h"
#include "fit/thresholds.h"
#include "model/derived.h"
#include "stats/lanes.h"

#include <math.h>
#include <string.h>

void darc_criteria_init(darc_criteria *c)
{
    *c = (darc_criteria){.alpha = 0.01};
}

const darc_ioeq *darc_question_equation(const darc_question *x, int q)
{
    return x->io->eq + x->equation[q];
}

/* ---- equations -------------------------------------------------------------
 */

/* Split a part that holds no parameter into its leading terms and the rest, so
 * that there is something to compare them with. */
static void split(darc_dpolys_t out, const darc_ioeq *eq, const darc_jet_t jet)
{
    darc_dpoly_t side[2];
    slong var = darc_jet_var(jet, eq->leader);
    const fmpz_mpoly_struct *p = eq->part->p;
    for (int i = 0; i < 2; i++)
        darc_dpoly_init(side[i], jet);
    for (slong t = 0; t < p->length; t++) {
        darc_dpoly_t term;
        darc_dpoly_init(term, jet);
        fmpz_mpoly_get_term(term, p, t, jet->ctx);
        bool leads = darc_dpoly_degree(term, var, jet) > 0 &&
                     (t > 0 || p->length > 1);
        fmpz_mpoly_add(side[leads ? 0 : 1], side[leads ? 0 : 1], term,
                       jet->ctx);
        darc_dpoly_clear(term, jet);
    }
    for (int i = 0; i < 2; i++)
        darc_dpolys_append(out, side[i], jet);
    for (int i = 0; i < 2; i++)
        darc_dpoly_clear(side[i], jet);
}

static darc_status open_equation(darc_fit *f, const darc_question *x, int q,
                                 bool search, darc_err *err)
{
    const darc_ioeq *eq = darc_question_equation(x, q);
    const darc_jet_struct *jet = x->io->jet;
    f->settled[q] = eq->part->count < 2;
    if (!f->settled[q])
        return darc_total_init(f->total + q, eq->part, jet, search, err);
    darc_dpolys_t part;
    darc_dpolys_init(part);
    split(part, eq, jet);
    darc_status status =
        darc_total_init(f->total + q, part, jet, search, err);
    darc_dpolys_clear(part, jet);
    return status;
}

static bool is_used(const darc_fit *f, int u)
{
    for (int q = 0; q < f->equations; q++)
        for (int v = 0; v < f->total[q].vars; v++)
            if (f->total[q].var[v].unknown == u &&
                darc_weak_uses(f->total + q, v))
                return true;
    return false;
}

/* Set column[u] of every signal, -1 for time and what is not used. */
static darc_status find_columns(darc_fit *f, const darc_question *x,
                                const darc_table *table, darc_err *err)
{
    for (int u = 0; u < f->unknowns; u++) {
        const darc_symbol *s = x->io->jet->names->symbol + u;
        f->column[u] = -1;
        if (s->kind == DARC_TIME || !is_used(f, u))
            continue;
        f->column[u] = darc_table_find(table, s->name);
        if (f->column[u] < 0)
            return darc_fail(err, DARC_DOMAIN, "%s: no signal '%s'",
                             table->file, s->name);
    }
    return DARC_OK;
}

/* ---- noise -----------------------------------------------------------------
 */

static darc_status find_noise(darc_fit *f, const darc_question *x,
                              const darc_table *table, darc_err *err)
{
    int count = 0, *list = darc_calloc((size_t)f->unknowns, sizeof *list);
    darc_noisemodel *n = darc_calloc((size_t)f->unknowns, sizeof *n);
    for (int u = 0; u < f->unknowns; u++)
        if (f->column[u] >= 0)
            list[count++] = f->column[u];
    darc_status status = darc_noisemodels_estimate(
        n, table, list, count, false, x->by->threads, err);
    for (int u = 0, i = 0; u < f->unknowns && status == DARC_OK; u++)
        if (f->column[u] >= 0)
            f->noise[u] = n[i++];
    darc_free(n);
    darc_free(list);
    return status;
}

static bool is_derived(const darc_question *x, int u)
{
    return darc_derived_find(x->model, u) >= 0;
}

static void add_channel(darc_fit *f, const darc_question *x,
                        const darc_table *table, int u)
{
    darc_noisemodel *n = f->noise + u;
    double rms = sqrt(darc_lanes_variance(
        table->signal[f->column[u]].value, table));
    double given = x->by->noise_sd == NULL ? NAN : x->by->noise_sd[u];
    double sd = !isnan(given) ? given : is_derived(x, u) ? 0 : n->sd;
    darc_weak_signal *s = f->signal + u;
    s->value = table->signal[f->column[u]].value;
    s->power_band = n->power_band;
    double least = 1e-6 * rms, shown = sd;
    if (is_derived(x, u) && isnan(given))
        least = 0;
    if (sd < least)
        sd = least;
    n->half = 0;
    n->kernel[0] = n->sd = sd;
    s->sd = sd;
    if (sd == 0)
        return;
    f->channel[f->channels] = (darc_weak_channel){
        .half = 0,
        .kernel = n->kernel,
        .dof = n->dof,
        .real = shown * shown / (sd * sd)};
    f->source[u] = (darc_weak_source){f->channels++, 1, NULL, 0};
    s->sources = 1;
    s->source = f->source + u;
}

/* ---- the fit ---------------------------------------------------------------
 */

static darc_status open_system(darc_weak **weak, const darc_fit *f,
                               const darc_question *x, const darc_table *table,
                               double rich, darc_err *err)
{
    const darc_total_struct **total =
        darc_calloc((size_t)f->equations, sizeof *total);
    for (int q = 0; q < f->equations; q++)
        total[q] = f->total + q;
    darc_weak_data data = {.table = table,
                           .signal = f->signal,
                           .channel = f->channel,
                           .channels = f->channels,
                           .support = x->by->support,
                           .rich = rich,
                           .threads = x->by->threads};
    darc_status status = darc_weak_new(weak, total, f->equations, &data, err);
    darc_free(total);
    return status;
}

static bool has_input(const darc_question *x, const darc_total_struct *total,
                      int coeff)
{
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars && total->term[i].coeff == coeff; v++) {
            int u = total->var[v].unknown;
            bool held =
                total->term[i].exponent[v] != 0 || total->term[i].log == v;
            if (held && x->io->jet->names->symbol[u].kind == DARC_INPUT &&
                !is_derived(x, u))
                return true;
        }
    return false;
}

static darc_status measure(darc_fit *f, const darc_question *x,
                           const darc_gls *fit, darc_err *err)
{
    int n = f->weak->coeffs;
    bool *input = darc_calloc((size_t)n, sizeof *input);
    int *offset = darc_calloc((size_t)f->equations, sizeof *offset);
    darc_yardstick_offsets(offset, f->weak);
    for (int q = 0; q < f->equations; q++)
        for (int j = f->weak->first[q]; j < f->weak->first[q + 1]; j++)
            input[j] = has_input(x, f->total + q, j - f->weak->first[q]);
    darc_metric_clear(&f->metric);
    darc_metric_init(&f->metric, f->weak, fit->c, offset);
    for (int q = 0; q < f->equations; q++)
        darc_yardstick_clear(f->y + q);
    darc_point at = {f->weak, fit->c, &f->metric, NULL};
    darc_status status =
        darc_yardstick_measure(f->y, fit, &at, input, x->budget, err);
    for (int q = 0; q < f->equations && status == DARC_OK; q++)
        f->rho[q] = darc_yardstick_rho(f->y + q);
    darc_free(input);
    darc_free(offset);
    return status;
}

/* Set white to the fit to noise alone.  Where that is refused weak stays at the
 * bulk of the power. */
static darc_status fit_noise(darc_fit *f, darc_gls_task *task,
                             const darc_question *x, const darc_table *table,
                             double alpha, darc_err *err)
{
    darc_gls fine = {0};
    darc_weak *rich = NULL;
    darc_status status;
    DARC_TRY(open_system(&f->weak, f, x, table, 1, err));
    task->weak = f->weak;
    DARC_TRY(darc_gls_fit(&f->white, task, err));
    if (f->white.p_value < DARC_FIT_SURE * alpha || x->by->support > 0)
        goto done;
    DARC_TRY(open_system(&rich, f, x, table, DARC_FIT_RICH, err));
    if (darc_weak_support(rich) >= darc_weak_support(f->weak) ||
        darc_weak_functions(rich) > DARC_FIT_RICH_FUNCTIONS)
        goto done;
    task->weak = rich;
    DARC_TRY(darc_gls_fit(&fine, task, err));
    if (fine.p_value >= alpha) {
        darc_weak *swap = f->weak;
        f->weak = rich;
        rich = swap;
    }
    darc_gls_clear(&f->white);
    f->white = fine;
    fine = (darc_gls){0};
    task->weak = f->weak;
done:
    darc_weak_free(rich);
    darc_gls_clear(&fine);
    return status;
}

static darc_status fit_all(darc_fit *f, const darc_question *x,
                           const darc_table *table, double alpha, darc_err *err)
{
    int *model = darc_calloc((size_t)f->equations, sizeof *model);
    for (int q = 0; q < f->equations; q++)
        model[q] = f->total[q].coeffs;
    darc_gls_task task = {.model = model,
                          .settled = f->settled,
                          .budget = x->budget};
    darc_status status;
    DARC_TRY(fit_noise(f, &task, x, table, alpha, err));
    DARC_TRY(measure(f, x, &f->white, err));
    f->misfit = f->white.p_value < alpha;
    task.start = &f->white;
    if (f->misfit) {
        task.metric = &f->metric;
        task.rho = f->rho;
    }
    DARC_TRY(darc_gls_fit(&f->fit, &task, err));
    if (f->misfit)
        DARC_TRY(measure(f, x, &f->fit, err));
done:
    darc_free(model);
    return status;
}

darc_status darc_fit_init(darc_fit *f, const darc_question *x,
                          const darc_table *table, double alpha, darc_err *err)
{
    darc_status status;
    size_t e = (size_t)x->equations, n = (size_t)x->io->jet->names->count;
    *f = (darc_fit){.equations = x->equations, .unknowns = (int)n};
    f->total = darc_calloc(e, sizeof *f->total);
    f->settled = darc_calloc(e, sizeof *f->settled);
    f->column = darc_calloc(n, sizeof *f->column);
    f->noise = darc_calloc(n, sizeof *f->noise);
    f->signal = darc_calloc(n, sizeof *f->signal);
    f->source = darc_calloc(n, sizeof *f->source);
    f->channel = darc_calloc(n, sizeof *f->channel);
    f->y = darc_calloc(e, sizeof *f->y);
    f->rho = darc_calloc(e, sizeof *f->rho);
    for (int q = 0; q < x->equations; q++)
        DARC_TRY(open_equation(f, x, q, true, err));
    DARC_TRY(find_columns(f, x, table, err));
    DARC_TRY(find_noise(f, x, table, err));
    for (int u = 0; u < f->unknowns; u++)
        if (f->column[u] >= 0)
            add_channel(f, x, table, u);
    DARC_TRY(fit_all(f, x, table, alpha, err));
done:
    return status;
}

void darc_fit_clear(darc_fit *f)
{
    for (int q = 0; q < f->equations && f->total != NULL; q++)
        darc_total_clear(f->total + q);
    for (int u = 0; u < f->unknowns && f->noise != NULL; u++)
        darc_noisemodel_clear(f->noise + u);
    for (int q = 0; q < f->equations && f->y != NULL; q++)
        darc_yardstick_clear(f->y + q);
    darc_metric_clear(&f->metric);
    darc_gls_clear(&f->white);
    darc_gls_clear(&f->fit);
    darc_weak_free(f->weak);
    darc_free(f->total);
    darc_free(f->settled);
    darc_free(f->column);
    darc_free(f->noise);
    darc_free(f->signal);
    darc_free(f->source);
    darc_free(f->channel);
    darc_free(f->y);
    darc_free(f->rho);
    *f = (darc_fit){0};
}

bool darc_fit_are_copies(const darc_fit *f, const darc_question *x,
                         const darc_table *const table[2])
{
    for (int u = 0; u < f->unknowns; u++) {
        const char *name = x->io->jet->names->symbol[u].name;
        int i = darc_table_find(table[0], name);
        int j = darc_table_find(table[1], name);
        if (f->column[u] >= 0 && i >= 0 && j >= 0 &&
            !darc_table_is_copy(table[0], i, table[1], j))
            return false;
    }
    return true;
}
