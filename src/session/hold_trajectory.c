/* hold_trajectory.c - questions answered by trajectories. */
#include "session/state.h"

#include "base/mem.h"
#include "model/solved.h"
#include "stats/stats.h"
#include "trajectory/verdict.h"

#include <math.h>
#include <string.h>

bool darc_hold_trajectory_suits(const darc_session *s, bool named)
{
    bool suits =
        !named && s->set.colour != DARC_ASSUME_ANY && !s->set.over_time;
    for (int i = 0; i < s->recordings && suits; i++)
        suits = s->table[i]->samples <= DARC_TRAJECTORY_SAMPLES;
    return suits;
}

static void ask_trajectory(darc_trajectory_question *q, const darc_session *s)
{
    *q =
        (darc_trajectory_question){.model = s->model,
                                   .recordings = s->recordings,
                                   .table = (const darc_table *const *)s->table,
                                   .held = s->hold,
                                   .noise = s->noise,
                                   .starts = s->set.starts,
                                   .start_name = s->set.start_name,
                                   .start = s->set.start,
                                   .alpha = s->set.alpha,
                                   .tolerance = s->set.tolerance,
                                   .seed = s->set.seed,
                                   .budget = s->budget};
}

/* Take values over to the session, and say which are not known. */
static void take_profiles(darc_session *s, const darc_profile *v, int n)
{
    const darc_names_struct *names = darc_model_names(s->model);
    darc_text_t hidden = DARC_TEXT;
    s->value = darc_calloc((size_t)n + 1, sizeof *s->value);
    for (int k = 0; k < n; k++) {
        if (v[k].unknown < 0)
            continue;
        const char *name = names->symbol[v[k].unknown].name;
        if (!v[k].known) {
            darc_text_printf(hidden, "%s%s", hidden->len > 0 ? ", " : "", name);
            continue;
        }
        s->value[s->values++] = (darc_estimate){
            .function = darc_strdup(name),
            .value_a = v[k].value,
            .sd_a = v[k].sd,
            .low_a = v[k].low,
            .high_a = v[k].high,
            .value_b = NAN,
            .sd_b = NAN,
            .low_b = NAN,
            .high_b = NAN,
            .unit = darc_strdup(darc_model_unit(s->model, v[k].unknown))};
    }
    if (hidden->len > 0)
        darc_session_note(s, "the recordings do not tell: %s", hidden->s);
    darc_text_clear(hidden);
}

/* Say how the match was found, and what noise it leaves. */
static void note_match(darc_session *s, const darc_trajectory *x)
{
    darc_session_detail(s,
                        "trajectories: %d starts, the best found %d times, "
                        "%.0f unknowns",
                        x->sought.draws, x->sought.met, x->sought.taken);
    for (int j = 0; j < x->flow.outputs; j++) {
        const darc_level *l = x->sought.level + j;
        darc_session_detail(s, "noise of %s: %.3g%s%s",
                            x->flow.names->symbol[x->flow.output[j]].name,
                            l->level, l->grows > 0 ? ", growing with it" : "",
                            l->known ? ", as given" : "");
    }
}

darc_status darc_hold_trajectory_values(darc_session *s, darc_err *err)
{
    darc_status status;
    darc_trajectory_question q;
    darc_trajectory x;
    ask_trajectory(&q, s);
    DARC_NEED(darc_trajectory_init(&x, &q, err));
    darc_profile *v = darc_calloc((size_t)x.flow.params + 1, sizeof *v);
    DARC_TRY(darc_trajectory_profile(v, &x, err));
    take_profiles(s, v, x.flow.params);
    note_match(s, &x);
done:
    darc_free(v);
    darc_trajectory_clear(&x);
    return status;
}

/* ---- checks -----------------------------------------------------------------
 */

