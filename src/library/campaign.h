/* campaign.h - a campaign (darc/drift.h) as a part of a fleet. */
#pragma once

#include "archive/fleet.h"
#include "darc/drift.h"

/* Let the fleet, which must stay, fit the recordings of the campaign. */
void darc_campaign_deal(darc_campaign *c, darc_fleet *fleet);

/* Fit recordings for the dealer of the fleet until it ends. */
void darc_campaign_fit(darc_campaign *c);
