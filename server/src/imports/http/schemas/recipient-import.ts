import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableTime, time, uuid, withExample } from '#http/schemas/fields';
import { IMPORT_FORMATS, IMPORT_STATUSES } from '#imports/domain/import';
import { count, fileFields, triedOnly, triedOnlyInQuery } from './import-fields.ts';

const importExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4ec0';

export const RecipientImportParams = Type.Object({
  id: withExample(uuid('Identifier of the import.'), importExampleId),
});

export const RecipientImportView = Type.Object(
  {
    id: uuid('Identifier of the import.'),
    campaign_id: uuid('The draft.'),
    media_id: uuid('The file.'),
    format: choiceOf(IMPORT_FORMATS, named('ImportFormat', 'How the file is written.')),
    dry_run: Type.Boolean({ description: 'Whether nothing but the counting is done.' }),
    status: choiceOf(IMPORT_STATUSES, 'failed: the file was not brought in to its end; rows before that are done.'),
    total: count('Rows that are done: the sum of the counts that follow.'),
    added: count('Recipients that are new.'),
    duplicates: count('Rows whose number an earlier row has, or the campaign had before.'),
    invalid: count('Rows that cannot be read.'),
    error: nullableText('Why the file was not brought in to its end.'),
    created_at: time('When it was asked for.'),
    finished_at: nullableTime('When it ended.'),
  },
  named('CampaignImport', 'A file of recipients that is brought into a draft.'),
);

export const CreateRecipientImport = Type.Object(
  {
    ...fileFields,
    mapping: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        maxProperties: 200,
        additionalProperties: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' },
        description:
          'Column of the file to `to` or to the name of a variable; other columns are ignored. Default: columns are called so.',
      }),
    ),
    dry_run: triedOnly,
  },
  { additionalProperties: false, description: 'A file of recipients.' },
);

/** What a table that is the body itself cannot say; a field of a JSON body goes before. */
export const RecipientImportQuery = Type.Object(
  {
    dry_run: triedOnlyInQuery,
  },
  { additionalProperties: false },
);

/** What a table looks like as the body of a request. */
export const recipientTables = {
  'text/csv': 'to,code\r\n+44 7700 900123,SUMMER\r\n',
  'application/x-ndjson': '{"to": "+44 7700 900123", "code": "SUMMER"}\n',
};

export const recipientImportExample: JsonObject = {
  id: importExampleId,
  campaign_id: '0190a6f2-8c23-7a11-8f00-0a1b2c3d4e5f',
  media_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  format: 'csv',
  dry_run: false,
  status: 'completed',
  total: 1000,
  added: 980,
  duplicates: 5,
  invalid: 15,
  error: null,
  created_at: '2030-01-01T09:00:00.000Z',
  finished_at: '2030-01-01T09:00:02.000Z',
};
