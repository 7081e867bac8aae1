import { describe, expect, test } from 'vitest';
import { interpretCallback } from '#inbound/domain/callback';
import { nextEditMs, statusOfWord } from './status.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('edits of an approved template', () => {
  const nowMs = 100 * DAY_MS;

  test('are free when there was none', () => {
    expect(nextEditMs([], nowMs)).toBeNull();
  });

  test('are one in 24 hours', () => {
    expect(nextEditMs([nowMs - HOUR_MS], nowMs)).toBe(nowMs + 23 * HOUR_MS);
    expect(nextEditMs([nowMs - DAY_MS], nowMs)).toBeNull();
  });

  test('are ten in 30 days', () => {
    const ten = Array.from({ length: 10 }, (_, index) => nowMs - (index + 2) * DAY_MS);
    expect(nextEditMs(ten, nowMs)).toBe(nowMs + 19 * DAY_MS);
    expect(nextEditMs(ten.slice(1), nowMs)).toBeNull();
  });
});

test.each([
  ['APPROVED', 'approved'],
  ['REINSTATED', 'approved'],
  ['PENDING', 'submitted'],
  ['PENDING_DELETION', 'deleted'],
  ['LIMIT_EXCEEDED', 'rejected'],
  ['FLAGGED', null],
  ['LOCKED', null],
  ['toString', null],
])('the word %s of the network means %s', (word, status) => {
  expect(statusOfWord(word)).toBe(status);
});

const names = {
  message_template_id: 880990100200,
  message_template_name: 'promo_may',
  message_template_language: 'en-US',
};

function parsed(field: string, value: object) {
  const change = { field, value: { ...names, ...value } };
  const [item] = interpretCallback({ entry: [{ id: '300', time: 1790001000, changes: [change] }] });
  return item;
}

describe('changes of templates', () => {
  test.each([
    [
      'message_template_status_update',
      {
        event: 'REJECTED',
        reason: 'INVALID_FORMAT',
        rejection_info: { reason: 'Side by side.', recommendation: 'Apart.' },
      },
      { about: 'status', word: 'REJECTED', status: 'rejected', reason: 'INVALID_FORMAT: Side by side.: Apart.' },
    ],
    ['message_template_status_update', { event: 'APPROVED', reason: 'NONE' }, { status: 'approved', reason: null }],
    ['message_template_quality_update', { new_quality_score: 'YELLOW' }, { about: 'quality', quality: 'yellow' }],
    ['template_category_update', { new_category: 'MARKETING' }, { about: 'category', category: 'marketing' }],
    [
      'template_category_update',
      { new_category: 'UTILITY', correct_category: 'MARKETING' },
      { about: 'category_announced', category: 'marketing' },
    ],
    ['message_template_components_update', { message_template_element: 'New' }, { about: 'components', body: 'New' }],
  ])('%s %j', (field, value, change) => {
    expect(parsed(field, value)).toMatchObject({
      kind: 'template',
      networkAccountId: '300',
      networkTemplateId: '880990100200',
      name: 'promo_may',
      language: 'en_US',
      at: 1790001000_000,
      change,
    });
  });

  test('that do not say what happened are kept as they came', () => {
    expect(parsed('message_template_status_update', {})?.kind).toBe('other');
    expect(parsed('template_category_update', { new_category: 'NEWS' })?.kind).toBe('other');
  });
});
