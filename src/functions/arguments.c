#include "functions/arguments.h"

#include "algebra/finite.h"
#include "base/mem.h"
#include "functions/lattice.h"
#include "functions/terms.h"
#include "functions/thresholds.h"

#include <string.h>

/* exp, sinh, cosh, tanh; sin, cos, tan; log; atan and sqrt, each for itself. */
typedef enum { KIND_EXP, KIND_CIRCLE, KIND_LOG, KIND_ALONE, KINDS } kind;

enum { KNOWN = DARC_KNOWN_HIDDEN + 1 };

typedef struct {
    ulong at[2];
    bool good;
} residues;

/* The first call of a function with some argument, up to the sign. */
typedef struct {
    darc_expr *call; /* owned */
    residues value;  /* of its argument */
    int group;       /* whose basis makes it; -1: it stays */
} member;

/* Integer combinations of some arguments. */
typedef struct {
    fmpq_mat_t basis; /* by atoms */
    fmpz_mat_t by;    /* members by basis */
} group;

typedef struct {
    int count;
    member *item; /* owned */
    int atoms;
    darc_expr **atom;  /* the best known ones first; owned; NULL: 1 */
    darc_known *known; /* owned */
    int columns;
    int *column;         /* independent atoms, hidden ones first; owned */
    int from[KNOWN + 1]; /* where those begin that are so well known */
    fmpq_mat_t row;      /* members by columns; count > 0 */
    int groups;
    group *of; /* owned */
} family;

typedef struct {
    darc_syntax *syntax;
    const darc_arguments *about;
    family of[KINDS];
} sharing;

static kind kind_of(const darc_expr *e)
{
    if (e->kind != DARC_EXPR_CALL || e->count != 1)
        return KINDS;
    switch (e->function) {
    case DARC_FUNCTION_EXP:
    case DARC_FUNCTION_SINH:
    case DARC_FUNCTION_COSH:
    case DARC_FUNCTION_TANH:
        return KIND_EXP;
    case DARC_FUNCTION_SIN:
    case DARC_FUNCTION_COS:
    case DARC_FUNCTION_TAN:
        return KIND_CIRCLE;
    case DARC_FUNCTION_LOG:
        return KIND_LOG;
    case DARC_FUNCTION_ATAN:
    case DARC_FUNCTION_SQRT:
        return KIND_ALONE;
    default:
        return KINDS;
    }
}

/* tan(a) is made of sin(2*a) and cos(2*a), tanh(a) of exp(2*a). */
static bool is_half(darc_function f)
{
    return f == DARC_FUNCTION_TAN || f == DARC_FUNCTION_TANH;
}

static bool is_even(darc_function f)
{
    return f == DARC_FUNCTION_COS || f == DARC_FUNCTION_COSH;
}

static bool is_odd(darc_function f)
{
    return f == DARC_FUNCTION_SIN || f == DARC_FUNCTION_ATAN ||
           f == DARC_FUNCTION_SINH || is_half(f);
}

/* Whether f of an argument can be made of g of the same, both of a kind. */
static bool is_alike(darc_function f, darc_function g, kind k)
{
    return f == g || (k < KIND_LOG && is_half(f) == is_half(g));
}

static residues residues_of(const darc_expr *e)
{
    residues r = {.good = true};
    nmod_t mod;
    nmod_init(&mod, darc_finite_prime(0));
    for (ulong k = 0; k < 2; k++)
        r.good = r.good && darc_expr_residue(r.at + k, e, mod, k + 1);
    return r;
}

/* Return 1 where a = b, -1 where a = -b, else 0: as rational functions. */
static int sign_of(const residues *a, const residues *b)
{
    ulong p = darc_finite_prime(0);
    bool same = a->good && b->good, turned = same;
    for (int k = 0; k < 2; k++) {
        same = same && a->at[k] == b->at[k];
        turned = turned && a->at[k] == n_negmod(b->at[k], p);
    }
    return same ? 1 : turned ? -1 : 0;
}

