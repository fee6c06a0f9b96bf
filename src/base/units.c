#define _DEFAULT_SOURCE /* M_PI */

#include "base/units.h"

#include "base/mem.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Parentheses within parentheses. */
enum { DEEPEST = 20, LEAF = 64 };

/* What is used of udunits2.h (2.2). */
typedef struct ut_unit ut_unit;
typedef struct ut_system ut_system;
typedef struct cv_converter cv_converter;
typedef struct {
    int (*basic)(const ut_unit *u, void *arg);
    int (*product)(const ut_unit *u, int count, const ut_unit *const *basic,
                   const int *power, void *arg);
    int (*galilean)(const ut_unit *u, double scale, const ut_unit *of,
                    double offset, void *arg);
    int (*timestamp)(const ut_unit *u, const ut_unit *of, double origin,
                     void *arg);
    int (*logarithmic)(const ut_unit *u, double base, const ut_unit *of,
                       void *arg);
} ut_visitor;

#define FUNCTIONS(X)                                                           \
    X(ut_system *, ut_read_xml, (const char *path))                            \
    X(ut_unit *, ut_parse, (const ut_system *s, const char *text, int utf8))   \
    X(void, ut_free, (ut_unit * u))                                            \
    X(int, ut_map_name_to_unit,                                                \
      (const char *name, int encoding, const ut_unit *u))                      \
    X(const char *, ut_get_symbol, (const ut_unit *u, int encoding))           \
    X(int, ut_accept_visitor,                                                  \
      (const ut_unit *u, const ut_visitor *v, void *arg))                      \
    X(cv_converter *, ut_get_converter, (ut_unit * from, ut_unit * to))        \
    X(double, cv_convert_double, (const cv_converter *c, double x))            \
    X(void, cv_free, (cv_converter * c))                                       \
    X(void *, ut_set_error_message_handler,                                    \
      (int (*handler)(const char *, va_list)))

/* The library keeps one state for the process; so does this. */
static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    ut_system *system; /* NULL: there is none */
/* A declaration takes no parentheses.
 * NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define MEMBER(type, name, arguments) type(*name) arguments;
    FUNCTIONS(MEMBER)
#undef MEMBER
} library = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

/* As engineers write them, beside what the library knows. */
static const struct {
    const char *name, *meaning;
} aliases[] = {{"deg", "degree"},
               {"Nm", "N.m"},
               {"Ah", "A.h"},
               {"Wh", "W.h"},
               {"Vs", "V.s"},
               {"As", "A.s"},
               {"Ws", "W.s"},
               {"Pas", "Pa.s"},
               {"kmh", "km/h"},
               {"rev", "6.283185307179586 rad"},
               {"U", "6.283185307179586 rad"},
               {"Upm", "rpm"},
               {"hrs", "h"},
               {"VDC", "V"},
               {"VAC", "V"},
               {"Vdc", "V"},
               {"Vac", "V"},
               {"Vrms", "V"},
               {"Arms", "A"},
               {"lpm", "L/min"},
               {"gpm", "gallon/min"},
               {"cfm", "ft3/min"}};

static int be_silent(const char *format, va_list arguments)
{
    (void)format, (void)arguments;
    return 0;
}

static void hold_lock(void)
{
    pthread_mutex_lock(&library.lock);
}

static void release(void)
{
    pthread_mutex_unlock(&library.lock);
}

/* A child that another thread forks finds the lock free. */
static void load(void)
{
    pthread_atfork(hold_lock, release, release);
    void *handle = dlopen("libudunits2.so.0", RTLD_NOW | RTLD_LOCAL);
    bool all = handle != NULL;
#define FIND(type, name, arguments)                                            \
    if (all) {                                                                 \
        void *found = dlsym(handle, #name);                                    \
        memcpy(&library.name, &found, sizeof found);                           \
        all = found != NULL;                                                   \
    }
    FUNCTIONS(FIND)
#undef FIND
    if (!all)
        return;
    library.ut_set_error_message_handler(be_silent);
    library.system = library.ut_read_xml(NULL);
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (library.system == NULL)
            return;
        ut_unit *u = library.ut_parse(library.system, aliases[i].meaning, 0);
        if (u != NULL)
            library.ut_map_name_to_unit(aliases[i].name, 0, u);
        library.ut_free(u);
    }
}

