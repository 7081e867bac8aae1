import type {
  ConversationChange,
  ConversationPriority,
  ConversationStatus,
  HandledBy,
} from '#conversations/domain/conversation';
import type { AgentId, TeamId } from '#core/ids';
import { givenOnly, optionalTimeMs } from '#http/lists/filters';

/** The fields of a change that its schema has accepted. */
export interface ChangeBody {
  readonly status?: ConversationStatus;
  readonly snoozed_until?: string | null;
  readonly assignee_id?: string | null;
  readonly team_id?: string | null;
  readonly priority?: ConversationPriority;
  readonly handled_by?: HandledBy;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
}

export function readChange(body: ChangeBody): ConversationChange {
  return givenOnly({
    status: body.status,
    snoozedUntilMs: body.snoozed_until === null ? null : optionalTimeMs(body.snoozed_until),
    assigneeId: lowerCase(body.assignee_id) as AgentId | null | undefined,
    teamId: lowerCase(body.team_id) as TeamId | null | undefined,
    priority: body.priority,
    handledBy: body.handled_by,
    addTags: body.add_tags,
    removeTags: body.remove_tags,
  });
}

/** Ids of ours are lower-case. */
function lowerCase(id: string | null | undefined): string | null | undefined {
  return typeof id === 'string' ? id.toLowerCase() : id;
}
