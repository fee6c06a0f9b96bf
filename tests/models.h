/* models.h - models that several suites work on. */
#ifndef DARC_TESTS_MODELS_H
#define DARC_TESTS_MODELS_H

#include "model/model.h"

/* m*a = c*z + d*z' [HMMS15]. */
extern const char model_quarter[];

extern const char model_lorenz[];

/* With the numbers of systems in StructuralIdentifiability.jl. */
extern const char model_goodwin[], model_crn[];

/* Two compartments; a predator and its prey; two masses on springs and dampers,
 * the first pushed, the second seen. */
extern const char model_compartments[], model_prey[], model_masses[];

/* Return the model, which has no errors; to be freed. */
darc_model *model_of(const char *text);

/* Return the unknown that derived signal i is. */
int derived(const darc_model *model, int i);

#endif
