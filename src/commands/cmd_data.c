/* cmd_data.c - darc data: what recordings hold. */
#include "cli/arguments.h"
#include "cli/terminal.h"

#include "base/mem.h"
#include "base/output.h"
#include "report/survey.h"
#include "session/settings.h"

#include <string.h>

int darc_cmd_data(const darc_options *o, const darc_budget *budget)
{
    (void)budget;
    darc_err err = {DARC_OK, ""};
    size_t n = (size_t)o->operands;
    darc_survey *survey = darc_calloc(n, sizeof *survey);
    darc_table **table = darc_calloc(n, sizeof(darc_table *));
    darc_text_t text = DARC_TEXT;
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    darc_asked c;
    darc_status status;
    DARC_TRY(darc_asked_init(&c, NULL, o, DARC_CMD_DATA, &err));
    for (size_t i = 0; i < n; i++) {
        DARC_TRY(darc_table_load(&table[i], o->operand[i], &c.set.load, &err));
        darc_survey_init(&survey[i], table[i]);
    }
    if (json != NULL) {
        darc_survey_json(text, survey, o->operands, o->command_line);
        DARC_TRY(darc_output_file(json, text->s, text->len, &err));
        darc_text_reset(text);
    }
    for (size_t i = 0; i < n; i++)
        darc_survey_print(text, &survey[i]);
    if (json == NULL || strcmp(json, "-") != 0)
        status = darc_terminal_print(text->s, &err);
done:
    darc_asked_clear(&c);
    darc_text_clear(text);
    for (size_t i = 0; i < n; i++) {
        darc_survey_clear(&survey[i]);
        darc_table_free(table[i]);
    }
    darc_free(survey);
    darc_free(table);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}
