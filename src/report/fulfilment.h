/* fulfilment.h - writers of what `darc fulfil` found (darc/fulfil.h). */
#ifndef DARC_REPORT_FULFILMENT_H
#define DARC_REPORT_FULFILMENT_H

#include "base/text.h"
#include "darc/fulfil.h"

/* Append it as text, quiet: the verdict alone; as JSON, the fields being those
 * of src/manual/json.md. */
void darc_fulfilment_print(darc_text_t out, const darc_fulfilled *f,
                           bool quiet);
void darc_fulfilment_json(darc_text_t out, const darc_fulfilled *f);

#endif
