import { CliError, EXIT } from '#cli/exit';
import { countOf, line, shortTime, table } from '#cli/output';
import type { JsonObject } from '#core/json';
import { replayCallbacks } from '#inbound/store/callbacks';
import { countUnhandledItems } from '#maintenance/store/diagnosis';
import type { OperatorGroup } from './command.ts';
import { optionalText, timeText } from './input.ts';

export const callbackCommands: OperatorGroup = {
  name: 'callbacks',
  description: 'replay stored callbacks from the network',
  examples: `
Every callback from the network is stored unchanged. Replaying a callback twice has no further effect.

Examples:
  postrider callbacks leftovers
  postrider callbacks replay --leftover account_alerts
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
      description: 'count callback items that nothing handled, by name',
      work: async ({ db }) => {
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
      show: table('Every item of every callback was handled.', [
        { title: 'NAME', value: (row) => row.name, flexible: true },
        { title: 'COUNT', value: (row) => row.count, align: 'right' },
        { title: 'LAST (UTC)', value: (row) => shortTime(row.last_at) },
        { title: 'REASON', value: (row) => row.reason, flexible: true },
      ]),
    },
  },
};

function timeOf(input: JsonObject, name: string): number | null {
  const text = optionalText(input, name);
  if (text === null) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new CliError(EXIT.usage, `${name} must be a time such as 2026-01-31T08:00:00Z, not "${text}".`);
  return ms;
}
