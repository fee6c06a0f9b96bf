#include "session/holding.h"

#include "base/mem.h"
#include "session/session.h"

#include <string.h>

const char *darc_holding_keep(darc_holding *h, darc_text_t t)
{
    h->text = darc_realloc(h->text, (size_t)h->texts + 1, sizeof *h->text);
    h->text[h->texts] = darc_text_take(t);
    return h->text[h->texts++];
}

void darc_holding_inequations(darc_holding *h, darc_report_relation *to,
                              const darc_dpolys_t p, const darc_jet_t jet)
{
    const char **list = darc_calloc((size_t)p->count, sizeof *list);
    for (slong i = 0; i < p->count; i++) {
        darc_text_t t;
        darc_text_init(t);
        darc_dpoly_print(t, p->p + i, jet);
        list[i] = darc_holding_keep(h, t);
    }
    to->inequations = (int)p->count;
    to->inequation = list;
}

darc_status darc_hold(darc_holding *h, darc_session *s, darc_test test,
                      darc_err *err)
{
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_hold_pointwise(h, s, test, err);
    if (s->set.method == DARC_METHOD_WEAK)
        return darc_hold_weak(h, s, test, err);
    darc_err why;
    darc_err_init(&why);
    darc_status status = darc_hold_weak(h, s, test, &why);
    if (status == DARC_OK)
        return status;
    if (status != DARC_DATA && status != DARC_DOMAIN)
        return darc_fail(err, status, "%s", why.message);
    darc_session_note(s, "the weak form does not apply (%s): pointwise",
                      why.message);
    return darc_hold_pointwise(h, s, test, err);
}

void darc_holding_clear(darc_holding *h)
{
    for (int i = 0; i < h->results; i++)
        darc_pointwise_clear(&h->result[i]);
    for (int i = 0; i < h->count; i++) {
        if (h->weak != NULL)
            darc_weakcheck_clear(&h->weak[i]);
        darc_free((void *)h->report[i].inequation);
    }
    for (int i = 0; i < h->texts; i++)
        darc_free(h->text[i]);
    darc_free(h->text);
    darc_free(h->result);
    darc_free(h->weak);
    darc_free(h->estimate);
    darc_free(h->report);
    if (h->has_relations)
        darc_relations_clear(h->relations);
    *h = (darc_holding){0};
}
