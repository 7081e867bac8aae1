import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { EXIT } from '#cli/exit';
import { callOperator } from '#cli/operator-call';
import { itemsOf, outputOption, printJson, printTable } from '#cli/output';
import type { Finish } from '#cli/program';

const EXAMPLES = `
Each entry of the audit log is covered by a hash that also covers all entries before it. This follows the hashes and exits with 1
where an entry was changed, removed or added by somebody else than the service. The log of the service tells the end of each chain
(audit.sealed): compare it with the copy that your log server keeps to learn whether a whole chain was written anew.

Examples:
  postrider audit verify
  postrider audit verify --tenant "Flower shop" -o json`;

interface VerifyOptions {
  readonly tenant?: string;
  readonly output: string;
}

export function addAudit(program: Command, ctx: CliContext, finish: Finish): void {
  program
    .command('audit')
    .description('verify the audit log (operator)')
    .addHelpText('after', EXAMPLES)
    .command('verify')
    .description('verify the hash chain of the entries')
    .option('--tenant <id|name>', 'only this tenant')
    .addOption(outputOption())
    .action(async (options: VerifyOptions) => finish(await verify(ctx, options)));
}

async function verify(ctx: CliContext, { tenant, output }: VerifyOptions): Promise<number> {
  const answer = await callOperator(ctx, 'audit.verify', { tenant: tenant ?? null });
  const faults = itemsOf(answer);
  if (output === 'json') printJson(ctx, answer);
  else {
    printTable(ctx, {
      rows: faults,
      empty: `${answer.entries} entries are as they were written.`,
      columns: [
        { title: 'TENANT', value: (row) => row.tenant },
        { title: 'SEQ', value: (row) => row.seq, align: 'right' },
        { title: 'FAULT', value: (row) => row.fault },
      ],
    });
  }
  return faults.length === 0 ? EXIT.ok : EXIT.failure;
}
