import { consentEntryJson } from '#contacts/http/contact-commands';
import { contactResource } from '#contacts/http/contact-resource';
import { findContact } from '#contacts/store/contacts';
import { describeNote } from '#conversations/domain/conversation-events';
import { conversationChangeJson } from '#conversations/http/conversation-thread';
import { allows, type Scope } from '#core/caller/scopes';
import { ApiProblem, requireFound } from '#core/errors';
import { isoTime } from '#core/iso-time';
import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { choiceOf, optional, queryOf, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { mergeJson } from '#merges/http/contact-merges';
import { presentMessage } from '#messages/http/present/message';
import { presentDecision } from '#rules/http/present/rule-decision';
import { readTimeline, type TimelineEntry } from '#timeline/actions/read-timeline';
import { type TimelineType, timelineTypes } from '#timeline/domain/timeline-type';
import { TimelineItem, timelineExample } from './schemas/timeline.ts';

/** Each type is shown to those who may read it where it comes from. */
const SCOPES: Readonly<Record<TimelineType, Scope>> = {
  message: 'messages:read',
  note: 'conversations:read',
  conversation_change: 'conversations:read',
  rule_decision: 'rules:read',
  campaign_skip: 'campaigns:read',
  consent: 'contacts:read',
  merge: 'contacts:read',
};

const listContactTimelineRoute = defineOperation({
  method: 'GET',
  ...belowItem(contactResource, 'timeline', 'read'),
  operationId: 'listContactTimeline',
  summary: 'List the timeline of a contact',
  description:
    'Returns everything that happened with a contact in all its conversations, newest first: messages, notes, changes of conversations, decisions of rules that matched, campaigns that skipped the contact, consent with its proof, and merges. A key sees the types whose scope it has: messages:read, conversations:read, rules:read, campaigns:read.',
  query: queryOf({
    ...pageQuery,
    ...optional({ type: withExample(choiceOf(timelineTypes, 'Only items of this type.'), 'message') }),
  }),
  answer: pageAnswer('items', TimelineItem, timelineExample),
  errors: ['not_found'],
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId, scopes } = principalOf(request);
      const types = readableTypes(scopes, request.query.type);
      const { contactId } = requireFound(await findContact(db, tenantId, request.params.id.toLowerCase()));
      return answerList(request, reply, {
        cursorKey,
        name: 'contact_timeline',
        filter: { contactId, type: request.query.type },
        read: (_tenantId, window) => readTimeline(db, { tenantId, contactId, types, window }),
        idOf: ({ place }) => place,
        present: presentEntry,
      });
    };
  },
});

export const timelineOperations: readonly Operation[] = [listContactTimelineRoute];

/** @throws ApiProblem forbidden for a type that the key may not read */
function readableTypes(granted: readonly string[], only: TimelineType | undefined): readonly TimelineType[] {
  if (only === undefined) return timelineTypes.filter((type) => allows(granted, SCOPES[type]));
  if (allows(granted, SCOPES[only])) return [only];
  const sentence = `This API key lacks the scope ${SCOPES[only]}, which is required to read items of type ${only}.`;
  throw new ApiProblem('forbidden', { sentence });
}

function presentEntry(entry: TimelineEntry): JsonObject {
  const { type } = entry;
  switch (type) {
    case 'message':
      return { type, message: presentMessage(entry.message) };
    case 'note':
      return { type, note: describeNote(entry.note) };
    case 'conversation_change':
      return { type, conversation_id: entry.change.conversationId, change: conversationChangeJson(entry.change) };
    case 'rule_decision':
      return { type, decision: presentDecision(entry.decision) };
    case 'consent':
      return { type, consent: consentEntryJson(entry.consent) };
    case 'campaign_skip': {
      const { campaignId, campaignName, reason, atMs } = entry.skip;
      const { code, message } = reason;
      return {
        type,
        campaign_id: campaignId,
        campaign_name: campaignName,
        reason: { code, message },
        at: isoTime(atMs),
      };
    }
    case 'merge':
      return { type, merge: mergeJson(entry.merge) };
  }
}
