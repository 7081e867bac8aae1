import { Command, CommanderError } from 'commander';
import { addBackup } from '#cli/commands/backup';
import { addConfig } from '#cli/commands/config';
import { addDoctor } from '#cli/commands/doctor';
import { addEvents } from '#cli/commands/events';
import { addMessages } from '#cli/commands/messages';
import { addMigrate } from '#cli/commands/migrate';
import { addRestore } from '#cli/commands/restore';
import { addSend } from '#cli/commands/send';
import { addServe } from '#cli/commands/serve';
import { addSimulator } from '#cli/commands/simulator';
import { addStart } from '#cli/commands/start';
import { addTail } from '#cli/commands/tail';
import { addTemplates } from '#cli/commands/templates';
import { addWebhooks } from '#cli/commands/webhooks';
import { operatorGroups } from '#cli/operator/commands';
import type { CliContext } from './context.ts';
import { EXIT, explainExit } from './exit.ts';
import { operatorGroup } from './operator-group.ts';

/** Takes the exit code of a command that has one of its own; null: the process lives on. */
export type Finish = (exitCode: number | null) => void;

/** Adds a command, or a group of them, to the program. */
export type AddCommand = (program: Command, ctx: CliContext, finish: Finish) => void;

/** Every command, in the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addStart,
  addServe,
  addSimulator,
  addMigrate,
  addConfig,
  addDoctor,
  addBackup,
  addRestore,
  ...operatorGroups.map(operatorGroup),
  addSend,
  addMessages,
  addTail,
  addTemplates,
  addEvents,
  addWebhooks,
];

const EXIT_CODES = `
Exit codes: 0 done · 1 failed · 2 wrong option or setting · 3 server or database unreachable · 4 rejected
Settings are read from environment variables: "postrider config" lists them.`;

/**
 * Runs one command line.
 * @param args without the names of node and the program
 * @returns the exit code; null when the process shall live on (the simulator)
 */
export async function runCli(ctx: CliContext, args: readonly string[]): Promise<number | null> {
  let exitCode: number | null = EXIT.ok;
  const program = buildProgram(ctx, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(ctx, error);
  }
}

function buildProgram(ctx: CliContext, finish: Finish): Command {
  const program = new Command('postrider')
    .description('Business messaging service: accepted messages are never lost.')
    .version(ctx.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXIT_CODES)
    .enablePositionalOptions();
  for (const add of COMMANDS) add(program, ctx, finish);
  for (const command of [program, ...descendants(program)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => ctx.stdout.write(text),
      writeErr: (text) => ctx.stderr.write(text),
      getOutHelpWidth: () => ctx.stdout.columns ?? 100,
      getErrHelpWidth: () => ctx.stderr.columns ?? 100,
    });
  }
  return program;
}

function descendants(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}

function report(ctx: CliContext, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { exitCode, sentence } = explainExit(error);
  ctx.stderr.write(`${sentence}\n`);
  if (ctx.env.LOG_LEVEL === 'debug' && error instanceof Error) ctx.stderr.write(`${error.stack ?? ''}\n`);
  return exitCode;
}
