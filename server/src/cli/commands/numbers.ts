import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { parseWhole } from '#cli/options';
import { itemsOf, outputOption, printJson, printTable } from '#cli/output';
import type { JsonObject } from '#core/json';

const EXAMPLES = `
<id> is the phone_number_id that the network gave to the number.

Examples:
  postrider numbers add 106540352242922 --phone +15550100001 --name "Main desk"
  postrider numbers add 106540352242923 --phone +15550100002 --rate 20 --tenant "Flower shop"
  postrider numbers list
  postrider numbers pause 106540352242922 --reason "Quality is low"
  postrider numbers resume 106540352242922`;

export function addNumbers(program: Command, ctx: CliContext): void {
  const numbers = program
    .command('numbers')
    .description('add, list, pause and resume sending numbers (operator)')
    .addHelpText('after', EXAMPLES);
  numbers
    .command('add')
    .description('add a sending number to a tenant')
    .argument('<id>', 'phone_number_id of the network')
    .requiredOption('--phone <number>', 'the number as customers see it')
    .option('--name <text>', 'name of the number')
    .option('--rate <n>', 'messages per second; 0: no limit; default: MESSAGING_NUMBER_RATE', parseWhole)
    .option('--network-account <id>', 'the network account that it belongs to, for its templates')
    .option('--tenant <id|name>', 'the tenant; may be omitted while there is only one')
    .addOption(outputOption())
    .action((id: string, options: AddOptions) => addNumber(ctx, id, options));
  numbers
    .command('list')
    .description('list the sending numbers of all tenants, or of one')
    .option('--tenant <id|name>', 'only this tenant')
    .addOption(outputOption())
    .action((options: { tenant?: string; output: string }) => listNumbers(ctx, options));
  numbers
    .command('pause')
    .description('pause a number; its messages wait')
    .argument('<id>', 'phone_number_id')
    .option('--reason <text>', 'reason, shown with the number')
    .addOption(outputOption())
    .action((id: string, options: { reason?: string; output: string }) => pause(ctx, id, options));
  numbers
    .command('resume')
    .description('resume a paused number')
    .argument('<id>', 'phone_number_id')
    .addOption(outputOption())
    .action((id: string, options: { output: string }) => resume(ctx, id, options.output));
}

interface AddOptions {
  readonly phone: string;
  readonly name?: string;
  readonly rate?: number;
  readonly networkAccount?: string;
  readonly tenant?: string;
  readonly output: string;
}

async function addNumber(
  ctx: CliContext,
  id: string,
  { phone, name, rate, networkAccount, tenant, output }: AddOptions,
): Promise<void> {
  const optional = { name, rate, network_account_id: networkAccount, tenant };
  const given = Object.fromEntries(Object.entries(optional).map(([key, value]) => [key, value ?? null]));
  const input = { phone_number_id: id, phone, ...given };
  show(ctx, output, await callOperator(ctx, 'numbers.add', input));
}

async function listNumbers(ctx: CliContext, { tenant, output }: { tenant?: string; output: string }): Promise<void> {
  const answer = await callOperator(ctx, 'numbers.list', { tenant: tenant ?? null });
  if (output === 'json') printJson(ctx, answer);
  else printNumbers(ctx, itemsOf(answer));
}

async function pause(
  ctx: CliContext,
  id: string,
  { reason, output }: { reason?: string; output: string },
): Promise<void> {
  show(ctx, output, await callOperator(ctx, 'numbers.pause', { phone_number_id: id, reason: reason ?? null }));
}

async function resume(ctx: CliContext, id: string, output: string): Promise<void> {
  show(ctx, output, await callOperator(ctx, 'numbers.resume', { phone_number_id: id }));
}

function show(ctx: CliContext, output: string, number: JsonObject): void {
  if (output === 'json') printJson(ctx, number);
  else printNumbers(ctx, [number]);
}

function printNumbers(ctx: CliContext, rows: readonly JsonObject[]): void {
  printTable(ctx, {
    rows,
    empty: 'There is no sending number yet: add one with "postrider numbers add".',
    columns: [
      { title: 'ID', value: (row) => row.id },
      { title: 'PHONE', value: (row) => row.phone },
      { title: 'NAME', value: (row) => row.name, flexible: true },
      {
        title: 'STATUS',
        value: (row) => (row.status === 'paused' ? `paused: ${row.pause_reason ?? ''}` : row.status),
        flexible: true,
      },
      { title: 'RATE', value: (row) => rateText(row.rate_per_second), align: 'right' },
      { title: 'TENANT', value: (row) => row.tenant },
    ],
  });
}

function rateText(rate: JsonObject[string] | undefined): string {
  if (rate === null || rate === undefined) return 'default';
  return rate === 0 ? 'no limit' : `${String(rate)}/s`;
}
