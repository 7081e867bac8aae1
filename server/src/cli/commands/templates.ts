import type { Postrider } from '@postrider/sdk';
import type { Command } from 'commander';
import { type ApiOptions, asJson, connectApi, withApiOptions } from '#cli/api-client';
import type { CliContext } from '#cli/context';
import { templateTypes } from '#cli/template-types';
import type { JsonObject } from '#core/json';

const EXAMPLES = `
Examples:
  postrider templates types > postrider-templates.d.ts`;
const PAGE_SIZE = 1000;

export function addTemplates(program: Command, ctx: CliContext): void {
  const templates = program.command('templates').description('work with templates').addHelpText('after', EXAMPLES);
  const types = templates
    .command('types')
    .description(
      'print TypeScript types of all templates for @postrider/sdk, so that a missing value does not compile',
    );
  withApiOptions(types).action(async (options: ApiOptions) => {
    const call = await connectApi(ctx, options);
    ctx.stdout.write(templateTypes(await call(listTemplates)));
  });
}

/** All templates, whatever their number. */
async function listTemplates(api: Postrider): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const template of api.templates.list({ limit: PAGE_SIZE })) found.push(asJson(template));
  return found;
}
