/** Reads figures that the network answers: null where an answer is not what it should be, so that no figure is left out in silence. */
import type {
  ButtonClicks,
  MessagePoint,
  NetworkConversationPoint,
  PricePoint,
  TemplatePoint,
} from '#analytics/domain/network-figures';
import type { Period } from '#core/calendar';
import { cutText } from '#core/json';
import { afterIn, type Fields, fieldsOf } from './graph.ts';

/** Far above every word of the network, and above its labels of buttons. */
const MAX_TEXT = 200;
/** A template has at most ten buttons; these are told apart by their labels, which can be changed. */
const MAX_CLICKS = 100;
const SECOND = 1000;
/** The end of what a time of the database can be. */
const MAX_SECONDS = 253_402_300_799;
const TEMPLATE_ID = /^[0-9]{1,32}$/;

/** A page of figures of templates. */
export interface TemplateFiguresPage {
  readonly points: readonly TemplatePoint[];
  /** Null on the last page. */
  readonly after: string | null;
}

export function messagePointsIn(answer: Fields): readonly MessagePoint[] | null {
  return fieldIn(answer, 'analytics', (figures) => pointsIn(fieldsOf(figures), messagePointIn));
}

/** @param name of the value that the points are told apart by */
export function pricePointsIn(answer: Fields, name: string): readonly PricePoint[] | null {
  return fieldIn(answer, 'pricing_analytics', (figures) =>
    listedPointsIn(fieldsOf(figures), (point) => {
      const { volume, cost } = point;
      return keyedIn(point, name, { volume: countOf(volume), cost: amountOf(cost) });
    }),
  );
}

/** @param name as of pricePointsIn */
export function conversationPointsIn(answer: Fields, name: string): readonly NetworkConversationPoint[] | null {
  return fieldIn(answer, 'conversation_analytics', (figures) =>
    listedPointsIn(fieldsOf(figures), (point) => {
      const { conversation, cost } = point;
      return keyedIn(point, name, { conversations: countOf(conversation), cost: amountOf(cost) });
    }),
  );
}

export function templateFiguresIn(answer: Fields): TemplateFiguresPage | null {
  const points = listedPointsIn(answer, templatePointIn);
  return points && { points, after: afterIn(answer.paging) };
}

/** An account leaves out a field that has nothing in it. */
function fieldIn<T>(answer: Fields, name: string, read: (value: unknown) => readonly T[] | null): readonly T[] | null {
  if (answer[name] !== undefined) return read(answer[name]);
  return typeof answer.id === 'string' ? [] : null;
}

/** "data": a list of objects with points. */
function listedPointsIn<T>({ data }: Fields, read: (point: Fields) => T | null): readonly T[] | null {
  if (!Array.isArray(data)) return null;
  const lists = data.map((item) => pointsIn(fieldsOf(item), read)).filter((points) => points !== null);
  return lists.length === data.length ? lists.flat() : null;
}

function pointsIn<T>({ data_points: points }: Fields, read: (point: Fields) => T | null): readonly T[] | null {
  if (!Array.isArray(points)) return null;
  const known = points.map((point) => read(fieldsOf(point))).filter((point) => point !== null);
  return known.length === points.length ? known : null;
}

function messagePointIn(point: Fields): MessagePoint | null {
  const step = stepIn(point);
  return step && { ...step, sent: countOf(point.sent), delivered: countOf(point.delivered) };
}

function keyedIn<T>(point: Fields, name: string, figures: T): (T & Period & { readonly key: string }) | null {
  const step = stepIn(point);
  const key = textOf(point[name])?.toLowerCase() ?? null;
  return step === null || key === null ? null : { ...step, key, ...figures };
}

function templatePointIn(point: Fields): TemplatePoint | null {
  const step = stepIn(point);
  const id = String(point.template_id);
  if (step === null || !TEMPLATE_ID.test(id)) return null;
  const costs = new Map(objectsIn(point.cost).map(({ type, value }) => [type, amountOf(value)]));
  return {
    ...step,
    networkTemplateId: id,
    sent: countOf(point.sent),
    delivered: countOf(point.delivered),
    read: countOf(point.read),
    clicks: objectsIn(point.clicked).map(clicksIn),
    amountSpent: costs.get('amount_spent') ?? null,
    costPerDelivered: costs.get('cost_per_delivered') ?? null,
    costPerClick: costs.get('cost_per_url_button_click') ?? null,
  };
}

function clicksIn({ type, button_content: button, count }: Fields): ButtonClicks {
  return { type: textOf(type)?.toLowerCase() ?? null, button: textOf(button), count: countOf(count) };
}

/** Its times are seconds since 1970. */
function stepIn({ start, end }: Fields): Period | null {
  const [from, to] = [countOf(start), countOf(end)];
  if (from === null || to === null || to <= from || to > MAX_SECONDS) return null;
  return { startMs: from * SECOND, endMs: to * SECOND };
}

function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.slice(0, MAX_CLICKS).map(fieldsOf) : [];
}

function countOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;
}

function amountOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_TEXT) : null;
}
