import type { FastifyReply } from 'fastify';
import { credentialId, type Principal } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import { AddressLimits } from '#core/limits/address-limits';
import type { RateShare } from '#core/limits/request-limits';
import { type LimitState, RequestLimits } from '#core/limits/request-limits';
import type { Runtime } from '#runtime/runtime';

/** Counts a request of this caller, and writes how its limits stand; a problem when there is no room for it. */
export type RateLimit = (principal: Principal, reply: Pick<FastifyReply, 'header'>) => ApiProblem | undefined;

/** The limits of every key and tenant in this process. A caller without any costs two comparisons. */
export function makeRateLimit(rt: Runtime, share: Pick<RateShare, 'current'>): RateLimit {
  const limits = new RequestLimits();
  const { apiRate, apiTenantRate } = rt.config;
  return (principal, reply) => {
    const { tenantId, ratePerSecond } = principal;
    const keyRate = ratePerSecond ?? apiRate;
    if (keyRate === 0 && apiTenantRate === 0) return undefined;
    const caller = { callerId: credentialId(principal), keyRate, tenantId, tenantRate: apiTenantRate };
    const verdict = limits.admit(caller, share.current(), rt.clock.monotonic());
    writeHeaders(reply, verdict.limits);
    if (verdict.retryAfterMs === 0) return undefined;
    return new ApiProblem('rate_limited', { headers: { 'retry-after': String(toSeconds(verdict.retryAfterMs)) } });
  };
}

/** How much of its rate an address may save up, in seconds: a deployment with an old key fails many requests at once. */
const WRONG_KEY_BURST_S = 10;

/** Counts a request with a wrong key; a problem when too many came from its address. */
export function makeWrongKeyLimit(rt: Runtime): (address: string) => ApiProblem | undefined {
  const { wrongKeyRate: perSecond } = rt.config;
  if (perSecond === 0) return () => undefined;
  const limits = new AddressLimits({ perSecond, burst: perSecond * WRONG_KEY_BURST_S });
  return (address) => {
    const waitMs = limits.count(address, rt.clock.monotonic());
    if (waitMs === 0) return undefined;
    rt.metrics.refused.inc({ door: 'api', reason: 'wrong_keys' });
    return new ApiProblem('rate_limited', {
      sentence: 'Too many requests with invalid keys from this address.',
      headers: { 'retry-after': String(toSeconds(waitMs)) },
    });
  };
}

/** People sign in now and then: a token cannot be guessed, and asking costs the database a statement each time. */
const SIGN_INS = { perSecond: 0.5, burst: 20 };

/** Counts an attempt to sign in; a problem when too many came from its address. */
export function makeSignInLimit(rt: Runtime): (address: string) => ApiProblem | undefined {
  const limits = new AddressLimits(SIGN_INS);
  return (address) => {
    const waitMs = limits.count(address, rt.clock.monotonic());
    if (waitMs === 0) return undefined;
    rt.metrics.refused.inc({ door: 'api', reason: 'sign_ins' });
    return new ApiProblem('rate_limited', {
      sentence: 'Too many attempts to sign in from this address.',
      headers: { 'retry-after': String(toSeconds(waitMs)) },
    });
  };
}

/**
 * The fields of the IETF draft "RateLimit header fields for HTTP": each policy with its quota `q` in a window `w` of
 * seconds, and what remains (`r`) until it is whole again (`t`). The X- fields tell of the policy with least left.
 */
function writeHeaders(reply: Pick<FastifyReply, 'header'>, limits: readonly LimitState[]): void {
  const [tightest] = limits.toSorted((a, b) => a.remaining - b.remaining);
  if (!tightest) return;
  reply.header('ratelimit-policy', limits.map(({ name, perSecond }) => `"${name}";q=${perSecond};w=1`).join(', '));
  reply.header('ratelimit', limits.map(describe).join(', '));
  reply.header('x-ratelimit-limit', String(tightest.perSecond));
  reply.header('x-ratelimit-remaining', String(tightest.remaining));
  reply.header('x-ratelimit-reset', String(toSeconds(tightest.msUntilFull)));
}

function describe({ name, remaining, msUntilFull }: LimitState): string {
  return `"${name}";r=${remaining};t=${toSeconds(msUntilFull)}`;
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
