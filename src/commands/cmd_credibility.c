/* cmd_credibility.c - darc credibility FACTORS. */
#include "agree/credibility.h"
#include "commands/command.h"
#include "commands/results.h"
#include "report/tracing.h"

#include <stdio.h>

static darc_status write_space(const darc_factor_space *s,
                               const darc_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_page page;
    darc_text_t text;
    darc_text_init(text);
    if (darc_results_page(&page, o)) {
        darc_page_tracing(text, s, &page);
        DARC_TRY(darc_results_html(text, &page, o, err));
    }
    darc_tracing_json(text, s);
    DARC_TRY(darc_results_write(text, o, DARC_OPT_JSON, err));
    if (!darc_results_take_stdout(o))
        darc_tracing_print(text, s, darc_option_given(o, DARC_OPT_QUIET));
    fputs(text->s, stdout);
done:
    darc_text_clear(text);
    return status;
}

darc_status darc_cmd_credibility(int *code, const darc_options *o,
                                 const darc_budget *budget, darc_err *err)
{
    static const int exit_code[] = {[DARC_TRUE] = DARC_EXIT_CONSISTENT,
                                    [DARC_FALSE] = DARC_EXIT_INCONSISTENT,
                                    [DARC_UNKNOWN] = DARC_EXIT_UNDECIDED};
    (void)budget; /* linear in the data */
    darc_status status;
    darc_factor_space s = {0};
    DARC_TRY(darc_credibility_read(&s, o->operand[0], err));
    DARC_TRY(darc_credibility_assess(&s, err));
    *code = exit_code[darc_credibility_verdict(&s)];
    status = write_space(&s, o, err);
done:
    darc_credibility_clear(&s);
    return status;
}
