import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { EXIT } from '#cli/exit';
import { callOperator } from '#cli/operator-call';
import { parseWhole } from '#cli/options';
import { itemsOf, outputOption, printJson, printTable } from '#cli/output';
import type { Finish } from '#cli/program';

const EXAMPLES = `
Reports read sums that are made from the events. This counts the messages themselves, adds up the events of conversations again (as
far back as they are kept), and shows where the sums differ: then it exits with 1. A message that was queued again after it failed
has failed for the sums. What was timed is shown by how often it was; where that is equal, by buckets and their counts.

Examples:
  postrider analytics check --tenant "Flower shop"
  postrider analytics check --days 366 -o json`;

interface CheckOptions {
  readonly tenant?: string;
  readonly days?: number;
  readonly output: string;
}

export function addAnalytics(program: Command, ctx: CliContext, finish: Finish): void {
  program
    .command('analytics')
    .description('check the totals in reports (operator)')
    .addHelpText('after', EXAMPLES)
    .command('check')
    .description('compare the totals in reports with messages and events, day by day')
    .option('--tenant <id|name>', 'the tenant; may be omitted while there is only one')
    .option('--days <n>', 'number of past days, up to 366, in UTC; default: 31', parseWhole)
    .addOption(outputOption())
    .action(async (options: CheckOptions) => finish(await check(ctx, options)));
}

async function check(ctx: CliContext, { tenant, days, output }: CheckOptions): Promise<number> {
  const answer = await callOperator(ctx, 'analytics.check', { tenant: tenant ?? null, days: days ?? null });
  const drifts = itemsOf(answer);
  if (output === 'json') printJson(ctx, answer);
  else {
    printTable(ctx, {
      rows: drifts,
      empty: `${answer.checked} sums of ${answer.days} days are what messages and events say.`,
      columns: [
        { title: 'DAY (UTC)', value: (row) => row.day },
        { title: 'BY', value: (row) => row.dimension },
        { title: 'KEY', value: (row) => row.key, flexible: true },
        { title: 'FIGURE', value: (row) => row.measure },
        { title: 'SUM', value: (row) => row.sum, align: 'right' },
        { title: 'FACTS', value: (row) => row.facts, align: 'right' },
      ],
    });
  }
  if (drifts.length > 0 && answer.complete !== true)
    ctx.stderr.write('Events came in faster than they were added up: look again when less is going on.\n');
  return drifts.length === 0 ? EXIT.ok : EXIT.failure;
}
