import type { Matcher } from './parse.ts';

/** Values of one series at the times of the scrapes, in seconds. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: { readonly atS: number; readonly value: number }[];
}

/** How long a series is current after its last scrape, as Prometheus has it. */
const CURRENT_S = 300;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** What a Prometheus would have stored: the texts of `/metrics`, scrape after scrape. */
export class Scrapes {
  readonly #series = new Map<string, Map<string, Series>>();
  /** Series of each target in its last scrape: what is gone from the next one has ended. */
  readonly #ended = new Map<string, number>();

  /** @param text null: the target did not respond */
  add(atS: number, instance: string, text: string | null): void {
    const seen = new Set<string>();
    this.#store('up', { job: 'postrider', instance }, { atS, value: text === null ? 0 : 1 }, seen);
    for (const line of (text ?? '').split('\n')) {
      const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? [];
      if (name === '') continue;
      const read = Object.fromEntries([...labels.matchAll(LABEL)].map(([, label, of = '']) => [label, of]));
      this.#store(name, { ...read, job: 'postrider', instance }, { atS, value: Number(value) }, seen);
    }
    for (const byLabels of this.#series.values())
      for (const [key, { labels }] of byLabels)
        if (labels.instance === instance && !seen.has(key)) this.#ended.set(key, atS);
  }

  /** Series of a name, with the points since a time. */
  range(name: string, matchers: readonly Matcher[], fromS: number, atS: number): readonly Series[] {
    const found = [...(this.#series.get(name)?.values() ?? [])];
    return found
      .filter(({ labels }) => matchers.every((matcher) => matches(labels[matcher.label] ?? '', matcher)))
      .map(({ labels, points }) => ({
        labels,
        points: points.filter((point) => point.atS > fromS && point.atS <= atS),
      }))
      .filter(({ points }) => points.length > 0);
  }

  /** The current value of each series of a name. */
  instant(name: string, matchers: readonly Matcher[], atS: number): readonly Series[] {
    return this.range(name, matchers, atS - CURRENT_S, atS).filter(({ labels, points }) => {
      const endedS = this.#ended.get(keyOf(name, labels));
      return endedS === undefined || endedS > atS || (points.at(-1)?.atS ?? 0) > endedS;
    });
  }

  #store(
    name: string,
    labels: Readonly<Record<string, string>>,
    point: { readonly atS: number; readonly value: number },
    seen: Set<string>,
  ): void {
    const byLabels = this.#series.get(name) ?? new Map<string, Series>();
    this.#series.set(name, byLabels);
    const key = keyOf(name, labels);
    seen.add(key);
    const series = byLabels.get(key) ?? { labels, points: [] };
    byLabels.set(key, series);
    series.points.push(point);
  }
}

function keyOf(name: string, labels: Readonly<Record<string, string>>): string {
  return name + JSON.stringify(Object.entries(labels).sort());
}

function matches(value: string, { operator, value: wanted }: Matcher): boolean {
  if (operator === '=') return value === wanted;
  if (operator === '!=') return value !== wanted;
  return new RegExp(`^(?:${wanted})$`).test(value) === (operator === '=~');
}
