/* cmd_data.c - darc data: what recordings hold. */
#include "base/mem.h"
#include "cli/terminal.h"
#include "commands/command.h"
#include "commands/recordings.h"
#include "commands/results.h"
#include "report/survey.h"

static darc_status survey_all(darc_survey *survey, darc_table **table,
                              const darc_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_run run = {0};
    DARC_TRY(darc_run_load(&run, o, err));
    for (int i = 0; i < o->operands; i++) {
        DARC_TRY(darc_table_load(&table[i], o->operand[i], &run.set.load, err));
        darc_survey_init(&survey[i], table[i]);
    }
done:
    darc_run_close(&run);
    return status;
}

static darc_status write_surveys(const darc_survey *survey,
                                 const darc_options *o, darc_err *err)
{
    darc_text_t text;
    darc_text_init(text);
    darc_survey_json(text, survey, o->operands, o->command_line);
    darc_status status = darc_results_write(text, o, DARC_OPT_JSON, err);
    for (int i = 0; i < o->operands && !darc_results_take_stdout(o); i++)
        darc_survey_print(text, &survey[i]);
    if (status == DARC_OK)
        darc_terminal_print(text);
    darc_text_clear(text);
    return status;
}

darc_status darc_cmd_data(int *code, const darc_options *o,
                          const darc_budget *budget, darc_err *err)
{
    (void)code, (void)budget;
    size_t n = (size_t)o->operands;
    darc_survey *survey = darc_calloc(n, sizeof *survey);
    darc_table **table = darc_calloc(n, sizeof(darc_table *));
    darc_status status = survey_all(survey, table, o, err);
    if (status == DARC_OK)
        status = write_surveys(survey, o, err);
    for (size_t i = 0; i < n; i++) {
        darc_survey_clear(&survey[i]);
        darc_table_free(table[i]);
    }
    darc_free(survey);
    darc_free(table);
    return status;
}
