/** The resources of the API that screens ask for, each as one query. */
import type * as Sdk from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { Known } from '../live/known.ts';
import { call } from './api.ts';
import { ME } from './start/early-reads.ts';
import { readWhole } from './whole-list.ts';

export type Me = Known<Sdk.Me>;
export type Agent = Known<Pick<Sdk.Agent, 'id' | 'name' | 'role' | 'availability'>>;
export type Counts = Sdk.CountConversationsResponse;
export type CannedReply = Pick<Sdk.CannedReply, 'id' | 'shortcut' | 'text' | 'asks_for' | 'media_ids'>;
export type Template = Sdk.Template;
export type TemplateVariable = Sdk.TemplateVariable;
export type TemplatePreview = Sdk.PreviewTemplateResponse;
export type Contact = Sdk.Contact;
/** Why something waits, in numbers. */
export type Waiting = Known<Sdk.MessageWaiting>;
/** What happened to a message, and what it waits for now. */
export type MessageTrace = Known<Sdk.Trace>;
export type TraceItem = Sdk.TraceItem;
export type PhoneNumber = Pick<Sdk.PhoneNumber, 'id' | 'phone' | 'name' | 'status' | 'pause_reason'>;
/** One recorded change of a conversation: each field with its old and its new value. */
export type ConversationChange = Known<Sdk.ConversationChange>;

const MINUTE_MS = 60_000;
const LONGEST = 200;
/** How often what somebody looks at is asked again while it waits. */
const WAITING_MS = 3_000;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>(ME, { signal }),
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
  const filled = await call<Sdk.FilledReply>(`/v1/canned-replies/${id}/fill`, { method: 'POST', body });
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
      return (
        await call<Known<Sdk.ConversationChangeList>>(`/v1/conversations/${conversationId}/events`, { query, signal })
      ).data;
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
