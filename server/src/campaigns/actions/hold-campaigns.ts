import type { Campaign } from '#campaigns/domain/campaign';
import { lockSendingCampaigns } from '#campaigns/store/campaigns';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { moveCampaign } from './move-campaign.ts';

const PAUSE_REASON =
  'The database was restored, or a replica took over: waiting recipients may already have received their message. Resume or cancel it.';

/**
 * Pauses every campaign that would send now: its recipients of the lost time are not known. One whose time came in the
 * meantime is started first, so that it can be resumed like the others. @returns how many
 */
export async function holdCampaigns(rt: Runtime, tx: Transaction, events: EventSink): Promise<number> {
  const campaigns = await lockSendingCampaigns(tx, rt.clock.now());
  for (const campaign of campaigns) {
    const started = campaign.status === 'scheduled' ? await start(rt, tx, events, campaign) : campaign;
    await moveCampaign(rt, tx, events, { campaign: started, move: 'pause', pauseReason: PAUSE_REASON });
  }
  return campaigns.length;
}

function start(rt: Runtime, tx: Transaction, events: EventSink, campaign: Campaign): Promise<Campaign> {
  const move = campaign.audience === null ? 'start' : 'prepare';
  return moveCampaign(rt, tx, events, { campaign, move, pauseReason: null });
}
