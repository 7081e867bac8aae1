import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { eventTypes } from '#events/domain/event';
import { describeEvent, eventSchema, exampleEvent } from './event-catalogue.ts';
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

  test('stands in the webhooks of the OpenAPI document, with its schema and the headers of Standard Webhooks', () => {
    const { webhooks } = JSON.parse(readFileSync(new URL('contract/openapi.json', root), 'utf8'));
    expect(Object.keys(webhooks).toSorted()).toEqual([...eventTypes].toSorted());
    for (const type of eventTypes) {
      const { parameters, requestBody } = webhooks[type].post;
      const { schema, example } = requestBody.content['application/json'];
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      validate(example);
      expect([type, validate.errors, example.type]).toEqual([type, null, type]);
      expect(schema.properties).toEqual(eventSchema(type).properties);
      const names = parameters.map(({ name, in: place }: Record<string, string>) => `${place} ${name}`);
      expect(names).toEqual(['header webhook-id', 'header webhook-timestamp', 'header webhook-signature']);
    }
  });

  test('stands in docs/events.md', () => {
    expect(readFileSync(new URL('docs/events.md', root), 'utf8')).toBe(eventReferencePage());
  });
});
