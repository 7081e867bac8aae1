/** Every text of the console comes from one catalogue by its name, so that the catalogue can be exchanged. */
import { en } from './en.ts';

/** A text, or its forms by number: `one` and `other`. */
export type Text = string | { readonly one: string; readonly other: string };
export type TextName = keyof typeof en;
type Values = Readonly<Record<string, string | number>>;

const locale = typeof navigator === 'undefined' ? 'en' : navigator.language;
const plural = new Intl.PluralRules('en');

/** The text of this name. `{name}` stands for a value; `count` chooses the form. */
export function t(name: TextName, values: Values = {}): string {
  const text: Text = en[name];
  const form = typeof text === 'string' ? text : text[plural.select(Number(values.count)) === 'one' ? 'one' : 'other'];
  return form.replace(/\{(\w+)\}/g, (whole, key: string) => (key in values ? String(values[key]) : whole));
}

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const wholeDay = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const plain = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

export const clockTime = (at: string): string => clock.format(new Date(at));
export const dateOf = (at: string): string => date.format(new Date(at));
/** A moment that somebody plans with, or remembers. */
export const plainTime = (at: string): string => plain.format(new Date(at));
/** To the second, for what happened and is looked into. */
export const exactTime = (at: string): string => exact.format(new Date(at));

const DAY_MS = 86_400_000;
const startOfDay = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

/** How a list says when: the time of today, the weekday of this week, the date before. */
export function listTime(at: string, nowMs: number): string {
  const ms = Date.parse(at);
  const days = Math.round((startOfDay(nowMs) - startOfDay(ms)) / DAY_MS);
  if (days <= 0) return clock.format(ms);
  return days < 7 ? weekday.format(ms) : day.format(ms);
}

/** The heading of a day in a thread. */
export function dayName(at: string, nowMs: number): string {
  const days = Math.round((startOfDay(nowMs) - startOfDay(Date.parse(at))) / DAY_MS);
  if (days === 0) return t('day.today');
  return days === 1 ? t('day.yesterday') : wholeDay.format(new Date(at));
}

/** A span in its largest unit: 40 s, 12 min, 3 h, 2 d. */
export function shortSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return t('span.seconds', { count: seconds });
  if (seconds < 3_600) return t('span.minutes', { count: Math.floor(seconds / 60) });
  if (seconds < 86_400) return t('span.hours', { count: Math.floor(seconds / 3_600) });
  return t('span.days', { count: Math.floor(seconds / 86_400) });
}

/** A span in two units: 21 h 40 min. */
export function span(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return t('span.minutes', { count: minutes });
  return `${t('span.hours', { count: Math.floor(minutes / 60) })} ${t('span.minutes', { count: minutes % 60 })}`;
}

/** What is left of a span, as a clock shows it: 14:59. */
export function clockSpan(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
