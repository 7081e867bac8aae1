import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableTime, time, uuid, viewOf, withExample } from '#http/schemas/fields';
import { IMPORT_FORMATS, IMPORT_STATUSES } from '#imports/domain/import';
import { count, fileFields, mappingField, triedOnly, triedOnlyInQuery } from './import-fields.ts';

const importExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4ec0';

export const RecipientImportParams = Type.Object({
  id: withExample(uuid('ID of the import.'), importExampleId),
});

export const RecipientImportView = viewOf(named('CampaignImport', 'An import of recipients into a draft.'), {
  id: uuid('ID of the import.'),
  campaign_id: uuid('The draft.'),
  media_id: uuid('ID of the file.'),
  format: choiceOf(IMPORT_FORMATS, named('ImportFormat', 'Format of the file.')),
  dry_run: Type.Boolean({ description: 'If true, rows are only counted and checked.' }),
  status: choiceOf(
    IMPORT_STATUSES,
    'failed: the import stopped before the end of the file; earlier rows were imported.',
  ),
  total: count('Rows processed: the sum of the following counts.'),
  added: count('New recipients.'),
  duplicates: count('Rows whose number occurs earlier in the file or already was a recipient.'),
  invalid: count('Rows that cannot be read.'),
  error: nullableText('Why the import stopped before the end of the file.'),
  created_at: time('When it was requested.'),
  finished_at: nullableTime('When it finished.'),
});

export const CreateRecipientImport = Type.Object(
  {
    ...fileFields,
    mapping: mappingField(
      '^[a-z][a-z0-9_]{0,63}$',
      'Maps columns of the file to `to` or to variable names; other columns are ignored. By default, column names are used.',
    ),
    dry_run: triedOnly,
  },
  { additionalProperties: false, description: 'A file of recipients.' },
);

/** What a table that is the body itself cannot say; a field of a JSON body goes before. */
export const RecipientImportQuery = Type.Object({ dry_run: triedOnlyInQuery }, { additionalProperties: false });

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
