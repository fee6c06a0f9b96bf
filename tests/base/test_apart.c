#include "tests.h"

#include "base/carrier.h"
#include "base/flint.h"
#include "darc.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAR "systems/quarter_car_chassis/model.darc"

static darc_err err;

/* Do work and return its status; the answer must be as given, of n bytes. */
static darc_status ask(darc_apart_work *work, void *user, const darc_budget *b,
                       const char *answer, size_t n)
{
    char *bytes;
    size_t length;
    darc_err_init(&err);
    darc_status status = darc_apart(&bytes, &length, work, user, b, &err);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    ck_assert_int_eq(errno, ECHILD);
    if (status == DARC_OK) {
        ck_assert_uint_eq(length, n);
        ck_assert_mem_eq(bytes, answer, n + 1);
        darc_apart_free(bytes);
    }
    return status;
}

static darc_status say(darc_answer *a, void *user, const darc_budget *b,
                       darc_err *e)
{
    (void)e;
    ck_assert(b->here);
    *(int *)user = 1;
    darc_answer_put(a, "a\0", 2);
    darc_answer_put(a, "bc", 2);
    return DARC_OK;
}

static darc_status refuse(darc_answer *a, void *user, const darc_budget *b,
                          darc_err *e)
{
    (void)user, (void)b;
    darc_answer_put(a, "half", 4);
    return darc_fail(e, DARC_DOMAIN, "no %s", "way");
}

START_TEST(answers_and_errors_come_back)
{
    int was = 0;
    darc_budget b;
    darc_budget_init(&b);
    ck_assert_int_eq(ask(say, &was, NULL, "a\0bc", 4), DARC_OK);
    ck_assert_int_eq(was, 0); /* its memory is its own */
    ck_assert_int_eq(ask(refuse, NULL, &b, "", 0), DARC_DOMAIN);
    ck_assert_str_eq(err.message, "no way");
    b.here = true;
    ck_assert_int_eq(ask(say, &was, &b, "a\0bc", 4), DARC_OK);
    ck_assert_int_eq(was, 1);
    ck_assert_int_eq(ask(refuse, NULL, &b, "", 0), DARC_DOMAIN);
}
END_TEST

static darc_status die(darc_answer *a, void *user, const darc_budget *b,
                       darc_err *e)
{
    (void)b, (void)e;
    darc_answer_put(a, "half", 4);
    printf("nobody reads that");
    fflush(stdout);
    if (*(int *)user == 0)
        _exit(0);
    raise(*(int *)user);
    return DARC_OK;
}

/* Handlers of the caller's do not run there. */
static void caller(int s)
{
    (void)s;
    _exit(0);
}

START_TEST(a_death_is_a_limit)
{
    static const int how[] = {0, SIGABRT, SIGSEGV, SIGKILL, SIGFPE, SIGTERM};
    int out = dup(STDOUT_FILENO);
    FILE *said = tmpfile();
    fflush(stdout);
    dup2(fileno(said), STDOUT_FILENO);
    signal(SIGABRT, caller);
    for (size_t i = 0; i < sizeof how / sizeof how[0]; i++) {
        ck_assert_int_eq(ask(die, (void *)&how[i], NULL, "", 0), DARC_LIMIT);
        ck_assert_ptr_nonnull(strstr(err.message, "memory is short"));
        ck_assert((strstr(err.message, "by signal") != NULL) == (how[i] != 0));
    }
    signal(SIGABRT, SIG_DFL);
    dup2(out, STDOUT_FILENO);
    ck_assert_int_eq(lseek(fileno(said), 0, SEEK_END), 0);
    fclose(said);
}
END_TEST

/* More than there is, asked of GMP. */
static darc_status grow(darc_answer *a, void *user, const darc_budget *b,
                        darc_err *e)
{
    fmpz_t x;
    (void)a, (void)user, (void)b, (void)e;
    fmpz_init_set_ui(x, 1);
    fmpz_mul_2exp(x, x, UWORD(1) << 33);
    fmpz_clear(x);
    return DARC_OK;
}

static darc_status hang(darc_answer *a, void *user, const darc_budget *b,
                        darc_err *e)
{
    (void)a, (void)user, (void)e;
    b->progress(b->user, &(darc_progress){"hanging", 2, 3, 4});
    b->partial(b->user, "half");
    while (pause() != 0)
        ;
    return DARC_OK;
}

