import type { DatabaseKind } from './harness/stage.ts';

/** What a figure must reach. */
export interface Limit {
  readonly kind: 'at_least' | 'at_most' | 'between' | 'none';
  readonly value: number;
  /** Upper end, for `between`. */
  readonly upper?: number;
}

/** What a value is compared with, measured in the same run on the same machine. */
export interface Yardstick {
  readonly name: string;
  readonly value: number;
}

/** One measured figure. */
export interface Figure {
  readonly name: string;
  readonly database: DatabaseKind | 'none';
  readonly value: number;
  readonly unit: string;
  readonly limit: Limit;
  /** value ÷ yardstick. */
  readonly ratio: number;
  readonly yardstick: string;
  /** Null: nothing is asked of it. */
  readonly pass: boolean | null;
  /** How it was measured, and what belongs to it. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface NewFigure {
  readonly name: string;
  readonly database: Figure['database'];
  readonly value: number;
  readonly unit: string;
  readonly limit: Limit;
  readonly yardstick: Yardstick;
  readonly detail: Figure['detail'];
}

export const atLeast = (value: number): Limit => ({ kind: 'at_least', value });
export const atMost = (value: number): Limit => ({ kind: 'at_most', value });
export const between = (value: number, upper: number): Limit => ({ kind: 'between', value, upper });
export const noLimit: Limit = { kind: 'none', value: 0 };

/** Evaluates a value. @param also further conditions, all of which must hold */
export function makeFigure(input: NewFigure, also = true): Figure {
  const { yardstick, ...rest } = input;
  const ratio = yardstick.value === 0 ? 0 : input.value / yardstick.value;
  const pass = input.limit.kind === 'none' ? null : also && meets(input.value, input.limit);
  return { ...rest, ratio, yardstick: yardstick.name, pass };
}

export function meets(value: number, limit: Limit): boolean {
  switch (limit.kind) {
    case 'at_least':
      return value >= limit.value;
    case 'at_most':
      return value <= limit.value;
    case 'between':
      return value >= limit.value && value <= (limit.upper ?? Number.POSITIVE_INFINITY);
    case 'none':
      return true;
  }
}

/** By how much a limit is missed, in words; empty when it is reached. */
export function missedBy({ value, limit, unit }: Pick<Figure, 'value' | 'limit' | 'unit'>): string {
  if (meets(value, limit)) return '';
  const wanted = limit.kind === 'between' && value > limit.value ? (limit.upper ?? limit.value) : limit.value;
  const percent = wanted === 0 ? '' : ` (${Math.round((Math.abs(value - wanted) / wanted) * 100)} %)`;
  return `missed by ${round(Math.abs(value - wanted))} ${unit}${percent}`.replace('  ', ' ');
}

/** Three significant digits for small values, whole numbers for large ones. */
export function round(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
