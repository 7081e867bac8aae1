import type { TemplatePoint } from '#analytics/domain/network-figures';
import { readBreakdown } from '#analytics/store/analytics-reads';
import { listNetworkTemplates, type TemplateBrief } from '#analytics/store/network-templates';
import type { MessageCounts } from '#events/domain/message-sums';
import {
  countedAccount,
  type FiguresDeps,
  type FiguresRequest,
  type NetworkFigures,
  requireFigures,
} from './network-figures.ts';
import { readOurFigures } from './our-figures.ts';

/** Templates of one answer, each language counted: the network is asked for ten at once. */
export const MAX_COUNTED_TEMPLATES = 50;
/** "A lookback window of 90 days" */
export const MAX_TEMPLATE_DAYS = 90;

export interface TemplateFiguresRequest extends Omit<FiguresRequest, 'interval' | 'phoneNumberId'> {
  /** Name; null: those that our sums show most messages for. */
  readonly template: string | null;
}

/** One step of one template. */
export interface TemplateFigures extends TemplatePoint, TemplateBrief {
  /** Of all languages of its name. Null: they would be those of other accounts too. */
  readonly ours: MessageCounts | null;
}

/** What became of the messages with templates. @throws ApiProblem as readMessageFigures, without unknown_phone_number */
export async function readTemplateFigures(
  parts: FiguresDeps,
  request: TemplateFiguresRequest,
): Promise<NetworkFigures<TemplateFigures>> {
  const { tenantId, period } = request;
  const { at, isWhole } = await countedAccount(parts, { ...request, phoneNumberId: null });
  const { networkAccountId } = at;
  const templates = await templatesToCount(parts, request, networkAccountId);
  const networkTemplateIds = templates.map((template) => template.networkTemplateId);
  const asked = requireFigures(await parts.network.templateFigures(at, { period, networkTemplateIds }));
  const known = new Map(templates.map((template) => [template.networkTemplateId, template]));
  const points = asked
    .flatMap((point) => {
      const template = known.get(point.networkTemplateId);
      return template === undefined ? [] : [{ ...point, ...template }];
    })
    .toSorted((a, b) => a.startMs - b.startMs || a.name.localeCompare(b.name) || a.language.localeCompare(b.language));
  const wanted = points.map(({ startMs, endMs, name }) => ({ startMs, endMs, key: name }));
  const ours = isWhole ? await readOurFigures(parts.db, { tenantId, dimension: 'template' }, wanted) : null;
  return { networkAccountId, points: points.map((point, place) => ({ ...point, ours: ours?.[place] ?? null })) };
}

/** Those with the most messages first. */
async function templatesToCount(
  { db }: FiguresDeps,
  { tenantId, period, template }: TemplateFiguresRequest,
  networkAccountId: string,
): Promise<readonly TemplateBrief[]> {
  const breakdown = { tenantId, dimension: 'template', period, limit: MAX_COUNTED_TEMPLATES } as const;
  const names = template === null ? (await readBreakdown(db, breakdown)).map(({ key }) => key) : [template];
  const templates = await listNetworkTemplates(db, { tenantId, networkAccountId }, names);
  const byMessages = templates.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  return byMessages.slice(0, MAX_COUNTED_TEMPLATES);
}