const char *const darc_unit_symbol[DARC_UNIT_BASES] = {"m", "kg",  "s",  "A",
                                                       "K", "mol", "cd", "rad"};

static int add_basic(darc_unit *unit, const ut_unit *basic, int power)
{
    const char *own = library.ut_get_symbol(basic, 0);
    for (int k = 0; own != NULL && k < DARC_UNIT_BASES; k++)
        if (strcmp(own, darc_unit_symbol[k]) == 0) {
            unit->power[k] += power;
            return 0;
        }
    return 1;
}

static int on_basic(const ut_unit *u, void *arg)
{
    return add_basic(arg, u, 1);
}

static int on_product(const ut_unit *u, int count, const ut_unit *const *basic,
                      const int *power, void *arg)
{
    int bad = 0;
    (void)u;
    for (int i = 0; i < count; i++)
        bad |= add_basic(arg, basic[i], power[i]);
    return bad;
}

static int read_leaf(const ut_unit *u, void *arg);

static int on_galilean(const ut_unit *u, double scale, const ut_unit *of,
                       double offset, void *arg)
{
    darc_unit *unit = arg;
    (void)scale, (void)offset;
    ut_unit *from, *to;
    memcpy(&from, &u, sizeof u); /* the converter takes them as they are */
    memcpy(&to, &of, sizeof of);
    cv_converter *c = library.ut_get_converter(from, to);
    if (c == NULL)
        return 1;
    double shift = library.cv_convert_double(c, 0);
    double one = library.cv_convert_double(c, 1) - shift;
    if (shift != 0) /* digits that the shift took */
        one = (library.cv_convert_double(c, 1e9) - shift) / 1e9;
    library.cv_free(c);
    int bad = read_leaf(of, unit);
    unit->shift += unit->scale * shift;
    unit->scale *= one;
    return bad;
}

static int on_timestamp(const ut_unit *u, const ut_unit *of, double origin,
                        void *arg)
{
    (void)u, (void)of, (void)origin, (void)arg;
    return 1;
}

static int on_logarithmic(const ut_unit *u, double base, const ut_unit *of,
                          void *arg)
{
    (void)u, (void)base, (void)of, (void)arg;
    return 1;
}

static int read_leaf(const ut_unit *u, void *arg)
{
    static const ut_visitor visitor = {on_basic, on_product, on_galilean,
                                       on_timestamp, on_logarithmic};
    return library.ut_accept_visitor(u, &visitor, arg);
}

/* Bytes that the library takes at most, some .4 MB (measured): where it finds
 * none it ends the process, or knows no units from then on. */
enum { ENOUGH = 2 << 20 };

static bool is_missing(void)
{
    darc_mem_require(ENOUGH);
    pthread_once(&library.once, load);
    return library.system == NULL;
}

/* What most models need; the library reads half a megabyte of units first. */
static bool is_coherent(darc_unit *unit, const char *name)
{
    static const char *const si[][2] = {
        {"Hz", "1/s"},  {"N", "kg*m/s^2"}, {"Nm", "N*m"}, {"Pa", "N/m^2"},
        {"J", "N*m"},   {"W", "J/s"},      {"C", "A*s"},  {"V", "W/A"},
        {"ohm", "V/A"}, {"F", "C/V"},      {"Wb", "V*s"}, {"H", "Wb/A"}};
    for (int k = 0; k < DARC_UNIT_BASES; k++)
        if (strcmp(name, darc_unit_symbol[k]) == 0) {
            unit->power[k] = 1;
            return true;
        }
    for (size_t i = 0; i < sizeof si / sizeof si[0]; i++)
        if (strcmp(name, si[i][0]) == 0)
            return darc_unit_read(unit, si[i][1]);
    return false;
}

