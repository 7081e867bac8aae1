import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { countOf, itemsOf, outputOption, printJson, printTable, shortTime } from '#cli/output';

const EXAMPLES = `
Examples:
  postrider held list
  postrider held release                     settles them as each tenant wants unknown outcomes settled
  postrider held release --unsent            after a move in order: nothing was sent since the backup
  postrider held begin                       after a restore that the service could not notice`;

export function addHeld(program: Command, ctx: CliContext): void {
  const held = program
    .command('held')
    .description('messages that may have been sent before the database was restored (operator)')
    .addHelpText('after', EXAMPLES);
  held
    .command('list')
    .description('count held messages by tenant')
    .addOption(outputOption())
    .action((options: ListOptions) => list(ctx, options));
  held
    .command('release')
    .description('release held messages')
    .option('--tenant <id|name>', 'only this tenant')
    .option('--unsent', 'nothing was sent since the backup: send what was ready, without marking it')
    .addOption(outputOption())
    .action((options: ReleaseOptions) => release(ctx, options));
  held
    .command('begin')
    .description('hold everything that is due, as after a restore')
    .addOption(outputOption())
    .action((options: ListOptions) => begin(ctx, options));
}

interface ListOptions {
  readonly output: string;
}

interface ReleaseOptions extends ListOptions {
  readonly tenant?: string;
  readonly unsent?: boolean;
}

async function list(ctx: CliContext, { output }: ListOptions): Promise<void> {
  const answer = await callOperator(ctx, 'held.list', {});
  if (output === 'json') return printJson(ctx, answer);
  printTable(ctx, {
    rows: itemsOf(answer),
    empty: 'Nothing is held.',
    columns: [
      { title: 'TENANT', value: (row) => row.tenant_id },
      { title: 'MESSAGES', value: (row) => row.messages },
      { title: 'FIRST EXPIRES (UTC)', value: (row) => shortTime(row.first_expires_at) },
    ],
  });
}

async function release(ctx: CliContext, { tenant, unsent, output }: ReleaseOptions): Promise<void> {
  const answer = await callOperator(ctx, 'held.release', { tenant: tenant ?? null, unsent: unsent === true });
  if (output === 'json') return printJson(ctx, answer);
  ctx.stdout.write(`Released ${countOf(answer.released, 'message')}.\n`);
}

async function begin(ctx: CliContext, { output }: ListOptions): Promise<void> {
  const answer = await callOperator(ctx, 'held.begin', {});
  if (output === 'json') return printJson(ctx, answer);
  ctx.stdout.write(`Holding ${countOf(answer.held, 'message')}.\n`);
}