/* Return the member of that argument, its own at *sign; NULL: there is none.
 */
static member *find_member(int *sign, sharing *s, const darc_expr *e, kind k)
{
    residues own = residues_of(e->child[0]);
    bool turns = is_odd(e->function) || is_even(e->function) ||
                 (e->function == DARC_FUNCTION_EXP &&
                  s->about->known(e, s->about->user) != DARC_KNOWN_MEASURED);
    for (int i = 0; i < s->of[k].count; i++) {
        member *m = s->of[k].item + i;
        if (!is_alike(e->function, m->call->function, k))
            continue;
        *sign = sign_of(&own, &m->value);
        if (*sign > 0 || (*sign < 0 && turns))
            return m;
    }
    return NULL;
}

static void list_calls(sharing *s, darc_expr **e)
{
    darc_power_to_function(e);
    for (int i = 0; i < (*e)->count; i++)
        list_calls(s, &(*e)->child[i]);
    kind k = kind_of(*e);
    int sign;
    if (k == KINDS || find_member(&sign, s, *e, k) != NULL)
        return;
    family *f = s->of + k;
    DARC_ROOM(f->item, f->count);
    f->item[f->count++] =
        (member){darc_expr_copy(*e), residues_of((*e)->child[0]), -1};
}

/* ---- arguments as sums of atoms ----------------------------------------- */

static void terms_of(darc_terms *l, const member *m, kind k)
{
    fmpq_t by;
    fmpq_init(by);
    fmpq_set_si(by, is_half(m->call->function) ? 2 : 1, 1);
    darc_terms_append(l, k == KIND_LOG ? m->call : m->call->child[0], by);
    fmpq_clear(by);
}

static bool is_same(const darc_expr *a, const darc_expr *b)
{
    return a == NULL || b == NULL ? a == b : darc_expr_equal(a, b);
}

static int number_of(const family *f, const darc_expr *e)
{
    int i = 0;
    while (i < f->atoms && !is_same(f->atom[i], e))
        i++;
    return i;
}

/* exp(log(a)) is known. */
static darc_known known_of(const sharing *s, const darc_expr *e, kind k)
{
    darc_known d =
        e == NULL ? DARC_KNOWN_NUMBER : s->about->known(e, s->about->user);
    bool log = k == KIND_EXP && e != NULL && kind_of(e) == KIND_LOG;
    return log && d == DARC_KNOWN_HIDDEN ? DARC_KNOWN_MEASURED : d;
}

/* Put the atom where the better known ones, then the shorter ones, come first.
 */
static void insert_atom(sharing *s, kind k, const darc_expr *e)
{
    family *f = s->of + k;
    if (number_of(f, e) < f->atoms)
        return;
    darc_known known = known_of(s, e, k);
    size_t nodes = e == NULL ? 0 : darc_expr_nodes(e);
    int at = f->atoms, room = f->atoms;
    DARC_ROOM(f->atom, room);
    DARC_ROOM(f->known, f->atoms);
    for (; at > 0 && (known < f->known[at - 1] ||
                      (known == f->known[at - 1] &&
                       nodes < darc_expr_nodes(f->atom[at - 1])));
         at--) {
        f->atom[at] = f->atom[at - 1];
        f->known[at] = f->known[at - 1];
    }
    f->atom[at] = e == NULL ? NULL : darc_expr_copy(e);
    f->known[at] = known;
    f->atoms++;
}

