import { PostriderError } from '@postrider/sdk';
import { useCallback, useState } from 'react';
import { refusalStatus } from '../../app/api.ts';
import { type Proof, refusalCode, signIn } from '../../app/session.ts';

/** A proof that was tried, and whether the session is to be remembered. */
export interface Attempt {
  readonly proof: Proof;
  readonly remember: boolean;
}

/** Why somebody is at the beginning again. */
export type SignInProblem = 'wrong' | 'linkUsed' | 'ssoRequired';

/** Where somebody is on the way in. */
export type Stage =
  | { readonly at: 'form'; readonly problem?: SignInProblem }
  | { readonly at: 'working' }
  | { readonly at: 'code'; readonly attempt: Attempt; readonly isWrong: boolean }
  | { readonly at: 'blocked'; readonly untilMs: number; readonly attempt: Attempt }
  | { readonly at: 'away'; readonly attempt: Attempt; readonly code?: string };

const DEFAULT_WAIT_MS = 60_000;

/** What follows from a refusal. */
function stageAfter(error: unknown, attempt: Attempt, code: string | undefined): Stage {
  const why = refusalCode(error);
  if (why === 'second_factor_required') return { at: 'code', attempt, isWrong: false };
  if (why === 'second_factor_failed') return { at: 'code', attempt, isWrong: true };
  if (why === 'rate_limited') {
    const waitMs = (error instanceof PostriderError ? error.retryAfterMs : null) ?? DEFAULT_WAIT_MS;
    return { at: 'blocked', untilMs: Date.now() + waitMs, attempt };
  }
  if (refusalStatus(error) === null) return { at: 'away', attempt, ...(code === undefined ? {} : { code }) };
  if (why === 'sso_required') return { at: 'form', problem: 'ssoRequired' };
  return { at: 'form', problem: attempt.proof.method === 'link' ? 'linkUsed' : 'wrong' };
}

/** The way in, one step after the other. @param onSignedIn called when the session is open */
export function useSignIn(first: Stage, onSignedIn: () => void) {
  const [stage, setStage] = useState<Stage>(first);
  const enter = useCallback(
    async (attempt: Attempt, code?: string) => {
      setStage({ at: 'working' });
      try {
        const { proof, remember } = attempt;
        await signIn(proof, { remember, ...(code === undefined ? {} : { code }) });
      } catch (error) {
        setStage(stageAfter(error, attempt, code));
        return;
      }
      onSignedIn();
    },
    [onSignedIn],
  );
  const startOver = useCallback(() => setStage({ at: 'form' }), []);
  return { stage, enter, startOver };
}
