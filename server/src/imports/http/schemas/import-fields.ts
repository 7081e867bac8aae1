import Type from 'typebox';
import { faultExample } from '#http/schemas/errors';
import { choiceOf, named, uuid, withExample } from '#http/schemas/fields';
import { IMPORT_FORMATS } from '#imports/domain/import';

export const count = (description: string) => Type.Integer({ description });

/** The file that a body names. */
export const fileFields = {
  media_id: uuid('The file, uploaded to /v1/media.'),
  format: Type.Optional(choiceOf(IMPORT_FORMATS, named('ImportFormat', 'Format of the file. Default: csv.'))),
};

export const triedOnly = Type.Optional(
  Type.Boolean({ description: 'If true, rows are only counted and checked; nothing is changed.' }),
);
/** For a table that is the body itself. */
export const triedOnlyInQuery = Type.Optional(
  withExample(Type.Boolean({ description: 'Same as in the JSON body, for use with a file as the body.' }), true),
);

/** Names of columns to what is in them. @param pattern of the latter */
export function mappingField(pattern: string, description: string) {
  return Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      maxProperties: 200,
      additionalProperties: { type: 'string', pattern },
      description,
    }),
  );
}

export const unknownMediaExample = faultExample('unknownMedia', 'unknown_media', {
  path: 'body.media_id',
  message: 'media_id does not exist or has expired',
});
