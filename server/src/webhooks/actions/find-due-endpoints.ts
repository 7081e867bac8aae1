import type { NotifierId } from '#core/ids';
import type { Database } from '#database/database';
import { marksFor } from '#webhooks/domain/webhook';
import {
  type BehindLane,
  type BehindRow,
  type EndpointLaneRow,
  MAX_LOOK_BACK,
  type PassableLane,
  readLanesBehind,
} from '#webhooks/store/webhook-lanes';

/** A lane with work. */
export interface DueEndpointLane extends Pick<EndpointLaneRow, 'tenantId' | 'endpointId'> {
  /** Whether events that the endpoint wants wait to be taken; else only deliveries are due. */
  readonly hasEvents: boolean;
}

/** What the lanes of an owner have to do. */
export interface DueEndpoints {
  readonly due: readonly DueEndpointLane[];
  /** Lanes that want nothing of what they are behind by. */
  readonly passable: readonly PassableLane[];
}

export interface PollInput {
  readonly owner: NotifierId;
  readonly nowMs: number;
  /** Events that a lane must be behind by to be reported as passable. */
  readonly minLag: number;
}

/** Reads in one statement what all lanes of an owner have to do. Nothing is taken, and nothing passed over. */
export async function findDueEndpoints(db: Database, { owner, nowMs, minLag }: PollInput): Promise<DueEndpoints> {
  const rows = await readLanesBehind(db, owner, nowMs);
  const lanes = rows.flatMap((row) => row.lanes.map((lane) => evaluateLane(lane, row)));
  return {
    due: lanes.filter(({ hasEvents, hasDue }) => hasEvents || hasDue),
    passable: lanes.filter(({ hasEvents, lag }) => !hasEvents && lag >= minLag),
  };
}

interface EvaluatedLane extends DueEndpointLane, PassableLane {
  readonly hasDue: boolean;
  readonly lag: number;
}

function evaluateLane({ endpointId, types, takenSeq, hasDue }: BehindLane, row: BehindRow): EvaluatedLane {
  const { tenantId, lastSeq, told } = row;
  const lag = lastSeq - takenSeq;
  const watched = marksFor(types, endpointId);
  const hears = watched === null || lag > MAX_LOOK_BACK || watched.some((mark) => (told[mark] ?? 0) > takenSeq);
  return { tenantId, endpointId, hasDue, lag, hasEvents: lag > 0 && hears, passedSeq: lastSeq };
}
