import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { describeEvent, eventSchema, eventTypes, exampleEvent } from './event-catalogue.ts';
import { eventReferencePage } from './event-reference.ts';

const root = new URL('../../../', import.meta.url);

describe('every type of event', () => {
  test.each(eventTypes)('%s has a schema, and its example fits', (type) => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(eventSchema(type));
    expect(describeEvent(type).example).toBeDefined();
    validate(exampleEvent(type));
    expect(validate.errors).toBeNull();
  });

  test('has its schema in contract/events, as the sources say, and there is no other', () => {
    const folder = new URL('contract/events/', root);
    const committed = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
    const expected = eventTypes.map((type) => [`${type}.json`, `${JSON.stringify(eventSchema(type), null, 2)}\n`]);
    expect(Object.fromEntries(committed)).toEqual(Object.fromEntries(expected));
  });

  test('stands in docs/events.md', () => {
    expect(readFileSync(new URL('docs/events.md', root), 'utf8')).toBe(eventReferencePage());
  });
});
