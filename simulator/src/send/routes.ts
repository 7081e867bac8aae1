import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GraphPath, isNumericId } from '../graph-path.ts';
import type { Simulation } from '../simulation.ts';
import { refuse } from './answer.ts';
import { unknownObject } from './errors.ts';
import { handleSend } from './handle-send.ts';

export type GraphCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: GraphPath;
  readonly text: string;
};

/** Every address of the network that exists here. */
export function handleGraph(sim: Simulation, call: GraphCall): void {
  const { request, response, path, text } = call;
  const method = request.method ?? 'GET';
  if (method === 'POST' && path.edge === 'messages' && isNumericId(path.objectId)) {
    handleSend(sim, { request, response, phoneNumberId: path.objectId, query: path.query, text });
    return;
  }
  refuse(sim, response, unknownObject(method, path.objectId));
}
