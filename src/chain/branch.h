/* branch.h - a branch of the elimination: the state (A, D, P, S).
 *
 * It stands for the solutions of A = 0, P = 0, S != 0 at which the
 * delta-polynomials of D vanish too; the initials and separants of A are in
 * S (up to factors), D holds members of A.
 *
 * With one derivation two equations whose leaders are derivatives of the
 * same unknown need no delta-polynomial: one reduces the other.  What is left
 * are the pairs of an equation g whose leader is a constant c with the
 * equation c' = 0 that is built into the derivation: their delta-polynomial
 * is g', which has no derivative of c.
 */
#pragma once

#include "chain/autored.h"

typedef struct {
    darc_autored_t A; /* equations, one per unknown at most */
    darc_dpolys_t D;  /* those whose delta-polynomial is still to be taken */
    darc_dpolys_t P;  /* pending equations, not 0 */
    darc_dpolys_t S;  /* inequations: primitive, no numbers, no duplicates,
                         irreducible unless too large to be factored */
    bool generic;     /* no initial or separant was assumed to vanish */
} darc_branch;

darc_branch *darc_branch_new(const darc_jet_t jet);
void darc_branch_free(darc_branch *b, const darc_jet_t jet);

/* Add p to the pending equations unless it is 0. */
void darc_branch_add_equation(darc_branch *b, const darc_dpoly_t p,
                              const darc_jet_t jet);

/* Add the factors of p != 0 to the inequations. */
void darc_branch_add_inequation(darc_branch *b, const darc_dpoly_t p,
                                const darc_jet_t jet);

/* Return whether p has no variable but v (-1: none) and time.  In time alone
 * a polynomial vanishes only if it is 0. */
bool darc_branch_is_in_time_and(const darc_dpoly_t p, slong v,
                                const darc_jet_t jet);

/* Append to out the factors of p != 0 that may vanish: those that are not
 * inequations and not in time alone.  p = 0 on the branch means that one of
 * them vanishes. */
void darc_branch_open_factors(darc_dpolys_t out, const darc_branch *b,
                              const darc_dpoly_t p, const darc_jet_t jet);

/* Move the polynomial of lowest rank in `from`, P or D of a branch, among those
 * of equal rank the shortest, to p; return false if there is none. */
bool darc_branch_take(darc_dpoly_t p, darc_dpolys_t from, const darc_jet_t jet);

/* Insert f, reduced by A, into A.  The equation of the same unknown, if
 * any, goes to P.  Where the leader of f is a constant, f goes to D, too. */
void darc_branch_insert(darc_branch *b, const darc_dpoly_t f,
                        const darc_jet_t jet);

/* ---- the open branches of an elimination, a stack
 *
 * The branch on top is worked on; splitting leaves it on top (the part that
 * is followed first) and puts the other part below it.  Zeros: no branch. */

typedef struct {
    slong count;
    darc_branch **branch; /* branch[count - 1] is the top; owned */
    long splits;          /* made so far */
} darc_tree_struct;

typedef darc_tree_struct darc_tree_t[1];

void darc_tree_clear(darc_tree_t tree, const darc_jet_t jet);

/* Put b, now owned by the tree, on top. */
void darc_tree_push_take(darc_tree_t tree, darc_branch *b);

/* Return the branch on top, NULL if no branch is open. */
darc_branch *darc_tree_top(const darc_tree_t tree);

/* Return the branch on top, no longer part of the tree. */
darc_branch *darc_tree_pop(darc_tree_t tree);

/* Split the branch on top on h (not a number): a new branch below it has
 * h = 0 and, unless NULL, also = 0; the top gets h != 0.  The new one is
 * generic if the top is and `generic` says so. */
void darc_tree_split(darc_tree_t tree, const darc_dpoly_t h,
                     const darc_dpoly_struct *also, bool generic,
                     const darc_jet_t jet);
