#include "darc/identify.h"

#include "base/mem.h"
#include "library/findings.h"
#include "library/result.h"
#include "report/report.h"

static darc_status identify(void *result, const darc_request *q,
                            const darc_budget *budget, darc_err *err)
{
    findings *f = result;
    f->options = q->options;
    f->budget = budget;
    f->model = q->model[0];
    darc_text_init(f->scaled);
    darc_findings_ask(f);
    DARC_NEED(darc_findings_find(f, err));
    f->shown.scale = f->scale;
    f->shown.scaled = f->shown.scales > 0 ? f->scaled->s : NULL;
    f->shown.states = f->states;
    f->shown.state = f->status;
    f->shown.asked = f->asks.count;
    f->shown.asks = f->status + f->states;
    if (f->starts.count > 0)
        darc_findings_start(f);
    return DARC_OK;
}

static void carry_findings(darc_carrier *c, void *result)
{
    darc_carry_identified(c, result);
}

static void clear_findings(void *result)
{
    findings *f = result;
    darc_identified_clear(&f->shown);
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
}

static void put_findings(darc_text_t out, void *result, const char *format)
{
    const findings *f = result;
    darc_findings_put(out, &f->shown, f, *format == 'j');
}

darc_status darc_identify(darc_identified **found, const darc_model *model,
                          const darc_options *options,
                          const darc_budget *budget, darc_err *err)
{
    static const darc_result_kind kind = {sizeof(findings), DARC_CMD_IDENTIFY,
                                          {"text", "json"}, identify,
                                          carry_findings,   NULL,
                                          put_findings,     clear_findings};
    return darc_result_new(
        found, &kind, &(darc_request){{model}, options, NULL}, budget, err);
}

void darc_identified_free(darc_identified *found)
{
    darc_result_free(found);
}

const char *darc_identified_text(darc_identified *found, const char *format)
{
    return darc_result_text(found, format);
}
