import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { EXIT } from '#cli/exit';
import { outputOption, printJson } from '#cli/output';
import type { Finish } from '#cli/program';
import type { Check } from './doctor-check.ts';
import { databaseChecks } from './doctor-database.ts';
import {
  fileLimit,
  filesCheck,
  folderCheck,
  networkCheck,
  nodeCheck,
  readSettings,
  secretsCheck,
  serverCheck,
} from './doctor-machine.ts';

const EXAMPLES = `
Each line is ok, warn or fail, with advice. Exit code 1 if any line fails.

Examples:
  postrider doctor
  postrider doctor -o json`;

const MARK = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

export function addDoctor(program: Command, ctx: CliContext, finish: Finish): void {
  program
    .command('doctor')
    .description('check the machine, settings, database, network and queues')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: { output: string }) => finish(await doctor(ctx, options.output)));
}

/** @returns failure when a check failed */
export async function doctor(ctx: CliContext, output: string): Promise<number> {
  const checks = await runChecks(ctx);
  if (output === 'json') printJson(ctx, { checks: checks.map((check) => ({ ...check })) });
  else printChecks(ctx, checks);
  return checks.some((check) => check.state === 'fail') ? EXIT.failure : EXIT.ok;
}

/** Without usable settings there is no telling which folder, database and network are meant. */
async function runChecks(ctx: CliContext): Promise<readonly Check[]> {
  const { check, config } = readSettings(ctx);
  const basics = [nodeCheck(), check];
  if (config === null) return basics;
  // Before the database is opened, which closes the folder.
  const folder = folderCheck(config);
  const [server, network, database] = await Promise.all([
    serverCheck(ctx, config),
    networkCheck(ctx, config),
    databaseChecks(ctx, config),
  ]);
  const files = filesCheck(config, await fileLimit(config));
  return [...basics, secretsCheck(config), folder, files, server, network, ...database];
}

function printChecks(ctx: CliContext, checks: readonly Check[]): void {
  const widest = Math.max(...checks.map((check) => check.name.length));
  for (const { name, state, finding, advice } of checks) {
    ctx.stdout.write(`${MARK[state]}  ${name.padEnd(widest)}  ${finding}\n`);
    if (advice) ctx.stdout.write(`${' '.repeat(widest + 8)}→ ${advice}\n`);
  }
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  ctx.stdout.write(`\n${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failed.\n`);
}
