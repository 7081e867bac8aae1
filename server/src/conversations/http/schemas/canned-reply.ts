import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { named, PATTERN_SENTENCE, text, time, uuid, withExample } from '#http/schemas/fields';

/** What a text message of the network may hold. */
const MAX_TEXT = 4096;
const replyExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e90';
const shortcut = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,49}$',
  [PATTERN_SENTENCE]: 'must be 1 to 50 of a-z, 0-9, _ and -',
  description: 'What agents type to insert it; unique.',
});

export const CannedReplyView = Type.Object(
  {
    id: uuid('Identifier of the canned reply.'),
    shortcut: Type.String({ description: 'What agents type to insert it.' }),
    text: Type.String({ description: 'What is inserted.' }),
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When it was made.'),
    updated_at: time('When it was last changed.'),
  },
  named('CannedReply', 'A text that agents insert by its shortcut.'),
);

export const CannedReplyParams = Type.Object({
  id: withExample(uuid('Identifier of the canned reply.'), replyExampleId),
});

export const CreateCannedReply = Type.Object(
  { shortcut, text: text(MAX_TEXT, 'What is inserted.') },
  { additionalProperties: false, description: 'A canned reply.' },
);
export const ChangeCannedReply = Type.Object(
  { shortcut: Type.Optional(shortcut), text: Type.Optional(text(MAX_TEXT, 'What is inserted.')) },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);

export const cannedReplyExample: JsonObject = {
  id: replyExampleId,
  shortcut: 'hours',
  text: 'We are here from 9 to 17.',
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

export const staleReplyExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: {
    error: 'The canned reply was changed meanwhile: its version is 2. Read it again.',
    code: 'precondition_failed',
  },
};

export const shortcutTakenExample: ErrorExample = {
  name: 'shortcutTaken',
  code: 'conflict',
  body: { error: 'Another canned reply has the shortcut hours.', code: 'conflict' },
};
