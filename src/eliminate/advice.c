#include "eliminate/eliminate.h"

#include "eliminate/thresholds.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* Append the text up to the title of a section, and a line there. */
static void put_line(darc_text_t out, const char **from, const char *title,
                     const char *line, const char *state)
{
    const char *at = strstr(*from, title);
    if (at == NULL)
        return;
    at += strlen(title);
    darc_text_printf(out, "%.*s", (int)(at - *from), *from);
    darc_text_printf(out, line, state, state);
    *from = at;
}

/* Set *more to the model of which the state is an output. */
static darc_status measure(darc_model **more, const darc_model *model,
                           const char *state)
{
    darc_text_t text = DARC_TEXT, out = DARC_TEXT;
    darc_model_print(text, model);
    const char *from = text->s;
    put_line(out, &from, "\noutputs\n", "    z_%s_measured\n", state);
    put_line(out, &from, "\nequations\n", "    z_%s_measured = %s\n", state);
    darc_text_puts(out, from);
    darc_status status =
        darc_model_parse_printed(more, out->s, out->len, "advice", false, NULL);
    DARC_EACH(darc_text_clear, text, out);
    return status;
}

/* Return the terms of the equations where the state is measured; HUGE_VAL where
 * they take more than little work. */
static double count_terms_with(const char *state, const darc_model *model,
                               const darc_budget *budget)
{
    darc_ioeqs_t io;
    darc_model *more = NULL;
    double terms = HUGE_VAL;
    darc_budget own = darc_budget_share(budget, DARC_ADVICE_SHARE);
    own.left = NULL;
    own.work = DARC_ADVICE_WORK;
    own.reached = NULL;
    own.progress = NULL;
    if (measure(&more, model, state) == DARC_OK &&
        darc_ioeqs_init(io, more, NULL, DARC_ENGINE_AUTO, &own, NULL) ==
            DARC_OK) {
        terms = 0;
        for (int i = 0; i < io->count; i++)
            terms += (double)io->eq[i].poly->length;
        darc_ioeqs_clear(io);
    }
    darc_model_free(more);
    return terms;
}

bool darc_ioeqs_advise(darc_text_t out, const darc_model *model,
                       const darc_budget *budget)
{
    const darc_names_struct *names = darc_model_names(model);
    const char *best = NULL;
    double least = HUGE_VAL;
    for (int u = 0; u < names->count; u++) {
        if (names->symbol[u].kind != DARC_STATE ||
            darc_adjoined_find(model, u) >= 0)
            continue;
        const char *state = names->symbol[u].name;
        double terms = count_terms_with(state, model, budget);
        best = terms < least ? state : best;
        least = fmin(terms, least);
    }
    if (best != NULL)
        darc_text_printf(out,
                         "with '%s' measured, too, the equations are found at "
                         "once: %.0f terms",
                         best, least);
    return best != NULL;
}

darc_status darc_fail_advised(const darc_err *why, const darc_model *model,
                              const darc_budget *budget, darc_err *err)
{
    darc_text_t advice = DARC_TEXT;
    bool more = why->status == DARC_LIMIT &&
                darc_budget_check(budget, NULL) == DARC_OK &&
                darc_ioeqs_advise(advice, model, budget);
    darc_status status = darc_fail(err, why->status, "%s%s%s", why->message,
                                   more ? "; " : "", advice->s);
    darc_text_clear(advice);
    return status;
}

darc_status darc_ioeqs_init_advised(darc_ioeqs_t out, const darc_model *model,
                                    const darc_ranking_struct *ranking,
                                    darc_engine engine,
                                    const darc_budget *budget, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    darc_budget own = darc_budget_share(budget, DARC_ELIMINATION_SHARE);
    darc_status status =
        darc_ioeqs_init(out, model, ranking, engine, &own, &why);
    return status == DARC_OK ? DARC_OK
                             : darc_fail_advised(&why, model, budget, err);
}
