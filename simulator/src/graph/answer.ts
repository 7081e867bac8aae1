import type { ServerResponse } from 'node:http';
import type { Simulation } from '../simulation.ts';
import { errorBody, httpStatusOf, type NetworkError } from './errors.ts';

export const API_VERSION = 'v26.0';

/** Answers as the network does: JSON with its headers. */
export function answer(sim: Simulation, response: ServerResponse, httpStatus: number, body: string): void {
  if (response.destroyed) return;
  const trace = sim.ids.trace();
  // One flat array: Node writes it without building a header map.
  response.writeHead(httpStatus, [
    'Content-Type',
    'application/json; charset=UTF-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'facebook-api-version',
    API_VERSION,
    'x-fb-trace-id',
    trace,
    'x-fb-request-id',
    trace,
    'Cache-Control',
    'no-store',
  ] as unknown as string[]);
  response.end(body);
}

/** Answers an error and counts it. */
export function refuse(sim: Simulation, response: ServerResponse, error: NetworkError): void {
  sim.stats.sendRefused(error.code);
  answer(sim, response, httpStatusOf(error), errorBody(error, sim.ids.trace()));
}

/** Breaks the connection without an answer. */
export function cut(sim: Simulation, response: ServerResponse): void {
  sim.stats.connectionCut();
  response.destroy();
}