typedef struct {
    int progress, partial, looks;
} heard;

static void on_progress(void *user, const darc_progress *p)
{
    ((heard *)user)->progress++;
    ck_assert_str_eq(p->stage, "hanging");
    ck_assert(p->done == 2 && p->total == 3 && p->terms == 4);
}

static void on_partial(void *user, const char *text)
{
    ((heard *)user)->partial++;
    ck_assert_str_eq(text, "half");
}

static int on_look(void *user)
{
    heard *h = user;
    return h->progress > 0 && h->partial > 0 && ++h->looks > 3;
}

static darc_status tell_deadline(darc_answer *a, void *user,
                                 const darc_budget *b, darc_err *e)
{
    (void)user;
    (void)e;
    darc_answer_put(a, &b->deadline, sizeof b->deadline);
    return DARC_OK;
}

/* A child is to end so early that its last word comes in time; with less than
 * a second that is not asked for. */
START_TEST(time_is_kept_for_the_end)
{
    static const double given[] = {0.5, 2, 10};
    static const double kept[] = {0, 0.2, 0.4};
    for (int i = 0; i < 3; i++) {
        darc_budget b;
        char *answer;
        size_t n;
        double deadline;
        const darc_apart_task task = {tell_deadline, NULL, false, 0};
        darc_budget_init(&b);
        b.deadline = darc_now() + given[i];
        ck_assert_int_eq(darc_apart_run(&answer, &n, &task, &b, NULL), DARC_OK);
        ck_assert_uint_eq(n, sizeof deadline);
        memcpy(&deadline, answer, sizeof deadline);
        darc_apart_free(answer);
        ck_assert_double_le(deadline, b.deadline - 0.9 * kept[i]);
        ck_assert_double_ge(deadline, b.deadline - kept[i] - 1e-6);
    }
}
END_TEST

/* When the limit is, and how often what waits looked up behind it. */
typedef struct {
    double deadline;
    int late;
} look;

static int count_late(void *user)
{
    look *l = user;
    l->late += darc_now() > l->deadline;
    return 0;
}

static void on_nothing(void *user, const char *text)
{
    (void)user, (void)text;
}

static void on_no_progress(void *user, const darc_progress *p)
{
    (void)user, (void)p;
}

/* One that does not end by itself is ended in time: not looked for again,
 * however long a busy machine takes for a look. */
START_TEST(time_limits_hold)
{
    darc_budget b;
    darc_budget_init(&b);
    look l = {darc_now() + 1.1, 0};
    b.user = &l;
    b.progress = on_no_progress;
    b.partial = on_nothing;
    b.interrupted = count_late;
    b.deadline = l.deadline;
    ck_assert_int_eq(ask(hang, NULL, &b, "", 0), DARC_LIMIT);
    ck_assert_int_le(l.late, 2);
}
END_TEST

START_TEST(budgets_hold)
{
    heard h = {0, 0, 0};
    darc_budget b;
    darc_budget_init(&b);
    b.user = &h;
    b.progress = on_progress;
    b.partial = on_partial;
    b.deadline = darc_now() + 0.1;
    ck_assert_int_eq(ask(hang, NULL, &b, "", 0), DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "time limit"));
    ck_assert(darc_now() < b.deadline + 1);
    ck_assert(h.progress == 1 && h.partial == 1);
    b.deadline = HUGE_VAL;
    b.interrupted = on_look;
    ck_assert_int_eq(ask(hang, NULL, &b, "", 0), DARC_LIMIT);
    ck_assert_str_eq(err.message, "interrupted");
    b.memory = 64 << 20;
    b.interrupted = NULL;
    ck_assert_int_eq(ask(grow, NULL, &b, "", 0), DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "memory"));
}
END_TEST

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void same_elimination(darc_elimination *a, darc_elimination *b)
{
    static const char *const format[] = {"c", "python"};
    ck_assert_int_eq(a->equations, b->equations);
    ck_assert_int_eq(a->inequations, b->inequations);
    for (int i = 0; i < a->equations; i++) {
        const darc_equation *x = a->equation + i, *y = b->equation + i;
        ck_assert(same(x->output, y->output) && same(x->engine, y->engine));
        ck_assert(x->terms == y->terms && x->order == y->order);
        ck_assert(same(darc_elimination_polynomial(a, i),
                       darc_elimination_polynomial(b, i)));
    }
    for (int i = 0; i < a->inequations; i++)
        ck_assert(
            same(a->inequation[i].polynomial, b->inequation[i].polynomial));
    for (int f = 0; f < 2; f++)
        ck_assert(same(darc_elimination_text(a, format[f]),
                       darc_elimination_text(b, format[f])));
    ck_assert_ptr_nonnull(strstr(darc_elimination_text(b, "json"), "{"));
    ck_assert_ptr_nonnull(strstr(darc_elimination_text(b, "text"), "'"));
    ck_assert_ptr_nonnull(strstr(darc_elimination_text(b, "latex"), "%"));
    ck_assert_ptr_null(darc_elimination_text(b, "fortran"));
}

