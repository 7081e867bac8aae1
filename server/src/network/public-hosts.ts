import { isIP, type LookupFunction } from 'node:net';
import { hostOf, mayReach, type WebhookAllow, webhookAddressFault } from '#webhooks/domain/webhook-address';

/** The address that a name led to is none that we may reach for a tenant. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/**
 * Why a request of a tenant may not go to an address, as the end of a sentence; null: it may, as far as its text says.
 * The settings may have changed since the address was stored; and a host that is an address is never looked up.
 */
export function addressFault(allow: WebhookAllow, url: string): string | null {
  const fault = webhookAddressFault(allow, url);
  if (fault !== null) return fault;
  const host = hostOf(new URL(url));
  return isIP(host) !== 0 && !mayReach(allow, host, host) ? 'must point to a public host' : null;
}

/** Finds the addresses of a name as `lookup` does, and refuses those that are not public unless the operator allows them. */
export function guardedLookup(allow: WebhookAllow, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, found as string);
      const addresses = Array.isArray(found) ? found : [];
      const host = hostOf({ hostname: hostname.toLowerCase() });
      // One bad address among good ones is refused: we do not choose around it.
      const isFine = addresses.length > 0 && addresses.every(({ address }) => mayReach(allow, host, address));
      const [first] = addresses;
      if (!isFine || first === undefined) {
        return callback(new AddressRefused('The name resolves to an address that is not public.'), '');
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
