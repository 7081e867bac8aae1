import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metricCatalogue } from '#runtime/metrics';
import type { Family } from '#runtime/metrics/declarations';
import { type Node, parsePromql } from '#testing/promql/parse';
import { alerts } from './alerts.ts';
import { dashboardExpressions } from './dashboard.ts';

const runbooks = new URL('../../../../docs/runbooks/', import.meta.url);
const families = Object.values<Family>(metricCatalogue);
/** What Prometheus stores under these families, and what it makes itself. */
const stored = new Set([
  'up',
  ...families.flatMap(({ name, kind }) =>
    kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
  ),
]);

function selectorsOf(node: Node): readonly Extract<Node, { kind: 'selector' }>[] {
  if (node.kind === 'selector') return [node];
  if (node.kind === 'binary') return [...selectorsOf(node.left), ...selectorsOf(node.right)];
  return node.kind === 'number' ? [] : node.args.flatMap(selectorsOf);
}

const LABELS_OF_PROMETHEUS = ['job', 'instance', 'le'];

test.each([
  ...alerts.map(({ expression }) => expression),
  ...dashboardExpressions,
])('every metric and label of %s exists', (expression) => {
  for (const { name, matchers } of selectorsOf(parsePromql(expression))) {
    expect([...stored]).toContain(name);
    const family = families.find((one) => name === one.name || name.startsWith(`${one.name}_`));
    const labels = [...Object.keys(family?.labels ?? {}), ...LABELS_OF_PROMETHEUS];
    for (const { label } of matchers) expect(labels).toContain(label);
  }
});

test('every alert has a page that says what to do, and there is no other page', () => {
  const pages = readdirSync(runbooks).toSorted();
  expect(pages).toEqual(alerts.map(({ name }) => `${name}.md`).toSorted());
  for (const page of pages) {
    const text = readFileSync(new URL(page, runbooks), 'utf8');
    expect(text.match(/^#.*$/gm)).toEqual([
      `# ${page.slice(0, -3)}`,
      '## What it means',
      '## What to look at',
      '## What to do',
    ]);
    expect(text).toMatch(/^```sh$/m);
  }
});

test('no two families have the same name, and every name says what it counts', () => {
  const names = families.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, kind } of families) expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
});
