#include "models.h"

#include <check.h>
#include <string.h>

const char model_quarter[] = "model quarter\n"
                             "parameters\n    m c d\n"
                             "outputs\n    a z\n"
                             "equations\n    m*a = c*z + d*z'\n";

const char model_lorenz[] = "model lorenz\nstates\nx y z\nparameters\n"
                            "s r b\noutputs\nw\nequations\nx'=s*(y-x)\n"
                            "y'=x*(r-z)-y\nz'=x*y-b*z\nw=x\n";

const char model_goodwin[] =
    "model goodwin\nstates\nx1 x2 x3 x4\nparameters\n"
    "b c alpha beta gama delta sigma\noutputs\ny\nequations\n"
    "x1'=-b*x1+1/(c+x4)\nx2'=alpha*x1-beta*x2\nx3'=gama*x2-delta*x3\n"
    "x4'=sigma*x4*(gama*x2-delta*x3)/x3\ny=x1\n";

const char model_crn[] =
    "model crn\nstates\nx1 x2 x3 x4 x5 x6\nparameters\nk1 k2 k3 k4 k5 k6\n"
    "outputs\ny1 y2\nequations\nx1'=-k1*x1*x2+k2*x4+k4*x6\n"
    "x2'=-k1*x1*x2+k2*x4+k3*x4\nx3'=k3*x4+k5*x6-k6*x3*x5\n"
    "x4'=k1*x1*x2-k2*x4-k3*x4\nx5'=k4*x6+k5*x6-k6*x3*x5\n"
    "x6'=-k4*x6-k5*x6+k6*x3*x5\ny1=x3\ny2=x2\n";

const char model_compartments[] =
    "model m\nstates\n x1 x2\ninputs\n u\noutputs\n y\nparameters\n"
    " a b c\nequations\n x1' = -(a + b)*x1 + c*x2 + u\n"
    " x2' = b*x1 - c*x2\n y = x1\n";

const char model_prey[] =
    "model m\nstates\n x1 x2\noutputs\n y\nparameters\n a b c d\n"
    "equations\n x1' = a*x1 - b*x1*x2\n x2' = -c*x2 + d*x1*x2\n y = x1\n";

/* Two masses on springs and dampers. */
const char model_masses[] =
    "model m\nstates\n x1 x2\ninputs\n f\noutputs\n y\nparameters\n"
    " m1 m2 k1 k2 d1 d2\nequations\n"
    " m1*x1'' = k1*(x2 - x1) + d1*(x2' - x1') + f\n"
    " m2*x2'' = -k2*x2 - d2*x2' - k1*(x2 - x1) - d1*(x2' - x1')\n y = x2\n";

darc_model *model_of(const char *text)
{
    darc_model *model = NULL;
    darc_err err;
    darc_err_init(&err);
    darc_status status =
        darc_model_parse(&model, text, strlen(text), "test", &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return model;
}

int derived(const darc_model *model, int i)
{
    int u = 0;
    while (darc_derived_expr(model, u) == NULL || i-- > 0)
        u++;
    return u;
}
