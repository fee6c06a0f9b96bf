/* Kinds of files, a few rows each, and what is read of them. */
#include "tests.h"

#include "program.h"
#include "recording.h"

#include "base/text.h"
#include "data/table.h"

#include <string.h>

static darc_load_options o;
static darc_err err;
static darc_text_t said;

static void setup(void)
{
    darc_load_options_init(&o);
    darc_err_init(&err);
    darc_text_init(said);
}

static void teardown(void)
{
    darc_text_clear(said);
}

/* Let said->s be "samples step; name [unit] first..last, ...; notes", or the
 * message. */
static void describe(const char *text)
{
    darc_table *t = NULL;
    if (recording_load(&t, text, strlen(text), &o, &err) != DARC_OK) {
        darc_text_puts(said, err.message);
        return;
    }
    darc_text_printf(said, "%zu %.6g;", t->samples, t->dt);
    for (int i = 0; i < t->signals; i++)
        darc_text_printf(said, "%s %s [%s] %g..%g", i > 0 ? "," : "",
                         t->signal[i].name, t->signal[i].unit,
                         t->signal[i].value[0],
                         t->signal[i].value[t->samples - 1]);
    for (int i = 0; i < t->remarks; i++)
        darc_text_printf(said, "; %s", t->remark[i]);
    darc_text_putc(said, '\n');
    darc_table_free(t);
}

static const struct {
    const char *text, *says; /* begins so, or "..." and a part */
} kinds[] = {
#include "files/kinds.h"
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

START_TEST(each_kind_is_read)
{
    const char *says = kinds[_i].says;
    bool part = strncmp(says, "...", 3) == 0;
    describe(kinds[_i].text);
    const char *at = strstr(said->s, says + 3 * part);
    ck_assert_msg(part ? at != NULL : at == said->s, "expected %s, got %s",
                  says, said->s);
}
END_TEST

Suite *suite_kinds(void)
{
    Suite *s = suite_create("kinds");
    TCase *c = tcase_create("kinds");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, each_kind_is_read, 0, KINDS);
    suite_add_tcase(s, c);
    return s;
}
