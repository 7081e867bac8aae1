/** The resources of the API that screens ask for, each as one query. */
import type * as Sdk from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { Actor } from '../live/model.ts';
import { call } from './api.ts';
import { readWhole } from './whole-list.ts';

export interface Me {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    /** When it was proved that the address is theirs; null: not yet. */
    readonly email_confirmed_at: string | null;
  } | null;
  readonly agent: { readonly id: string; readonly name: string; readonly role: string } | null;
  readonly tenant: { readonly id: string; readonly name: string };
  readonly tenants: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly sign_in: {
    readonly password: boolean;
    readonly totp: boolean;
    readonly recovery_codes: number;
    readonly passkeys: number;
    /** Null: the tenant has none. */
    readonly single_sign_on: { readonly connected: boolean; readonly start_url: string } | null;
  };
  readonly permissions: readonly string[];
  readonly session: { readonly id: string; readonly signed_in_at: string; readonly expires_at: string } | null;
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly installation: { readonly version: string; readonly network: 'simulator' | 'live'; readonly mail: boolean };
}

export interface Agent extends Pick<Sdk.Agent, 'id' | 'name' | 'role'> {
  readonly availability: Sdk.AgentAvailability;
}

export interface Counts {
  readonly total: number;
  readonly by_status: Readonly<Record<string, number>>;
  readonly active: {
    readonly total: number;
    readonly waiting: number;
    readonly unassigned: number;
    readonly by_assignee: Readonly<Record<string, number>>;
  };
}

export type CannedReply = Pick<Sdk.CannedReply, 'id' | 'shortcut' | 'text' | 'asks_for' | 'media_ids'>;

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly sendable: boolean;
  readonly components: readonly { readonly type: string; readonly text?: string; readonly format?: string }[];
  readonly variables: readonly TemplateVariable[];
}

export interface TemplateVariable {
  readonly key: string;
  readonly where: string;
  readonly type: string;
  readonly example: string | null;
}

export interface TemplatePreview {
  readonly header: { readonly format: string; readonly text: string | null } | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly { readonly type: string; readonly text: string; readonly target: string | null }[];
  readonly missing: readonly string[];
}

export type Contact = Sdk.Contact;

export interface TraceItem {
  readonly at: string;
  readonly event: string;
  readonly detail: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Why something waits, in numbers. */
export interface Waiting {
  readonly reason: string;
  readonly ahead: number;
  readonly ahead_is_more: boolean;
  readonly rate_per_s: number | null;
  readonly eta_s: number | null;
}

/** What happened to a message, and what it waits for now. */
export interface MessageTrace {
  readonly data: readonly TraceItem[];
  readonly waiting: Waiting | null;
}

export type PhoneNumber = Pick<Sdk.PhoneNumber, 'id' | 'phone' | 'name' | 'status' | 'pause_reason'>;

/** One recorded change of a conversation: each field with its old and its new value. */
export interface ConversationChange {
  readonly id: string;
  readonly at: string;
  readonly changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  readonly actor: Actor;
  readonly cause: string;
}

interface List<T> {
  readonly data: readonly T[];
}

const MINUTE_MS = 60_000;
const LONGEST = 200;
/** How often what somebody looks at is asked again while it waits. */
const WAITING_MS = 3_000;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>('/v1/me', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: ({ signal }) => readWhole<Agent>('/v1/agents', { signal }),
  staleTime: 10 * MINUTE_MS,
});
export const countsQuery = queryOptions({
  queryKey: ['counts'],
  queryFn: ({ signal }) => call<Counts>('/v1/conversations/counts', { signal }),
  staleTime: MINUTE_MS,
});
export const cannedRepliesQuery = queryOptions({
  queryKey: ['canned-replies'],
  queryFn: ({ signal }) => readWhole<CannedReply>('/v1/canned-replies', { signal }),
  staleTime: 5 * MINUTE_MS,
});
interface FilledReply {
  readonly messages: readonly { readonly body?: string; readonly media?: { readonly media_id: string } }[];
  readonly missing: readonly string[];
  readonly missing_media_ids: readonly string[];
}

/** What goes into the composer. */
export interface FilledText {
  readonly replyId: string;
  readonly text: string;
  readonly mediaIds: readonly string[];
  /** What has no value. */
  readonly missing: readonly string[];
  /** How many of its files were deleted. */
  readonly missingFiles: number;
}

/** A canned reply with the values of the customer and those that it asks for. */
export async function fillCannedReply(
  { id }: CannedReply,
  conversationId: string,
  values: Readonly<Record<string, string>>,
): Promise<FilledText> {
  const body = { conversation_id: conversationId, values };
  const filled = await call<FilledReply>(`/v1/canned-replies/${id}/fill`, { method: 'POST', body });
  return {
    replyId: id,
    text: filled.messages[0]?.body ?? '',
    mediaIds: filled.messages.flatMap(({ media }) => media?.media_id ?? []),
    missing: filled.missing,
    missingFiles: filled.missing_media_ids.length,
  };
}
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }) => {
    const approved = await readWhole<Template>('/v1/templates', { query: { status: 'approved' }, signal });
    return approved.filter(({ sendable }) => sendable);
  },
  staleTime: 5 * MINUTE_MS,
});
export const numbersQuery = queryOptions({
  queryKey: ['phone-numbers'],
  queryFn: ({ signal }) => readWhole<PhoneNumber>('/v1/phone-numbers', { signal }),
  staleTime: 5 * MINUTE_MS,
});
export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => call<Contact>(`/v1/contacts/${id}`, { signal }),
    staleTime: MINUTE_MS,
  });
export const historyQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['history', conversationId],
    queryFn: async ({ signal }) => {
      const query = { limit: LONGEST };
      return (await call<List<ConversationChange>>(`/v1/conversations/${conversationId}/events`, { query, signal }))
        .data;
    },
    staleTime: MINUTE_MS,
  });
export const traceQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['trace', messageId],
    queryFn: ({ signal }) => call<MessageTrace>(`/v1/messages/${messageId}/trace`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.waiting ? WAITING_MS : false),
  });
export const previewQuery = (templateId: string, variables: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: ['template-preview', templateId, variables],
    queryFn: ({ signal }) =>
      call<TemplatePreview>(`/v1/templates/${templateId}/preview`, { method: 'POST', body: { variables }, signal }),
    staleTime: MINUTE_MS,
  });
