/** Fields of an account that hold figures: `analytics`, `pricing_analytics` and `conversation_analytics`. */
import { refuseWith, requireStep } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { Figures } from './figure-book.ts';
import {
  FIGURE_PARAMS,
  type FigureParams,
  type FigureQuery,
  fieldParams,
  pointsOf,
  readFigureQuery,
  readList,
  refuseOtherParams,
  sumOf,
} from './figure-query.ts';
import { costOf } from './prices.ts';

type FigureField = (sim: Simulation, wabaId: string, params: FigureParams) => JsonObject;
type Values = Readonly<Record<string, (sim: Simulation, figures: Figures) => JsonObject>>;
type Metrics = Readonly<Record<string, (figures: readonly Figures[]) => JsonObject>>;

const DAILY = ['DAILY', 'MONTHLY'];
/** Every number is in the first one here. */
const TIER = '0:25000';

const FIGURE_FIELDS: Readonly<Record<string, FigureField>> = {
  analytics: messageFigures,
  pricing_analytics: (sim, wabaId, params) => figuresBy(sim, wabaId, params, [PRICING_VALUES, PRICING_METRICS]),
  conversation_analytics: (sim, wabaId, params) =>
    figuresBy(sim, wabaId, params, [CONVERSATION_VALUES, CONVERSATION_METRICS]),
};

/** Those that `fields` asks for. */
export function accountFigures(sim: Simulation, wabaId: string, fields: unknown): JsonObject {
  if (typeof fields !== 'string') return {};
  const asked = Object.entries(FIGURE_FIELDS).flatMap(([name, field]) => {
    const params = fieldParams(fields, name);
    return params === null ? [] : [{ name, field, params }];
  });
  if (asked.length > 0) requireStep(sim, 'analytics');
  return Object.fromEntries(asked.map(({ name, field, params }) => [name, field(sim, wabaId, params)]));
}

function messageFigures(sim: Simulation, wabaId: string, params: FigureParams): JsonObject {
  refuseOtherParams(params, ['start', 'end', 'granularity', 'phone_numbers']);
  const query = readFigureQuery(params, ['DAY', 'MONTH']);
  const points = pointsOf(figuresOf(sim, wabaId, query, params), query, () => ({}));
  return {
    phone_numbers: readList(params, 'phone_numbers', null) ?? phonesOf(sim, wabaId),
    granularity: query.granularity,
    data_points: points.map(({ start, end, figures }) => ({
      start,
      end,
      sent: sumOf(figures, 'sent'),
      delivered: sumOf(figures, 'delivered'),
    })),
  };
}

function figuresBy(
  sim: Simulation,
  wabaId: string,
  params: FigureParams,
  [values, metrics]: readonly [Values, Metrics],
): JsonObject {
  refuseOtherParams(params, FIGURE_PARAMS);
  const query = readFigureQuery(params, DAILY);
  const dimensions = readList(params, 'dimensions', Object.keys(values)) ?? [];
  const wanted = readList(params, 'metric_types', Object.keys(metrics)) ?? Object.keys(metrics);
  const valuesOf = (figures: Figures): JsonObject =>
    Object.assign({}, ...dimensions.map((dimension) => values[dimension]?.(sim, figures)));
  const points = pointsOf(figuresOf(sim, wabaId, query, params).filter(isPaid), query, valuesOf);
  return {
    data: [
      {
        data_points: points.map(({ start, end, values: own, figures }) => ({
          start,
          end,
          ...own,
          ...Object.assign({}, ...wanted.map((metric) => metrics[metric]?.(figures))),
        })),
      },
    ],
  };
}

/** What was not delivered is not paid, and begins no conversation. */
function isPaid({ delivered }: Figures): boolean {
  return delivered > 0;
}

const PHONE: Values[string] = (sim, { phoneNumberId }) => ({ phone_number: phoneOf(sim, phoneNumberId) });
const COUNTRY: Values[string] = (_sim, { country }) => ({ country });

const PRICING_VALUES: Values = {
  PRICING_CATEGORY: (_sim, { category }) => ({ pricing_category: category }),
  PRICING_TYPE: (_sim, figures) => ({ pricing_type: isFree(figures) ? 'FREE_CUSTOMER_SERVICE' : 'REGULAR' }),
  COUNTRY,
  PHONE,
  TIER: () => ({ tier: TIER }),
};
const PRICING_METRICS: Metrics = {
  VOLUME: (figures) => ({ volume: sumOf(figures, 'delivered') }),
  COST: (figures) => ({ cost: totalCost(figures, 'delivered') }),
};

const CONVERSATION_VALUES: Values = {
  CONVERSATION_CATEGORY: (_sim, { category }) => ({ conversation_category: category }),
  CONVERSATION_DIRECTION: (_sim, figures) => ({
    conversation_direction: isFree(figures) ? 'user_initiated' : 'business_initiated',
  }),
  CONVERSATION_TYPE: (_sim, figures) => ({ conversation_type: isFree(figures) ? 'FREE_TIER' : 'REGULAR' }),
  COUNTRY,
  PHONE,
};
const CONVERSATION_METRICS: Metrics = {
  CONVERSATION: (figures) => ({ conversation: sumOf(figures, 'conversations') }),
  COST: (figures) => ({ cost: totalCost(figures, 'conversations') }),
};

function isFree({ category }: Figures): boolean {
  return category === 'SERVICE';
}

function totalCost(figures: readonly Figures[], measure: 'delivered' | 'conversations'): number {
  const micros = figures.map((one) => Math.round(costOf(one.category, one[measure]) * 1_000_000));
  return micros.reduce((sum, one) => sum + one, 0) / 1_000_000;
}

/** Of the numbers that are named, or of all. */
function figuresOf(sim: Simulation, wabaId: string, query: FigureQuery, params: FigureParams): readonly Figures[] {
  const phones = readList(params, 'phone_numbers', null);
  if (phones?.some((phone) => !/^\+?\d{1,20}$/.test(phone)))
    refuseWith(100, 'Param phone_numbers must be a list of phone numbers.');
  const wanted = phones && new Set(phones.map((phone) => phone.replace('+', '')));
  const all = sim.figures.list(wabaId, query);
  return wanted === null ? all : all.filter(({ phoneNumberId }) => wanted.has(phoneOf(sim, phoneNumberId)));
}

function phonesOf(sim: Simulation, wabaId: string): readonly string[] {
  const own = sim.numbers.list().filter((number) => number.wabaId === wabaId);
  return own.map(({ displayPhoneNumber }) => displayPhoneNumber);
}

function phoneOf(sim: Simulation, phoneNumberId: string): string {
  return sim.numbers.find(phoneNumberId, false)?.displayPhoneNumber ?? '';
}
