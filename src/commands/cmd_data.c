/* cmd_data.c - darc data: what recordings hold, and what to type next. */
#include "base/mem.h"
#include "base/output.h"
#include "commands/job.h"
#include "commands/terminal.h"
#include "data/arrayfile.h"
#include "data/columns.h"
#include "files/csv.h"
#include "report/survey.h"
#include "session/settings.h"

#include <stdio.h>
#include <string.h>

/* The columns of a text, and what their first rows hold if not numbers. */
static darc_status list_columns(darc_text_t out, const char *file,
                                darc_err *err)
{
    darc_csv csv;
    DARC_NEED(darc_csv_open(&csv, file, false, err));
    darc_csv_look *look = darc_calloc((size_t)csv.columns, sizeof *look);
    darc_csv_look_at(look, &csv);
    for (int c = 0; c < csv.columns; c++) {
        const darc_csv_look *x = look + c;
        unsigned all = x->numbers + x->words + x->stamps;
        bool words = x->words > x->numbers && x->words > x->stamps;
        darc_text_printf(out, csv.unit[c][0] != '\0' ? "  %-32s [%s]" : "  %s",
                         csv.name[c], csv.unit[c]);
        darc_text_printf(out, "%s\n",
                         all == 0 ? (x->gaps > 0 ? "  empty" : "")
                         : words  ? "  text"
                         : x->stamps > x->numbers ? "  points in time"
                                                  : "");
    }
    darc_free(look);
    darc_csv_close(&csv);
    return DARC_OK;
}

/* What a file holds, before any of it is chosen. */
static darc_status list_file(darc_text_t out, const char *file, darc_err *err)
{
    darc_text_printf(out, "%s:\n", file);
    size_t before = out->len;
    DARC_NEED(darc_arrayfile_list(out, file, err));
    return out->len > before ? DARC_OK : list_columns(out, file, err);
}

/* darc data --list. */
static darc_status list_files(const darc_options *o, darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    darc_status status = DARC_OK;
    for (int i = 0; i < o->operands && status == DARC_OK; i++)
        status = list_file(text, o->operand[i], err);
    DARC_THEN(darc_terminal_print(text->s, err));
    darc_text_clear(text);
    return status;
}

/* Append a word of a command line, in quotes where the shell needs them. */
static void put_word(darc_text_t out, const char *option, const char *word)
{
    bool quote = word[strcspn(word, " \"'\\$&|;<>*?()[]#~`")] != '\0';
    darc_text_printf(out, quote ? "%s'" : "%s", option);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            darc_text_puts(out, "'\\''");
        else
            darc_text_putc(out, *word);
    darc_text_puts(out, quote ? "'" : "");
}

/* Print the text, then what a file holds of which no recording can be made,
 * because of the error that follows; NULL: neither. */
static void tell_contents(darc_text_t text, const char *file,
                          const darc_err *why)
{
    darc_part part;
    darc_text_t list = DARC_TEXT;
    darc_part_init(&part, file);
    bool lists = why != NULL && strcmp(part.file, "-") != 0 &&
                 list_file(list, part.file, NULL) == DARC_OK;
    if (lists)
        darc_text_puts(text, list->s);
    if (lists && strstr(why->message, "no time column") != NULL) {
        put_word(text, "  next: darc data ", file);
        darc_text_puts(text, " --rate HZ, or --time COLUMN\n");
    }
    darc_part_clear(&part);
    darc_text_clear(list);
    if (text->len > 0) {
        darc_status status = darc_terminal_print(text->s, NULL);
        (void)status; /* the error counts */
    }
}

static bool is_name(const char *s)
{
    size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
                         "0123456789");
    return s[n] == '\0' && strspn(s, "0123456789") == 0;
}

/* The line that holds a model against the recordings; names that no model can
 * have need --map. */
static void say_next(darc_text_t out, const darc_options *o,
                     const darc_parts *p, const darc_table *first)
{
    static const darc_option_id kept[] = {
        DARC_OPT_EACH, DARC_OPT_TIME, DARC_OPT_STAMPS, DARC_OPT_RATE,
        DARC_OPT_FROM, DARC_OPT_TO,   DARC_OPT_SCALE};
    darc_text_t map = DARC_TEXT;
    darc_text_printf(out, "  next: darc %s MODEL",
                     p->count == 1   ? "check structure"
                     : p->count == 2 ? "check equal"
                                     : "drift");
    for (int i = 0; i < o->operands; i++)
        put_word(out, " ", o->operand[i]);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (darc_option_given(o, kept[i])) {
            darc_text_printf(out, " %s",
                             darc_option_row_at((int)kept[i])->name);
            put_word(out, " ", darc_option_text(o, kept[i]));
        }
    if (darc_option_given(o, DARC_OPT_MAP))
        darc_text_puts(map, darc_option_text(o, DARC_OPT_MAP));
    for (int i = 0, n = 0; i < first->signals && n < 3; i++)
        if (!is_name(first->signal[i].name)) {
            char name[16];
            snprintf(name, sizeof name, "NAME%d", ++n);
            darc_columns_put_map(map, name, first->signal[i].name);
        }
    if (map->len > 0)
        put_word(out, " --map ", map->s);
    darc_text_putc(out, '\n');
    darc_text_clear(map);
}

/* darc data: what recordings hold. */
darc_status darc_cmd_data(darc_job *job, darc_err *err)
{
    const darc_options *o = job->o;
    if (darc_option_given(o, DARC_OPT_CONTENTS))
        return list_files(o, err);
    darc_survey *survey = NULL;
    darc_table **table = NULL;
    darc_parts p = {0};
    darc_text_t text = DARC_TEXT;
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    darc_asked c;
    darc_status status;
    DARC_TRY(darc_asked_init(&c, NULL, o, DARC_CMD_DATA, err));
    DARC_TRY(darc_job_recordings(&p, o, err));
    survey = darc_calloc((size_t)p.count, sizeof *survey);
    table = darc_calloc((size_t)p.count, sizeof(darc_table *));
    for (int i = 0; i < p.count; i++) {
        status = darc_table_load(&table[i], p.name[i], &c.set.load, err);
        if (status != DARC_OK) {
            for (int k = 0; k < i && json == NULL; k++)
                darc_survey_print(text, &survey[k]);
            tell_contents(text, p.name[i], json == NULL ? err : NULL);
            goto done;
        }
        darc_survey_init(&survey[i], table[i]);
    }
    if (json != NULL) {
        darc_survey_json(text, survey, p.count, o->command_line);
        DARC_TRY(darc_output_file(json, text->s, text->len, err));
        darc_text_reset(text);
    }
    for (int i = 0; i < p.count; i++)
        darc_survey_print(text, &survey[i]);
    if (!darc_option_given(o, DARC_OPT_QUIET))
        say_next(text, o, &p, table[0]);
    if (json == NULL || strcmp(json, "-") != 0)
        status = darc_terminal_print(text->s, err);
done:
    darc_asked_clear(&c);
    darc_text_clear(text);
    for (int i = 0; i < p.count && survey != NULL; i++) {
        darc_survey_clear(&survey[i]);
        darc_table_free(table[i]);
    }
    DARC_FREE(survey, table);
    darc_parts_clear(&p);
    return status;
}
