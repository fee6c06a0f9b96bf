#include "functions/calls.h"

#include "algebra/finite.h"
#include "base/mem.h"
#include "functions/basis.h"
#include "functions/terms.h"
#include "functions/thresholds.h"

#include <string.h>

darc_call_kind darc_call_kind_of(const darc_expr *e)
{
    if (e->kind != DARC_EXPR_CALL || e->count != 1)
        return DARC_CALL_KINDS;
    switch (e->function) {
    case DARC_FUNCTION_EXP:
    case DARC_FUNCTION_SINH:
    case DARC_FUNCTION_COSH:
    case DARC_FUNCTION_TANH:
        return DARC_CALL_EXP;
    case DARC_FUNCTION_SIN:
    case DARC_FUNCTION_COS:
    case DARC_FUNCTION_TAN:
        return DARC_CALL_CIRCLE;
    case DARC_FUNCTION_LOG:
        return DARC_CALL_LOG;
    case DARC_FUNCTION_ATAN:
    case DARC_FUNCTION_SQRT:
        return DARC_CALL_ALONE;
    default:
        return DARC_CALL_KINDS;
    }
}

bool darc_call_is_half(darc_function f)
{
    return f == DARC_FUNCTION_TAN || f == DARC_FUNCTION_TANH;
}

bool darc_call_is_even(darc_function f)
{
    return f == DARC_FUNCTION_COS || f == DARC_FUNCTION_COSH;
}

static bool is_odd(darc_function f)
{
    return f == DARC_FUNCTION_SIN || f == DARC_FUNCTION_ATAN ||
           f == DARC_FUNCTION_SINH || darc_call_is_half(f);
}

/* Whether f of an argument can be made of g of the same, both of a kind. */
static bool is_alike(darc_function f, darc_function g, darc_call_kind k)
{
    return f == g ||
           (k < DARC_CALL_LOG && darc_call_is_half(f) == darc_call_is_half(g));
}

static darc_call_value residues_of(const darc_expr *e)
{
    darc_call_value r = {.good = true};
    nmod_t mod;
    nmod_init(&mod, darc_finite_prime(0));
    for (ulong k = 0; k < 2; k++)
        r.good = r.good && darc_expr_residue(r.at + k, e, mod, k + 1);
    return r;
}

/* Return 1 where a = b, -1 where a = -b, else 0: as rational functions. */
static int sign_of(const darc_call_value *a, const darc_call_value *b)
{
    ulong p = darc_finite_prime(0);
    bool same = a->good && b->good, turned = same;
    for (int k = 0; k < 2; k++) {
        same = same && a->at[k] == b->at[k];
        turned = turned && a->at[k] == n_negmod(b->at[k], p);
    }
    return same ? 1 : turned ? -1 : 0;
}

darc_call *darc_calls_find(int *sign, darc_calls *s, const darc_expr *e,
                           darc_call_kind k)
{
    darc_call_value own = residues_of(e->child[0]);
    bool turns = is_odd(e->function) || darc_call_is_even(e->function) ||
                 (e->function == DARC_FUNCTION_EXP &&
                  s->about->known(e, s->about->user) != DARC_KNOWN_MEASURED);
    for (int i = 0; i < s->of[k].count; i++) {
        darc_call *m = s->of[k].item + i;
        if (!is_alike(e->function, m->call->function, k))
            continue;
        *sign = sign_of(&own, &m->value);
        if (*sign > 0 || (*sign < 0 && turns))
            return m;
    }
    return NULL;
}

void darc_calls_list(darc_calls *s, darc_expr **e)
{
    darc_power_to_function(e);
    for (int i = 0; i < (*e)->count; i++)
        darc_calls_list(s, &(*e)->child[i]);
    darc_call_kind k = darc_call_kind_of(*e);
    int sign;
    if (k == DARC_CALL_KINDS || darc_calls_find(&sign, s, *e, k) != NULL)
        return;
    darc_call_family *f = s->of + k;
    DARC_ROOM(f->item, f->count);
    f->item[f->count++] =
        (darc_call){darc_expr_copy(*e), residues_of((*e)->child[0]), -1};
}

/* ---- arguments as sums of atoms ----------------------------------------- */

static void terms_of(darc_terms *l, const darc_call *m, darc_call_kind k)
{
    fmpq_t by;
    fmpq_init(by);
    fmpq_set_si(by, darc_call_is_half(m->call->function) ? 2 : 1, 1);
    darc_terms_append(l, k == DARC_CALL_LOG ? m->call : m->call->child[0], by);
    fmpq_clear(by);
}

static bool is_same(const darc_expr *a, const darc_expr *b)
{
    return a == NULL || b == NULL ? a == b : darc_expr_equal(a, b);
}

static int number_of(const darc_call_family *f, const darc_expr *e)
{
    int i = 0;
    while (i < f->atoms && !is_same(f->atom[i], e))
        i++;
    return i;
}

