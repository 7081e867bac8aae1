import { Pool } from 'undici';
import type { SimulatorPhone } from '#core/network/simulator-phone';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import { networkIsSimulated } from '#runtime/simulated';

const CONNECT_TIMEOUT_MS = 2_000;
/** Until the answer begins, and between any two pieces of it. The simulator answers from memory. */
const SILENT_MS = 10_000;
/** A page asks for a thread and its pictures together. */
const CONNECTIONS = 16;

/** The control plane of the simulator; null when the network is another one. */
export function makeSimulatorClient(config: Config): SimulatorPhone | null {
  if (!networkIsSimulated(config)) return null;
  const base = new URL(config.networkUrl);
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: makeNameLookup(config) },
    headersTimeout: SILENT_MS,
    bodyTimeout: SILENT_MS,
  });
  const prefix = base.pathname.replace(/\/$/, '');
  return {
    url: base.origin,
    ask: async ({ method, path, body }) => {
      const headers = body === null ? {} : { 'content-type': 'application/json' };
      const answer = await pool.request({ method: method as 'GET', path: prefix + path, headers, body });
      const { 'content-type': type, 'content-length': length } = answer.headers;
      return {
        status: answer.statusCode,
        contentType: typeof type === 'string' ? type : 'application/octet-stream',
        contentLength: typeof length === 'string' ? length : null,
        body: answer.body,
      };
    },
    close: () => pool.destroy(),
  };
}
