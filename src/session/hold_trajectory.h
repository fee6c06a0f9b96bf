/* hold_trajectory.h - what a session asks of trajectories. */
#pragma once

#include "session/state.h"
#include "trajectory/trajectory.h"

/* Set q to what is asked of the trajectories of the recordings of s. */
void darc_hold_trajectory_ask(darc_trajectory_question *q,
                              const darc_session *s);
