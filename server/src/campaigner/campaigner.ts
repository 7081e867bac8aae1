import { type CampaignParts, runCampaigns } from '#operations/run-campaigns';
import { Loop } from '#queue/loop';

export interface Campaigner {
  start(): void;
  stop(): Promise<void>;
}

/** How late a step can be: people watch a campaign start. An idle look is one statement over an empty index. */
const POLL_MS = 250;

/** Queues the messages of campaigns that run, some seconds ahead of their numbers. */
export function makeCampaigner(parts: CampaignParts): Campaigner {
  const loop = new Loop(parts.rt, POLL_MS, 'campaigns', () => runCampaigns(parts));
  return { start: () => loop.start(), stop: () => loop.stop() };
}
