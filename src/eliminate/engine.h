/* engine.h - the ways to input-output equations, behind eliminate.h; one file
 * engine_*.c each.
 *
 * An engine appends to out, an empty set of equations in a frame with the
 * names of the model under darc_ioeq_ranking, one equation an output bound
 * by the model, and inequations.  It may replace the frame of out by a larger
 * one.  DARC_DOMAIN says that the engine does not apply to the model; the
 * caller gives out its first frame again and may try another.
 */
#pragma once

#include "algebra/dpoly.h"
#include "eliminate/eliminate.h"
#include "eliminate/thresholds.h"
#include "model/model.h"
#include "projection/dae.h"
#include "projection/ioeq.h"
#include "projection/point.h"
#include "projection/route.h"

/* Return whether p holds a state. */
bool darc_engine_has_state(const darc_dpoly_t p, const darc_jet_t jet);

/* Set q to the product of the irreducible factors of p that contain more
 * than parameters (each once); return their number, -1 when p could not be
 * factored.  q and p differ. */
int darc_engine_core(darc_dpoly_t q, const darc_dpoly_t p,
                     const darc_jet_t jet);

/* Put in the place of states what equations say that they are: polynomials in
 * signals and parameters, each of an equation that holds the state once, with a
 * number in front of it, and its lower derivatives nowhere.  That equation is
 * removed; the others say the same of signals as before.  eq and ineq are in
 * the frame jet, which becomes a larger one. */
DARC_STATUS darc_engine_replace(darc_dpolys_t eq, darc_dpolys_t ineq,
                                darc_jet_t jet, const darc_budget *budget,
                                darc_err *err);

/* Append to out the inequations, in frame jet, that are free of states. */
DARC_STATUS darc_engine_inequations(darc_ioeqs_t out, const darc_dpolys_t ineq,
                                    const darc_jet_t jet, darc_err *err);

/* The same of the inequations of the model. */
DARC_STATUS darc_engine_model_inequations(darc_ioeqs_t out,
                                          const darc_model *model,
                                          darc_err *err);

typedef darc_status darc_engine_run(darc_ioeqs_t out, const darc_model *model,
                                    const darc_budget *budget, darc_err *err);

/* Equations that are free of states already, as they stand: reduced by one
 * another. */
darc_engine_run darc_engine_model;

/* Equations free of states that are linear, together, in highest derivatives
 * of outputs, and determine these.  Solved for them they generate a prime
 * ideal; so they do as they stand, saturated by the determinant.  At random
 * solutions that obey the laws of derived signals, modulo a prime, the parts of
 * each obey no linear relation but the equation: its coefficients can be seen,
 * and no others.  That is proved where it is found, up to the probability that
 * a determinant vanishes by chance. */
darc_engine_run darc_engine_coupled;

/* Projection by resultants: models in solved form. */
darc_engine_run darc_engine_project;

/* Operators: models in solved form with one output, linear in the states with
 * constant coefficients. */
darc_engine_run darc_engine_linear;

/* As many equations as unknowns, also such with constraints: so many are
 * differentiated so often as a linear combination of their gradients needs that
 * holds no state, and what is not measured goes from these, by what is linear
 * in it first. */
darc_engine_run darc_engine_dae;

/* The same where there is one output, whose equation is the one that others
 * find, too, without derivatives of functions of signals; round: where it is of
 * lower degree than the model as it was read (mechanism.h). */
darc_engine_run darc_engine_dae_single;
darc_engine_run darc_engine_dae_round;

/* The same where leaders obey a further relation that is not found, as
 * projection has it (out->linked). */
darc_engine_run darc_engine_dae_linked;

/* Rosenfeld-Groebner: any model. */
darc_engine_run darc_engine_general;

/* The monomials alone of the equations of a model in solved form, with
 * numbers for the parameters, at random points modulo primes until two agree:
 * every point may lose monomials by chance, with a probability of at most
 * their number times their degree over the prime. */
darc_engine_run darc_engine_support;

/* Give the outputs the positions in rk, a default ranking, for which the
 * equations of a model in solved form are the shortest, as counted with numbers
 * for the parameters; of equal ones those by names, however declared. */
void darc_order_outputs(darc_ranking_t rk, const darc_model *model,
                        const darc_budget *budget);

/* ---- what binds derived signals to those they are computed from
 *
 * r = sqrt(y) obeys r^2 = y, hence y' = 2*r*r', and so on: differential
 * monomials in r and y may depend on each other.  A derived signal that is
 * made of numbers, signals, + - * / ^ and smooth functions obeys such laws;
 * one made with abs, sign, min, max, delay, a table or a variable exponent
 * counts as free, as does time up to its derivative 1. */

/* Return whether a derived signal of the model obeys laws. */
bool darc_laws_bind(const darc_model *model);

/* Raise reach[u], -1 or more, of signals u to the highest order of derivatives
 * that laws bind, where signals up to the orders given are looked at: all above
 * that are free. */
void darc_laws_reach(int *reach, const darc_model *model, const int *order);

/* Return a random prime between 2^59 and 2^60 modulo which the squares have
 * unique roots, as positive numbers have, of every order that has no prime
 * factor above 100, and primes up to 37 are squares. */
ulong darc_laws_prime(darc_rng *rng);

/* Where functions start at such a point: their arguments may have any value,
 * but exp(a + b) is exp(a) exp(b), sin(-a) is -sin(a), log(a b) is log(a) +
 * log(b). Arguments are evaluated modulo the order of a group, whose element to
 * that power is exp(a), or the point of the circle.  Other relations there are
 * none where arguments are polynomials (Ax, On Schanuel's conjectures, 1971).
 * What belongs to numbers, such as exp(1), is the same at all points modulo a
 * prime; *good becomes false where a divisor is 0. */