/* A word may begin with a capital: "Seconds". */
static bool look_up(darc_unit *unit, const char *name)
{
    enum { SYMBOL = 3 }; /* letters of which a capital means something else */
    *unit = (darc_unit){.scale = 1};
    if (is_coherent(unit, name))
        return true;
    if (is_missing())
        return false;
    size_t n = strlen(name);
    bool word = n > SYMBOL && n < LEAF && *name >= 'A' && *name <= 'Z';
    for (size_t i = 1; i < n && word; i++)
        word = name[i] >= 'a' && name[i] <= 'z';
    pthread_mutex_lock(&library.lock);
    ut_unit *u = library.ut_parse(library.system, name, 2);
    if (u == NULL && word) {
        char small[LEAF];
        memcpy(small, name, n + 1);
        small[0] = (char)(small[0] | 0x20);
        u = library.ut_parse(library.system, small, 2);
    }
    bool is = u != NULL && read_leaf(u, unit) == 0;
    library.ut_free(u);
    pthread_mutex_unlock(&library.lock);
    return is;
}

/* "Deg C", "deg. F", "degrees Celsius": return the letter; 0: none of them. */
static char degrees_in(const char *s)
{
    if (strncasecmp(s, "deg", 3) != 0)
        return 0;
    s += strncasecmp(s, "degree", 6) == 0 ? 6 : 3;
    s += *s == 's' || *s == '.';
    if (*s != ' ' && *s != '_')
        return 0;
    while (*s == ' ' || *s == '_')
        s++;
    char letter = (char)(*s & ~0x20);
    const char *word = letter == 'C' ? "celsius" : "fahrenheit";
    bool is = strchr("CF", letter) != NULL && letter != '\0' &&
              (s[1] == '\0' || strcasecmp(s, word) == 0);
    return is ? letter : 0;
}

typedef struct {
    const char *s;
    int depth;
} reader;

static void raise(darc_unit *u, double p)
{
    if (p != 1)
        u->shift = 0;
    u->scale = pow(u->scale, p);
    for (int k = 0; k < DARC_UNIT_BASES; k++)
        u->power[k] *= p;
}

static void blanks(reader *r)
{
    while (*r->s == ' ')
        r->s++;
}

static bool read_product(darc_unit *u, reader *r);

/* primary -> '(' product ')' | number | name; "\xc2\xb7" is a middle dot */
static bool read_primary(darc_unit *u, reader *r)
{
    blanks(r);
    if (*r->s == '(') {
        r->s++;
        if (++r->depth > DEEPEST || !read_product(u, r) || *r->s != ')')
            return false;
        r->s++;
        r->depth--;
        return true;
    }
    if (*r->s >= '0' && *r->s <= '9') {
        char *end;
        *u = (darc_unit){.scale = strtod(r->s, &end)};
        r->s = end;
        return u->scale > 0;
    }
    char name[LEAF];
    size_t n = strcspn(r->s, "*/^(). ");
    const char *dot = strstr(r->s, "\xc2\xb7");
    n = dot != NULL && (size_t)(dot - r->s) < n ? (size_t)(dot - r->s) : n;
    if (n == 0 || n >= sizeof name)
        return false;
    memcpy(name, r->s, n);
    name[n] = '\0';
    r->s += n;
    return look_up(u, name);
}

/* power -> primary ['^' number | '^' '(' number ['/' number] ')'] */
static bool read_power(darc_unit *u, reader *r)
{
    if (!read_primary(u, r))
        return false;
    blanks(r);
    if (*r->s != '^')
        return true;
    bool framed = *++r->s == '(';
    char *end;
    r->s += framed;
    double p = strtod(r->s, &end), q = 1;
    if (end == r->s)
        return false;
    r->s = end;
    if (framed && *r->s == '/') {
        q = strtod(r->s + 1, &end);
        r->s = end;
    }
    if (framed && *r->s++ != ')')
        return false;
    if (!(q > 0) || !(fabs(p / q) < 100))
        return false;
    raise(u, p / q);
    return true;
}

