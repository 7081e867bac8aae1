import type { CampaignId, ImportId, MediaId, TenantId } from '#core/ids';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';

export const IMPORT_FORMATS = ['csv', 'ndjson'] as const;
export const IMPORT_MODES = ['create', 'update', 'upsert'] as const;
export const IMPORT_MATCHES = ['phone', 'external_id'] as const;
export const IMPORT_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
export type ImportMode = (typeof IMPORT_MODES)[number];
export type ImportMatch = (typeof IMPORT_MATCHES)[number];
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** What may become of an import: statements move it, see docs/state-machines.md. */
export const IMPORT_MOVES: Readonly<Record<ImportStatus, readonly ImportStatus[]>> = {
  queued: ['running'],
  running: ['completed', 'failed'],
  completed: [],
  failed: [],
};

/** What may become of a row of a file; each outcome is a column of `imports` that counts its rows. */
export const IMPORT_OUTCOMES = [
  'created',
  'updated',
  'unchanged',
  /** The mode does not want it: there is such a contact already, or there is none. */
  'skipped',
  /** It meets another contact. */
  'failed',
  /** It cannot be read. */
  'invalid',
  /** An earlier row of the file is about the same contact. */
  'duplicate_in_file',
  /** It became a recipient. */
  'added',
  /** An earlier row has its number, or the campaign had it before. */
  'duplicate',
] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** Rows by outcome; they add up to the rows that are done. */
export type ImportCounts = Readonly<Record<ImportOutcome, number>>;

/** A row of a file: its values by column, or why it cannot be read. */
export type FileRow = { readonly values: JsonObject } | { readonly wrong: string };

/** Rows of a file that are brought in at once. */
export interface FilePortion {
  readonly rows: readonly FileRow[];
  /** What earlier rows of the file were about; these add their own. */
  readonly seen: Set<string>;
}

/** Column of a file -> field. Null: columns are called like their fields. */
export type ImportMapping = Readonly<Record<string, string>> | null;

/** What is asked for, of any kind. */
interface FileInput {
  readonly mediaId: string;
  readonly format: ImportFormat;
  readonly mapping: ImportMapping;
  /** Counts and finds faults, and changes nothing. */
  readonly dryRun: boolean;
}

export interface ContactImportInput extends FileInput {
  readonly kind: 'contacts';
  readonly mode: ImportMode;
  readonly matchOn: ImportMatch;
}

export interface RecipientImportInput extends FileInput {
  readonly kind: 'recipients';
  /** The draft that gets them. */
  readonly campaignId: string;
}

export type ImportInput = ContactImportInput | RecipientImportInput;
export type ImportKind = ImportInput['kind'];

interface Progress {
  readonly tenantId: TenantId;
  readonly importId: ImportId;
  readonly mediaId: MediaId;
  readonly status: ImportStatus;
  /** Rows that are done. */
  readonly total: number;
  readonly counts: ImportCounts;
  /** Why the file was not brought in to its end. */
  readonly error: string | null;
  readonly createdMs: number;
  readonly finishedMs: number | null;
}

/** A file of contacts that is brought in. */
export type ContactImport = ContactImportInput & Progress;
/** A file of recipients that is brought into a draft. */
export type RecipientImport = RecipientImportInput & Progress & { readonly campaignId: CampaignId };
export type Import = ContactImport | RecipientImport;

/** An import as the API and its event show it. */
export function importJson(of: Import): JsonObject {
  const { created, updated, unchanged, skipped, failed, invalid, duplicate_in_file, added, duplicate } = of.counts;
  const isOfContacts = of.kind === 'contacts';
  return {
    id: of.importId,
    ...(isOfContacts ? {} : { campaign_id: of.campaignId }),
    media_id: of.mediaId,
    format: of.format,
    ...(isOfContacts ? { mode: of.mode, match_on: of.matchOn } : {}),
    dry_run: of.dryRun,
    status: of.status,
    total: of.total,
    ...(isOfContacts
      ? { created, updated, unchanged, skipped, failed, invalid, duplicate_in_file }
      : { added, duplicates: duplicate, invalid }),
    error: of.error,
    created_at: isoTime(of.createdMs),
    finished_at: isoTimeOrNull(of.finishedMs),
  };
}
