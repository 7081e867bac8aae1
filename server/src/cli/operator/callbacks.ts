import type { CliContext } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { parseWhole } from '#cli/options';
import { cellText, countOf, itemsOf, line, shortTime, table } from '#cli/output';
import type { JsonObject, JsonValue } from '#core/json';
import type { Database } from '#database/database';
import { replayCallbacks, showUnhandledItems } from '#inbound/store/callbacks';
import { countUnhandledItems } from '#maintenance/store/diagnosis';
import type { OperatorGroup } from './command.ts';
import { optionalText, optionalWhole, timeText } from './input.ts';

/** An answer of a running server is read whole: a hundred items of this length are less than 1 MB. */
const MAX_SHOWN = 100;
const SHOWN = 20;
const MAX_CHARACTERS = 8_000;

export const callbackCommands: OperatorGroup = {
  name: 'callbacks',
  description: 'replay stored callbacks from the network',
  examples: `
Every callback from the network is stored unchanged. Replaying a callback twice has no further effect.

Examples:
  postrider callbacks leftovers
  postrider callbacks leftovers --show calls --limit 5
  postrider callbacks replay --leftover unknown_account
  postrider callbacks replay --since 2026-01-31T08:00:00Z --until 2026-01-31T09:00:00Z`,
  commands: {
    /** Queues stored callbacks again. Interpreting one twice changes nothing that stands, so a wide span is safe. */
    replay: {
      description: 'process stored callbacks again',
      options: {
        since: ['--since <time>', 'received at or after this time'],
        until: ['--until <time>', 'received before this time'],
        leftover: ['--leftover <name>', 'only callbacks with an unhandled item of this name'],
      },
      work: async ({ rt, db }, input) => {
        const fromMs = timeOf(input, 'since') ?? 0;
        const toMs = timeOf(input, 'until') ?? rt.clock.now();
        if (fromMs >= toMs) throw new CliError(EXIT.usage, 'since must be before until.');
        const leftover = optionalText(input, 'leftover');
        const queued = await replayCallbacks(db, { fromMs, toMs, leftover });
        return { queued, since: timeText(fromMs), until: timeText(toMs), leftover };
      },
      show: line(({ queued }) => `Queued ${countOf(queued, 'stored callback')} again.`),
    },
    /** What callbacks held that nothing consumed, by its name. */
    leftovers: {
      description: 'count callback items that nothing handled, by name, or show those of a name',
      options: {
        show: ['--show <name>', 'show the newest items of this name, with their content'],
        limit: ['--limit <n>', `how many of them, up to ${MAX_SHOWN}; default: ${SHOWN}`, parseWhole],
      },
      work: async ({ db }, input) => {
        const name = optionalText(input, 'show');
        const limit = optionalWhole(input, 'limit', { min: 1, max: MAX_SHOWN }) ?? SHOWN;
        if (name !== null) return { data: await shownItems(db, name, limit) };
        const leftovers = await countUnhandledItems(db);
        return {
          data: leftovers.map(({ name, count, lastMs, reason }) => ({
            name,
            count,
            last_at: timeText(lastMs),
            reason,
          })),
        };
      },
      show: (ctx, answer, input) => (optionalText(input, 'show') === null ? showCounts : showItems)(ctx, answer),
    },
  },
};

const showCounts = table('Every item of every callback was handled.', [
  { title: 'NAME', value: (row) => row.name, flexible: true },
  { title: 'COUNT', value: (row) => row.count, align: 'right' },
  { title: 'LAST (UTC)', value: (row) => shortTime(row.last_at) },
  { title: 'REASON', value: (row) => row.reason, flexible: true },
]);

/** One item after the other: their content is longer than a line. */
function showItems(ctx: CliContext, answer: JsonObject): void {
  const items = itemsOf(answer);
  if (items.length === 0) ctx.stdout.write('There is no unhandled item of this name.\n');
  for (const { callback_id, item, recorded_at, reason, content } of items) {
    ctx.stdout.write(`${shortTime(recorded_at)}  ${cellText(callback_id)} #${cellText(item)}  ${cellText(reason)}\n`);
    ctx.stdout.write(`  ${cellText(content)}\n`);
  }
}

/** Items with their content: as JSON, or the beginning of it as text. */
async function shownItems(db: Database, name: string, limit: number): Promise<JsonObject[]> {
  const items = await showUnhandledItems(db, { name, limit, maxCharacters: MAX_CHARACTERS });
  return items.map(({ callbackId, item, reason, recordedMs, text, length }) => ({
    callback_id: callbackId,
    item,
    reason,
    recorded_at: timeText(recordedMs),
    content: length > MAX_CHARACTERS ? `${text}…` : (JSON.parse(text) as JsonValue),
    characters: length,
  }));
}

function timeOf(input: JsonObject, name: string): number | null {
  const text = optionalText(input, name);
  if (text === null) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new CliError(EXIT.usage, `${name} must be a time such as 2026-01-31T08:00:00Z, not "${text}".`);
  return ms;
}