/* product -> power { ['*' | '.' | ' ' | '/'] power } */
static bool read_product(darc_unit *u, reader *r)
{
    if (!read_power(u, r))
        return false;
    for (;;) {
        darc_unit factor;
        blanks(r);
        if (*r->s == '\0' || *r->s == ')')
            return true;
        bool divide = *r->s == '/';
        if (strchr("*/.", *r->s) != NULL)
            r->s++;
        else if (strncmp(r->s, "\xc2\xb7", 2) == 0)
            r->s += 2;
        if (!read_power(&factor, r))
            return false;
        raise(&factor, divide ? -1 : 1);
        for (int k = 0; k < DARC_UNIT_BASES; k++)
            u->power[k] += factor.power[k];
        u->scale *= factor.scale;
        u->shift = 0;
    }
}

bool darc_unit_read(darc_unit *unit, const char *text)
{
    *unit = (darc_unit){.scale = 1};
    if (strcmp(text, "-") == 0)
        return true;
    char letter = degrees_in(text);
    if (letter != 0)
        return look_up(unit, letter == 'C' ? "degC" : "degF");
    reader r = {text, 0};
    return strlen(text) < 4 * LEAF && read_product(unit, &r) && *r.s == '\0' &&
           isfinite(unit->scale);
}

static bool equal(double a, double b)
{
    return fabs(a - b) < 1e-9; /* sums of a few fractions */
}

bool darc_unit_same(const double *a, const double *b)
{
    for (int k = 0; k < DARC_UNIT_SI; k++)
        if (!equal(a[k], b[k]))
            return false;
    return true;
}

/* What a header means by a symbol that says something else: NULL, nothing. */
static const char *meant_by(const char *unit)
{
    static const char *const other[][2] = {
        {"g", "standard_free_fall"}, {"C", "degC"}, {"F", "degF"}};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (strcmp(unit, other[i][0]) == 0)
            return other[i][1];
    return NULL;
}

const char *darc_unit_meant(const char *from, const char *to)
{
    darc_unit a, b, c;
    const char *meant = meant_by(from);
    return meant != NULL && darc_unit_read(&a, from) &&
                   darc_unit_read(&b, to) && darc_unit_read(&c, meant) &&
                   !darc_unit_same(a.power, b.power) &&
                   darc_unit_same(c.power, b.power)
               ? meant
               : NULL;
}

darc_status darc_unit_convert(double *scale, double *shift, const char *from,
                              const char *to, darc_err *err)
{
    darc_unit a, b;
    bool known = darc_unit_read(&a, from), wanted = darc_unit_read(&b, to);
    if ((!known || !wanted) && is_missing())
        return darc_fail(err, DARC_IO,
                         "'%s' cannot be brought to '%s' without the package "
                         "libudunits2-0, which is missing or cannot be read",
                         from, to);
    if (!known || !wanted)
        return darc_fail(err, DARC_DATA,
                         "'%s' cannot be brought to '%s': '%s' is no unit "
                         "that is known",
                         from, to, known ? to : from);
    const char *meant = meant_by(from);
    if (meant != NULL && !darc_unit_same(a.power, b.power))
        look_up(&a, meant);
    if (!darc_unit_same(a.power, b.power))
        return darc_fail(err, DARC_DATA,
                         "'%s' cannot be brought to '%s': they measure "
                         "different things",
                         from, to);
    if (!equal(a.power[DARC_UNIT_SI], b.power[DARC_UNIT_SI]))
        return darc_fail(
            err, DARC_DATA,
            "'%s' is not brought to '%s': a turn or cycle is 2 pi "
            "rad (factor %.7g if turns are counted, else %.7g)",
            from, to,
            a.scale / b.scale *
                (a.power[DARC_UNIT_SI] == 0 ? 2 * M_PI : 0.5 / M_PI),
            a.scale / b.scale);
    *scale = a.scale / b.scale;
    *shift = (a.shift - b.shift) / b.scale;
    return DARC_OK;
}
