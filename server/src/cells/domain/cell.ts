/** A whole copy of the schema, with the tenants that live in it. */
export interface Cell {
  /** Chosen by the operator; the first one is `main`. */
  readonly cellId: string;
  /** The schema of PostgreSQL that it is; null: as its server resolves names. */
  readonly schema: string | null;
  /** The encrypted address of its server, and which key opens it; null: the server of the directory. */
  readonly url: { readonly sealed: string; readonly keyId: string } | null;
  /** `joining`: processes begin to serve it, and it gets no tenants yet. */
  readonly state: CellState;
  readonly addedMs: number;
}

/** A cell as the operator describes it. */
export interface NewCell {
  readonly cellId: string;
  /** Address of its server; null: the one that DATABASE_URL names. */
  readonly url: string | null;
  /** Null: one named after the cell on the server of DATABASE_URL, and as the server resolves names on another. */
  readonly schema: string | null;
}

export type CellState = 'joining' | 'open';

/** The cell that DATABASE_URL names. The directory is beside it, and what belongs to nobody goes there. */
export const MAIN_CELL = 'main';

const CELL_ID = /^[a-z][a-z0-9_]{0,39}$/;

/** Whether a text can name a cell, and the schema of one. */
export function isCellName(text: string): boolean {
  return CELL_ID.test(text) && !text.startsWith('pg_');
}

/** The schema of a cell that shares a server with others, unless the operator names another one. */
export function schemaOfCell(cellId: string): string {
  return `cell_${cellId}`;
}

/**
 * What names a tenant, or a person, before anybody knows whose it is.
 * - key, session, link: the hash that is stored of it
 * - email: in lower case
 * - passkey: the credential's ID
 * - tenant: its ID
 * - number, account: the IDs that the network has for them
 */
export const NAME_KINDS = ['key', 'session', 'link', 'email', 'passkey', 'tenant', 'number', 'account'] as const;
export type NameKind = (typeof NAME_KINDS)[number];
