import { CliError, EXIT } from '#cli/exit';
import type { JsonObject } from '#core/json';
import { replayCallbacks } from '#inbound/store/callbacks';
import { countUnhandledItems } from '#maintenance/store/diagnosis';
import type { OperatorCommand } from './command.ts';
import { optionalText, timeText } from './input.ts';

/** Queues stored callbacks again. Interpreting one twice changes nothing that stands, so a wide span is safe. */
export const replayCallbacksCommand: OperatorCommand = async ({ rt, db }, input) => {
  const fromMs = timeOf(input, 'since') ?? 0;
  const toMs = timeOf(input, 'until') ?? rt.clock.now();
  if (fromMs >= toMs) throw new CliError(EXIT.usage, 'since must be before until.');
  const leftover = optionalText(input, 'leftover');
  const queued = await replayCallbacks(db, { fromMs, toMs, leftover });
  return { queued, since: timeText(fromMs), until: timeText(toMs), leftover };
};

/** What callbacks held that nothing consumed, by its name. */
export const listUnhandledItemsCommand: OperatorCommand = async ({ db }) => {
  const leftovers = await countUnhandledItems(db);
  return {
    data: leftovers.map(({ name, count, lastMs, reason }) => ({ name, count, last_at: timeText(lastMs), reason })),
  };
};

function timeOf(input: JsonObject, name: string): number | null {
  const text = optionalText(input, name);
  if (text === null) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new CliError(EXIT.usage, `${name} must be a time such as 2026-01-31T08:00:00Z, not "${text}".`);
  return ms;
}
