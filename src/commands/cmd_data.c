/* cmd_data.c - darc data: what recordings hold. */
#include "cli/arguments.h"
#include "cli/terminal.h"

#include "base/mem.h"
#include "base/output.h"
#include "report/survey.h"
#include "session/settings.h"

#include <string.h>

static darc_status survey_all(darc_survey *survey, darc_table **table,
                              const darc_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_asked c;
    DARC_TRY(darc_asked_init(&c, NULL, o, DARC_CMD_DATA, err));
    for (int i = 0; i < o->operands; i++) {
        DARC_TRY(darc_table_load(&table[i], o->operand[i], &c.set.load, err));
        darc_survey_init(&survey[i], table[i]);
    }
done:
    darc_asked_clear(&c);
    return status;
}

static darc_status write_surveys(const darc_survey *survey,
                                 const darc_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    bool only_json = json != NULL && strcmp(json, "-") == 0;
    darc_text_t text = DARC_TEXT;
    if (json != NULL) {
        darc_survey_json(text, survey, o->operands, o->command_line);
        status = darc_output_file(json, text->s, text->len, err);
        darc_text_reset(text);
    }
    for (int i = 0; i < o->operands && !only_json; i++)
        darc_survey_print(text, &survey[i]);
    if (!only_json && status == DARC_OK)
        status = darc_terminal_print(text->s, err);
    darc_text_clear(text);
    return status;
}

int darc_cmd_data(const darc_options *o, const darc_budget *budget)
{
    (void)budget;
    darc_err err = {DARC_OK, ""};
    size_t n = (size_t)o->operands;
    darc_survey *survey = darc_calloc(n, sizeof *survey);
    darc_table **table = darc_calloc(n, sizeof(darc_table *));
    darc_status status = survey_all(survey, table, o, &err);
    if (status == DARC_OK)
        status = write_surveys(survey, o, &err);
    for (size_t i = 0; i < n; i++) {
        darc_survey_clear(&survey[i]);
        darc_table_free(table[i]);
    }
    darc_free(survey);
    darc_free(table);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}
