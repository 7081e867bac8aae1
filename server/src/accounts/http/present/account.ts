import { accountStatus, type LinkStep } from '#accounts/domain/linking';
import type { LinkedAccount } from '#accounts/store/linked-accounts';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

/** A linked account as the API shows it: never its token, nor the name of the key that encrypts it. */
export function presentAccount(account: LinkedAccount, nowMs: number): JsonObject {
  return {
    id: account.accountId,
    status: accountStatus(account, nowMs),
    network_account_ids: [...account.networkAccountIds],
    token_expires_at: timeOrNull(account.tokenExpiresMs),
    steps: account.steps.map(presentStep),
    created_at: formatRfc3339(account.createdMs),
    updated_at: formatRfc3339(account.updatedMs),
    replaced_at: timeOrNull(account.replacedMs),
  };
}

function presentStep({ name, target, state, attempts, atMs, error }: LinkStep): JsonObject {
  const shown = error && {
    code: error.code,
    message: error.message,
    network_code: error.networkCode,
    retryable: error.retryable,
  };
  return { step: name, target, state, attempts, at: timeOrNull(atMs), error: shown };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
}
