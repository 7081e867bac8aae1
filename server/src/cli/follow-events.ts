import type { EventStream, Postrider } from '@postrider/sdk';
import type { JsonObject } from '#core/json';
import { type ApiOptions, asJson, cliErrorOf, connectApi } from './api-client.ts';
import type { CliContext } from './context.ts';
import { splitList } from './options.ts';
import { AwayNotice, repeatUntilStopped } from './repeat-until-stopped.ts';

/** How long a service that is away from the start is left alone; later the stream itself waits. */
const RETRY_MS = 1_000;

export interface FollowOptions extends ApiOptions {
  readonly after?: string;
  readonly types?: string;
}

/**
 * @param text the event as it came, byte for byte
 * @param stopped a signal asks the process to leave: who then throws has not taken the event
 */
export type TakeEvent = (event: JsonObject, text: string, stopped: AbortSignal) => Promise<void> | void;

/**
 * Hands out events one after the other until a signal ends it, and says then how to go on. After a break it goes on
 * behind the last one: nothing is missed or told twice.
 */
export async function followEvents(ctx: CliContext, options: FollowOptions, take: TakeEvent): Promise<void> {
  const call = await connectApi(ctx, options);
  let cursor = options.after ?? null;
  const away = new AwayNotice(ctx);
  const walk = async (api: Postrider, stopped: AbortSignal): Promise<void> => {
    const stream = streamOf(api, { ...options, after: cursor, stopped, away });
    try {
      for await (const { event, text } of stream.withText()) await take(asJson(event), text, stopped);
    } catch (error) {
      if (!stopped.aborted) throw error;
    } finally {
      cursor = stream.cursor;
    }
  };
  await repeatUntilStopped(ctx, {
    everyMs: RETRY_MS,
    step: (stopped) => call((api) => walk(api, stopped)),
    away,
  });
  if (cursor !== null) ctx.stderr.write(`Continue with --after ${cursor}\n`);
}

interface Walk {
  readonly after: string | null;
  readonly types?: string;
  readonly stopped: AbortSignal;
  readonly away: AwayNotice;
}

function streamOf(api: Postrider, { after, types, stopped, away }: Walk): EventStream {
  return api.events.stream({
    after,
    types: types === undefined ? undefined : splitList(types),
    signal: stopped,
    onState: (state, reason) => {
      if (state === 'open') away.isBack();
      else if (reason) away.isAway(cliErrorOf(reason, api.baseUrl));
    },
  });
}
