/* cmd_credibility.c - darc credibility FACTORS. */
#include "cli/options.h"
#include "commands/settings.h"

#include "agree/credibility.h"
#include "base/output.h"
#include "report/tracing.h"

#include <stdio.h>
#include <string.h>

static darc_status write_page(const darc_factor_space *s, const darc_options *o,
                              darc_err *err)
{
    darc_page page;
    darc_text_t html;
    darc_text_init(html);
    darc_settings_page(&page, o);
    darc_page_tracing(html, s, &page);
    darc_status status = darc_settings_write(html->s, html->len, o, err);
    darc_settings_clear(&page);
    darc_text_clear(html);
    return status;
}

static darc_status run(darc_text_t out, darc_truth *verdict,
                       const darc_options *o, darc_err *err)
{
    darc_status status;
    darc_factor_space s = {0};
    darc_text_t json;
    darc_text_init(json);
    DARC_TRY(darc_credibility_read(&s, o->operand[0], err));
    DARC_TRY(darc_credibility_assess(&s, err));
    *verdict = darc_credibility_verdict(&s);
    darc_tracing_json(json, &s);
    const char *file = darc_option_text(o, DARC_OPT_JSON);
    bool only_json = file != NULL && strcmp(file, "-") == 0;
    if (darc_option_given(o, DARC_OPT_HTML))
        DARC_TRY(write_page(&s, o, err));
    if (only_json)
        darc_text_puts(out, json->s);
    else if (!darc_settings_is_stdout(o, DARC_OPT_HTML))
        darc_tracing_print(out, &s, darc_option_given(o, DARC_OPT_QUIET));
    if (file != NULL && !only_json)
        status = darc_output_file(file, json->s, json->len, err);
done:
    darc_credibility_clear(&s);
    darc_text_clear(json);
    return status;
}

int darc_cmd_credibility(const darc_options *o, const darc_budget *budget)
{
    (void)budget; /* linear in the data */
    darc_err err;
    darc_err_init(&err);
    darc_text_t out;
    darc_text_init(out);
    darc_truth verdict = DARC_UNKNOWN;
    darc_status status = run(out, &verdict, o, &err);
    if (status == DARC_OK)
        fwrite(out->s, 1, out->len, stdout);
    darc_text_clear(out);
    if (status != DARC_OK)
        return darc_cli_fail(&err);
    return verdict == DARC_TRUE    ? DARC_EXIT_CONSISTENT
           : verdict == DARC_FALSE ? DARC_EXIT_INCONSISTENT
                                   : DARC_EXIT_UNDECIDED;
}
