import { ApiProblem } from '#core/errors';
import type { Config } from '#runtime/config';

/** "`platform` is always an alias": whatever the network owner is called here. */
const ALIAS = 'platform';

/** @throws ApiProblem not_found for any other name than the configured one */
export function requirePlatform({ platform }: Pick<Config, 'platform'>, named: string): void {
  if (named !== platform && named !== ALIAS) throw new ApiProblem('not_found');
}

/**
 * Where the dialog leads back to. Without MESSAGING_LINK_CALLBACK_URL this is the host that the caller used; the network
 * itself leads only to addresses that its app has registered.
 * @throws ApiProblem invalid_request when the host is no address
 */
export function callbackAddress(config: Pick<Config, 'linkCallbackUrl' | 'platform'>, host: string): string {
  const base = (config.linkCallbackUrl === '' ? `http://${host}` : config.linkCallbackUrl).replace(/\/$/, '');
  const address = `${base}/v1/${encodeURIComponent(config.platform)}/oauth/callback`;
  if (!URL.canParse(address)) throw new ApiProblem('invalid_request');
  return address;
}
