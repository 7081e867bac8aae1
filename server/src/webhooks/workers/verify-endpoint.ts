import { randomInt } from 'node:crypto';
import type { Runtime } from '#runtime/runtime';
import { challengeUrl } from '#webhooks/domain/network-callback';
import type { Posted, WebhookPoster } from './post.ts';

/** A request of ours waits for it. */
const TIMEOUT_MS = 10_000;
/** The network's challenges are decimal numbers. */
const CHALLENGE_MIN = 1_000_000_000;
const CHALLENGE_MAX = 2 ** 47;

/** Asks an address whether it takes callbacks, as the network does. @returns why it does not, as the end of a sentence; null: it does */
export type VerifyEndpoint = (url: string, verifyToken: string) => Promise<string | null>;

/** @param poster reaches only what webhooks may reach */
export function makeVerifyEndpoint({ clock }: Pick<Runtime, 'clock'>, poster: WebhookPoster): VerifyEndpoint {
  return async (url, verifyToken) => {
    const challenge = String(randomInt(CHALLENGE_MIN, CHALLENGE_MAX));
    const ended = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => ended.abort());
    try {
      const asked = challengeUrl(url, { challenge, verifyToken });
      const answer = await poster.post({ method: 'GET', url: asked, headers: {}, body: null, signal: ended.signal });
      return faultOf(answer, challenge);
    } finally {
      cancel();
    }
  };
}

/** What came back is not shown: whoever adds an endpoint must not read what it is not meant to see. */
function faultOf({ error, detail, response }: Posted, challenge: string): string | null {
  if (error !== null) return `did not return hub.challenge. ${detail}`;
  return response?.trim() === challenge ? null : 'returned something else than the value of hub.challenge.';
}