/* Set value to the atoms at points that obey the model's equations. */
static bool evaluate_atoms(nmod_mat_t value, const sharing *s, const family *f)
{
    nmod_t mod;
    slong points = 0;
    nmod_init(&mod, value->mod.n);
    darc_expr **e = darc_calloc((size_t)f->atoms, sizeof *e);
    for (int i = 0; i < f->atoms; i++) {
        e[i] = f->atom[i] == NULL ? darc_expr_integer((darc_place){0, 0}, 1)
                                  : darc_expr_copy(f->atom[i]);
        s->about->resolve(e + i, s->about->user);
    }
    for (ulong seed = 1; seed < 3 * (ulong)nmod_mat_nrows(value) &&
                         points < nmod_mat_nrows(value);
         seed++) {
        bool good = true;
        for (int i = 0; i < f->atoms && good; i++)
            good = darc_expr_residue(&nmod_mat_entry(value, points, i), e[i],
                                     mod, seed);
        points += good;
    }
    DARC_ALL_OF(darc_expr_free, e, f->atoms);
    darc_free(e);
    return points == nmod_mat_nrows(value);
}

/* Append a column: atom number i, by[.][j] of all atoms by such ones. */
static void append_column(family *f, slong i, const fmpq_mat_t by, slong j,
                          kind k)
{
    f->column[f->columns] = (int)i;
    for (int m = 0; m < f->count; m++) {
        darc_terms l = {0};
        terms_of(&l, f->item + m, k);
        for (int t = 0; t < l.count; t++)
            fmpq_addmul(fmpq_mat_entry(f->row, m, f->columns), l.item[t].factor,
                        fmpq_mat_entry(by, number_of(f, l.item[t].of), j));
        darc_terms_clear(&l);
    }
    f->columns++;
}

/* Set the rows of members; none where there is no saying. */
static void set_rows(sharing *s, kind k)
{
    family *f = s->of + k;
    darc_terms l = {0};
    for (int i = 0; i < f->count; i++)
        terms_of(&l, f->item + i, k);
    for (int i = 0; i < l.count && f->atoms < DARC_SHARED_TERMS; i++)
        insert_atom(s, k, l.item[i].of);
    bool few = l.count == 0 || number_of(f, l.item[l.count - 1].of) < f->atoms;
    darc_terms_clear(&l);
    nmod_mat_t value;
    fmpq_mat_t by;
    slong *pivot = darc_calloc((size_t)f->atoms + 1, sizeof *pivot), rank = 0;
    nmod_mat_init(value, f->atoms + 2, f->atoms, darc_finite_prime(0));
    bool good = few && evaluate_atoms(value, s, f) &&
                (rank = darc_lattice_express(by, pivot, value)) >= 0;
    f->column = darc_calloc((size_t)f->atoms + 1, sizeof *f->column);
    fmpq_mat_init(f->row, f->count, FLINT_MAX(rank, 0));
    for (int c = 0; c < KNOWN; c++) {
        f->from[c] = f->columns;
        for (slong j = 0; j < rank; j++)
            if ((int)f->known[pivot[j]] == DARC_KNOWN_HIDDEN - c)
                append_column(f, pivot[j], by, j, k);
    }
    f->from[KNOWN] = f->columns;
    if (good)
        fmpq_mat_clear(by);
    nmod_mat_clear(value);
    darc_free(pivot);
}

/* ---- bases ----------------------------------------------------------------
 */

/* Set in[i] for members between which there are relations, up to what is better
 * known, and then for those of parameters alone. */
static void find_related(bool *in, const family *f)
{
    bool any = false;
    bool *also = darc_calloc((size_t)f->count, sizeof *also);
    for (int c = 0; c < KNOWN; c++) {
        memset(also, 0, (size_t)f->count * sizeof *also);
        bool below =
            darc_lattice_related(also, f->row, f->from[c], f->from[c + 1]);
        /* Laws bind functions of measured signals alone. */
        bool lawful = c == DARC_KNOWN_HIDDEN - DARC_KNOWN_MEASURED && !below;
        for (int i = 0; i < f->count && !lawful; i++)
            any = (in[i] = in[i] || also[i]) || any;
    }
    for (int i = 0; i < f->count && any; i++) {
        int j = 0;
        while (j < f->columns && fmpq_is_zero(fmpq_mat_entry(f->row, i, j)))
            j++;
        in[i] = in[i] || (j < f->columns &&
                          f->known[f->column[j]] <= DARC_KNOWN_PARAMETRIC);
    }
    darc_free(also);
}

