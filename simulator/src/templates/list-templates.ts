/** `GET /{version}/{waba_id}/message_templates`: the account's templates, oldest first, by pages. */
import { requireAccount } from '../accounts/require-account.ts';
import { type GraphCall, paramsOf, requireStep } from '../graph/call.ts';
import { pageOf } from '../graph/paging.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { presentTemplate } from './present-template.ts';
import type { Template } from './template-store.ts';

const MAX_TEMPLATES = 250;

/** Answers `{data, paging}`, and `summary` when it is asked for. */
export function listTemplates(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'template_list');
  const params = paramsOf(call);
  const all = sim.templates.list(wabaId, sim.clock.now());
  const { items, paging } = pageOf(
    call,
    all.filter((template) => matches(template, params)),
    params,
  );
  const counts = {
    total_count: all.length,
    message_template_count: all.length,
    message_template_limit: MAX_TEMPLATES,
    are_translations_complete: true,
  };
  return {
    data: items.map((template) => presentTemplate(template, params.fields)),
    paging,
    ...(params.summary === undefined ? {} : { summary: selectCounts(counts, String(params.summary)) }),
  };
}

/** The counts that `summary` names, or all of them. */
function selectCounts(counts: JsonObject, summary: string): JsonObject {
  const names = summary.split(',').map((name) => name.trim());
  const named = Object.entries(counts).filter(([name]) => names.includes(name));
  return named.length === 0 ? counts : Object.fromEntries(named);
}

function matches(template: Template, params: JsonObject): boolean {
  const same = (key: string, value: string): boolean =>
    params[key] === undefined || String(params[key]).toUpperCase() === value.toUpperCase();
  const within = (key: string, text: string): boolean =>
    params[key] === undefined || text.includes(String(params[key]));
  return (
    same('status', template.status) &&
    same('category', template.definition.category) &&
    same('language', template.language) &&
    same('quality_score', template.score) &&
    within('name', template.name) &&
    within('name_or_content', `${template.name} ${JSON.stringify(template.definition.components)}`)
  );
}
