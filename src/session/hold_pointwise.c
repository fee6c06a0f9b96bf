#include "session/state.h"

#include "base/mem.h"
#include "emit/parts.h"
#include "session/thresholds.h"

#include <assert.h>

static darc_status derive(darc_session *s, darc_test test, darc_err *err)
{
    darc_holding *h = &s->holding;
    darc_err try = {DARC_OK, ""};
    darc_relation_task task = {.test = test,
                               .changed = s->changed,
                               .form = DARC_FORM_EXPANDED,
                               .max_terms = DARC_EXPANDED_TERMS,
                               .budget = s->budget};
    darc_status status = darc_relations_init(h->relations, s->io, &task, &try);
    if (status == DARC_LIMIT && darc_budget_check(s->budget, NULL) == DARC_OK) {
        task.form = DARC_FORM_MATRIX;
        task.max_terms = 0;
        status = darc_relations_init(h->relations, s->io, &task, err);
    } else if (status != DARC_OK) {
        darc_fail_as(err, status, &try);
    }
    h->has_relations = status == DARC_OK;
    return status;
}

/* The matrix as "det [[a, z], [a', z']] = 0", or its kernel and h. */
static void print_matrix(darc_text_t t, const darc_relation *r)
{
    bool det = r->last->count > 0;
    slong n = r->columns, rows = det ? n : n - 1;
    if (!det) {
        char *h = darc_emit_closing(r);
        darc_text_printf(t, "%s = 0 for the kernel c of ", h);
        flint_free(h);
    }
    darc_text_puts(t, det ? "det [" : "[");
    for (slong i = 0; i < rows * n; i++) {
        darc_text_puts(t, i % n == 0 ? (i == 0 ? "[" : ", [") : ", ");
        const fmpz_mpoly_struct *p =
            i / n + 1 < n ? r->matrix->p + i : r->last->p + i % n;
        darc_dpoly_print(t, p, r->jet);
        if (i % n == n - 1)
            darc_text_putc(t, ']');
    }
    darc_text_puts(t, det ? "] = 0" : "]");
}

static void describe(darc_holding *h, darc_report_relation *to,
                     const darc_relation *r)
{
    const darc_dpolys_struct *p = r->inequations;
    const char **list = darc_calloc((size_t)p->count, sizeof *list);
    darc_text_t t = DARC_TEXT;
    if (r->expanded) {
        darc_dpoly_print(t, r->poly, r->jet);
        darc_text_puts(t, " = 0");
    } else {
        print_matrix(t, r);
    }
    to->form = r->expanded ? "expanded" : "matrix";
    to->terms = r->expanded ? (long)r->poly->length
                            : (long)(r->matrix->count + r->last->count);
    to->order = r->order;
    to->equation = darc_holding_keep(h, t);
    for (slong i = 0; i < p->count; i++) {
        darc_dpoly_print(t, p->p + i, r->jet);
        list[i] = darc_holding_keep(h, t);
    }
    to->inequations = (int)p->count;
    to->inequation = list;
}

/* Derive the relations and set the results of s->holding. */
static darc_status hold_relations(darc_session *s, darc_test test,
                                  darc_err *err)
{
    darc_holding *h = &s->holding;
    DARC_NEED(derive(s, test, err));
    int n = h->relations->count;
    darc_pointwise_options p = {.alpha = s->set.alpha / n,
                                .tolerance = s->set.tolerance,
                                .diff = s->diff,
                                .threads = darc_session_threads(s),
                                .noise_sd = s->held_noise,
                                .series = s->set.series};
    h->result = darc_calloc((size_t)n, sizeof *h->result);
    for (; h->results < n; h->results++)
        DARC_NEED(darc_pointwise_check(
            h->result + h->results, h->relations->relation + h->results,
            (const darc_table *const *)s->table, &p, s->budget, err));
    return DARC_OK;
}

/* Return the index of the relation whose verdict is the verdict of all:
 * the first inconsistent one, else the first undecided one, else the first;
 * untested ones are passed over unless all are. */
static int deciding_of(const darc_report_relation *relation, int relations)
{
    static const darc_verdict first[] = {DARC_INCONSISTENT, DARC_UNDECIDED,
                                         DARC_CONSISTENT};
    assert(relations > 0);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < relations; i++)
            if (!relation[i].untested &&
                relation[i].decision.verdict == first[k])
                return i;
    return 0;
}

darc_status darc_hold_pointwise(darc_session *s, darc_test test, darc_err *err)
{
    darc_holding *h = &s->holding;
    *h = (darc_holding){0};
    darc_status status = hold_relations(s, test, err);
    if (status != DARC_OK) {
        darc_holding_clear(h);
        return status;
    }
    for (int i = 0; i < h->results; i++) {
        const char *note = h->relations->relation[i].note;
        if (note != NULL && note[0] != '\0')
            darc_session_note(s, "%s", note);
    }
    if (h->results > 1)
        darc_session_detail(s,
                            "%d relations are tested, each at alpha / %d; "
                            "parameters that they share are not linked",
                            h->results, h->results);
    h->report = darc_calloc((size_t)h->results, sizeof *h->report);
    for (; h->count < h->results; h->count++) {
        darc_report_relation *to = &h->report[h->count];
        const darc_pointwise *p = &h->result[h->count];
        describe(h, to, &h->relations->relation[h->count]);
        to->residual = p->residual;
        to->series = p->series.count > 0 ? &p->series : NULL;
        to->decision = p->decision;
    }
    h->deciding = deciding_of(h->report, h->count);
    h->decision = h->report[h->deciding].decision;
    return DARC_OK;
}

/* Return about how many terms the Wronskian of the parts has in its entries; a
 * monomial of degree d: binomial(k + d - 1, d - 1) in its k-th derivative. */
static double wronskian_terms(const darc_ioeq *eq, const darc_jet_t jet)
{
    double sum = 0;
    slong n = eq->part->count;
    for (slong j = 0; j < n; j++) {
        const darc_dpoly_struct *p = eq->part->p + j;
        slong d = fmpz_mpoly_total_degree_si(p, jet->ctx);
        double terms = (double)p->length;
        for (slong k = 0; k < n; k++) {
            sum += terms;
            terms *= (double)(k + d) / (double)(k + 1);
        }
    }
    return sum;
}

/* Whether the parameters can be eliminated from all io-equations without long
 * work. */
static bool is_shown(const darc_session *s)
{
    for (int e = 0; e < s->io->count; e++) {
        const darc_ioeq *eq = s->io->eq + e;
        if (!eq->expanded || eq->part->count > DARC_WEAK_MAX_COEFFS ||
            wronskian_terms(eq, s->io->jet) > DARC_SHOWN_TERMS)
            return false;
    }
    return true;
}

darc_status darc_hold_relations(darc_session *s, darc_test test, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    darc_status status = is_shown(s) ? derive(s, test, &why) : DARC_OK;
    if (darc_budget_check(s->budget, NULL) != DARC_OK)
        return darc_fail_as(err, status, &why);
    return DARC_OK;
}

void darc_hold_show(darc_session *s, int e)
{
    darc_holding *h = &s->holding;
    for (int i = 0; h->has_relations && i < h->relations->count; i++)
        if (h->relations->relation[i].equation == e) {
            describe(h, &h->report[e], &h->relations->relation[i]);
            return;
        }
}
