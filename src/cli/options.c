#include "cli/options.h"

#include "base/mem.h"
#include "syntax/suggest.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA                                                                   \
    (DARC_CMD_CHECK | DARC_CMD_ISOLATE | DARC_CMD_DRIFT | DARC_CMD_COMPARE)
#define DECIDE (DARC_CMD_CHECK | DARC_CMD_ISOLATE | DARC_CMD_DRIFT)
#define MODEL (DARC_CMD_ELIMINATE | DARC_CMD_IDENTIFY | DECIDE)
#define ALL (~0u)

static const darc_option_row table[] = {
#define FLAG(id, name, commands, help)                                         \
    {DARC_OPT_##id, name, NULL, DARC_KIND_FLAG, 0, 0, NULL, commands, help},
#define TEXT(id, name, argument, preset, commands, help)                       \
    {DARC_OPT_##id, name,     argument, DARC_KIND_TEXT, 0, 0,                  \
     preset,        commands, help},
#define PAIRS(id, name, argument, commands, help)                              \
    {DARC_OPT_##id, name,     argument, DARC_KIND_PAIRS, 0, 0,                 \
     NULL,          commands, help},
#define CHOICE(id, name, argument, preset, commands, help)                     \
    {DARC_OPT_##id, name,     argument, DARC_KIND_CHOICE, 0, 0,                \
     preset,        commands, help},
#define REAL(id, name, argument, low, high, preset, commands, help)            \
    {DARC_OPT_##id, name,     argument, DARC_KIND_REAL, low, high,             \
     preset,        commands, help},
#define WHOLE(id, name, argument, low, high, preset, commands, help)           \
    {DARC_OPT_##id, name,     argument, DARC_KIND_WHOLE, low, high,            \
     preset,        commands, help},
    DARC_OPTION_LIST(FLAG, TEXT, PAIRS, CHOICE, REAL, WHOLE)};

const darc_option_row *darc_option_row_at(int i)
{
    return &table[i];
}

const darc_option_row *darc_option_next(const darc_option_row *row,
                                        unsigned command)
{
    row = row == NULL ? table : row + 1;
    while (row < table + DARC_OPT_COUNT && (row->commands & command) == 0)
        row++;
    return row < table + DARC_OPT_COUNT ? row : NULL;
}

static const darc_option_row *find_row(const char *name, size_t n,
                                       unsigned command)
{
    const darc_option_row *row = NULL;
    while ((row = darc_option_next(row, command)) != NULL)
        if (strlen(row->name) == n && strncmp(row->name, name, n) == 0)
            break;
    return row;
}

static darc_status unknown_option(const char *arg, size_t n, unsigned command,
                                  darc_err *err)
{
    char *name = darc_strndup(arg, n);
    darc_suggestion near;
    darc_suggestion_init(&near, name);
    const darc_option_row *row = NULL;
    while ((row = darc_option_next(row, command)) != NULL)
        darc_suggestion_offer(&near, row->name);
    darc_fail(err, DARC_USAGE,
              "unknown option '%s'%s; see --help of the command", name,
              darc_suggestion_text(&near));
    darc_free(name);
    return DARC_USAGE;
}

static darc_status check_number(const darc_option_row *row, const char *text,
                                darc_err *err)
{
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(x))
        return darc_fail(err, DARC_USAGE, "%s: expected a number, not '%s'",
                         row->name, text);
    if (x < row->low || x > row->high)
        return darc_fail(err, DARC_USAGE, "%s: %s lies outside %g .. %g",
                         row->name, text, row->low, row->high);
    if (row->kind == DARC_KIND_WHOLE && x != floor(x))
        return darc_fail(err, DARC_USAGE,
                         "%s: expected a whole number, not '%s'", row->name,
                         text);
    return DARC_OK;
}

/* Return the place of text in "a|b|c", -1 if it is not there. */
static int word_index(const char *list, const char *text)
{
    size_t n = strlen(text);
    for (int i = 0;; i++) {
        size_t length = strcspn(list, "|");
        if (length == n && strncmp(list, text, n) == 0)
            return i;
        if (list[length] == '\0')
            return -1;
        list += length + 1;
    }
}

static darc_status check_choice(const darc_option_row *row, const char *text,
                                darc_err *err)
{
    if (word_index(row->argument, text) >= 0)
        return DARC_OK;
    return darc_fail(err, DARC_USAGE, "%s: expected %s, not '%s'", row->name,
                     row->argument, text);
}

