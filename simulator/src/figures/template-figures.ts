/** `GET /{version}/{waba_id}/template_analytics`: what became of the messages with some templates, by days. */
import { requireAccount } from '../accounts/require-account.ts';
import { type GraphCall, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import { pageOf } from '../graph/paging.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import { knownTemplate } from '../templates/check-send.ts';
import type { Template } from '../templates/template-store.ts';
import { DAY_MS, type Figures } from './figure-book.ts';
import { type FigureParams, pointsOf, readFigureQuery, readList, sumOf } from './figure-query.ts';
import { costOf, countryOf } from './prices.ts';

const MAX_TEMPLATES = 10;
const MAX_DAYS = 90;
const NO_INSIGHTS = 200007;
/** All sends of one customer. */
const MAX_SENDS = 10_000;

type Metric = (figures: readonly Figures[]) => JsonObject;
const METRICS: Readonly<Record<string, Metric>> = {
  SENT: (figures) => ({ sent: sumOf(figures, 'sent') }),
  DELIVERED: (figures) => ({ delivered: sumOf(figures, 'delivered') }),
  READ: (figures) => ({ read: sumOf(figures, 'read') }),
  CLICKED: (figures) => ({ clicked: clicksOf(figures) }),
  COST: (figures) => ({ cost: costsOf(figures) }),
};

export function listTemplateFigures(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'analytics');
  if (!sim.accounts.hasInsights(wabaId)) refuseWith(NO_INSIGHTS, 'Template insights are not enabled for this account.');
  const params: FigureParams = new Map(Object.entries(paramsOf(call)).map(([name, value]) => [name, String(value)]));
  const query = readFigureQuery(params, ['DAILY']);
  if (query.endMs - query.startMs > MAX_DAYS * DAY_MS)
    refuseWith(100, `Params start and end can be at most ${MAX_DAYS} days apart.`);
  const ids = readTemplateIds(sim, wabaId, params);
  const metrics = readMetrics(params);
  const own = sim.figures.list(wabaId, query).filter(({ templateId }) => ids.includes(templateId ?? ''));
  const points = pointsOf(own, query, ({ templateId }) => ({ template_id: templateId }));
  const items = points.map(({ start, end, values, figures }) => ({
    id: `${values.template_id}-${start}`,
    point: { ...values, start, end, ...Object.assign({}, ...metrics.map((metric) => metric(figures))) },
  }));
  const page = pageOf(call, items, paramsOf(call));
  const data_points = page.items.map(({ point }) => point);
  return { data: [{ granularity: 'DAILY', product_type: 'cloud_api', data_points }], paging: page.paging };
}

function readTemplateIds(sim: Simulation, wabaId: string, params: FigureParams): readonly string[] {
  const ids = readList(params, 'template_ids', null) ?? refuseWith(100, 'Param template_ids is required.');
  if (ids.length > MAX_TEMPLATES) refuseWith(100, `Param template_ids can have at most ${MAX_TEMPLATES} ids.`);
  const nowMs = sim.clock.now();
  const other = ids.find((id) => sim.templates.find(id, nowMs)?.wabaId !== wabaId);
  return other === undefined ? ids : refuseWith(100, `Param template_ids: ${other} is no template of this account.`);
}

function readMetrics(params: FigureParams): readonly Metric[] {
  const names = params.get('metric_types')?.split(',') ?? Object.keys(METRICS);
  return names.map(
    (name) =>
      METRICS[name.trim()] ??
      refuseWith(100, `Param metric_types must have some of {${Object.keys(METRICS).join(', ')}}.`),
  );
}

/** Only taps on quick replies come back from a phone. */
function clicksOf(figures: readonly Figures[]): readonly JsonObject[] {
  const counts = new Map<string, number>();
  for (const [label, count] of figures.flatMap(({ clicks }) => Object.entries(clicks)))
    counts.set(label, (counts.get(label) ?? 0) + count);
  return [...counts].map(([label, count]) => ({ type: 'quick_reply_button', button_content: label, count }));
}

function costsOf(figures: readonly Figures[]): readonly JsonObject[] {
  const spent = figures.reduce((sum, { category, delivered }) => sum + costOf(category, delivered), 0);
  const delivered = sumOf(figures, 'delivered');
  return [
    { type: 'amount_spent', value: spent },
    ...(delivered === 0 ? [] : [{ type: 'cost_per_delivered', value: spent / delivered }]),
  ];
}

/** Counts a customer's tap on a button of a template, which is found by the message that the tap answers. */
export function countClick(sim: Simulation, number: BusinessNumber, from: string, message: JsonObject): void {
  const { type, button, context } = message;
  if (type !== 'button' || !isJsonObject(button) || !isJsonObject(context)) return;
  const template = sentTemplate(sim, number, { to: from, id: context.id });
  if (template === null) return;
  const place = {
    day: Math.floor(sim.clock.now() / DAY_MS),
    wabaId: number.wabaId,
    phoneNumberId: number.phoneNumberId,
    category: template.definition.category,
    country: countryOf(from),
    templateId: template.id,
  };
  sim.figures.clicked(place, String(button.text ?? button.payload));
}

function sentTemplate(
  sim: Simulation,
  { wabaId, phoneNumberId }: BusinessNumber,
  { to, id }: { readonly to: string; readonly id: unknown },
): Template | null {
  const { lines } = sim.ledger.page({ to, phoneNumberId }, 0, MAX_SENDS);
  const sent = lines.map((line) => parseJsonObject(line.toString('utf8'))).find((entry) => entry?.id === id);
  return isJsonObject(sent?.request) ? knownTemplate(sim, wabaId, sent.request) : null;
}
