import Type from 'typebox';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named, uuid, withExample } from '#http/schemas/fields';
import { IMPORT_FORMATS } from '#imports/domain/import';

export const count = (description: string) => Type.Integer({ description });

/** The file that a body names. */
export const fileFields = {
  media_id: uuid('The file, uploaded to /v1/media.'),
  format: Type.Optional(choiceOf(IMPORT_FORMATS, named('ImportFormat', 'How the file is written; default csv.'))),
};

export const triedOnly = Type.Optional(
  Type.Boolean({ description: 'true: counts and finds faults, and changes nothing.' }),
);
/** For a table that is the body itself. */
export const triedOnlyInQuery = Type.Optional(
  withExample(Type.Boolean({ description: 'As in the body, for a table as the body.' }), true),
);

const message = 'media_id does not exist or has expired';
export const unknownMediaExample: ErrorExample = {
  name: 'unknownMedia',
  code: 'unknown_media',
  body: { error: `${message}.`, code: 'unknown_media', details: [{ path: 'body.media_id', message }] },
};
