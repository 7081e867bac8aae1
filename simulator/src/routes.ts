/** Every address of the network that exists here. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { debugToken, exchangeCode } from './accounts/access-token.ts';
import {
  changeAccount,
  getAccount,
  listAccounts,
  listSubscribedApps,
  subscribeApp,
  unsubscribeApp,
} from './accounts/accounts.ts';
import { handleDialog } from './accounts/dialog.ts';
import { changeNumber, deregisterNumber, getNumber, listNumbers, registerNumber } from './accounts/numbers.ts';
import { requireReach } from './accounts/require-account.ts';
import { blockUsers, listBlockedUsers, unblockUsers } from './business/block-users.ts';
import { changeAutomation } from './business/commands.ts';
import { deleteUsername, getUsername, setUsername } from './business/names.ts';
import { changeProfile, getProfile, PICTURES, sendPicture } from './business/profile.ts';
import { deleteQrCode, listQrCodes, QR_CODES, saveQrCode } from './business/qr-codes.ts';
import { listTemplateFigures } from './figures/template-figures.ts';
import { createFlow, deprecateFlow, flowObject, listFlows, publishFlow, uploadFlowJson } from './flows/flows.ts';
import { refuse } from './graph/answer.ts';
import { fieldNames, type GraphCall, paramsOf, Refusal, requireToken, respond, type StreamCall } from './graph/call.ts';
import { unknownObject } from './graph/errors.ts';
import { type GraphPath, isNumericId, parseGraphPath } from './graph/graph-path.ts';
import { handleDownload } from './media/download.ts';
import type { MediaItem } from './media/media-store.ts';
import { DOWNLOAD_PATH, deleteMedia, getMedia } from './media/node.ts';
import { handleUpload } from './media/receive-upload.ts';
import { startSync } from './past/start-sync.ts';
import { handleSend } from './send/handle-send.ts';
import type { Simulation } from './simulation.ts';
import { createTemplate } from './templates/create-template.ts';
import { deleteTemplates } from './templates/delete-templates.ts';
import { editTemplate, unpauseTemplate } from './templates/edit-template.ts';
import { LIBRARY_PATH, listLibrary } from './templates/library.ts';
import { listTemplates } from './templates/list-templates.ts';
import { presentTemplate } from './templates/present-template.ts';
import type { Template } from './templates/template-store.ts';
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
  const { edge } = path;
  if (method === 'POST' && (edge === 'messages' || edge === 'marketing_messages') && isNumericId(path.objectId)) {
    handleSend(sim, { request, response, phoneNumberId: path.objectId, query: path.query, text, edge });
    return;
  }
  if (path.objectId === 'dialog' && path.edge === 'oauth' && (method === 'GET' || method === 'POST')) {
    handleDialog(sim, call);
    return;
  }
  if (path.objectId === PICTURES && method === 'GET') {
    sendPicture(sim, response, path.edge);
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
  'GET phone_numbers': listNumbers,
  'POST register': registerNumber,
  'POST deregister': deregisterNumber,
  'GET whatsapp_business_profile': getProfile,
  'POST whatsapp_business_profile': changeProfile,
  'POST smb_app_data': startSync,
  'POST conversational_automation': changeAutomation,
  [`GET ${QR_CODES}`]: listQrCodes,
  [`POST ${QR_CODES}`]: saveQrCode,
  'GET username': getUsername,
  'POST username': setUsername,
  'DELETE username': deleteUsername,
  'GET block_users': listBlockedUsers,
  'POST block_users': blockUsers,
  'DELETE block_users': unblockUsers,
  'GET template_analytics': listTemplateFigures,
  'GET flows': listFlows,
  'POST flows': createFlow,
  'POST assets': uploadFlowJson,
  'POST publish': publishFlow,
  'POST deprecate': deprecateFlow,
  'GET owned_whatsapp_business_accounts': listAccounts,
  'GET client_whatsapp_business_accounts': listAccounts,
  'GET subscribed_apps': listSubscribedApps,
  'POST subscribed_apps': subscribeApp,
  'DELETE subscribed_apps': unsubscribeApp,
};

/** At the address of one QR code. */
const QR_CODE: Readonly<Record<string, Handler>> = { GET: listQrCodes, DELETE: deleteQrCode };

