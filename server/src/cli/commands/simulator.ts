import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import type { Finish } from '#cli/program';

const EXAMPLES = `
Options after the name go to the simulator: --port, --callback-url, --ledger, --quiet.

Examples:
  postrider simulator
  postrider simulator --port 9090 --callback-url http://127.0.0.1:8080/webhooks/meta`;

/** The simulator is a process of its own, so that ending the server never ends the network. */
export function addSimulator(program: Command, ctx: CliContext, finish: Finish): void {
  program
    .command('simulator')
    .description('run the simulated messaging network')
    .argument('[options...]', 'options of the simulator')
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action(async (args: readonly string[]) => {
      finish(null);
      await ctx.runSimulator(args);
    });
}
