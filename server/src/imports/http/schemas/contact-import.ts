import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableTime, time, uuid, withExample } from '#http/schemas/fields';
import { IMPORT_FIELDS } from '#imports/domain/contact-row';
import { IMPORT_FORMATS, IMPORT_MATCHES, IMPORT_MODES, IMPORT_STATUSES } from '#imports/domain/import';
import { count, fileFields, triedOnly, triedOnlyInQuery } from './import-fields.ts';

const importExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4ea0';

export const ContactImportView = Type.Object(
  {
    id: uuid('Identifier of the import.'),
    media_id: uuid('The file.'),
    format: choiceOf(IMPORT_FORMATS, named('ImportFormat', 'How the file is written.')),
    mode: choiceOf(IMPORT_MODES, named('ImportMode', 'Whether contacts are made, changed, or both.')),
    match_on: choiceOf(IMPORT_MATCHES, named('ImportMatch', 'What a contact is recognised by.')),
    dry_run: Type.Boolean({ description: 'Whether nothing but the counting is done.' }),
    status: choiceOf(IMPORT_STATUSES, 'failed: the file could not be read to its end; rows before that are done.'),
    total: count('Rows that are done: the sum of the counts that follow.'),
    created: count('Contacts that were made.'),
    updated: count('Contacts that were changed.'),
    unchanged: count('Contacts that are as the row says already.'),
    skipped: count('Rows that the mode does not want.'),
    failed: count('Rows that meet another contact.'),
    invalid: count('Rows that cannot be read.'),
    duplicate_in_file: count('Rows about the contact of an earlier row.'),
    error: nullableText('Why the file could not be read to its end.'),
    created_at: time('When it was asked for.'),
    finished_at: nullableTime('When it ended.'),
  },
  named('ContactImport', 'A file of contacts that is brought in.'),
);

export const ContactImportParams = Type.Object({ id: withExample(uuid('Identifier of the import.'), importExampleId) });

export const CreateContactImport = Type.Object(
  {
    ...fileFields,
    mode: Type.Optional(
      choiceOf(IMPORT_MODES, named('ImportMode', 'Whether contacts are made, changed, or both; default upsert.')),
    ),
    match_on: Type.Optional(
      choiceOf(IMPORT_MATCHES, named('ImportMatch', 'What a contact is recognised by; default phone.')),
    ),
    mapping: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        maxProperties: 200,
        additionalProperties: {
          type: 'string',
          pattern: `^(${IMPORT_FIELDS.join('|')}|attributes\\.[a-z][a-z0-9_]{0,49})$`,
        },
        description:
          'Column of the file to field of the contact; other columns are ignored. Default: columns are called like fields.',
      }),
    ),
    dry_run: triedOnly,
  },
  { additionalProperties: false, description: 'A file to bring in.' },
);

/** What a table that is the body itself cannot say; a field of a JSON body goes before. */
export const ContactImportQuery = Type.Object(
  {
    mode: Type.Optional(
      withExample(choiceOf(IMPORT_MODES, named('ImportMode', 'As in the body, for a table as the body.')), 'upsert'),
    ),
    match_on: Type.Optional(
      withExample(choiceOf(IMPORT_MATCHES, named('ImportMatch', 'As in the body, for a table as the body.')), 'phone'),
    ),
    dry_run: triedOnlyInQuery,
  },
  { additionalProperties: false },
);

/** What a table looks like as the body of a request. */
export const contactTables = {
  'text/csv': 'phone,name,tags\r\n+44 7700 900123,Ada Obi,wholesale\r\n',
  'application/x-ndjson': '{"phone": "+44 7700 900123", "name": "Ada Obi", "tags": ["wholesale"]}\n',
};

export const contactImportExample: JsonObject = {
  id: importExampleId,
  media_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  format: 'csv',
  mode: 'upsert',
  match_on: 'phone',
  dry_run: false,
  status: 'completed',
  total: 1000,
  created: 900,
  updated: 50,
  unchanged: 30,
  skipped: 0,
  failed: 0,
  invalid: 15,
  duplicate_in_file: 5,
  error: null,
  created_at: '2030-01-01T09:00:00.000Z',
  finished_at: '2030-01-01T09:00:04.000Z',
};