/* Choose bases: what is of too high a degree in one is left to the next. */
static void choose_bases(family *f, kind k)
{
    bool *rest = darc_calloc((size_t)f->count, sizeof *rest);
    bool *in = darc_calloc((size_t)f->count, sizeof *in), more = true;
    find_related(rest, f);
    for (int i = 0; i < f->count; i++)
        f->item[i].group = k == KIND_LOG && rest[i] ? 0 : -1;
    while (more && k != KIND_LOG) {
        more = false;
        memcpy(in, rest, (size_t)f->count * sizeof *in);
        DARC_ROOM(f->of, f->groups);
        group *g = f->of + f->groups;
        darc_lattice_basis(g->basis, g->by, in, f->row, DARC_SHARED_DEGREE);
        for (int i = 0; i < f->count; i++) {
            f->item[i].group = in[i] ? f->groups : f->item[i].group;
            rest[i] = rest[i] && !in[i];
            more = more || in[i];
        }
        f->groups++;
    }
    DARC_FREE(rest, in);
}

/* ---- functions of a basis -------------------------------------------------
 */

static void share(sharing *s, darc_expr **e);

static darc_expr *join(darc_expr_kind by, darc_expr *a, darc_expr *b)
{
    return a == NULL ? b : b == NULL ? a : darc_expr_join_take(by, a, b);
}

/* q*e, q != 0; e NULL: q */
static darc_expr *multiple_take(const fmpq_t q, darc_expr *e)
{
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, q);
    char *text = fmpq_get_str(NULL, 10, size);
    if (e == NULL || !fmpq_is_one(size))
        e = join(DARC_EXPR_PRODUCT, darc_expr_read(text, strlen(text)), e);
    if (fmpq_sgn(q) < 0)
        e = darc_expr_join_take(DARC_EXPR_NEGATE, e, NULL);
    flint_free(text);
    fmpq_clear(size);
    return e;
}

/* a^q, q != 0 */
static darc_expr *power_take(darc_expr *a, const fmpq_t q)
{
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, q);
    if (!fmpq_is_one(size))
        a = darc_expr_join_take(DARC_EXPR_POWER, a, multiple_take(size, NULL));
    if (fmpq_sgn(q) < 0)
        a = darc_expr_join_take(DARC_EXPR_INVERT, a, NULL);
    fmpq_clear(size);
    return a;
}

static bool is_log(const darc_expr *e)
{
    return e != NULL && kind_of(e) == KIND_LOG;
}

/* Return the sum that row i of m is in the atoms, but for those of logarithms
 * without them; NULL: 0. */
static darc_expr *sum_of(const family *f, const fmpq_mat_t m, slong i,
                         bool logs)
{
    darc_expr *sum = NULL;
    for (int j = 0; j < f->columns; j++) {
        const darc_expr *e = f->atom[f->column[j]];
        const fmpq *q = fmpq_mat_entry(m, i, j);
        if (!fmpq_is_zero(q) && (logs || !is_log(e)))
            sum = join(DARC_EXPR_SUM, sum,
                       multiple_take(q, e == NULL ? NULL : darc_expr_copy(e)));
    }
    return sum;
}

/* Return row i of the basis, as a member writes it where that is one. */
static darc_expr *argument_of(sharing *s, kind k, const group *g, slong i)
{
    const family *f = s->of + k;
    darc_expr *out = NULL;
    for (int m = 0; m < f->count && out == NULL; m++) {
        int j = 0;
        while (j < f->columns && fmpq_equal(fmpq_mat_entry(f->row, m, j),
                                            fmpq_mat_entry(g->basis, i, j)))
            j++;
        if (j == f->columns && !is_half(f->item[m].call->function))
            out = darc_expr_copy(f->item[m].call->child[0]);
    }
    if (out == NULL)
        out = sum_of(f, g->basis, i, true);
    share(s, &out);
    return out;
}