static void same_asked(const darc_identified_function *a,
                       const darc_identified_function *b, int n)
{
    for (int i = 0; i < n; i++)
        ck_assert(same(a[i].name, b[i].name) &&
                  a[i].identifiable == b[i].identifiable);
}

static void same_identified(darc_identified *a, darc_identified *b)
{
    ck_assert(a->functions == b->functions && a->rank == b->rank &&
              a->parameters == b->parameters && a->scales == b->scales);
    for (int i = 0; i < a->functions; i++)
        ck_assert(same(a->function[i], b->function[i]));
    for (int i = 0; i < a->parameters; i++) {
        const darc_identified_parameter *x = a->parameter + i,
                                        *y = b->parameter + i;
        ck_assert(same(x->name, y->name) && x->explanations == y->explanations);
        for (int k = 0; k < x->explanations; k++) {
            const darc_name_list *s = x->explained_by + k,
                                 *t = y->explained_by + k;
            ck_assert_int_eq(s->count, t->count);
            for (int l = 0; l < s->count; l++)
                ck_assert(same(s->name[l], t->name[l]));
        }
    }
    ck_assert(a->states == b->states && a->asked == b->asked);
    same_asked(a->state, b->state, a->states);
    same_asked(a->asks, b->asks, a->asked);
    for (int i = 0; i < a->scales; i++)
        ck_assert(same(a->scale[i].name, b->scale[i].name) &&
                  same(a->scale[i].stands_for, b->scale[i].stands_for));
    ck_assert(same(a->scaled, b->scaled));
    ck_assert(
        same(darc_identified_text(a, "json"), darc_identified_text(b, "json")));
    ck_assert(
        same(darc_identified_text(a, "text"), darc_identified_text(b, "text")));
    ck_assert_ptr_null(darc_identified_text(b, "csv"));
}

static const char scaled[] =
    "model m\nparameters\n K R J\nstates\n i w\ninputs\n u\noutputs\n t\n"
    "equations\n R*i = u - K*w\n J*w' = K*i\n t = w*K\n";

/* What comes from a child is what is found here. */
START_TEST(children_find_the_same)
{
    static const char *const how[][2] = {{"form", "io"},
                                         {"for", "equal"},
                                         {"keep", "t,u"},
                                         {"for", "structure"},
                                         {"form", "support"}};
    darc_budget here;
    darc_elimination *e[2];
    darc_identified *found[2];
    darc_options *o;
    darc_model *model;
    darc_budget_init(&here);
    here.here = true;
    ck_assert_int_eq(
        darc_model_parse(&model, scaled, sizeof scaled - 1, "m", NULL),
        DARC_OK);
    for (size_t i = 0; i < sizeof how / sizeof how[0]; i++) {
        ck_assert_int_eq(darc_options_new(&o, "eliminate", NULL), DARC_OK);
        ck_assert_int_eq(darc_options_set(o, how[i][0], how[i][1], NULL),
                         DARC_OK);
        for (int k = 0; k < 2; k++)
            ck_assert_int_eq(
                darc_eliminate(&e[k], model, o, k == 0 ? &here : NULL, NULL),
                DARC_OK);
        same_elimination(e[0], e[1]);
        darc_options_free(o);
        for (int k = 0; k < 2; k++)
            darc_elimination_free(e[k]);
    }
    ck_assert_int_eq(darc_options_new(&o, "identify", NULL), DARC_OK);
    ck_assert_int_eq(darc_options_set(o, "ask", "K*R,J/K^2", NULL), DARC_OK);
    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(
            darc_identify(&found[k], model, o, k == 0 ? &here : NULL, NULL),
            DARC_OK);
    ck_assert_int_eq(found[1]->asked, 2);
    ck_assert_int_ge(found[1]->scales, 2);
    same_identified(found[0], found[1]);
    for (int k = 0; k < 2; k++)
        darc_identified_free(found[k]);
    darc_options_free(o);
    darc_model_free(model);
}
END_TEST

