import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { parseWhole } from '#cli/options';
import { countOf, itemsOf, outputOption, printJson, printTable, shortTime } from '#cli/output';

const EXAMPLES = `
Examples:
  postrider dead-letters list --limit 100
  postrider dead-letters requeue 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01
  postrider dead-letters requeue --all --code network_unavailable`;

const TENANT = ['--tenant <id|name>', 'the tenant; may be omitted while there is only one'] as const;

export function addDeadLetters(program: Command, ctx: CliContext): void {
  const letters = program
    .command('dead-letters')
    .description('list failed messages and queue them again (operator)')
    .addHelpText('after', EXAMPLES);
  letters
    .command('list')
    .description('failed messages of a tenant, newest first')
    .option(...TENANT)
    .option('--limit <n>', 'maximum number of lines, up to 1000; default: 50', parseWhole)
    .addOption(outputOption())
    .action((options: ListOptions) => list(ctx, options));
  letters
    .command('requeue')
    .description('queue failed messages again, with a fresh validity period')
    .argument('[id...]', 'messages')
    .option('--all', 'up to 1000 failed messages instead of the given ones')
    .option('--code <code>', 'with --all: only messages that failed with this code')
    .option(...TENANT)
    .addOption(outputOption())
    .action((ids: readonly string[], options: RequeueOptions) => requeue(ctx, ids, options));
}

interface ListOptions {
  readonly tenant?: string;
  readonly limit?: number;
  readonly output: string;
}

interface RequeueOptions {
  readonly tenant?: string;
  readonly all?: boolean;
  readonly code?: string;
  readonly output: string;
}

async function list(ctx: CliContext, { tenant, limit, output }: ListOptions): Promise<void> {
  const answer = await callOperator(ctx, 'dead-letters.list', { tenant: tenant ?? null, limit: limit ?? null });
  if (output === 'json') return printJson(ctx, answer);
  printTable(ctx, {
    rows: itemsOf(answer),
    empty: 'No message of this tenant has failed.',
    columns: [
      { title: 'ID', value: (row) => row.id },
      { title: 'FAILED (UTC)', value: (row) => shortTime(row.failed_at).slice(5) },
      { title: 'TO', value: (row) => row.to },
      { title: 'CODE', value: (row) => row.code },
      { title: 'REASON', value: (row) => row.reason, flexible: true },
    ],
  });
}

async function requeue(
  ctx: CliContext,
  ids: readonly string[],
  { tenant, all, code, output }: RequeueOptions,
): Promise<void> {
  const input = { ids: [...ids], tenant: tenant ?? null, all: all === true, code: code ?? null };
  const answer = await callOperator(ctx, 'dead-letters.requeue', input);
  if (output === 'json') return printJson(ctx, answer);
  const skipped = answer.skipped === 0 ? '' : ` Skipped ${answer.skipped}: not a failed message of this tenant.`;
  ctx.stdout.write(`Queued ${countOf(answer.requeued, 'message')} again.${skipped}\n`);
}
