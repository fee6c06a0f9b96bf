/* kernel.h - the left kernel of a matrix of polynomials over Z with one row
 * more than columns: entry i is, up to sign, the minor without row i. */
#ifndef DARC_ELIMINATE_KERNEL_H
#define DARC_ELIMINATE_KERNEL_H

#include "base/budget.h"
#include "base/flint.h"
#include "eliminate/thresholds.h"

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
DARC_CHECKED darc_status darc_polymat_kernel(fmpz_mpoly_struct *w,
                                             const darc_polymat *m,
                                             const fmpz_mpoly_ctx_t ctx,
                                             const darc_budget *budget,
                                             darc_err *err);

#endif