/* FLINT and GMP find memory so many times; of a child. */
static long left;

static void *take(size_t size)
{
    return left-- > 0 ? malloc(size) : NULL;
}

static void *take_zeroed(size_t n, size_t size)
{
    return left-- > 0 ? calloc(n, size) : NULL;
}

static void *resize(void *p, size_t size)
{
    return left-- > 0 ? realloc(p, size) : NULL;
}

static void *resize_from(void *p, size_t old, size_t size)
{
    (void)old;
    return resize(p, size);
}

static void give_back(void *p, size_t size)
{
    (void)size;
    free(p);
}

static darc_status identify_with(darc_answer *a, void *user,
                                 const darc_budget *b, darc_err *e)
{
    darc_identified *found;
    if (freopen("/dev/null", "w", stderr) == NULL)
        return darc_fail(e, DARC_INTERNAL, "/dev/null");
    __flint_set_memory_functions(take, take_zeroed, resize, free);
    mp_set_memory_functions(take, resize_from, give_back);
    darc_status status = darc_identify(&found, user, NULL, b, e);
    if (status == DARC_OK) {
        const char *text = darc_identified_text(found, "text");
        darc_answer_put(a, text, strlen(text));
    }
    return status;
}

/* Nothing or all comes back. */
START_TEST(lack_of_memory_is_survived)
{
    darc_model *model;
    darc_identified *found;
    darc_status status = DARC_LIMIT;
    int lacks = 0;
    ck_assert_int_eq(darc_model_read(&model, CAR, NULL), DARC_OK);
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    const char *text = darc_identified_text(found, "text");
    for (double n = 0; status != DARC_OK && n < 1e8; n = 1.4 * n + 1) {
        left = (long)n;
        status = ask(identify_with, model, NULL, text, strlen(text));
        ck_assert(status == DARC_OK || status == DARC_LIMIT);
        lacks += status == DARC_LIMIT;
    }
    ck_assert_int_ge(lacks, 10);
    ck_assert_int_eq(status, DARC_OK);
    darc_identified_free(found);
    darc_model_free(model);
}
END_TEST

static void *wait_for_it(void *user)
{
    int *pipe = user;
    char byte;
    while (read(pipe[0], &byte, 1) < 0)
        ;
    return NULL;
}

/* A child of one thread would wait for the locks of others. */
START_TEST(there_is_no_child_beside_other_threads)
{
    pthread_t other;
    int ends[2];
    darc_budget here = {.here = true};
    ck_assert(darc_apart_suits(NULL));
    ck_assert(!darc_apart_suits(&here));
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pthread_create(&other, NULL, wait_for_it, ends), 0);
    ck_assert(!darc_apart_suits(NULL));
    ck_assert_int_eq(write(ends[1], "", 1), 1);
    ck_assert_int_eq(pthread_join(other, NULL), 0);
}
END_TEST

Suite *suite_apart(void)
{
    Suite *s = suite_create("apart");
    TCase *c = tcase_create("apart");
    tcase_add_test(c, answers_and_errors_come_back);
    tcase_add_test(c, a_death_is_a_limit);
    tcase_add_test(c, time_is_kept_for_the_end);
    tcase_add_test(c, time_limits_hold);
    tcase_add_test(c, budgets_hold);
    tcase_add_test(c, children_find_the_same);
    tcase_add_test(c, lack_of_memory_is_survived);
    tcase_add_test(c, there_is_no_child_beside_other_threads);
    suite_add_tcase(s, c);
    return s;
}
