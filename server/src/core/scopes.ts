/** What a key may be limited to, and what each scope allows. A key without scopes may do everything. */
export const scopes = {
  'messages:read': 'Read messages and their traces.',
  'messages:write': 'Send and cancel messages.',
  'media:read': 'Read and fetch media.',
  'media:write': 'Upload and delete media.',
  'numbers:read': 'Read sending numbers and linked accounts.',
  'numbers:write': 'Link accounts; add, change, pause and remove sending numbers.',
  'keys:read': 'Read the API keys of the tenant, never the keys themselves.',
  'keys:write': 'Make, rotate and revoke API keys.',
  'billing:read': 'Read the subscription, the usage and the wallet.',
  'billing:write': 'Pay into the wallet.',
  'audit:read': 'Read the audit log.',
} as const;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as readonly Scope[];

/** @param granted the scopes of a key; none of them: every scope */
export function allows(granted: readonly string[], scope: Scope): boolean {
  return granted.length === 0 || granted.includes(scope);
}

/**
 * The scope that `wanted` has beyond `granted`; `'*'` when everything is wanted and not everything is granted. Null
 * when nothing is missing: "a key can never grant scopes that it lacks itself".
 */
export function missingScope(granted: readonly string[], wanted: readonly string[]): string | null {
  if (granted.length === 0) return null;
  if (wanted.length === 0) return '*';
  return wanted.find((scope) => !granted.includes(scope)) ?? null;
}
