import type { FastifyRequest } from 'fastify';
import { callerNetwork, isInNetworks, parseNetworks } from '#core/public-address';

/**
 * Whose word in X-Forwarded-For counts, for Fastify's `trustProxy`.
 * @param setting MESSAGING_TRUSTED_PROXIES; empty: nobody's
 */
export function proxyTrust(setting: string): false | ((address: string) => boolean) {
  const proxies = parseNetworks(setting);
  return proxies.length === 0 ? false : (address) => isInNetworks(proxies, address);
}

/** The address a request comes from: what a trusted proxy says, unless it is no address. */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return callerNetwork(ip) === null ? (socket.remoteAddress ?? '') : ip;
}
