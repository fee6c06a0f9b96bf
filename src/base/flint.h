/* flint.h - the only file that names a FLINT header; hides 2.9 against 3.x. */
#pragma once

#include "base/each.h"

#include <gmp.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#ifndef __cplusplus
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
#endif
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/fmpz_vec.h>
#include <flint/mpoly.h>
#include <flint/nmod_mat.h>
#include <flint/nmod_mpoly.h>
#include <flint/nmod_mpoly_factor.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <flint/nmod_vec.h>
#include <flint/ulong_extras.h>
#if __FLINT_RELEASE >= 30000
#include <flint/fmpq_vec.h>
#include <flint/nmod.h>
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#if __FLINT_RELEASE >= 30200 /* renamed there */
#define flint_randinit flint_rand_init
#define flint_randclear flint_rand_clear
#define flint_randseed flint_rand_set_seed
#endif