/* exp(row i of the basis)^n, with exp(log(a)) = a */
static darc_expr *exponential(sharing *s, const group *g, slong i, slong n)
{
    const family *f = s->of + KIND_EXP;
    darc_expr *out = NULL, *rest;
    fmpq_t q;
    fmpq_init(q);
    for (int j = 0; j < f->columns; j++) {
        const darc_expr *e = f->atom[f->column[j]];
        fmpq_mul_si(q, fmpq_mat_entry(g->basis, i, j), n);
        if (!is_log(e) || fmpq_is_zero(q))
            continue;
        darc_expr *a = darc_expr_copy(e->child[0]);
        share(s, &a);
        out = join(DARC_EXPR_PRODUCT, out, power_take(a, q));
    }
    rest = out == NULL ? argument_of(s, KIND_EXP, g, i)
                       : sum_of(f, g->basis, i, false);
    fmpq_set_si(q, n, 1);
    if (rest != NULL)
        out = join(DARC_EXPR_PRODUCT, out,
                   power_take(darc_call_take(DARC_FUNCTION_EXP, rest), q));
    fmpq_clear(q);
    return out;
}

/* sin or cos of n*a, n != 0 */
static darc_expr *turned(const darc_expr *a, slong n, bool sine)
{
    slong size = n < 0 ? -n : n;
    darc_expr *sum = NULL;
    fmpq_t q, p;
    DARC_EACH(fmpq_init, q, p);
    for (slong k = sine; k <= size; k += 2) {
        darc_expr *term = NULL;
        for (int i = 0; i < 2; i++) {
            darc_expr *f = darc_call_take(
                i ? DARC_FUNCTION_SIN : DARC_FUNCTION_COS, darc_expr_copy(a));
            fmpq_set_si(p, i ? k : size - k, 1);
            if (fmpq_is_zero(p))
                darc_expr_free(f);
            else
                term = join(DARC_EXPR_PRODUCT, term, power_take(f, p));
        }
        fmpz_bin_uiui(fmpq_numref(q), (ulong)size, (ulong)k);
        if ((k / 2 % 2 == 1) != (sine && n < 0))
            fmpq_neg(q, q);
        sum = join(DARC_EXPR_SUM, sum, multiple_take(q, term));
    }
    DARC_EACH(fmpq_clear, q, p);
    return sum;
}

/* sin or cos of what is `by` in the basis, from row i on; NULL: of 0. */
static darc_expr *rotated(sharing *s, const group *g, const fmpz *by, slong i,
                          bool sine)
{
    slong n = fmpq_mat_nrows(g->basis);
    while (i < n && fmpz_is_zero(by + i))
        i++;
    if (i == n)
        return NULL;
    slong times = fmpz_get_si(by + i);
    darc_expr *a = argument_of(s, KIND_CIRCLE, g, i);
    darc_expr *out = turned(a, times, sine);
    darc_expr *c = rotated(s, g, by, i + 1, false);
    if (c != NULL) {
        darc_expr *up =
            darc_expr_join_take(DARC_EXPR_PRODUCT, turned(a, times, !sine),
                                rotated(s, g, by, i + 1, true));
        if (!sine)
            up = darc_expr_join_take(DARC_EXPR_NEGATE, up, NULL);
        out = darc_expr_join_take(
            DARC_EXPR_SUM, darc_expr_join_take(DARC_EXPR_PRODUCT, out, c), up);
    }
    darc_expr_free(a);
    return out;
}

