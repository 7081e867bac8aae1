import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import type { Finish } from '#cli/program';

const EXAMPLES = `
Examples:
  postrider start                                    Ctrl-C stops both
  PORT=9000 MESSAGING_SIMULATOR_PORT=9090 postrider start
  MESSAGING_DATA_DIR=/tmp/demo postrider start       with a folder of its own`;

/** For a first look: `serve` is what runs a business. */
export function addStart(program: Command, ctx: CliContext, finish: Finish): void {
  program
    .command('start')
    .description('try it: run the service and the simulator with a demo tenant')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      finish(null);
      await ctx.runStarter();
    });
}