typedef struct {
    nmod_t mod;
    ulong seed; /* odd: of the point */
    bool good;
} darc_beginning;

ulong darc_begin_exp(darc_beginning *b, const darc_expr *a);
ulong darc_begin_log(darc_beginning *b, const darc_expr *a);

/* Set *c and *s to where cos(a) and sin(a) start. */
void darc_begin_circle(ulong *c, ulong *s, darc_beginning *b,
                       const darc_expr *a);

/* An odd function of a that nothing else binds. */
ulong darc_begin_odd(darc_beginning *b, const darc_expr *a);

/* Set value[v], v < jet->vars, to those of derivatives of random signals that
 * obey the laws, modulo such a prime; states and parameters get 0.  jet is a
 * frame with the names of the model.  Return whether that was possible: a base
 * may be no square, a divisor 0; other random numbers may do.
 * Cost O(nodes * M(length)), length the highest order plus derivatives in
 * expressions. */
bool darc_laws_values(ulong *value, const darc_model *model,
                      const darc_jet_t jet, nmod_t mod, darc_rng *rng);

/* The same, draw after draw.
 * Fails: DARC_MODEL when none was possible. */
DARC_STATUS darc_laws_point(ulong *value, const darc_model *model,
                            const darc_jet_t jet, nmod_t mod, darc_rng *rng,
                            darc_err *err);

/* Set *mod to such a prime modulo which that is possible, and the prime factors
 * of numbers in derived signals are squares: sqrt(2*y) beside sqrt(y) takes one
 * in which 2 is a square, and sqrt(8*y) is 2*sqrt(2*y) then, not -2 of it.
 * Fails: as darc_laws_point; DARC_LIMIT when no such prime is found. */
DARC_STATUS darc_laws_field(nmod_t *mod, const darc_model *model,
                            const darc_jet_t jet, darc_rng *rng, darc_err *err);

/* ---- monomials of io-equations that depend on each other
 *
 * An elimination takes derived signals for free inputs.  Where laws bind them,
 * no recording could tell the coefficients of dependent monomials apart, and
 * what was concluded from each of them would be wrong: one of them is expressed
 * by the others. */

/* Express monomials of the equations of io, of low degree and order, by others
 * until they are linearly independent over Q on all signals that obey the laws
 * of the model; an equation that holds for all such signals is dropped.  The
 * dependences are found modulo a prime of 60 bits and hold modulo another.
 * Fails: DARC_LIMIT when an equation that is not expanded has dependent
 * monomials, or more than 2000 monomials of an equation are the same in what no
 * law binds, or a budget is spent.  Cost O(n^3) for n such monomials, none
 * without laws. */
DARC_STATUS darc_ioeqs_make_independent(darc_ioeqs_t io,
                                        const darc_model *model,
                                        const darc_budget *budget,
                                        darc_err *err);

/* ---- from projections to a characteristic set
 *
 * Every output has an irreducible equation, of degree D_j in its leader z_j.
 * Together they generate a prime ideal only if K(z_1, ..., z_m), K the field
 * of all that is lower, has degree D_1 ... D_m over K.  Where the leaders
 * obey a further relation (b*y1' = y2', both known up to sign by the
 * projections), it takes the place of an equation: else b would be known up
 * to its sign alone.  [DGHP23] */

/* Replace equations of e, of degrees above 1 in their leaders, by relations
 * between leaders until the set is prime, as long as the equations are short;
 * at[v] is the value of variable v of the frame
 * of e at a point of the model, modulo mod.n.  e->linked is set where points
 * or lines modulo several primes say that there is a relation and none was
 * found; where it is set before, they said so already.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_ioeqs_make_prime(darc_ioeqs_t e, const ulong *at, nmod_t mod,
                                  const darc_budget *budget, darc_err *err);

/* ---- the io-equation of a model that is linear in its states with
 * constant coefficients, and has one equation more than states.
 *
 * With s for the derivation the equations read A(s) x + g = 0, where A holds
 * parameters alone and g signals, in any way.  The primitive w(s) with w A = 0
 * gives the relation w(d/dt) g = 0, which generates all that follow: no
 * resultants, no extraneous factors, no denominators. */

/* Set q, in frame jet of the names of model, to that relation, free of factors
 * in the parameters; *certain tells whether it is irreducible.
 * Fails: DARC_DOMAIN when the model is not of that kind, or q does not fit in
 * the frame; DARC_LIMIT on a spent budget. */
DARC_STATUS darc_operator_relation(darc_dpoly_t q, bool *certain,
                                   const darc_jet_t jet,
                                   const darc_model *model,
                                   const darc_budget *budget, darc_err *err);

/* ---- the left kernel of a matrix of polynomials over Z with one row more than
 * columns: entry i is, up to sign, the minor without row i */

typedef struct {
    slong rows, columns;
    fmpz_mpoly_struct *entry; /* by rows; owned */
} darc_polymat;

/* Set m to zeros. */
void darc_polymat_init(darc_polymat *m, slong rows, slong columns,
                       const fmpz_mpoly_ctx_t ctx);
void darc_polymat_clear(darc_polymat *m, const fmpz_mpoly_ctx_t ctx);

/* Return entry (i, k). */
fmpz_mpoly_struct *darc_polymat_entry(const darc_polymat *m, slong i, slong k);

/* Set w (rows entries) to the kernel of m without common factors: w m = 0.
 * Fails: DARC_DOMAIN when m has not one row more than its rank, or the minors
 * are too many; DARC_LIMIT on a spent budget, its work included. */
DARC_STATUS darc_polymat_kernel(fmpz_mpoly_struct *w, const darc_polymat *m,
                                const fmpz_mpoly_ctx_t ctx,
                                const darc_budget *budget, darc_err *err);
