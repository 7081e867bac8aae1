import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#core/json';
import { fakeApi } from '#http/testing/fake-api';
import { placesOf, replaced } from '#http/testing/places';
import { post } from '#http/testing/post-message';
import { isMediaType } from '#media/domain/media-content';
import {
  contentFromStored,
  type MessageType,
  mediaRefs,
  messageTypes,
  networkPayload,
  storedContent,
} from '#messages/domain/content';
import { sendExamples } from '#messages/http/schemas/send-examples';

const api = fakeApi();
const RUNS = 100;

function memberOf(type: MessageType): string {
  if (type === 'text') return 'body';
  return isMediaType(type) ? 'media' : type;
}

/** Any JSON, with the names that the rules look for more often than chance would have them. */
const names = ['type', 'buttons', 'reply', 'sections', 'rows', 'cards', 'header', 'image', 'components', 'parameters'];
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, '', 'button', 'image', 'x'.repeat(30), '👍'),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names, 'id', 'title', 'text'), tie('json'), { maxKeys: 4 }),
  ),
}));

async function expectAnswered(body: JsonValue): Promise<void> {
  const answer = await post(api, JSON.stringify(body));
  expect([202, 400]).toContain(answer.statusCode);
  if (answer.statusCode === 202) return expectSendable();
  for (const { path, message } of answer.json().details) {
    expect(path).toMatch(/^body/);
    expect(message).not.toContain('is not valid (');
  }
}

test.each(
  messageTypes,
)('%s with any JSON as its object is accepted or refused with paths, never a 500', async (type) => {
  const bodies = json.map((object) => ({ to: '447700900123', type, [memberOf(type)]: object }));
  await fc.assert(fc.asyncProperty(bodies, expectAnswered), { numRuns: RUNS });
});

const examples = Object.values(sendExamples).map(({ value }) => value as JsonObject);
const mutated = fc
  .constantFrom(...examples)
  .chain((body) => fc.tuple(fc.constant(body), fc.constantFrom(...placesOf(body)), json))
  .map(([body, path, by]) => replaced(body, path, by));

test('a documented example with any one place replaced is accepted or refused with paths, never a 500', async () => {
  await fc.assert(fc.asyncProperty(mutated, expectAnswered), { numRuns: 10 * RUNS });
});

/** What was accepted survives the store and becomes an object of the network. */
function expectSendable(): void {
  const content = api.accepted.at(-1)?.request.content;
  if (content === undefined) throw new Error('Nothing reached the acceptor.');
  const stored = JSON.parse(JSON.stringify(storedContent(content))) as JsonObject;
  expect(contentFromStored(content.type, stored)).toEqual(content);
  const media = new Map(mediaRefs(content).map(({ mediaId }) => [mediaId, '900']));
  expect(networkPayload(content, { media, target: null })).toBeTypeOf('object');
}