/* "h' = ...; l' = ...; H = h" */
static char *print_equations(const darc_flow *w, int *terms)
{
    darc_text_t text = DARC_TEXT;
    darc_solved_t s;
    if (darc_solved_init_dynamic(s, w->model, NULL) != DARC_OK)
        return darc_strdup("");
    for (int i = 0; i < s->states + s->outputs; i++) {
        darc_deriv d = i < s->states
                           ? s->state[i]
                           : (darc_deriv){s->output[i - s->states], 0};
        d.order += i < s->states;
        darc_text_puts(text, i > 0 ? "; " : "");
        darc_deriv_print(text, d, w->names);
        darc_text_puts(text, " = ");
        bool whole = fmpz_mpoly_is_one(s->den->p + i, s->jet->ctx);
        darc_text_puts(text, whole ? "" : "(");
        darc_dpoly_print(text, s->num->p + i, s->jet);
        if (!whole) {
            darc_text_puts(text, ")/(");
            darc_dpoly_print(text, s->den->p + i, s->jet);
            darc_text_puts(text, ")");
        }
        *terms += (int)fmpz_mpoly_length(s->num->p + i, s->jet->ctx);
    }
    darc_solved_clear(s);
    return darc_text_take(text);
}

/* What the outputs miss, of all recordings. */
static void measure_left(darc_residual_summary *out, darc_trajectory *x)
{
    double sum = 0, all = 0;
    *out = (darc_residual_summary){.max = 0};
    for (int r = 0; r < x->runs; r++) {
        const darc_record *run = x->run + r;
        size_t rows = darc_match_rows(&x->match, r);
        double *left = darc_malloc((rows + 1) * sizeof *left);
        if (darc_match_left(&x->match, r, left, NULL))
            for (size_t i = 0; i < rows; i++) {
                if (!isfinite(run->y[i]))
                    continue;
                double off = left[i] / run->weight[i];
                sum += off * off;
                all += run->y[i] * run->y[i];
                out->max = fmax(out->max, fabs(off));
                out->used++;
            }
        darc_free(left);
    }
    out->rms = sqrt(sum / (double)out->used);
    out->relative_rms = sqrt(sum / all);
}

static void list_missing(darc_report_relation *to, darc_holding *h,
                         const darc_forcing *f, const darc_trajectory *x)
{
    int n = 0;
    while (n < f->terms && n < DARC_HOLDING_TERMS &&
           f->term[n].p_value * f->terms < x->question->alpha / 2)
        n++;
    darc_missing_term *list = darc_calloc((size_t)n + 1, sizeof *list);
    for (int k = 0; k < n; k++) {
        const darc_lacking *t = f->term + k;
        darc_text_t term = DARC_TEXT;
        darc_lacking_print(term, t, &x->flow);
        list[k] = (darc_missing_term){.p_value = fmin(1, t->p_value * f->terms),
                                      .explains = NAN,
                                      .value = t->value,
                                      .sd = t->sd / t->share * fabs(t->value)};
        list[k].term = (char *)darc_holding_keep(h, term);
    }
    to->missing = n;
    to->missing_term = h->missing = list;
}

/* Set the one relation of the holding: the model itself. */
static void describe_match(darc_session *s, darc_trajectory *x,
                           const darc_decision *d, const darc_forcing *f)
{
    darc_holding *h = &s->holding;
    int terms = 0;
    h->report = darc_calloc(1, sizeof *h->report);
    h->count = 1;
    h->decision = *d;
    darc_text_t text = DARC_TEXT;
    char *equations = print_equations(&x->flow, &terms);
    darc_text_puts(text, equations);
    darc_free(equations);
    h->report[0] = (darc_report_relation){
        .form = "states", .terms = terms, .order = x->flow.n, .decision = *d};
    h->report[0].equation = darc_holding_keep(h, text);
    measure_left(&h->report[0].residual, x);
    if (f != NULL)
        list_missing(h->report, h, f, x);
}

static darc_status hold_structure(darc_session *s, darc_trajectory *x,
                                  darc_err *err)
{
    darc_decision d;
    darc_forcing f;
    darc_status status;
    darc_profile *v = darc_calloc((size_t)x->flow.params + 1, sizeof *v);
    DARC_TRY(darc_trajectory_profile(v, x, err));
    take_profiles(s, v, x->flow.params);
    note_match(s, x);
    DARC_TRY(darc_forcing_init(&f, x, err));
    darc_verdict_structure(&d, &f, x);
    describe_match(s, x, &d, &f);
    for (int k = 0; k < f.equations; k++) {
        darc_text_t rate = DARC_TEXT;
        darc_deriv of = x->flow.state[f.state[k]];
        of.order++;
        darc_deriv_print(rate, of, x->flow.names);
        darc_session_detail(s,
                            "forcing of %s: %.2g %% (%.2g to %.2g %%) of its "
                            "largest term, p = %.2g, detectable from %.2g %%",
                            rate->s, 100 * f.forced[k].size,
                            100 * f.forced[k].low, 100 * f.forced[k].high,
                            f.forced[k].p_value, 100 * f.forced[k].detectable);
        darc_text_clear(rate);
    }
    darc_forcing_clear(&f);
    status = darc_verdict_doubt(&d, x, err);
    s->holding.decision = s->holding.report[0].decision = d;
done:
    darc_free(v);
    return status;
}

