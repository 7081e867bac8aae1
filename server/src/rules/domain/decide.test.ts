import { describe, expect, test } from 'vitest';
import { makeRule } from '#rules/domain/testing/make-rule';
import { checkWhen, compileRules } from './check-rule.ts';
import {
  BUDGET_REPLIES,
  BUDGET_WINDOW_MS,
  decide,
  type Moment,
  NO_BUDGET,
  NO_HISTORY,
  type RuleHistory,
} from './decide.ts';
import type { ChatbotRule } from './rule.ts';

const NOW_MS = 1_900_000_000_000;

function messageOf(text: string, fields: Partial<Moment> = {}): Moment {
  return { nowMs: NOW_MS, silenceOf: null, opened: false, automated: null, values: { text, type: 'text' }, ...fields };
}

function decided(rules: readonly ChatbotRule[], moment: Moment, history: RuleHistory = NO_HISTORY) {
  const decision = decide(compileRules(rules, 1), moment, history);
  return {
    outcomes: decision.verdicts.map(({ outcome }) => outcome),
    done: decision.actions.filter(({ withheld }) => withheld === null).length,
    decision,
  };
}

const hello = { field: 'text', match: 'word', value: 'HÉLLO' };

describe('rules', () => {
  test('are evaluated by position, then by id', () => {
    const rules = [makeRule(3, { position: 1 }), makeRule(2, { position: 2 }), makeRule(1, { position: 2 })];
    const { decision } = decided(rules, messageOf('hi'));
    expect(decision.verdicts.map(({ ruleId }) => ruleId.slice(-1))).toEqual(['3', '1', '2']);
  });

  test('match with case and accents folded, and say which comparison saw what', () => {
    const { decision, outcomes } = decided(
      [makeRule(1, { when: hello }), makeRule(2, { when: { not: hello } })],
      messageOf('well, hello!'),
    );
    expect(outcomes).toEqual(['matched', 'not_matched']);
    const seen = { path: 'when', field: 'text', match: 'word', seen: 'well, hello!', matched: true };
    expect(decision.verdicts[0]?.predicates).toEqual([seen]);
    expect(decision.verdicts[1]?.predicates).toEqual([{ ...seen, path: 'when.not' }]);
  });

  test.each([
    ['by the flag', makeRule(1, { stop: true })],
    ['by the action', makeRule(1, { actions: [{ action: 'stop' }] })],
  ])('are not reached behind one that stops %s', (_how, stopper) => {
    const { outcomes, decision } = decided([stopper, makeRule(2)], messageOf('hi'));
    expect(outcomes).toEqual(['matched', 'not_reached']);
    expect(decision.stoppedBy).toBe(stopper.ruleId);
  });

  test('look only at the moments of their trigger', () => {
    const rules = [
      makeRule(1, { trigger: { on: 'conversation.opened' } }),
      makeRule(2, { trigger: { on: 'button.clicked' } }),
      makeRule(3, { trigger: { on: 'outside_hours' } }),
      makeRule(4, { trigger: { on: 'no_reply', for_s: 60, who: 'agent' } }),
    ];
    const outcomesAt = (moment: Moment) =>
      decided(rules, moment).outcomes.flatMap((outcome, index) => (outcome === 'matched' ? [index + 1] : []));
    expect(outcomesAt(messageOf('hi'))).toEqual([]);
    expect(outcomesAt(messageOf('hi', { opened: true }))).toEqual([1]);
    expect(outcomesAt(messageOf('hi', { values: { button_payload: 'yes' } }))).toEqual([2]);
    expect(outcomesAt(messageOf('hi', { values: { hours: 'closed' } }))).toEqual([3]);
    expect(outcomesAt(messageOf('', { silenceOf: makeRule(4).ruleId }))).toEqual([4]);
  });

  test('rest outside their time, when they are used up, and while they cool down', () => {
    const cooling = makeRule(4, { cooldownS: 60 });
    const rules = [
      makeRule(1, { activeFromMs: NOW_MS + 1 }),
      makeRule(2, { activeUntilMs: NOW_MS }),
      makeRule(3, { maxRuns: 5, runs: 5 }),
      cooling,
    ];
    const at = (lastMs: number) =>
      decided(rules, messageOf('hi'), { ...NO_HISTORY, lastRunMs: new Map([[cooling.ruleId, lastMs]]) });
    expect(at(NOW_MS - 59_999).outcomes).toEqual(['not_active', 'not_active', 'used_up', 'cooling_down']);
    expect(at(NOW_MS - 60_000).outcomes[3]).toBe('matched');
  });

  test('evaluate nothing that a machine wrote', () => {
    const { decision } = decided(
      [makeRule(1)],
      messageOf('hi', { automated: 'It is a message of the network itself.' }),
    );
    expect(decision).toMatchObject({ ignored: 'It is a message of the network itself.', verdicts: [], actions: [] });
  });

  test('do not answer where a person does, except to say that no agent is there', () => {
    const values = { 'conversation.handled_by': 'agent', hours: 'closed' };
    const rules = [makeRule(1), makeRule(2, { trigger: { on: 'outside_hours' } })];
    const { decision } = decided(rules, messageOf('hi', { values }));
    expect(decision.actions.map(({ withheld }) => withheld)).toEqual(['agent_handles', null]);
  });
});