/* exp(log(a)) is known. */
static darc_known known_of(const darc_calls *s, const darc_expr *e,
                           darc_call_kind k)
{
    darc_known d =
        e == NULL ? DARC_KNOWN_NUMBER : s->about->known(e, s->about->user);
    bool log = k == DARC_CALL_EXP && e != NULL &&
               darc_call_kind_of(e) == DARC_CALL_LOG;
    return log && d == DARC_KNOWN_HIDDEN ? DARC_KNOWN_MEASURED : d;
}

/* Put the atom where the better known ones, then the shorter ones, come first.
 */
static void insert_atom(darc_calls *s, darc_call_kind k, const darc_expr *e)
{
    darc_call_family *f = s->of + k;
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
static bool evaluate_atoms(nmod_mat_t value, const darc_calls *s,
                           const darc_call_family *f)
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
static void append_column(darc_call_family *f, slong i, const fmpq_mat_t by,
                          slong j, darc_call_kind k)
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
static void set_rows(darc_calls *s, darc_call_kind k)
{
    darc_call_family *f = s->of + k;
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
                (rank = darc_basis_express(by, pivot, value)) >= 0;
    f->column = darc_calloc((size_t)f->atoms + 1, sizeof *f->column);
    fmpq_mat_init(f->row, f->count, FLINT_MAX(rank, 0));
    for (int c = 0; c < DARC_KNOWN; c++) {
        f->from[c] = f->columns;
        for (slong j = 0; j < rank; j++)
            if ((int)f->known[pivot[j]] == DARC_KNOWN_HIDDEN - c)
                append_column(f, pivot[j], by, j, k);
    }
    f->from[DARC_KNOWN] = f->columns;
    if (good)
        fmpq_mat_clear(by);
    nmod_mat_clear(value);
    darc_free(pivot);
}

/* ---- bases ----------------------------------------------------------------
 */

static bool is_computed(const darc_calls *s, const darc_call *m)
{
    return s->about->known(m->call, s->about->user) == DARC_KNOWN_MEASURED;
}

/* Set in[i] for members between which there are relations, up to what is better
 * known; but laws may bind what is computed from measured signals alone. */
static void find_related(bool *in, const darc_calls *s,
                         const darc_call_family *f)
{
    bool *also = darc_calloc((size_t)f->count, sizeof *also);
    for (int c = 0; c < DARC_KNOWN; c++) {
        memset(also, 0, (size_t)f->count * sizeof *also);
        bool below =
            darc_basis_related(also, f->row, f->from[c], f->from[c + 1]);
        bool lawful = s->about->lawful && !below;
        for (int i = 0; i < f->count; i++)
            lawful = lawful && (!also[i] || is_computed(s, f->item + i));
        for (int i = 0; i < f->count && !lawful; i++)
            in[i] = in[i] || also[i];
    }
    darc_free(also);
}

/* Set in[i], where there are others, for what is known: functions of states are
 * made of these, too; and for what does not look known: log(x/x). */
static void add_known(bool *in, const darc_calls *s, const darc_call_family *f)
{
    bool any = false;
    for (int i = 0; i < f->count; i++)
        any = any || in[i];
    for (int i = 0; i < f->count && f->columns > 0; i++) {
        int j = 0;
        while (j < f->columns && fmpq_is_zero(fmpq_mat_entry(f->row, i, j)))
            j++;
        darc_known known =
            j < f->columns ? f->known[f->column[j]] : DARC_KNOWN_NUMBER;
        bool hides = s->about->known(f->item[i].call, s->about->user) ==
                         DARC_KNOWN_HIDDEN &&
                     known <= DARC_KNOWN_PARAMETRIC;
        in[i] = in[i] || hides || (any && known < DARC_KNOWN_HIDDEN);
    }
}

/* Choose bases: what is of too high a degree in one is left to the next. */
static void choose_bases(darc_calls *s, darc_call_kind k)
{
    darc_call_family *f = s->of + k;
    bool *rest = darc_calloc((size_t)f->count, sizeof *rest);
    bool *in = darc_calloc((size_t)f->count, sizeof *in), more = true;
    find_related(rest, s, f);
    add_known(rest, s, f);
    for (int i = 0; i < f->count; i++)
        f->item[i].group = k == DARC_CALL_LOG && rest[i] ? 0 : -1;
    while (more && k != DARC_CALL_LOG) {
        more = false;
        memcpy(in, rest, (size_t)f->count * sizeof *in);
        DARC_ROOM(f->of, f->groups);
        darc_call_group *g = f->of + f->groups;
        darc_basis_find(g->basis, g->by, in, f->row, DARC_SHARED_DEGREE);
        for (int i = 0; i < f->count; i++) {
            f->item[i].group = in[i] ? f->groups : f->item[i].group;
            rest[i] = rest[i] && !in[i];
            more = more || in[i];
        }
        f->groups++;
    }
    DARC_FREE(rest, in);
}

void darc_calls_bind(darc_calls *s)
{
    for (darc_call_kind k = 0; k < DARC_CALL_ALONE; k++)
        if (s->of[k].count > 0) {
            set_rows(s, k);
            choose_bases(s, k);
        }
}

static void clear_family(darc_call_family *f)
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

void darc_calls_clear(darc_calls *s)
{
    DARC_ALL(clear_family, s->of, DARC_CALL_KINDS);
}
