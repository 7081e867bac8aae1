/** What the customer sees of a template message: the template's texts with the parameters in their places. */
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { Definition } from './template-store.ts';

export type ShownTemplate = {
  /** Header, body and footer, a line each. */
  readonly text: string;
  /** As they were approved: `type`, `text` and what belongs to the type. */
  readonly buttons: readonly JsonObject[];
};

/** What the phone shows, or null when the template does not exist here. */
export function renderTemplate(sim: Simulation, wabaId: string, template: JsonObject): ShownTemplate | null {
  const language = isJsonObject(template.language) ? template.language.code : undefined;
  const known = sim.templates.named(wabaId, String(template.name), sim.clock.now());
  const live = known.find((one) => one.language === language)?.live ?? null;
  if (live === null) return null;
  const sent = objectsIn(template.components);
  const lines = ['HEADER', 'BODY', 'FOOTER'].map((type) => renderPart(live, type, sent));
  const buttons = objectsIn(live.components.find((one) => one.type === 'BUTTONS')?.buttons);
  return { text: lines.filter((line) => line !== '').join('\n'), buttons };
}

function renderPart(live: Definition, type: string, sent: readonly JsonObject[]): string {
  const component = live.components.find((one) => one.type === type);
  if (component === undefined) return '';
  if (typeof component.text !== 'string') return component.format === undefined ? '' : `[${String(component.format)}]`;
  const parameters = objectsIn(sent.find((one) => String(one.type).toUpperCase() === type)?.parameters);
  return component.text.replace(/\{\{\s*(\w+)\s*\}\}/g, (variable, name: string) => {
    const parameter = parameters.find((one) => one.parameter_name === name) ?? parameters[Number(name) - 1];
    return parameter === undefined ? variable : wordsOf(parameter);
  });
}

function wordsOf(parameter: JsonObject): string {
  if (typeof parameter.text === 'string') return parameter.text;
  const value = parameter[String(parameter.type)];
  return isJsonObject(value) ? String(value.fallback_value ?? '') : '';
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
