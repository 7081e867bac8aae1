import type { TokenProvider } from '#accounts/actions/account-token';
import { reachNumber } from '#business/actions/reach-number';
import type { BusinessNetwork } from '#business/domain/business-network';
import { claimDueBlocks, settleBlock } from '#contacts/actions/tell-network-blocks';
import { type BlockFailure, blockFailure } from '#contacts/domain/network-block';
import type { ClaimedBlock } from '#contacts/store/network-blocks';
import { ApiProblem } from '#core/errors';
import type { Database } from '#database/database';
import type { DueWork } from '#queue/due-work';
import { LeaseWorker } from '#queue/lease-worker';
import type { Runtime } from '#runtime/runtime';

export interface BlockerDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly network: Pick<BusinessNetwork, 'setBlocked'>;
  readonly tokens: TokenProvider;
  readonly due: DueWork<'network_block'>;
}

/** Tells the network which customers are blocked. */
export interface NetworkBlocker {
  start(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
  /** One step. @returns how many blocks it began to tell */
  runOnce(): Promise<number>;
}

const POLL_MS = 500;
/** Concurrent calls per process: the network changes the list of a number one change at a time. */
const MAX_RUNNING = 4;

export function makeNetworkBlocker(parts: BlockerDeps): NetworkBlocker {
  const { rt, db, due } = parts;
  return new LeaseWorker<ClaimedBlock>({
    rt,
    name: 'network_blocks',
    pollMs: POLL_MS,
    places: MAX_RUNNING,
    isDue: () => due.has('network_block'),
    claim: (limit, without) => claimDueBlocks(rt, db, limit, without),
    work: (claimed) => tellNetwork(parts, claimed),
  });
}

/** Tells one block, and stores what came of it. */
export async function tellNetwork(parts: BlockerDeps, claimed: ClaimedBlock): Promise<void> {
  const { rt, db } = parts;
  const { tenantId, phoneNumberId, attempt, isWanted } = claimed;
  try {
    const failure = await ask(parts, claimed);
    const block = await settleBlock(rt, db, claimed, failure);
    const done = isWanted ? 'blocked' : 'unblocked';
    rt.metrics.networkBlocks.inc({ outcome: failure === null ? done : failure.passing ? 'put_off' : 'refused' });
    if (failure === null) rt.log.info({ tenantId, phoneNumberId, attempt, done }, 'contact.network_block_told');
    else {
      const { networkCode } = failure;
      const final = block !== null && block.state !== 'pending';
      rt.log.info({ tenantId, phoneNumberId, attempt, networkCode, final }, 'contact.network_block_failed');
    }
  } catch (error) {
    // The database is away: the lease expires, and the network is told again, which changes nothing if it was told.
    rt.log.warn(
      { tenantId, phoneNumberId, attempt, error: (error as Error).message },
      'contact.network_block_interrupted',
    );
  }
}

/** Null: the network did it. */
async function ask(parts: BlockerDeps, claimed: ClaimedBlock): Promise<BlockFailure | null> {
  const at = await reachNumber(parts, claimed).catch(unreachable);
  if ('passing' in at) return at;
  const asked = await parts.network.setBlocked(at, claimed.recipient, claimed.isWanted);
  return asked.ok ? null : blockFailure(asked.failure);
}

/** A number that is gone stays so; an account can be linked again. */
function unreachable(error: unknown): BlockFailure {
  if (!(error instanceof ApiProblem)) throw error;
  const isGone = error.code === 'not_found';
  const reason = isGone ? 'The number is no longer a sending number of yours.' : error.message;
  return { passing: !isGone, networkCode: null, reason, retryAfterMs: null };
}
