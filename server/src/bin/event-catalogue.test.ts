import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { eraseEventData } from '#core/erasure';
import type { JsonObject } from '#core/json';
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

  test.each([
    'message.received',
    'call.started',
    'call.updated',
    'call.ended',
  ] as const)('%s of a person who is erased still fits its schema', (type) => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(eventSchema(type));
    const event = exampleEvent(type);
    validate({ ...event, data: eraseEventData(event.data as JsonObject) });
    expect(validate.errors).toBeNull();
  });

  test('is what the webhook of the OpenAPI document may carry, with the headers of Standard Webhooks', () => {
    const document = JSON.parse(readFileSync(new URL('contract/openapi.json', root), 'utf8'));
    const { parameters, requestBody } = document.webhooks.event.post;
    const { $ref: reference } = requestBody.content['application/json'].schema;
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi');
    const validate = ajv.compile({ $ref: `openapi${reference}` });
    for (const type of eventTypes) {
      validate(exampleEvent(type));
      expect([type, validate.errors]).toEqual([type, null]);
    }
    const { mapping } = document.components.schemas.Event.discriminator;
    expect(Object.keys(mapping).toSorted()).toEqual([...eventTypes].toSorted());
    const names = parameters.map(({ name }: Record<string, string>) => name);
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  });

  test.each(eventTypes)('%s has a row for each field of its data in docs/events.md', (type) => {
    const [, section = ''] = eventReferencePage().split(`\n## ${type}\n`);
    const [table = ''] = section.split('\n## ');
    const data = exampleEvent(type).data as JsonObject;
    // A message of a customer has an object that is named after its type, which a sentence tells of.
    const names = Object.keys(data).filter((name) => name !== data.type || data.direction !== 'inbound');
    expect(names.filter((name) => !table.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('stands in docs/events.md', () => {
    expect(readFileSync(new URL('docs/events.md', root), 'utf8')).toBe(eventReferencePage());
  });
});
