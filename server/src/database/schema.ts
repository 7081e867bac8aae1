/**
 * The tables as Kysely sees them; migrations/ is the truth and says what each column means. Times are milliseconds
 * since 1970. Only tables that ordinary queries read are here; the hot path writes
 * whole SQL. A table whose columns are types of a feature is declared by that feature's store.
 */
export interface Schema {
  settings: { name: string; value: string };
  phone_numbers: {
    tenantId: string;
    phoneNumberId: string;
    displayPhone: string;
    status: 'active' | 'paused';
    pauseReason: string | null;
  };
  send_queue: {
    tenantId: string;
    messageId: string;
    phoneNumberId: string;
    state: number;
    priority: number;
    dueMs: number;
    expiresMs: number;
    attempts: number;
    epoch: number | null;
  };
  media: { tenantId: string; mediaId: string; mimeType: string; size: number; sha256: string };
  inbound_media: {
    tenantId: string;
    messageId: string;
    mimeType: string | null;
    sha256: string | null;
    filename: string | null;
    status: 'pending' | 'ready' | 'failed';
    mediaId: string | null;
    error: { readonly code: string; readonly message: string } | null;
  };
  dead_letters: { tenantId: string; messageId: string; code: string; reason: string; deadMs: number };
  contact_terms: { tenantId: string; term: string; contactId: string };
}
