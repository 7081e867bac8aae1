import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, named, nullableText, nullableTime, time, uuid, viewOf, withExample } from '#http/schemas/fields';
import { IMPORT_FIELDS } from '#imports/domain/contact-row';
import { IMPORT_FORMATS, IMPORT_MATCHES, IMPORT_MODES, IMPORT_STATUSES } from '#imports/domain/import';
import { count, fileFields, mappingField, triedOnly, triedOnlyInQuery } from './import-fields.ts';

const importExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4ea0';

export const ContactImportView = viewOf(named('ContactImport', 'An import of contacts.'), {
  id: uuid('ID of the import.'),
  media_id: uuid('ID of the file.'),
  format: choiceOf(IMPORT_FORMATS, named('ImportFormat', 'Format of the file.')),
  mode: choiceOf(IMPORT_MODES, named('ImportMode', 'Whether to create contacts, update them, or both.')),
  match_on: choiceOf(IMPORT_MATCHES, named('ImportMatch', 'Field that identifies a contact.')),
  dry_run: Type.Boolean({ description: 'If true, rows are only counted and checked.' }),
  status: choiceOf(IMPORT_STATUSES, 'failed: the file could not be read to the end; earlier rows were imported.'),
  total: count('Rows processed: the sum of the following counts.'),
  created: count('Contacts created.'),
  updated: count('Contacts updated.'),
  unchanged: count('Contacts that already matched their row.'),
  skipped: count('Rows skipped because of the mode.'),
  failed: count('Rows that conflict with another contact.'),
  invalid: count('Rows that cannot be read.'),
  duplicate_in_file: count('Rows about the same contact as an earlier row.'),
  error: nullableText('Why the file could not be read to the end.'),
  created_at: time('When it was requested.'),
  finished_at: nullableTime('When it finished.'),
});

export const ContactImportParams = Type.Object({ id: withExample(uuid('ID of the import.'), importExampleId) });

export const CreateContactImport = Type.Object(
  {
    ...fileFields,
    mode: Type.Optional(
      choiceOf(IMPORT_MODES, named('ImportMode', 'Whether to create contacts, update them, or both. Default: upsert.')),
    ),
    match_on: Type.Optional(
      choiceOf(IMPORT_MATCHES, named('ImportMatch', 'Field that identifies a contact. Default: phone.')),
    ),
    mapping: mappingField(
      `^(${IMPORT_FIELDS.join('|')}|attributes\\.[a-z][a-z0-9_]{0,49})$`,
      'Maps columns of the file to contact fields; other columns are ignored. By default, columns are named like the fields.',
    ),
    dry_run: triedOnly,
  },
  { additionalProperties: false, description: 'A file to import.' },
);

/** What a table that is the body itself cannot say; a field of a JSON body goes before. */
export const ContactImportQuery = Type.Object(
  {
    mode: Type.Optional(
      withExample(
        choiceOf(IMPORT_MODES, named('ImportMode', 'Same as in the JSON body, for use with a file as the body.')),
        'upsert',
      ),
    ),
    match_on: Type.Optional(
      withExample(
        choiceOf(IMPORT_MATCHES, named('ImportMatch', 'Same as in the JSON body, for use with a file as the body.')),
        'phone',
      ),
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

export const importEvents: Partial<Record<EventType, EventDescription>> = {
  'import.completed': { data: ContactImportView, example: contactImportExample },
};
