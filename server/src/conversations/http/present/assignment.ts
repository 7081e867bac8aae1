import type { Waiting } from '#conversations/actions/explain-assignment';
import type { Skipped } from '#conversations/domain/assignment';
import type { AssignmentEntry } from '#conversations/store/assignment';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

export function presentAssignment(entry: AssignmentEntry): JsonObject {
  return {
    id: entry.entryId,
    at: formatRfc3339(entry.atMs),
    outcome: entry.outcome,
    because: entry.because,
    agent_id: entry.agentId,
    team_id: entry.teamId,
    skipped: entry.skipped.map(presentSkipped),
  };
}

export function presentWaiting({ because, skipped }: Waiting): JsonObject {
  return { because, skipped: skipped.map(presentSkipped) };
}

function presentSkipped({ agentId, name, reason, detail }: Skipped): JsonObject {
  return { agent_id: agentId, name, reason, detail };
}
