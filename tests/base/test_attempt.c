#include "tests.h"

#include "base/attempt.h"
#include "base/flint.h"
#include "base/mem.h"
#include "base/text.h"
#include "data/table.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

/* More than there is. */
static void lack(void)
{
    darc_free(darc_malloc(SIZE_MAX / 4));
}

static darc_status attempt(darc_status (*work)(void *user, darc_err *err),
                           void *user, darc_err *err)
{
    darc_status status;
    DARC_ATTEMPT(status, work(user, err), err);
    return status;
}

static char *before;
static char closed[8];
static int *volatile kept;

static void close_it(void *name)
{
    strcat(closed, name);
}

/* Allocate much in all ways, with `before` moved; then lack memory if *user. */
static darc_status work(void *user, darc_err *err)
{
    static char a[] = "a", b[] = "b", c[] = "c";
    char *list[1000];
    (void)err;
    ck_assert(darc_attempt_runs());
    before = darc_realloc(before, 100000, 1);
    darc_attempt_opens(close_it, a);
    darc_attempt_opens(close_it, b);
    darc_attempt_opens(close_it, c);
    darc_attempt_closes(b);
    for (int i = 0; i < 1000; i++) {
        list[i] = i % 2 == 0 ? darc_malloc(16) : darc_calloc(1, 3);
        list[i] = darc_realloc(list[i], (size_t)i + 50, 1);
    }
    for (int i = 0; i < 1000; i += 3)
        darc_free(list[i]);
    kept = darc_malloc_long(5 << 20);
    if (*(bool *)user)
        lack();
    for (int i = 0; i < 1000; i++)
        if (i % 3 != 0)
            darc_free(list[i]);
    return DARC_OK;
}

/* What work has is freed, by ASan's word; what was there stays. */
START_TEST(lack_of_memory_ends_work)
{
    bool lacks = true;
    darc_err err;
    darc_err_init(&err);
    closed[0] = '\0';
    before = darc_strdup("before");
    ck_assert_int_eq(attempt(work, &lacks, &err), DARC_LIMIT);
    ck_assert(strstr(err.message, "memory is short") != NULL);
    ck_assert_str_eq(closed, "ca");
    ck_assert_str_eq(before, "before");
    ck_assert(!darc_attempt_runs());
    lacks = false;
    ck_assert_int_eq(attempt(work, &lacks, NULL), DARC_OK);
    ck_assert_str_eq(closed, "ca");
    darc_free(kept);
    darc_free(before);
}
END_TEST

static darc_status twice(void *user, darc_err *err)
{
    DARC_NEED(attempt(work, user, err));
    return darc_fail(err, DARC_INTERNAL, "the inner attempt is none");
}

START_TEST(an_attempt_in_another_is_none)
{
    bool lacks = true;
    before = darc_strdup("before");
    ck_assert_int_eq(attempt(twice, &lacks, NULL), DARC_LIMIT);
    darc_free(before);
}
END_TEST

static int files(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static darc_status spool(void *user, darc_err *err)
{
    darc_table *table;
    darc_load_options o;
    darc_load_options_init(&o);
    o.memory = 1000;
    DARC_NEED(darc_table_load(&table, "systems/quarter_car_chassis/data.csv",
                              &o, err));
    ck_assert_ptr_nonnull(table->spool);
    ck_assert_int_eq(files(), *(int *)user + 1);
    lack();
    return DARC_OK;
}

START_TEST(temporary_files_are_closed)
{
    int open = files();
    ck_assert_int_eq(attempt(spool, &open, NULL), DARC_LIMIT);
    ck_assert_int_eq(files(), open);
}
END_TEST

/* What belongs to an object that was there stays. */
static darc_status grow(int **list, bool lacks)
{
    *list = darc_realloc(*list, 10, sizeof **list);
    (*list)[9] = 9;
    if (lacks)
        lack();
    return DARC_OK;
}

START_TEST(what_was_there_keeps_what_it_got)
{
    static int *list;
    darc_status status;
    DARC_ATTEMPT_ON(status, grow(&list, true), NULL);
    ck_assert_int_eq(status, DARC_LIMIT);
    ck_assert_int_eq(list[9], 9);
    DARC_ATTEMPT_ON(status, grow(&list, false), NULL);
    ck_assert_int_eq(status, DARC_OK);
    darc_free(list);
}
END_TEST

static void put(darc_text_t out, void *what, const char *format)
{
    darc_text_puts(out, format);
    if (*(bool *)what)
        lack();
}

START_TEST(a_text_is_whole_or_none)
{
    bool lacks = false;
    darc_text_t text = DARC_TEXT;
    ck_assert_str_eq(darc_text_attempt(text, put, &lacks, "one"), "one");
    lacks = true;
    ck_assert_ptr_null(darc_text_attempt(text, put, &lacks, "two"));
    lacks = false;
    ck_assert_str_eq(darc_text_attempt(text, put, &lacks, "three"), "three");
    darc_text_clear(text);
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* FLINT's memory: what is lent is whole, and the attempt ends behind it. */
static darc_status count_up(fmpz_t x, darc_err *err)
{
    (void)err;
    fmpz_set_ui(x, 3);
    fmpz_pow_ui(x, x, (ulong)1 << 35);
    ck_abort_msg("so much memory there is not");
    return DARC_OK;
}

START_TEST(flint_lacks_memory)
{
    fmpz_t x;
    darc_err err;
    darc_status status;
    darc_err_init(&err);
    darc_mem_adopt();
    fmpz_init(x);
    struct rlimit was, small;
    ck_assert_int_eq(getrlimit(RLIMIT_DATA, &was), 0);
    small = was;
    small.rlim_cur = 256u << 20;
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &small), 0);
    for (int i = 0; i < 2; i++) {
        DARC_ATTEMPT(status, count_up(x, &err), &err);
        ck_assert_int_eq(status, DARC_LIMIT);
    }
    ck_assert(strstr(err.message, "memory is short") != NULL);
    setrlimit(RLIMIT_DATA, &was);
    fmpz_set_ui(x, 7);
    fmpz_pow_ui(x, x, 1000);
    ck_assert_int_eq((int)fmpz_fdiv_ui(x, 10), 1);
    fmpz_clear(x);
}
END_TEST

#endif

Suite *suite_attempt(void)
{
    Suite *s = suite_create("attempt");
    TCase *t = tcase_create("attempt");
    tcase_add_test(t, lack_of_memory_ends_work);
    tcase_add_test(t, an_attempt_in_another_is_none);
    tcase_add_test(t, temporary_files_are_closed);
    tcase_add_test(t, what_was_there_keeps_what_it_got);
    tcase_add_test(t, a_text_is_whole_or_none);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(t, flint_lacks_memory);
#endif
    suite_add_tcase(s, t);
    return s;
}
