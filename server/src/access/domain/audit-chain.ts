import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '#core/json';
import { type AuditEntry, auditEntryJson } from './audit.ts';

/** What a chain begins with. */
export const CHAIN_START = '0'.repeat(64);

/**
 * The hash that seals an entry: SHA-256 over the hash before it and the entry as JSON with sorted member names.
 * @param previous `CHAIN_START` for the first entry of a tenant
 * @returns 64 hexadecimal digits
 */
export function sealOf(previous: string, entry: AuditEntry): string {
  return createHash('sha256').update(previous).update(canonicalEntry(entry)).digest('hex');
}

/**
 * Each member of an entry that the log shows, in a fixed order. The database stores members of objects in another
 * order.
 */
function canonicalEntry({ tenantId, entryId, createdMs, origin, action, targetId, details }: AuditEntry): string {
  const { actor, keyId, agentId, requestId, address } = origin;
  return JSON.stringify([
    tenantId,
    entryId,
    createdMs,
    [actor, keyId, agentId, requestId, address],
    action,
    targetId,
    sorted(details),
  ]);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

/** The first place at which a chain does not hold, and what is wrong there. */
export interface ChainFault {
  readonly seq: number;
  readonly entryId: string;
  readonly fault: 'entry_missing' | 'entry_changed' | 'seal_missing';
}

/** A seal with the entry that it names; null when the entry is gone. */
export interface SealedEntry {
  readonly seq: number;
  readonly entryId: string;
  readonly hash: string;
  readonly entry: AuditEntry | null;
}

/** An entry with its place in the chain of its tenant, and the hash that seals it there. */
export interface ChainedEntry {
  readonly seq: number;
  readonly hash: string;
  readonly entry: AuditEntry;
}

/** A sealed entry as it leaves: in exports, in events and for a log server. */
export function chainedEntryJson({ seq, hash, entry }: ChainedEntry): JsonObject {
  return { seq, hash, ...auditEntryJson(entry) };
}

/** Follows a chain portion by portion. */
export class ChainCheck {
  #seq = 0;
  #hash = CHAIN_START;

  /** How many seals it has followed. */
  get seq(): number {
    return this.#seq;
  }

  get hash(): string {
    return this.#hash;
  }

  /** @returns the first fault; null when the seals continue the chain */
  follow(seals: readonly SealedEntry[]): ChainFault | null {
    for (const { seq, entryId, hash, entry } of seals) {
      if (seq !== this.#seq + 1) return { seq: this.#seq + 1, entryId, fault: 'seal_missing' };
      if (entry === null) return { seq, entryId, fault: 'entry_missing' };
      if (sealOf(this.#hash, entry) !== hash) return { seq, entryId, fault: 'entry_changed' };
      this.#seq = seq;
      this.#hash = hash;
    }
    return null;
  }
}
