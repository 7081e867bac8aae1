import type { MessageAcceptor } from '#messages/actions/accept-message';
import type { RuleAction, RuleDraft } from '#rules/domain/rule';
import type { RunnerDeps } from '#rules/workers/rule-runner';

/** A rule that looks at every message, but for what is given. */
export function draftOf(actions: readonly RuleAction[], fields: Partial<RuleDraft> = {}) {
  const draft: RuleDraft & { readonly position: null } = {
    position: null,
    name: 'rule',
    enabled: true,
    trigger: { on: 'message.received' },
    when: null,
    actions,
    stop: false,
    cooldownS: null,
    maxRuns: null,
    activeFromMs: null,
    activeUntilMs: null,
    cases: [],
    ...fields,
  };
  return draft;
}

/** Fails once at the n-th statement or accept, before or after its effect, as a killed process would. */
export function dying(parts: RunnerDeps, at: number): { readonly parts: RunnerDeps; died(): boolean } {
  let step = 0;
  let dead = false;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) throw new Error('The process is dead.');
    step += 1;
    if (step === at) dead = true;
    if (dead) throw new Error('Killed before the step.');
    const result = await work();
    step += 1;
    if (step === at) dead = true;
    if (dead) throw new Error('Killed after the step.');
    return result;
  };
  const { db, acceptor } = parts;
  const killed = {
    ...db,
    kind: db.kind,
    run: ((...call: Parameters<typeof db.run>) => guarded(() => db.run(...call))) as typeof db.run,
    transaction: ((work: Parameters<typeof db.transaction>[0]) =>
      guarded(() =>
        db.transaction((tx) =>
          work({
            run: ((...call: Parameters<typeof tx.run>) => guarded(() => tx.run(...call))) as typeof tx.run,
            atCommit: (command) => tx.atCommit(command),
          }),
        ),
      )) as typeof db.transaction,
  };
  const accept: MessageAcceptor['accept'] = (...call) => guarded(() => acceptor.accept(...call));
  return { parts: { ...parts, db: killed, acceptor: { accept } }, died: () => dead };
}
