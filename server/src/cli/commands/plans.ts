import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { parseWhole } from '#cli/options';
import { itemsOf, outputOption, printJson, printTable } from '#cli/output';
import type { JsonObject } from '#core/json';

const EXAMPLES = `
Prices are in minor units (cents). A plan with a hard limit refuses messages beyond it; a soft one shows them.

Examples:
  postrider plans list
  postrider plans add pro --name "Pro" --price 4900 --currency EUR --messages 50000 --enforcement hard
  postrider plans set pro --messages none
  postrider plans set pro --default`;

interface PlanOptions {
  readonly name?: string;
  readonly price?: number;
  readonly currency?: string;
  readonly interval?: string;
  readonly messages?: number | 'none';
  readonly enforcement?: string;
  readonly warning?: number;
  readonly mediaBytes?: number | 'none';
  readonly grace?: number;
  readonly lowBalance?: number | 'none';
  readonly default?: boolean;
  readonly output: string;
}

export function addPlans(program: Command, ctx: CliContext): void {
  const plans = program
    .command('plans')
    .description('list, create and update plans (operator)')
    .addHelpText('after', EXAMPLES);
  plans
    .command('list')
    .description('list all plans')
    .addOption(outputOption())
    .action((options: { output: string }) => listPlans(ctx, options.output));
  const verbs = [
    ['add', 'add a plan', 'plans.add'],
    ['set', 'change a plan; what is not named stays', 'plans.set'],
  ] as const;
  for (const [verb, description, operatorCommand] of verbs) {
    planOptions(plans.command(verb).description(description)).action(async (id: string, options: PlanOptions) => {
      const plan = await callOperator(ctx, operatorCommand, { id, ...inputOf(options) });
      if (options.output === 'json') printJson(ctx, plan);
      else ctx.stdout.write(`Plan ${plan.id} is stored.\n`);
    });
  }
}

function planOptions(command: Command): Command {
  return command
    .argument('<id>', 'id of the plan, such as pro')
    .option('--name <text>', 'name of the plan')
    .option('--price <n>', 'price per interval, in minor units', parseWhole)
    .option('--currency <code>', 'ISO 4217')
    .option('--interval <month|year>', 'billing interval')
    .option('--messages <n|none>', 'outbound messages per calendar month; none: no limit', parseLimit)
    .option('--enforcement <soft|hard>', 'what happens when the limit is exceeded')
    .option('--warning <percent>', 'share of the limit at which usage causes a warning', parseWhole)
    .option('--media-bytes <n|none>', 'bytes of stored media; none: no limit', parseLimit)
    .option('--grace <days>', 'how long messages are accepted after a missed payment', parseWhole)
    .option(
      '--low-balance <n|none>',
      'notify tenants whose balance is lower, in minor units; none: do not notify',
      parseLimit,
    )
    .option('--default', 'the plan of every tenant without another one')
    .addOption(outputOption());
}

/** A whole number, or `none`. @throws InvalidArgumentError for anything else */
function parseLimit(text: string): number | 'none' {
  if (text === 'none') return 'none';
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Write a whole number, or none.');
  return value;
}

function inputOf(options: PlanOptions): JsonObject {
  const { output: _output, warning, mediaBytes, grace, lowBalance, ...same } = options;
  return {
    ...same,
    ...(warning === undefined ? {} : { warning_percent: warning }),
    ...(lowBalance === undefined ? {} : { low_balance: lowBalance }),
    ...(mediaBytes === undefined ? {} : { media_bytes: mediaBytes }),
    ...(grace === undefined ? {} : { grace_days: grace }),
  };
}

async function listPlans(ctx: CliContext, output: string): Promise<void> {
  const answer = await callOperator(ctx, 'plans.list', {});
  if (output === 'json') return printJson(ctx, answer);
  printTable(ctx, {
    rows: itemsOf(answer),
    empty: 'There is no plan.',
    columns: [
      { title: 'ID', value: (row) => row.id },
      { title: 'NAME', value: (row) => row.name, flexible: true },
      { title: 'PRICE', value: (row) => `${row.price} ${row.currency}/${row.interval}`, align: 'right' },
      { title: 'MESSAGES', value: (row) => row.messages_per_month ?? 'no limit', align: 'right' },
      { title: 'ENFORCEMENT', value: (row) => row.enforcement },
      { title: 'GRACE', value: (row) => `${row.grace_days} d`, align: 'right' },
      { title: 'DEFAULT', value: (row) => (row.default === true ? 'yes' : '') },
    ],
  });
}
