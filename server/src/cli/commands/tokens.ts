import type { Command } from 'commander';
import type { CliContext } from '#cli/context';
import { callOperator } from '#cli/operator-call';
import { outputOption, printFields, printJson } from '#cli/output';

const EXAMPLES = `
Access tokens of linked accounts and secrets of webhooks are encrypted under the first key of MESSAGING_ENCRYPTION_KEY.
To change it, put a new key in front of the old one, start every process anew, run this command, and take the old key
away. Without the setting the command makes a new key in the data folder by itself.

Examples:
  postrider tokens rotate-key
  postrider tokens rotate-key -o json`;

export function addTokens(program: Command, ctx: CliContext): void {
  program
    .command('tokens')
    .description('manage encrypted access tokens and secrets (operator)')
    .addHelpText('after', EXAMPLES)
    .command('rotate-key')
    .description('encrypt every token and webhook secret under the newest key')
    .addOption(outputOption())
    .action(async (options: { readonly output: string }) => {
      const result = await callOperator(ctx, 'tokens.rotate-key', {});
      if (options.output === 'json') printJson(ctx, result);
      else printFields(ctx, Object.entries(result));
    });
}