/* By exp or cos of an argument, or twice it: A; sin: W. */
static const char *form_of(darc_function f)
{
    switch (f) {
    case DARC_FUNCTION_SINH:
        return "(A - 1/A)/2";
    case DARC_FUNCTION_COSH:
        return "(A + 1/A)/2";
    case DARC_FUNCTION_TANH:
        return "(A - 1)/(A + 1)";
    case DARC_FUNCTION_SIN:
        return "W";
    case DARC_FUNCTION_TAN:
        return "W/(1 + A)";
    default: /* EXP, COS */
        return "A";
    }
}

/* Return the function f of the member's argument, or of its negative, by the
 * basis of its group. */
static darc_expr *made_of(sharing *s, kind k, const member *m, darc_function f,
                          int sign)
{
    const group *g = s->of[k].of + m->group;
    slong n = fmpq_mat_nrows(g->basis);
    fmpz *by = _fmpz_vec_init(n);
    darc_expr *a = NULL, *w = NULL;
    _fmpz_vec_scalar_mul_si(by, fmpz_mat_entry(g->by, m - s->of[k].item, 0), n,
                            sign);
    if (k == KIND_CIRCLE) {
        a = rotated(s, g, by, 0, false);
        w = rotated(s, g, by, 0, true);
    }
    for (slong i = 0; i < n && k == KIND_EXP; i++)
        if (!fmpz_is_zero(by + i))
            a = join(DARC_EXPR_PRODUCT, a,
                     exponential(s, g, i, fmpz_get_si(by + i)));
    _fmpz_vec_clear(by, n);
    return darc_expr_formula_take(m->call->place, form_of(f), a, w);
}

/* Let a member's argument stand in the call, which is that or its negative. */
static void use_member(darc_expr **e, const member *m, int sign)
{
    darc_function f = (*e)->function;
    darc_expr_free((*e)->child[0]);
    (*e)->child[0] = darc_expr_copy(m->call->child[0]);
    if (sign < 0 && !is_even(f))
        *e = darc_expr_join_take(f == DARC_FUNCTION_EXP ? DARC_EXPR_INVERT
                                                        : DARC_EXPR_NEGATE,
                                 *e, NULL);
}

static void share(sharing *s, darc_expr **e)
{
    kind k = kind_of(*e);
    int sign = 0;
    const member *m = k < KINDS ? find_member(&sign, s, *e, k) : NULL;
    if (m != NULL && m->group >= 0) {
        darc_expr *by = k == KIND_LOG ? sum_of(s->of + k, s->of[k].row,
                                               m - s->of[k].item, true)
                                      : made_of(s, k, m, (*e)->function, sign);
        darc_expr_free(*e);
        *e = by;
        return;
    }
    if (m != NULL)
        use_member(e, m, sign);
    for (int i = 0; i < (*e)->count; i++)
        share(s, &(*e)->child[i]);
}

static void clear_family(family *f)
{
    for (int i = 0; i < f->count; i++)
        darc_expr_free(f->item[i].call);
    for (int i = 0; i < f->groups; i++) {
        fmpq_mat_clear(f->of[i].basis);
        fmpz_mat_clear(f->of[i].by);
    }
    DARC_ALL_OF(darc_expr_free, f->atom, f->atoms);
    if (f->column != NULL)
        fmpq_mat_clear(f->row);
    DARC_FREE(f->item, f->of, f->atom, f->known, f->column);
}

void darc_share_arguments(darc_syntax *syntax, const darc_arguments *about)
{
    darc_expr **side;
    sharing s = {.syntax = syntax, .about = about};
    for (size_t i = 0; (side = darc_syntax_side(syntax, i)) != NULL; i++)
        list_calls(&s, side);
    for (kind k = 0; k < KIND_ALONE; k++)
        if (s.of[k].count > 1) {
            set_rows(&s, k);
            choose_bases(s.of + k, k);
        }
    for (size_t i = 0; (side = darc_syntax_side(syntax, i)) != NULL; i++)
        share(&s, side);
    for (kind k = 0; k < KINDS; k++)
        clear_family(s.of + k);
}