/* list -> item { ',' item };  item -> name ['=' value], neither empty */
static darc_status check_pairs(const darc_option_row *row, const char *text,
                               darc_err *err)
{
    bool valued = strchr(row->argument, '=') != NULL;
    for (const char *s = text;; s++) {
        size_t name = strcspn(s, "=,"), all = strcspn(s, ",");
        if (name == 0 || (valued && (s[name] != '=' || all <= name + 1)) ||
            (!valued && name != all))
            return darc_fail(err, DARC_USAGE, "%s: expected %s, not '%s'",
                             row->name, row->argument, text);
        s += all;
        if (*s == '\0')
            return DARC_OK;
    }
}

static darc_status check_value(const darc_option_row *row, const char *text,
                               darc_err *err)
{
    switch (row->kind) {
    case DARC_KIND_REAL:
    case DARC_KIND_WHOLE:
        return check_number(row, text, err);
    case DARC_KIND_CHOICE:
        return check_choice(row, text, err);
    case DARC_KIND_PAIRS:
        return check_pairs(row, text, err);
    case DARC_KIND_FLAG:
    case DARC_KIND_TEXT:
        break;
    }
    if (text[0] == '\0')
        return darc_fail(err, DARC_USAGE, "%s: expected %s", row->name,
                         row->argument);
    return DARC_OK;
}

/* Store text as the value of the option, or add it to what stands there. */
static void store(darc_options *o, const darc_option_row *row, const char *text)
{
    char *old = o->value[row->id];
    bool adds_up = row->kind == DARC_KIND_PAIRS || row->id == DARC_OPT_INPUT;
    if (old == NULL || !adds_up) {
        o->value[row->id] = darc_strdup(text);
    } else {
        darc_text_t both;
        darc_text_init(both);
        char separator = row->id == DARC_OPT_INPUT ? '\n' : ',';
        darc_text_printf(both, "%s%c%s", old, separator, text);
        o->value[row->id] = darc_text_take(both);
    }
    darc_free(old);
}

/* Parse argv[*i], an option, and its argument if that stands apart. */
static darc_status parse_option(darc_options *o, int argc, char **argv, int *i,
                                darc_err *err)
{
    const char *arg = argv[*i], *equals = strchr(arg, '=');
    size_t n = equals != NULL ? (size_t)(equals - arg) : strlen(arg);
    const darc_option_row *row = find_row(arg, n, o->command);
    if (row == NULL)
        return unknown_option(arg, n, o->command, err);
    if (row->kind == DARC_KIND_FLAG) {
        if (equals != NULL)
            return darc_fail(err, DARC_USAGE, "%s takes no value", row->name);
        store(o, row, "yes");
        return DARC_OK;
    }
    if (equals == NULL && *i + 1 >= argc)
        return darc_fail(err, DARC_USAGE, "%s: expected %s after it", row->name,
                         row->argument);
    const char *text = equals != NULL ? equals + 1 : argv[++*i];
    darc_status status = check_value(row, text, err);
    if (status == DARC_OK)
        store(o, row, text);
    return status;
}

static char *join(int argc, char **argv)
{
    darc_text_t line;
    darc_text_init(line);
    for (int i = 0; i < argc; i++) {
        if (i > 0)
            darc_text_putc(line, ' ');
        bool quote = strpbrk(argv[i], " \"'\\$&|;<>*?()") != NULL;
        darc_text_printf(line, quote ? "'%s'" : "%s", argv[i]);
    }
    return darc_text_take(line);
}

darc_status darc_options_parse(darc_options *o, unsigned command, int argc,
                               char **argv, darc_err *err)
{
    darc_status status = DARC_OK;
    *o = (darc_options){.command = command};
    o->operand = darc_calloc((size_t)argc, sizeof *o->operand);
    o->command_line = join(argc, argv);
    bool options = true;
    for (int i = 0; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && argv[i][0] == '-' && argv[i][1] != '\0')
            DARC_TRY(parse_option(o, argc, argv, &i, err));
        else
            o->operand[o->operands++] = argv[i];
    }
done:
    if (status != DARC_OK)
        darc_options_clear(o);
    return status;
}

