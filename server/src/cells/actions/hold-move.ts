import type { MoveStep, TenantMove } from '#cells/domain/move';
import { changeStep, renewMove } from '#cells/store/moves';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/**
 * How long the command that moves a tenant may be silent. Once it is over, a running process ends the pause, and the command can be given again: a
 * tenant whose mover was killed is paused for this long, and for the second in which a process notices it.
 */
export const MOVE_LEASE_MS = 10_000;
const RENEW_MS = 2_000;

/** A move in the hands of this command. */
export interface MoveHold {
  readonly move: TenantMove;
  /** @throws OperatorError once somebody else may have taken the move over */
  require(): void;
  /** Records how far it is. @throws OperatorError when it is not in the step before, or the lease has ended */
  step(from: MoveStep, to: MoveStep): Promise<void>;
  /** Whether the step could be recorded, without an error if not. */
  tryStep(from: MoveStep, to: MoveStep): Promise<boolean>;
  /** Lets another command go on with it at once. */
  release(): Promise<void>;
}

/** Renews the lease of a move until it is released. */
export function holdMove(rt: Runtime, directory: Database, move: TenantMove): MoveHold {
  let heldUntilMs = rt.clock.monotonic() + MOVE_LEASE_MS;
  let cancel: () => void = () => undefined;
  let isOver = false;
  const renew = async () => {
    const beganMs = rt.clock.monotonic();
    if (await renewMove(directory, move, rt.clock.now() + MOVE_LEASE_MS)) heldUntilMs = beganMs + MOVE_LEASE_MS;
    else isOver = true;
  };
  const again = () => {
    cancel = rt.clock.after(
      RENEW_MS,
      () =>
        void renew()
          .catch(() => undefined)
          .then(() => (isOver ? undefined : again())),
    );
  };
  again();
  const tryStep = (from: MoveStep, to: MoveStep) => changeStep(directory, move, { from, to, nowMs: rt.clock.now() });
  return {
    move,
    tryStep,
    require: () => {
      if (isOver || rt.clock.monotonic() >= heldUntilMs) throw lost();
    },
    step: async (from, to) => {
      if (!(await tryStep(from, to))) throw lost();
    },
    release: async () => {
      isOver = true;
      cancel();
      await renewMove(directory, move, 0).catch(() => false);
    },
  };
}

function lost(): OperatorError {
  return new OperatorError('Another command or process has taken over this move. Give the command again.');
}
