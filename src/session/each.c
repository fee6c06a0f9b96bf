/* each.c - the structure of several recordings: each is held by itself. */
#include "base/mem.h"
#include "decide/judgement.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ask of table k alone, which is of those that s has. */
static darc_status ask_one(darc_session *s, darc_table **all, int k,
                           darc_asking *check, darc_err *err)
{
    s->table = all + k;
    s->recordings = 1;
    darc_session_take_back(s); /* it has the one before */
    darc_table_free(s->beside);
    s->beside = NULL;
    return check(s, DARC_STRUCTURE, err);
}

/* Return whether x decides rather than y: it fails, is undecided, by the lowest
 * p-value. */
static bool decides(const darc_decision *x, const darc_decision *y)
{
    int a = darc_verdict_rank(x->verdict), b = darc_verdict_rank(y->verdict);
    return a != b ? a > b : x->p_value < y->p_value;
}

/* Set d, which is that of recording k of n, to the decision on all. */
static void decide_all(darc_decision *d, const darc_report_each *each, int n,
                       int k, double alpha)
{
    char reason[sizeof d->reason];
    int count[3] = {0};
    bool short_ones = d->verdict == DARC_UNDECIDED && d->method != NULL &&
                      strcmp(d->method, "trajectory") == 0;
    for (int i = 0; i < n; i++)
        count[each[i].decision.verdict]++;
    d->alpha = alpha;
    d->p_value = fmin(1, n * d->p_value);
    snprintf(reason, sizeof reason, "%s", each[k].decision.reason);
    if (d->verdict == DARC_CONSISTENT)
        snprintf(d->reason, sizeof d->reason, "each of %d recordings is", n);
    else
        snprintf(d->reason, sizeof d->reason,
                 "%d of %d recordings %s%s; %.160s: %.240s", count[d->verdict],
                 n, count[d->verdict] == 1 ? "is" : "are",
                 short_ones ? " (all together, with one set of parameters: "
                              "--method trajectory)"
                            : "",
                 each[k].file, reason);
}

darc_status darc_session_check_each(darc_session *s, darc_asking *check,
                                    darc_err *err)
{
    int n = s->recordings, worst = 0, last = -1;
    darc_table **all = s->table;
    double alpha = s->set.alpha;
    darc_status status = DARC_OK;
    darc_report_each *each = darc_calloc((size_t)n, sizeof *each);
    s->set.alpha = alpha / n;
    for (int i = 0; i <= n && status == DARC_OK; i++) {
        int k = i < n ? i : worst;
        if (k == last)
            break;
        status = ask_one(s, all, last = k, check, err);
        if (status != DARC_OK)
            break;
        each[k] =
            (darc_report_each){all[k]->file, darc_session_report(s)->decision};
        if (decides(&each[k].decision, &each[worst].decision))
            worst = k;
    }
    s->set.alpha = alpha;
    s->table = all;
    s->recordings = n;
    if (status != DARC_OK) {
        darc_session_forget(s);
        darc_free(each);
        return status;
    }
    darc_session *a = s;
    while (a->answer != NULL)
        a = a->answer;
    decide_all(&a->report.decision, each, n, worst, alpha);
    a->report.eaches = n;
    a->report.each = s->each = each;
    if (a == s && worst > 0) { /* a page shows the first */
        DARC_SWAP(darc_table *, all[0], all[worst]);
    }
    return DARC_OK;
}
