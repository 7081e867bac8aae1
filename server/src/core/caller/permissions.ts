import type { Scope } from './scopes.ts';

/** What agents can be; each has the permissions of `rolePermissions`. */
export const agentRoles = ['owner', 'admin', 'agent'] as const;
export type AgentRole = (typeof agentRoles)[number];

/** What people may be allowed to do, and what it means; docs/guides/agents.md shows the table, and a test compares. */
export const permissions = {
  'conversations:read': 'Read conversations, messages, notes and media, and the settings of the inbox.',
  'conversations:reply': 'Reply, send messages and media, add notes, and update conversations.',
  'contacts:read': 'Read contacts, segments and canned replies.',
  'contacts:write': 'Create, update and block contacts.',
  'conversations:assign_others': 'Assign conversations to others.',
  'contacts:manage': 'Import and erase contacts; manage attributes and segments.',
  'contacts:export': 'Export all contacts.',
  'replies:manage': 'Manage canned replies.',
  'rules:manage': 'Manage chatbot rules.',
  'templates:manage': 'Manage and submit templates; manage and publish flows.',
  'campaigns:manage': 'Create and run campaigns, and send batches.',
  'reports:read': 'Read reports.',
  'agents:manage': 'Manage agents, teams, business hours and shared views.',
  'settings:manage':
    'Manage numbers, accounts, webhooks and how long data is kept; read keys, the audit log and billing.',
  'owners:manage': 'Manage owners.',
  'keys:manage': 'Create, rotate and revoke API keys; a key without an agent can do everything that an owner can.',
  'billing:manage': 'Top up the wallet.',
} as const;
export type Permission = keyof typeof permissions;

const ofAgents = ['conversations:read', 'conversations:reply', 'contacts:read', 'contacts:write'] as const;
const ofAdmins = [
  ...ofAgents,
  'conversations:assign_others',
  'contacts:manage',
  'contacts:export',
  'replies:manage',
  'rules:manage',
  'templates:manage',
  'campaigns:manage',
  'reports:read',
  'agents:manage',
  'settings:manage',
] as const;

/** What each role may do: the one table. */
export const rolePermissions: Readonly<Record<AgentRole, readonly Permission[]>> = {
  owner: [...ofAdmins, 'owners:manage', 'keys:manage', 'billing:manage'],
  admin: ofAdmins,
  agent: ofAgents,
};

/**
 * What an agent needs for an operation, by the scope that a key needs for it. An operation that asks for something else
 * says so itself.
 */
export const permissionOfScope: Readonly<Record<Scope, Permission>> = {
  'messages:read': 'conversations:read',
  'messages:write': 'conversations:reply',
  'conversations:read': 'conversations:read',
  'conversations:write': 'conversations:reply',
  'media:read': 'conversations:read',
  'media:write': 'conversations:reply',
  'numbers:read': 'conversations:read',
  'numbers:write': 'settings:manage',
  'templates:read': 'conversations:read',
  'templates:write': 'templates:manage',
  'contacts:read': 'contacts:read',
  'contacts:write': 'contacts:write',
  'rules:read': 'conversations:read',
  'rules:write': 'rules:manage',
  'keys:read': 'settings:manage',
  'keys:write': 'keys:manage',
  'billing:read': 'settings:manage',
  'billing:write': 'billing:manage',
  'campaigns:read': 'conversations:read',
  'campaigns:write': 'campaigns:manage',
  'analytics:read': 'reports:read',
  'events:read': 'conversations:read',
  'webhooks:read': 'settings:manage',
  'webhooks:write': 'settings:manage',
  'agents:read': 'conversations:read',
  'agents:write': 'agents:manage',
  'audit:read': 'settings:manage',
  'settings:read': 'settings:manage',
  'settings:write': 'settings:manage',
};

/** Whether a role allows something. */
export function may({ role }: { readonly role: AgentRole }, permission: Permission): boolean {
  return rolePermissions[role].includes(permission);
}
