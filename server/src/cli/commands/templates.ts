import type { Command } from 'commander';
import { type ApiClient, type ApiOptions, makeApiClient, withApiOptions } from '#cli/api-client';
import type { CliContext } from '#cli/context';
import { itemsOf } from '#cli/output';
import { templateTypes } from '#cli/template-types';
import { isJsonObject, type JsonObject } from '#core/json';

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
    const found = await listTemplates(await makeApiClient(ctx, options));
    ctx.stdout.write(templateTypes(found));
  });
}

/** All templates, whatever their number. */
async function listTemplates(api: ApiClient): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (let cursor: string | null = null; ; ) {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await api.get(`/v1/templates?limit=${PAGE_SIZE}${after}`);
    found.push(...itemsOf(answer));
    const { page } = answer;
    if (!isJsonObject(page) || typeof page.next_cursor !== 'string' || page.has_more !== true) return found;
    cursor = page.next_cursor;
  }
}
