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
export interface LaneLook {
  readonly due: readonly DueEndpointLane[];
  /** Lanes that want nothing of what they are behind by. */
  readonly passable: readonly PassableLane[];
}

export interface LookRequest {
  readonly owner: NotifierId;
  readonly nowMs: number;
  /** Events that a lane must be behind by, to be told as passable. */
  readonly minLag: number;
}

/** Looks in one statement what all lanes of an owner have to do. Nothing is taken, and nothing passed over. */
export async function lookAtLanes(db: Database, { owner, nowMs, minLag }: LookRequest): Promise<LaneLook> {
  const rows = await readLanesBehind(db, owner, nowMs);
  const lanes = rows.flatMap((row) => row.lanes.map((lane) => evaluateLane(lane, row)));
  return {
    due: lanes.filter(({ hasEvents, hasDue }) => hasEvents || hasDue),
    passable: lanes.filter(({ hasEvents, lag }) => !hasEvents && lag >= minLag),
  };
}

interface JudgedLane extends DueEndpointLane, PassableLane {
  readonly hasDue: boolean;
  readonly lag: number;
}

function evaluateLane({ endpointId, types, takenSeq, hasDue }: BehindLane, row: BehindRow): JudgedLane {
  const { tenantId, lastSeq, told } = row;
  const lag = lastSeq - takenSeq;
  const heeded = marksFor(types, endpointId);
  const hears = heeded === null || lag > MAX_LOOK_BACK || heeded.some((mark) => (told[mark] ?? 0) > takenSeq);
  return { tenantId, endpointId, hasDue, lag, hasEvents: lag > 0 && hears, passedSeq: lastSeq };
}