describe('the budget of replies to one contact', () => {
  test('withholds the reply beyond it, reports it once, and pauses until the span is over', () => {
    let budget = NO_BUDGET;
    const exhausted: boolean[] = [];
    const done: number[] = [];
    const at = (nowMs: number) => {
      const { decision, done: answers } = decided([makeRule(1)], messageOf('hi', { nowMs }), { ...NO_HISTORY, budget });
      budget = decision.budget;
      exhausted.push(decision.exhausted);
      done.push(answers);
    };
    for (let index = 0; index < BUDGET_REPLIES + 2; index += 1) at(NOW_MS + index);
    expect(done).toEqual([...Array(BUDGET_REPLIES).fill(1), 0, 0]);
    expect(exhausted).toEqual([...Array(BUDGET_REPLIES).fill(false), true, false]);
    const pausedMs = NOW_MS + BUDGET_REPLIES;
    at(pausedMs + BUDGET_WINDOW_MS - 1);
    at(pausedMs + BUDGET_WINDOW_MS);
    expect(done.slice(-2)).toEqual([0, 1]);
  });
});

test('a condition names all that is wrong with it, patterns included', () => {
  const checked = checkWhen({
    any: [
      { field: 'text', match: 'regex', value: '(a{50}){50}' },
      { field: 'colour', value: 'red' },
    ],
  });
  expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual([
    'body.when.any[0].value',
    'body.when.any[1].field',
  ]);
});

test('200 rules try each of their patterns once', () => {
  const rules = Array.from({ length: 200 }, (_one, index) =>
    makeRule(index + 1, {
      when: {
        all: [
          { field: 'type', match: 'is', value: 'text' },
          {
            any: [
              { field: 'text', match: 'word', value: `keyword${index}` },
              { field: 'text', match: 'contains', value: `order number ${index}` },
              { field: 'text', match: 'regex', value: `\\border[ -]?${index}\\d{3}\\b` },
            ],
          },
        ],
      },
    }),
  );
  const set = compileRules(rules, 1);
  const moment = messageOf('Could you tell me where the parcel with my order is, please? '.repeat(5));
  let looks = 0;
  const patterns = new Map(
    [...set.patterns].map(([pattern, regex]) => {
      const test = (text: string) => {
        looks += 1;
        return regex.test(text);
      };
      return [pattern, { ...regex, test }] as const;
    }),
  );
  const decision = decide({ ...set, patterns }, moment, NO_HISTORY);
  expect(decision.verdicts).toHaveLength(200);
  expect(looks).toBe(200);
});
