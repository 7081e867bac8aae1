import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { Histogram } from '../histogram.ts';
import { type Random, seededRandom } from '../random.ts';
import type { Bench, Scenario } from '../scenario.ts';

const RULES = 200;
const WANTED_MS = 1;
const WANTED_EVIL_MS = 5;
/** Messages before those that are counted: patterns build their machines during them. */
const WARM_UP = 200;
const EVIL_ROUNDS = 5;
const EVIL_CHARACTERS = 4_096;

/**
 * The pure part of rule evaluation in this process: what 200 rules cost a message, and what patterns cost that ruin a
 * machine which backtracks. No database, no network.
 */
export const rules: Scenario = {
  name: 'rules',
  databases: ['pglite'],
  run: async (bench) => {
    const core = await loadCore(bench.programs.serverFolder);
    return [...judging(bench, core), evil(core)];
  },
};

/** The parts of the built server that are measured. */
interface Core {
  compileRules(rules: readonly object[], version: number): object;
  decide(set: object, moment: object, history: object): { readonly actions: readonly object[] };
  readonly NO_HISTORY: object;
  compilePattern(
    pattern: string,
  ): { readonly ok: true; readonly regex: { testWhole(text: string): boolean } } | { readonly ok: false };
  readonly evilPatterns: readonly (readonly [string, (length: number) => string])[];
}

async function loadCore(serverFolder: string): Promise<Core> {
  const files = [
    'dist/rules/domain/check-rule.js',
    'dist/rules/domain/decide.js',
    'dist/core/text/linear-regex.js',
    'dist/core/testing/evil-patterns.js',
  ];
  const address = (file: string) => pathToFileURL(join(serverFolder, file)).href;
  const modules = await Promise.all(files.map((file) => import(address(file))));
  return Object.assign({}, ...modules) as Core;
}

const WORDS =
  'hello please where is my parcel order number 4711 thanks when do you open today I want a refund now'.split(' ');

/** Four comparisons each: a type, and one of a word, a few words and a pattern. */
function makeRules(): readonly object[] {
  return Array.from({ length: RULES }, (_one, index) => ({
    tenantId: '0190a6f2-0000-7000-8000-000000000001',
    ruleId: `0190a6f2-0000-7000-8000-${String(index).padStart(12, '0')}`,
    position: index + 1,
    name: `rule ${index}`,
    enabled: true,
    trigger: { on: 'message.received' },
    when: {
      all: [
        { field: 'type', value: 'text' },
        {
          any: [
            { field: 'text', match: 'word', value: `keyword${index}` },
            { field: 'text', match: 'contains', value: `order code ${index}` },
            { field: 'text', match: 'regex', value: `\\border[ -]?${index}\\d{3}\\b` },
          ],
        },
      ],
    },
    actions: [{ action: 'tag', add: [`tag${index}`] }],
    stop: false,
    cooldownS: null,
    maxRuns: null,
    activeFromMs: null,
    activeUntilMs: null,
    cases: [],
    runs: 0,
    version: 1,
    createdMs: 0,
    updatedMs: 0,
  }));
}

/** Four to forty words, one in fifty of them a word that a rule matches. */
function makeMessage(random: Random): string {
  const word = () => (random.between(1, 50) === 1 ? `keyword${random.between(0, RULES - 1)}` : random.pick(WORDS));
  return Array.from({ length: random.between(4, 40) }, word).join(' ');
}

function judging({ sizes, seed }: Bench, core: Core): readonly Figure[] {
  const set = core.compileRules(makeRules(), 1);
  const random = seededRandom(seed);
  const latencies = new Histogram();
  let [totalMs, matched, characters] = [0, 0, 0];
  for (let index = 0; index < WARM_UP + sizes.ruleMessages; index += 1) {
    const text = makeMessage(random);
    const moment = { nowMs: index, silenceOf: null, opened: false, automated: null, values: { type: 'text', text } };
    const startMs = performance.now();
    const { actions } = core.decide(set, moment, core.NO_HISTORY);
    const tookMs = performance.now() - startMs;
    if (index < WARM_UP) continue;
    latencies.record(tookMs);
    totalMs += tookMs;
    characters += text.length;
    matched += actions.length;
  }
  const { p50Ms, p99Ms, maxMs, count } = latencies.summary();
  const detail = { rules: RULES, messages: count, meanCharacters: characters / count, matched, p50Ms, p99Ms, maxMs };
  const common = { database: 'none', unit: 'ms', limit: atMost(WANTED_MS), detail } as const;
  const yardstick = { name: 'the median', value: p50Ms };
  return [
    makeFigure({ ...common, name: `${RULES} rules judge a message, mean`, value: totalMs / count, yardstick }),
    makeFigure({ ...common, name: `${RULES} rules judge a message, p99`, value: p99Ms, yardstick }),
  ];
}

/** The slowest first match of each pattern with a fresh machine: the fastest of several, since other things run too. */
function evil(core: Core): Figure {
  const times = core.evilPatterns.map(([pattern, textOf]) => {
    const text = textOf(EVIL_CHARACTERS);
    const rounds = Array.from({ length: EVIL_ROUNDS }, () => {
      const compiled = core.compilePattern(pattern);
      if (!compiled.ok) throw new Error(`${pattern} is no pattern any more.`);
      const startMs = performance.now();
      compiled.regex.testWhole(text);
      return performance.now() - startMs;
    });
    return { pattern, ms: Math.min(...rounds), worstMs: Math.max(...rounds) };
  });
  const slowest = times.reduce((left, right) => (right.ms > left.ms ? right : left));
  const mean = times.reduce((sum, { ms }) => sum + ms, 0) / times.length;
  const worstMs = Math.max(...times.map((one) => one.worstMs));
  return makeFigure({
    name: `${times.length} patterns that ruin a backtracking machine, the slowest`,
    database: 'none',
    value: slowest.ms,
    unit: 'ms',
    limit: atMost(WANTED_EVIL_MS),
    yardstick: { name: 'their mean', value: mean },
    detail: { pattern: slowest.pattern, characters: EVIL_CHARACTERS, worstMs },
  });
}
