import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { type ApiOptions, makeApiClient } from './api-client.ts';
import type { CliContext } from './context.ts';
import { CliError } from './exit.ts';
import { repeatUntilStopped } from './repeat-until-stopped.ts';
import { readBlocks } from './server-sent-events.ts';

/** How long a service that is away is left alone. */
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
  const client = await makeApiClient(ctx, options);
  const query = options.types === undefined ? '' : `?${new URLSearchParams({ types: options.types })}`;
  let lastId = options.after ?? null;
  const readConnection = async (stopped: AbortSignal): Promise<void> => {
    const resume: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
    const body = await client.open(`/v1/events/stream${query}`, resume, stopped);
    for await (const { id, data } of readBlocks(body)) {
      const event = data === null ? null : (JSON.parse(data) as JsonValue);
      if (data !== null && isJsonObject(event)) await take(event, data, stopped);
      lastId = id ?? lastId;
    }
  };
  await repeatUntilStopped(ctx, {
    everyMs: RETRY_MS,
    step: (stopped) =>
      readConnection(stopped).catch((error: unknown) => {
        // A connection that breaks off is one that ends.
        if (error instanceof CliError && !stopped.aborted) throw error;
      }),
  });
  if (lastId !== null) ctx.stderr.write(`Continue with --after ${lastId}\n`);
}
