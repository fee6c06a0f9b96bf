#include "darc/identify.h"

#include "base/carrier.h"
#include "base/mem.h"
#include "library/findings.h"
#include "report/report.h"

#include <string.h>

static darc_status identify(findings **to, const darc_model *model,
                            const darc_options *options,
                            const darc_budget *budget, darc_err *err)
{
    findings *f = darc_calloc(1, sizeof *f);
    darc_options_copy(&f->options, options, DARC_CMD_IDENTIFY);
    f->budget = budget;
    f->model = model;
    darc_text_init(f->text);
    darc_text_init(f->scaled);
    darc_text_init(f->advice);
    darc_findings_ask(f);
    darc_status status = darc_findings_find(f, err);
    if (status != DARC_OK) {
        darc_identified_free(&f->shown);
        return status;
    }
    f->shown.scale = f->scale;
    f->shown.scaled = f->shown.scales > 0 ? f->scaled->s : NULL;
    f->shown.states = f->states;
    f->shown.state = f->status;
    f->shown.asked = f->asks.count;
    f->shown.asks = f->status + f->states;
    if (f->starts.count > 0)
        darc_findings_start(f);
    *to = f;
    return DARC_OK;
}

static void carry_findings(darc_carrier *c, findings **f)
{
    darc_carry(c, f, sizeof **f);
    darc_carry_identified(c, &(*f)->shown);
    darc_carry_text(c, &(*f)->as[0]);
    darc_carry_text(c, &(*f)->as[1]);
}

/* What is asked of a child. */
typedef struct {
    const darc_model *model;
    const darc_options *options;
} question;

static darc_status answer_identity(darc_answer *a, void *user,
                                   const darc_budget *budget, darc_err *err)
{
    const question *q = user;
    findings *f;
    DARC_NEED(identify(&f, q->model, q->options, budget, err));
    f->as[0] = darc_strdup(darc_identified_text(&f->shown, "text"));
    f->as[1] = darc_strdup(darc_identified_text(&f->shown, "json"));
    f->carried = true;
    carry_findings(&(darc_carrier){.to = a}, &f);
    return DARC_OK;
}

darc_status darc_identify(darc_identified **found, const darc_model *model,
                          const darc_options *options,
                          const darc_budget *budget, darc_err *err)
{
    findings *f;
    char *bytes;
    size_t n;
    question q = {model, options};
    if (!darc_apart_suits(budget)) {
        DARC_NEED(identify(&f, model, options, budget, err));
    } else {
        DARC_NEED(darc_apart(&bytes, &n, answer_identity, &q, budget, err));
        carry_findings(&(darc_carrier){.at = bytes}, &f);
    }
    *found = &f->shown;
    return DARC_OK;
}

void darc_identified_free(darc_identified *found)
{
    findings *f = (findings *)found;
    if (f == NULL)
        return;
    if (f->carried) {
        darc_apart_free((char *)f);
        return;
    }
    darc_identified_clear(found);
    for (int i = 0; i < f->outputs; i++)
        darc_free((void *)f->label[i]);
    DARC_FREE((void *)f->label, (void *)f->expr, f->status);
    darc_observable_clear(&f->asked);
    darc_model_free(f->known);
    darc_model_free(f->chained);
    darc_pairs_clear(&f->asks);
    darc_pairs_clear(&f->starts);
    darc_free(f->value);
    darc_scaling_clear(&f->scaling);
    darc_free(f->scale);
    darc_text_clear(f->scaled);
    if (f->has_table)
        darc_isolability_clear(f->table);
    if (f->has_id)
        darc_identification_clear(f->id);
    if (f->has_io)
        darc_ioeqs_clear(f->io);
    darc_options_clear(&f->options);
    darc_text_clear(f->text);
    darc_text_clear(f->advice);
    darc_free(f);
}

static void put_identified(darc_text_t out, void *what, const char *format)
{
    const findings *f = what;
    darc_findings_put(out, &f->shown, f, *format == 'j');
}

const char *darc_identified_text(darc_identified *found, const char *format)
{
    findings *f = (findings *)found;
    bool json = strcmp(format, "json") == 0;
    if (!json && strcmp(format, "text") != 0)
        return NULL;
    return f->carried ? f->as[json]
                      : darc_text_attempt(f->text, put_identified, f, format);
}
