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

const LOOPBACK = parseNetworks('127.0.0.0/8, ::1');

/** Whether a program on this machine asks for itself: a proxy that forwards what others ask says so. */
export function isLocal(request: Pick<FastifyRequest, 'ip' | 'socket' | 'headers'>): boolean {
  const { 'x-forwarded-for': forwardedFor, forwarded } = request.headers;
  return forwardedFor === undefined && forwarded === undefined && isInNetworks(LOOPBACK, addressOf(request));
}

/** The address a request comes from: what a trusted proxy says, unless it is no address. */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return callerNetwork(ip) === null ? (socket.remoteAddress ?? '') : ip;
}
