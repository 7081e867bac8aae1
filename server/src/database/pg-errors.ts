import { ApiProblem } from '#core/errors';
import { stripValues } from '#runtime/strip-values';
import { StorageUnavailable } from './database.ts';

/** What a driver's error means for the work that caused it. */
export type FaultKind =
  /** The row itself is at fault: another row would pass. */
  | 'row'
  /** The database refused for a passing reason and did nothing: the same statement may pass next time. */
  | 'passing'
  /** The connection failed or the server is going away: whether the statement took effect is not known. */
  | 'connection'
  /** A defect of ours: wrong SQL, missing table. */
  | 'defect';

/** SQLSTATE classes and codes (PostgreSQL manual, appendix A). */
const KIND_BY_CLASS: Readonly<Record<string, FaultKind>> = {
  '08': 'connection', // connection exception
  '21': 'row', // cardinality violation: a row that stands twice
  '22': 'row', // data exception
  '23': 'row', // integrity constraint violation
  '25': 'passing', // invalid transaction state, read-only after a failover
  '40': 'passing', // serialization failure, deadlock
  '53': 'passing', // insufficient resources
  '54': 'row', // program limit exceeded: a value too long for an index
  '55': 'passing', // object not in prerequisite state, lock not available
  '57': 'connection', // operator intervention: shutdown, crash
  '58': 'connection', // system error
};
const DAMAGED_ROWS: ReadonlySet<string> = new Set(['XX001', 'XX002']);
/** Citus has no code of its own for a node that went away. */
const INTERNAL = 'XX000';
const LOST_NODE = /^(failure on connection marked as essential|connection to the remote node )/;
const LOCK_TIMEOUT = '55P03';
const STATEMENT_TIMEOUT = '57014';

/** As when somebody else holds a row: nothing was done, and a later attempt may pass. */
export class RowsHeld extends Error {
  override name = 'RowsHeld';
  readonly code = LOCK_TIMEOUT;
}

/** Names the kind of a driver's error; anything without an SQLSTATE is the connection's. */
export function faultKind(error: unknown): FaultKind {
  if (error instanceof StorageUnavailable) return 'connection';
  // A refusal thrown inside a transaction; its sentence may well say that something is closed.
  if (error instanceof ApiProblem) return 'defect';
  const code = (error as { code?: unknown } | null)?.code;
  if (code === STATEMENT_TIMEOUT) return 'passing';
  // Codes of Node have other lengths as a rule; EPIPE looks like one of PostgreSQL.
  const isSqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isOfNode(error);
  if (!isSqlState) return isNetworkError(error) ? 'connection' : 'defect';
  if (DAMAGED_ROWS.has(code)) return 'row';
  if (code === INTERNAL && LOST_NODE.test((error as Error).message)) return 'connection';
  return KIND_BY_CLASS[code.slice(0, 2)] ?? 'defect';
}

/** Whether the database could not read a page: its checksum or its contents are wrong. */
export function isDamage(error: unknown): boolean {
  return DAMAGED_ROWS.has(codeOf(error) ?? '');
}

/** Whether a statement gave up because somebody else holds a row that it needs; it has done nothing. */
export function isLockTimeout(error: unknown): boolean {
  const refused = error instanceof StorageUnavailable ? error.cause : error;
  return (refused as { readonly code?: unknown } | null | undefined)?.code === LOCK_TIMEOUT;
}

/** Node's own errors carry `errno`/`syscall`. */
function isOfNode(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || 'errno' in error);
}

/** pg's connection errors have only a sentence. */
function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isOfNode(error)) return true;
  return /connection|timeout|terminat|closed|not queryable|read ECONN|socket|after calling end/i.test(error.message);
}

/** What an operator can make something of; other codes mean that no answer came. */
const SENTENCES: Readonly<Record<string, string>> = {
  '25006': 'The database takes no changes: it is a replica, or read-only',
  '53100': 'The database has no space left',
  '53200': 'The database has no memory left',
  '53300': 'The database has no more connections to give',
  '55P03': 'Another session of the database holds a lock that this needs',
  [STATEMENT_TIMEOUT]: 'A statement took longer than its time limit',
};

/** How the sentence about a database begins that said nothing. */
export const NO_ANSWER = 'The database did not respond';

/** What is the matter with the database: a sentence without names and addresses, or anything of a tenant. */
export function storageSentence(error: unknown): string {
  const raw = error instanceof StorageUnavailable && error.cause ? error.cause : error;
  return SENTENCES[codeOf(raw) ?? ''] ?? NO_ANSWER;
}

/** Whether a lock was not granted in time, or not at all because of a deadlock: an attempt later may pass. */
export function isLockFailure(error: unknown): boolean {
  const code = codeOf(error instanceof StorageUnavailable ? error.cause : error);
  return code === '55P03' || code === '40P01';
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Turns connection faults into StorageUnavailable, so that callers need one check; others pass through, without values. */
export function asStorageError(error: unknown): unknown {
  const kind = faultKind(error);
  if (kind !== 'connection' && kind !== 'passing') return stripValues(error);
  if (error instanceof StorageUnavailable) return error;
  return new StorageUnavailable(`${storageSentence(error)} (${(error as Error).message}).`, { cause: error });
}

/** Whether a row was refused because another one has the same value where each must have its own. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}
