import type { Asked } from '#accounts/domain/account-network';
import type {
  FiguresNetwork,
  FiguresWish,
  NetworkConversationKey,
  PriceKey,
  TemplateFiguresWish,
  TemplatePoint,
} from '#analytics/domain/network-figures';
import type { Period } from '#core/calendar';
import type { Config } from '#runtime/config';
import { OUTSIDE_AT_ONCE } from '#runtime/outside';
import type { AccountAccess } from '#templates/domain/network';
import {
  conversationPointsIn,
  messagePointsIn,
  pricePointsIn,
  type TemplateFiguresPage,
  templateFiguresIn,
} from './figures-answers.ts';
import { type Asker, type Fields, GRAPH_DEADLINE_MS, openGraph } from './graph.ts';

/** A year of days by country has some 70,000 points of 150 bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const SECOND = 1000;
/** "The template IDs, a maximum of 10." */
const TEMPLATES_AT_ONCE = 10;
const POINTS_PER_PAGE = 500;
/** Ten templates have 900 days of 90 at most; the network may give fewer at once than it is asked for. */
const MAX_PAGES = 100;
const TEMPLATE_METRICS = 'SENT,DELIVERED,READ,CLICKED,COST';

/** How the network calls what prices are told apart by, in a question and in an answer. */
const PRICE_DIMENSIONS: Readonly<Record<PriceKey, readonly [asked: string, answered: string]>> = {
  category: ['PRICING_CATEGORY', 'pricing_category'],
  type: ['PRICING_TYPE', 'pricing_type'],
  country: ['COUNTRY', 'country'],
  phone_number_id: ['PHONE', 'phone_number'],
  tier: ['TIER', 'tier'],
};
const CONVERSATION_DIMENSIONS: Readonly<Record<NetworkConversationKey, readonly [asked: string, answered: string]>> = {
  category: ['CONVERSATION_CATEGORY', 'conversation_category'],
  direction: ['CONVERSATION_DIRECTION', 'conversation_direction'],
  type: ['CONVERSATION_TYPE', 'conversation_type'],
  country: ['COUNTRY', 'country'],
  phone_number_id: ['PHONE', 'phone_number'],
};

export interface FiguresClient extends FiguresNetwork {
  close(): Promise<void>;
}

/** The network's paths with figures. Each call tries once and never rejects. */
export function makeFiguresClient(config: Config, deadlineMs = GRAPH_DEADLINE_MS): FiguresClient {
  const { ask, close } = openGraph(config, {
    connections: OUTSIDE_AT_ONCE,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    deadlineMs,
  });
  const authorized: Asker = (request, read) => ask({ ...request, token: request.token ?? config.networkToken }, read);
  return {
    messageFigures: (at, wish) =>
      askField(authorized, at, `analytics${parametersOf(wish, ['DAY', 'MONTH'])}`, messagePointsIn),
    priceFigures: (at, wish, by) => {
      const [asked, answered] = PRICE_DIMENSIONS[by];
      const field = `pricing_analytics${splitBy(wish, 'VOLUME', asked)}`;
      return askField(authorized, at, field, (answer) => pricePointsIn(answer, answered));
    },
    conversationFigures: (at, wish, by) => {
      const [asked, answered] = CONVERSATION_DIMENSIONS[by];
      const field = `conversation_analytics${splitBy(wish, 'CONVERSATION', asked)}`;
      return askField(authorized, at, field, (answer) => conversationPointsIn(answer, answered));
    },
    templateFigures: (at, wish) => templateFigures(authorized, at, wish),
    close,
  };
}

function askField<T>(
  ask: Asker,
  { networkAccountId, token }: AccountAccess,
  fields: string,
  read: (answer: Fields) => T | null,
): Promise<Asked<T>> {
  return ask({ method: 'GET', path: `${networkAccountId}?${new URLSearchParams({ fields })}`, token }, read);
}

function splitBy(wish: FiguresWish, metric: string, dimension: string): string {
  const parameters = parametersOf(wish, ['DAILY', 'MONTHLY']);
  return `${parameters}.metric_types(["COST","${metric}"]).dimensions(["${dimension}"])`;
}

/** `.start(1).end(2).granularity(DAY).phone_numbers(["16505550111"])` */
function parametersOf({ period, interval, phones }: FiguresWish, [day, month]: readonly [string, string]): string {
  const { start, end } = secondsOf(period);
  const granularity = interval === 'day' ? day : month;
  return `.start(${start}).end(${end}).granularity(${granularity}).phone_numbers(${JSON.stringify(phones)})`;
}

function secondsOf({ startMs, endMs }: Period): { readonly start: string; readonly end: string } {
  return { start: String(startMs / SECOND), end: String(endMs / SECOND) };
}

/** All pages of all templates, one request after the other. */
async function templateFigures(
  ask: Asker,
  at: AccountAccess,
  { period, networkTemplateIds: ids }: TemplateFiguresWish,
): Promise<Asked<readonly TemplatePoint[]>> {
  const points: TemplatePoint[] = [];
  for (let first = 0; first < ids.length; first += TEMPLATES_AT_ONCE) {
    const some = { period, networkTemplateIds: ids.slice(first, first + TEMPLATES_AT_ONCE) };
    const asked = await allPages(ask, at, some);
    if (!asked.ok) return asked;
    points.push(...asked.value);
  }
  return { ok: true, value: points };
}

async function allPages(
  ask: Asker,
  { networkAccountId, token }: AccountAccess,
  { period, networkTemplateIds: ids }: TemplateFiguresWish,
): Promise<Asked<readonly TemplatePoint[]>> {
  const points: TemplatePoint[] = [];
  const wish = { ...secondsOf(period), granularity: 'DAILY', metric_types: TEMPLATE_METRICS };
  const whole = { ...wish, template_ids: `[${ids.join()}]`, limit: String(POINTS_PER_PAGE) };
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams(after === null ? whole : { ...whole, after });
    const path = `${networkAccountId}/template_analytics?${query}`;
    const asked: Asked<TemplateFiguresPage> = await ask({ method: 'GET', path, token }, templateFiguresIn);
    if (!asked.ok) return asked;
    points.push(...asked.value.points);
    after = asked.value.after;
    if (after === null) break;
  }
  return { ok: true, value: points };
}
