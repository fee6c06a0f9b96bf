/* stats_estimated.c - tests where the variance is itself an estimate. */
#include "stats/stats.h"

/* So many degrees of freedom know a variance for certain. */
static const double CERTAIN = 1e6;

double darc_stats_squares_sf(double x, double dof, double error_dof)
{
    return error_dof < CERTAIN ? darc_stats_f_sf(x / dof, dof, error_dof)
                               : darc_stats_chi2_sf(x, dof);
}

double darc_stats_squares_isf(double q, double dof, double error_dof)
{
    return error_dof < CERTAIN ? dof * darc_stats_f_isf(q, dof, error_dof)
                               : darc_stats_chi2_isf(q, dof);
}

double darc_stats_error_sf(double z, double error_dof)
{
    return error_dof < CERTAIN ? darc_stats_t_sf(z, error_dof)
                               : darc_stats_normal_sf(z);
}

double darc_stats_error_quantile(double p, double error_dof)
{
    return error_dof < CERTAIN ? darc_stats_t_quantile(p, error_dof)
                               : darc_stats_normal_quantile(p);
}
