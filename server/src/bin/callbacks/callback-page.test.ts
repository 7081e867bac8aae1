import { expect, test } from 'vitest';
import { EVENT_TYPES } from '#events/domain/event';
import { noticeFields } from '#inbound/domain/callback-notices';
import { callbackKinds } from './callback-kinds.ts';
import { callbackPage, readExample } from './callback-page.ts';

test('every kind of report becomes exactly one thing, beside the notice of a portion of the past, and none is malformed', () => {
  const found = callbackKinds.map((kind) => {
    const kinds = readExample(kind).map((item) => item.kind);
    return [kind.field, kind.kind, kinds.includes('past') ? kinds.filter((one) => one !== 'notice') : kinds] as const;
  });
  expect(found.filter(([, , kinds]) => kinds.length !== 1 || kinds[0] === 'ignored')).toEqual([]);
});

test('every field that is read as a notice is on the page, and so is every event type that it names', () => {
  const fields = new Set(callbackKinds.map(({ field }) => field));
  expect(noticeFields.filter((field) => !fields.has(field))).toEqual([]);
  const named = [...callbackPage().matchAll(/`((?:message|call|template|number|account|contact)\.[a-z_]+)`/g)].map(
    ([, type]) => type,
  );
  expect(named.filter((type) => type === undefined || !Object.hasOwn(EVENT_TYPES, type))).toEqual([]);
});