/* Values of each of two recordings, or a note on each of more. */
static void take_differing(darc_session *s, const darc_comparing *c,
                           const darc_trajectory *x)
{
    int p = x->flow.params;
    double t = darc_stats_error_quantile(1 - s->set.alpha / 2, x->dof);
    s->value = darc_calloc((size_t)p + 1, sizeof *s->value);
    for (int k = 0; k < p && x->runs == 2; k++) {
        const darc_differing *a = c->differing + k, *b = a + p;
        const char *name = x->flow.names->symbol[x->flow.param[k]].name;
        int u = darc_names_find(darc_model_names(s->model), name, strlen(name));
        if (!a->known || !b->known || u < 0)
            continue;
        s->value[s->values++] =
            (darc_estimate){.function = darc_strdup(name),
                            .value_a = a->value,
                            .sd_a = a->sd,
                            .low_a = a->value - t * a->sd,
                            .high_a = a->value + t * a->sd,
                            .value_b = b->value,
                            .sd_b = b->sd,
                            .low_b = b->value - t * b->sd,
                            .high_b = b->value + t * b->sd,
                            .unit = darc_strdup(darc_model_unit(s->model, u))};
    }
    for (int r = 0; r < x->runs && x->runs > 2; r++) {
        darc_text_t line = DARC_TEXT;
        for (int k = 0; k < p; k++) {
            const darc_differing *d = c->differing + r * p + k;
            if (d->known && isfinite(d->change))
                darc_text_printf(
                    line, "%s%s = %.4g (%s)", line->len > 0 ? ", " : "",
                    x->flow.names->symbol[x->flow.param[k]].name, d->value,
                    darc_report_percent(d->change, d->change_sd).text);
        }
        darc_session_note(s, "%s: %s", x->run[r].file, line->s);
        darc_text_clear(line);
    }
}

static darc_status hold_comparison(darc_session *s, darc_trajectory *x,
                                   darc_test test, darc_err *err)
{
    darc_decision d;
    darc_forcing f = {.equations = 0};
    darc_comparing c = {.differing = NULL};
    darc_status status;
    int p = x->flow.params;
    bool *may = darc_calloc((size_t)p + 1, sizeof *may);
    for (int k = 0; k < p && test == DARC_CHANGED; k++) {
        const char *name = x->flow.names->symbol[x->flow.param[k]].name;
        int u = darc_names_find(darc_model_names(s->model), name, strlen(name));
        may[k] = u >= 0 && s->changed[u];
    }
    DARC_TRY(darc_comparing_init(&c, x, may, err));
    darc_match together = x->match; /* structure is that of each by itself */
    x->match = c.apart;
    status = darc_forcing_init(&f, x, err);
    c.apart = x->match;
    x->match = together;
    if (status != DARC_OK)
        goto done;
    darc_verdict_compare(&d, &c, &f, x, may);
    take_differing(s, &c, x);
    note_match(s, x);
    describe_match(s, x, &d, NULL);
done:
    darc_comparing_clear(&c);
    darc_forcing_clear(&f);
    darc_free(may);
    return status;
}

darc_status darc_hold_trajectory(darc_session *s, darc_test test, darc_err *err)
{
    darc_trajectory_question q;
    darc_trajectory x;
    s->holding = (darc_holding){0};
    ask_trajectory(&q, s);
    darc_budget_progress(s->budget,
                         &(darc_progress){.stage = "matching trajectories"});
    DARC_NEED(darc_trajectory_init(&x, &q, err));
    darc_status status = test == DARC_STRUCTURE
                             ? hold_structure(s, &x, err)
                             : hold_comparison(s, &x, test, err);
    darc_trajectory_clear(&x);
    return status;
}