function findHandler(method: string, { objectId, edge }: GraphPath): Handler | null {
  if (objectId === 'oauth' && edge === 'access_token' && (method === 'GET' || method === 'POST')) return exchangeCode;
  if (objectId === 'debug_token' && edge === '' && method === 'GET') return debugToken;
  if (objectId === LIBRARY_PATH && edge === '' && method === 'GET') return listLibrary;
  if (edge === '' && objectId.startsWith(UPLOAD_PREFIX)) return method === 'GET' ? getOffset : null;
  if (!isNumericId(objectId)) return null;
  if (edge === '') return nodeHandler;
  if (edge.startsWith(`${QR_CODES}/`)) return QR_CODE[method] ?? null;
  return Object.hasOwn(EDGES, `${method} ${edge}`) ? (EDGES[`${method} ${edge}`] ?? null) : null;
}

function unpause(sim: Simulation, call: GraphCall): unknown {
  requireToken(sim, call);
  const template = sim.templates.find(call.path.objectId, sim.clock.now());
  if (template === null) return refuseUnknown(call);
  requireReach(sim, call, template.wabaId);
  return unpauseTemplate(sim, template);
}

/** A node is the object that its id names. */
function nodeHandler(sim: Simulation, call: GraphCall): unknown {
  requireToken(sim, call);
  const id = call.path.objectId;
  const nowMs = sim.clock.now();
  const template = sim.templates.find(id, nowMs);
  if (template !== null) return templateNode(sim, call, template);
  const flow = sim.flows.find(id);
  if (flow !== null) return flowObject(sim, call, flow);
  const item = sim.media.find(id, nowMs);
  if (item !== null) return mediaNode(sim, call, item);
  if (isNumber(sim, call)) return numberNode(sim, call);
  return sim.numbers.list().some((number) => number.wabaId === id) ? accountNode(sim, call) : refuseUnknown(call);
}

function accountNode(sim: Simulation, call: GraphCall): unknown {
  if (call.request.method === 'GET') return getAccount(sim, call);
  return call.request.method === 'POST' ? changeAccount(sim, call) : refuseUnknown(call);
}

function templateNode(sim: Simulation, call: GraphCall, template: Template): unknown {
  requireReach(sim, call, template.wabaId);
  if (call.request.method === 'GET') return presentTemplate(template, paramsOf(call).fields);
  return call.request.method === 'POST' ? editTemplate(sim, call, template) : refuseUnknown(call);
}

function mediaNode(sim: Simulation, call: GraphCall, item: MediaItem): unknown {
  requireReach(sim, call, item.wabaId);
  if (call.request.method === 'GET') return getMedia(sim, call, item);
  return call.request.method === 'DELETE' ? deleteMedia(sim, call, item) : refuseUnknown(call);
}

const FIELDS_OF_NUMBERS = [
  ...['display_phone_number', 'verified_name', 'quality_rating', 'conversational_automation'],
  // Of a change.
  ...['pin', 'new_display_name'],
];

/** An unused id is a number when it is asked for fields that only numbers have, or is to change them. */
function isNumber(sim: Simulation, call: GraphCall): boolean {
  if (sim.numbers.list().some((number) => number.phoneNumberId === call.path.objectId)) return true;
  const { fields: asked, ...changed } = paramsOf(call);
  const fields = [...fieldNames(String(asked ?? '')), ...Object.keys(changed)];
  return !sim.settings.strictNumbers && FIELDS_OF_NUMBERS.some((field) => fields.includes(field));
}

function numberNode(sim: Simulation, call: GraphCall): unknown {
  if (call.request.method === 'GET') return getNumber(sim, call);
  return call.request.method === 'POST' ? changeNumber(sim, call) : refuseUnknown(call);
}

function refuseUnknown({ request, path }: GraphCall): never {
  throw new Refusal(unknownObject(request.method ?? 'GET', path.objectId));
}