void darc_options_clear(darc_options *o)
{
    for (int i = 0; i < DARC_OPT_COUNT; i++) {
        darc_free(o->value[i]);
        o->value[i] = NULL;
    }
    darc_free((void *)o->operand);
    o->operand = NULL;
    darc_free((void *)o->command_line);
    o->command_line = NULL;
}

bool darc_option_given(const darc_options *o, darc_option_id id)
{
    return o->value[id] != NULL;
}

const char *darc_option_text(const darc_options *o, darc_option_id id)
{
    return o->value[id] != NULL ? o->value[id] : table[id].preset;
}

double darc_option_real(const darc_options *o, darc_option_id id)
{
    const char *text = darc_option_text(o, id);
    return text != NULL ? strtod(text, NULL) : NAN;
}

long darc_option_whole(const darc_options *o, darc_option_id id)
{
    const char *text = darc_option_text(o, id);
    return text != NULL ? (long)strtod(text, NULL) : 0;
}

int darc_option_choice(const darc_options *o, darc_option_id id)
{
    const char *text = darc_option_text(o, id);
    return text == NULL ? -1 : word_index(table[id].argument, text);
}

void darc_pairs_append(darc_pairs *p, const char *name, size_t n,
                       const char *value, size_t m)
{
    size_t alloc = p->alloc;
    p->name = darc_grow(p->name, (size_t)p->count, &alloc, sizeof *p->name);
    p->value =
        darc_grow(p->value, (size_t)p->count, &p->alloc, sizeof *p->value);
    p->name[p->count] = darc_strndup(name, n);
    p->value[p->count++] = darc_strndup(value, m);
}

void darc_option_pairs(darc_pairs *p, const darc_options *o, darc_option_id id)
{
    *p = (darc_pairs){0};
    const char *s = darc_option_text(o, id);
    while (s != NULL && *s != '\0') {
        size_t n = strcspn(s, ","), name = strcspn(s, "=,");
        size_t value = name < n ? name + 1 : n;
        darc_pairs_append(p, s, name, s + value, n - value);
        s += n + (s[n] == ',');
    }
}

void darc_pairs_clear(darc_pairs *p)
{
    for (int i = 0; i < p->count; i++) {
        darc_free(p->name[i]);
        darc_free(p->value[i]);
    }
    darc_free(p->name);
    darc_free(p->value);
    *p = (darc_pairs){0};
}

void darc_options_help(darc_text_t out, unsigned command)
{
    const darc_option_row *row = NULL;
    while ((row = darc_option_next(row, command)) != NULL) {
        const char *argument = row->argument != NULL ? row->argument : "";
        size_t begin = out->len;
        darc_text_printf(out, "  %s %s", row->name, argument);
        size_t width = out->len - begin;
        if (width > 26)
            darc_text_putc(out, '\n');
        int pad = width > 26 ? 28 : 28 - (int)width;
        darc_text_printf(out, "%*s%s", pad, "", row->help);
        if (row->preset != NULL)
            darc_text_printf(out, " [%s]", row->preset);
        darc_text_putc(out, '\n');
    }
}

int darc_cli_fail(const darc_err *err)
{
    static const int code[] = {
        [DARC_OK] = DARC_EXIT_LIMIT,    [DARC_SYNTAX] = DARC_EXIT_INPUT,
        [DARC_MODEL] = DARC_EXIT_INPUT, [DARC_DATA] = DARC_EXIT_INPUT,
        [DARC_IO] = DARC_EXIT_INPUT,    [DARC_DOMAIN] = DARC_EXIT_INPUT,
        [DARC_LIMIT] = DARC_EXIT_LIMIT, [DARC_INTERNAL] = DARC_EXIT_LIMIT,
        [DARC_USAGE] = DARC_EXIT_USAGE};
    /* A message with its own place ("file:3:1: error: ...") stands as it
     * is. */
    bool placed = strstr(err->message, ": error: ") != NULL;
    fprintf(stderr, placed ? "%s\n" : "darc: %s\n", err->message);
    return code[err->status];
}

int darc_cli_exit_code(darc_verdict verdict)
{
    static const int code[] = {[DARC_CONSISTENT] = DARC_EXIT_CONSISTENT,
                               [DARC_INCONSISTENT] = DARC_EXIT_INCONSISTENT,
                               [DARC_UNDECIDED] = DARC_EXIT_UNDECIDED};
    return code[verdict];
}
