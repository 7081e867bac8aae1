/** Every address of the network that exists here. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './graph/answer.ts';
import { demandToken, type GraphCall, paramsOf, Refusal, respond, type StreamCall } from './graph/call.ts';
import { unknownObject } from './graph/errors.ts';
import { type GraphPath, isNumericId, parseGraphPath } from './graph/graph-path.ts';
import { handleDownload } from './media/download.ts';
import { DOWNLOAD_PATH, deleteMedia, getMedia } from './media/node.ts';
import { handleUpload } from './media/receive-upload.ts';
import { handleSend } from './send/handle-send.ts';
import type { Simulation } from './simulation.ts';
import { createTemplate } from './templates/create-template.ts';
import { deleteTemplates } from './templates/delete-templates.ts';
import { editTemplate, unpauseTemplate } from './templates/edit-template.ts';
import { listTemplates } from './templates/list-templates.ts';
import { presentTemplate } from './templates/present-template.ts';
import { createSession } from './uploads/create-session.ts';
import { getOffset } from './uploads/get-offset.ts';
import { receiveBytes } from './uploads/receive-bytes.ts';
import { UPLOAD_PREFIX } from './uploads/upload-sessions.ts';

type Handler = (sim: Simulation, call: GraphCall) => unknown;
type StreamHandler = (sim: Simulation, call: StreamCall) => Promise<void>;

/** Takes the requests whose body is not to be read into memory; false for all others. */
export function handleStream(sim: Simulation, request: IncomingMessage, response: ServerResponse): boolean {
  const url = request.url ?? '/';
  if (url.startsWith(DOWNLOAD_PATH)) {
    handleDownload(sim, request, response);
    return true;
  }
  // Asked for every send, so the address is only taken apart when it can be one of these.
  if (request.method !== 'POST' || !(url.includes('/media') || url.includes('/upload:'))) return false;
  const path = parseGraphPath(url);
  const handler = path === null ? null : streamHandler(path);
  if (path === null || handler === null) return false;
  void handler(sim, { request, response, path });
  return true;
}

function streamHandler({ objectId, edge }: GraphPath): StreamHandler | null {
  if (edge === 'media' && isNumericId(objectId)) return handleUpload;
  return edge === '' && objectId.startsWith(UPLOAD_PREFIX) ? receiveBytes : null;
}

/** Answers a request whose body was read. */
export function handleGraph(sim: Simulation, call: GraphCall): void {
  const { request, response, path, text } = call;
  const method = request.method ?? 'GET';
  if (method === 'POST' && path.edge === 'messages' && isNumericId(path.objectId)) {
    handleSend(sim, { request, response, phoneNumberId: path.objectId, query: path.query, text });
    return;
  }
  const handler = findHandler(method, path);
  if (handler === null) refuse(sim, response, unknownObject(method, path.objectId));
  else void respond(sim, call, () => handler(sim, call));
}

/** By method and edge; an edge belongs to every object that is named by a number. */
const EDGES: Readonly<Record<string, Handler>> = {
  'POST uploads': createSession,
  'POST message_templates': createTemplate,
  'GET message_templates': listTemplates,
  'DELETE message_templates': deleteTemplates,
  'POST unpause': unpause,
};

function findHandler(method: string, { objectId, edge }: GraphPath): Handler | null {
  if (edge === '' && objectId.startsWith(UPLOAD_PREFIX)) return method === 'GET' ? getOffset : null;
  if (!isNumericId(objectId)) return null;
  if (edge === '') return nodeHandler;
  return Object.hasOwn(EDGES, `${method} ${edge}`) ? (EDGES[`${method} ${edge}`] ?? null) : null;
}

function unpause(sim: Simulation, call: GraphCall): unknown {
  demandToken(sim, call);
  const template = sim.templates.find(call.path.objectId, sim.clock.now());
  if (template === null) throw new Refusal(unknownObject('POST', call.path.objectId));
  return unpauseTemplate(sim, template);
}

/** A node is whatever its id names. */
function nodeHandler(sim: Simulation, call: GraphCall): unknown {
  demandToken(sim, call);
  const method = call.request.method ?? 'GET';
  const nowMs = sim.clock.now();
  const template = sim.templates.find(call.path.objectId, nowMs);
  if (template !== null && method === 'GET') return presentTemplate(template, paramsOf(call).fields);
  if (template !== null && method === 'POST') return editTemplate(sim, call, template);
  const item = sim.media.find(call.path.objectId, nowMs);
  if (item !== null && method === 'GET') return getMedia(sim, call, item);
  if (item !== null && method === 'DELETE') return deleteMedia(sim, call, item);
  throw new Refusal(unknownObject(method, call.path.objectId));
}
