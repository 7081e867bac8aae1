import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { countOf, itemsOf, outputOption, printJson, printTable, shortTime } from '#cli/output';

const EXAMPLES = `
Every callback of the network is kept as it came. Replaying one twice changes nothing that stands.

Examples:
  postrider callbacks leftovers
  postrider callbacks replay --leftover account_alerts
  postrider callbacks replay --since 2026-01-31T08:00:00Z --until 2026-01-31T09:00:00Z`;

export function addCallbacks(program: Command, ctx: CliContext): void {
  const callbacks = program
    .command('callbacks')
    .description('replay stored callbacks of the network (operator)')
    .addHelpText('after', EXAMPLES);
  callbacks
    .command('replay')
    .description('process stored callbacks again')
    .option('--since <time>', 'received at or after this time')
    .option('--until <time>', 'received before this time')
    .option('--leftover <name>', 'only callbacks with an unhandled item of this name')
    .addOption(outputOption())
    .action((options: ReplayOptions) => replay(ctx, options));
  callbacks
    .command('leftovers')
    .description('count callback items that nothing handled, by name')
    .addOption(outputOption())
    .action((options: { output: string }) => leftovers(ctx, options.output));
}

interface ReplayOptions {
  readonly since?: string;
  readonly until?: string;
  readonly leftover?: string;
  readonly output: string;
}

async function replay(ctx: CliContext, { since, until, leftover, output }: ReplayOptions): Promise<void> {
  const input = { since: since ?? null, until: until ?? null, leftover: leftover ?? null };
  const answer = await callOperator(ctx, 'callbacks.replay', input);
  if (output === 'json') printJson(ctx, answer);
  else ctx.stdout.write(`Queued ${countOf(answer.queued, 'stored callback')} again.\n`);
}

async function leftovers(ctx: CliContext, output: string): Promise<void> {
  const answer = await callOperator(ctx, 'callbacks.leftovers', {});
  if (output === 'json') return printJson(ctx, answer);
  printTable(ctx, {
    rows: itemsOf(answer),
    empty: 'Nothing was left over: every item of every callback was consumed.',
    columns: [
      { title: 'NAME', value: (row) => row.name, flexible: true },
      { title: 'COUNT', value: (row) => row.count, align: 'right' },
      { title: 'LAST (UTC)', value: (row) => shortTime(row.last_at) },
      { title: 'REASON', value: (row) => row.reason, flexible: true },
    ],
  });
}
