#include "tests.h"

#include "report/campaign.h"

#include <stdio.h>
#include <string.h>

/* What a spreadsheet would run stands behind an apostrophe, wherever a name of
 * others goes into a cell; a separator or a quote begins no cell. */
START_TEST(cells_are_no_formulas)
{
    static const struct {
        const char *name, *cell;
    } row[] = {{"=1+1", "'=1+1"},
               {"+1", "'+1"},
               {"-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"},
               {"@SUM(A1)", "'@SUM(A1)"},
               {"\t=1", "'\t=1"},
               {"\r=1", "\"'\\x0d=1\""},
               {"\uff1d1", "'\uff1d1"},
               {"a\x1b[2J\u202e", "a\\x1b[2J\\u202e"},
               {"=1,\"=2\"", "\"'=1,\"\"=2\"\"\""},
               {"a,=1", "\"a,=1\""},
               {"a\n=1", "\"a\n=1\""},
               {"a=1", "a=1"}};
    enum { ROWS = sizeof row / sizeof row[0] };
    const darc_change change = {.value = 1, .sd = 2};
    darc_campaign_recording recording[ROWS];
    const char *function[] = {"-a"}, *group[ROWS];
    for (int i = 0; i < ROWS; i++)
        recording[i] =
            (darc_campaign_recording){.file = row[i].name, .change = &change};
    for (int i = 0; i < ROWS; i++)
        group[i] = row[ROWS - 1 - i].name;
    darc_campaign c = {.recordings = ROWS,
                       .recording = recording,
                       .functions = 1,
                       .function = function,
                       .group_column = "car",
                       .group = group};
    darc_text_t out = DARC_TEXT, want = DARC_TEXT;
    darc_campaign_csv(out, &c);
    const char *at = strchr(out->s, '\n');
    for (int i = 0; i < ROWS; i++) {
        ck_assert_ptr_nonnull(at);
        darc_text_reset(want);
        darc_text_printf(want, "\n%s,'-a,1,2,", row[i].cell);
        ck_assert_msg(strncmp(at, want->s, want->len) == 0, "%s: %s",
                      row[i].cell, at);
        darc_text_reset(want);
        darc_text_printf(want, ",%s\n", row[ROWS - 1 - i].cell);
        at = strstr(at + 1, want->s);
        ck_assert_msg(at != NULL, "%s: %s", want->s, out->s);
        at += want->len - 1;
    }
    ck_assert_str_eq(at, "\n");
    darc_text_clear(out);
    darc_text_clear(want);
}
END_TEST

Suite *suite_campaign(void)
{
    Suite *s = suite_create("campaign");
    TCase *c = tcase_create("campaign");
    tcase_add_test(c, cells_are_no_formulas);
    suite_add_tcase(s, c);
    return s;
}
