/* cmd_ask.c - commands that ask one question: of a model, or of recordings. */
#include "base/mem.h"
#include "base/output.h"
#include "commands/job.h"
#include "commands/terminal.h"
#include "darc/compare.h"
#include "darc/eliminate.h"
#include "darc/fulfil.h"
#include "darc/identify.h"
#include "darc/plan.h"
#include "darc/simulate.h"
#include "library/result.h"
#include "model/model.h"

#include <string.h>

/* The exit code of a truth. */
static const int code_of[] = {[DARC_TRUE] = DARC_EXIT_CONSISTENT,
                              [DARC_FALSE] = DARC_EXIT_INCONSISTENT,
                              [DARC_UNKNOWN] = DARC_EXIT_UNDECIDED};

darc_status darc_cmd_eliminate(darc_job *job, darc_err *err)
{
    darc_elimination *e = NULL;
    DARC_NEED(darc_job_model(job, 0, err));
    DARC_NEED(darc_eliminate(&e, job->model[0], job->o, job->budget, err));
    const char *text =
        darc_elimination_text(e, darc_option_text(job->o, DARC_OPT_FORMAT));
    darc_status status = darc_output_file("-", text, strlen(text), err);
    if (e->member != NULL)
        job->code = code_of[e->member->vanishes];
    darc_elimination_free(e);
    return status;
}

/* Deliver a result, and free it. */
static darc_status deliver(void *found, const darc_job *job, darc_err *err)
{
    darc_status status = darc_deliver(found, job->o, err);
    darc_result_free(found);
    return status;
}

darc_status darc_cmd_identify(darc_job *job, darc_err *err)
{
    darc_identified *found = NULL;
    DARC_NEED(darc_job_model(job, 0, err));
    DARC_NEED(darc_identify(&found, job->model[0], job->o, job->budget, err));
    return deliver(found, job, err);
}

darc_status darc_cmd_plan(darc_job *job, darc_err *err)
{
    darc_planned *planned = NULL;
    DARC_NEED(darc_job_model(job, 0, err));
    DARC_NEED(darc_plan(&planned, job->model[0], job->o, job->budget, err));
    return deliver(planned, job, err);
}

darc_status darc_cmd_fulfil(darc_job *job, darc_err *err)
{
    static const int code[] = {DARC_EXIT_CONSISTENT, DARC_EXIT_INCONSISTENT,
                               DARC_EXIT_UNDECIDED};
    darc_fulfilled *found = NULL;
    DARC_NEED(darc_job_model(job, 0, err));
    DARC_NEED(darc_job_model(job, 1, err));
    DARC_NEED(darc_fulfil(&found, job->model[0], job->model[1], job->o,
                          job->budget, err));
    job->code = code[found->verdict];
    return deliver(found, job, err);
}

darc_status darc_cmd_isolate(darc_job *job, darc_err *err)
{
    DARC_NEED(darc_job_open(job, 0, err));
    DARC_NEED(darc_session_isolate(job->session, err));
    job->code = darc_cli_exit_code(darc_session_verdict(job->session));
    return darc_deliver(job->session, job->o, err);
}

darc_status darc_cmd_values(darc_job *job, darc_err *err)
{
    DARC_NEED(darc_job_open(job, 0, err));
    DARC_NEED(darc_session_values(job->session, err));
    return darc_deliver(job->session, job->o, err);
}

darc_status darc_cmd_credibility(darc_job *job, darc_err *err)
{
    darc_credibility *c = NULL;
    DARC_NEED(darc_assess(&c, job->o->operand[0], job->o, err));
    job->code = code_of[c->verdict];
    return deliver(c, job, err);
}

darc_status darc_cmd_simulate(darc_job *job, darc_err *err)
{
    darc_recording *r = NULL;
    const char *file = darc_option_text(job->o, DARC_OPT_OUTPUT);
    DARC_NEED(darc_job_model(job, 0, err));
    DARC_NEED(
        darc_recording_simulate(&r, job->model[0], job->o, job->budget, err));
    darc_status status = darc_recording_save(r, file, err);
    const darc_samples *s = darc_recording_samples(r);
    if (status == DARC_OK && !darc_option_given(job->o, DARC_OPT_QUIET))
        darc_cli_say("%s: %zu samples of %d signals\n", file, s->samples,
                     s->signals);
    darc_recording_free(r);
    return status;
}

darc_status darc_cmd_model(darc_job *job, darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    darc_status status;
    DARC_NEED(darc_job_model(job, 0, err));
    DARC_TRY(darc_model_translate(
        text, job->model[0],
        (darc_translation)darc_option_choice(job->o, DARC_OPT_MODEL_FORMAT),
        err));
    DARC_TRY(darc_terminal_print(text->s, err));
done:
    darc_text_clear(text);
    return status;
}

/* The recordings of a comparison: the reference, further ones, simulations; or
 * the table. */
static darc_status name_compared(darc_parts *p, int *references,
                                 const darc_options *o, darc_err *err)
{
    darc_status status;
    darc_pairs more;
    darc_parts named = {0};
    const char *table = darc_option_text(o, DARC_OPT_TABLE);
    darc_option_pairs(&more, o, DARC_OPT_REFERENCE);
    DARC_TRY(darc_job_recordings(&named, o, err));
    if (table != NULL ? o->operands != 0 : named.count < 2)
        DARC_TRY(darc_fail(err, DARC_USAGE,
                           "compare takes a reference and one simulation at "
                           "least, or --table FILE"));
    if (table != NULL)
        DARC_TRY(darc_parts_add(p, table, NULL, err));
    *references = 1 + more.count;
    for (int i = 0; i < named.count; i++) {
        DARC_TRY(darc_parts_add(p, named.name[i], NULL, err));
        for (int k = 0; k < more.count && i == 0; k++)
            DARC_TRY(darc_parts_add(p, more.name[k], NULL, err));
    }
done:
    darc_parts_clear(&named);
    darc_pairs_clear(&more);
    return status;
}

/* darc compare REFERENCE SIMULATION...; --table FILE. */
darc_status darc_cmd_compare(darc_job *job, darc_err *err)
{
    const darc_options *o = job->o;
    double accept = darc_option_real(o, DARC_OPT_ACCEPT);
    darc_status status;
    darc_parts p = {0};
    darc_options reading;
    darc_recording **r = NULL;
    darc_agreement *a = NULL;
    int count = 0, references = 1;
    darc_options_copy(&reading, o, DARC_CMD_COMPARE);
    darc_free(reading.value[DARC_OPT_EACH]);
    reading.value[DARC_OPT_EACH] = NULL; /* names are of parts */
    DARC_TRY(name_compared(&p, &references, o, err));
    r = darc_calloc((size_t)p.count, sizeof *r);
    for (; count < p.count; count++)
        DARC_TRY(darc_recording_read(&r[count], p.name[count], &reading, err));
    if (darc_option_given(o, DARC_OPT_TABLE))
        DARC_TRY(darc_weigh(&a, r[0], o, err));
    else
        DARC_TRY(darc_compare(&a, (const darc_recording *const *)r, references,
                              count, o, err));
    DARC_TRY(darc_deliver(a, o, err));
    if (a->consistency < accept)
        job->code = DARC_EXIT_INCONSISTENT;
done:
    darc_agreement_free(a);
    DARC_ALL_OF(darc_recording_free, r, count);
    darc_free(r);
    darc_options_clear(&reading);
    darc_parts_clear(&p);
    return status;
}
