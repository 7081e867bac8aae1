/** What a key may be limited to, and what each scope allows. A key without scopes may do everything. */
export const scopes = {
  'messages:read': 'Read messages and their traces.',
  'messages:write': 'Send and cancel messages.',
  'conversations:read': 'Read conversations, their messages and notes.',
  'conversations:write': 'Reply in conversations, and update them.',
  'media:read': 'Read and download media.',
  'media:write': 'Upload and delete media.',
  'numbers:read': 'Read sending numbers and linked accounts.',
  'numbers:write': 'Link accounts; add, update, pause and delete sending numbers.',
  'templates:read': 'Read templates, their history and flows; check and preview templates.',
  'templates:write':
    'Create, update, submit, sync and delete templates; create, update, publish, deprecate and delete flows.',
  'contacts:read': 'Read contacts, segments and canned replies.',
  'contacts:write': 'Create, update, block and erase contacts; manage segments and canned replies.',
  'rules:read': 'Read chatbot rules and their decisions, and test rules.',
  'rules:write': 'Create, update, reorder and delete chatbot rules.',
  'keys:read': 'List API keys, but never the keys themselves.',
  'keys:write': 'Create, rotate and revoke API keys.',
  'billing:read': 'Read the subscription, the usage and the wallet.',
  'billing:write': 'Top up the wallet.',
  'campaigns:read': 'Read campaigns and their recipients.',
  'campaigns:write': 'Create, start, pause and cancel campaigns.',
  'analytics:read': 'Read reports.',
  'events:read': 'Read events, as a list or a stream.',
  'webhooks:read': 'Read webhook endpoints and their deliveries, never their secrets.',
  'webhooks:write': 'Create, update and delete webhook endpoints, rotate their secrets, and redeliver events.',
  'agents:read': 'Read agents, teams and business hours.',
  'agents:write': 'Manage agents, teams and business hours.',
  'audit:read': 'Read the audit log.',
  'settings:read': 'Read how long data is kept.',
  'settings:write': 'Change how long data is kept.',
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
