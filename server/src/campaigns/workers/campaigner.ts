import { CampaignOutcomeFeed } from '#campaigns/actions/campaign-outcome-feed';
import { type CampaignDeps, runCampaigns } from '#campaigns/actions/run-campaigns';
import type { DueWork } from '#queue/due-work';
import { Loop } from '#queue/loop';

export interface Campaigner {
  start(): void;
  stop(): Promise<void>;
}

/** How late a step can be: people watch a campaign start. */
const POLL_MS = 250;

/** Queues the messages of campaigns that run, some seconds ahead of their numbers. */
export function makeCampaigner(
  parts: Omit<CampaignDeps, 'outcomeFeed'> & { readonly due: DueWork<'campaign'> },
): Campaigner {
  const outcomeFeed = new CampaignOutcomeFeed();
  const loop = new Loop(parts.rt, POLL_MS, 'campaigns', async () => {
    if (outcomeFeed.isSignaled || (await parts.due.has('campaign'))) await runCampaigns({ ...parts, outcomeFeed });
  });
  let unlisten = (): void => {};
  return {
    start: () => {
      unlisten = outcomeFeed.listen(parts.rt);
      loop.start();
    },
    stop: () => {
      unlisten();
      return loop.stop();
    },
  };
}
