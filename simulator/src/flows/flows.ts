/** `/{version}/{waba_id}/flows` and `/{version}/{flow_id}`: forms that customers fill in, from draft to deprecated. */
import { requireAccount, requireReach } from '../accounts/require-account.ts';
import {
  type GraphCall,
  jsonParam,
  paramsOf,
  Refusal,
  refuseWith,
  requiredText,
  requireStep,
  requireToken,
  selectFields,
} from '../graph/call.ts';
import { unknownObject } from '../graph/errors.ts';
import { pageOf } from '../graph/paging.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../json.ts';
import { boundaryOf, MultipartError, MultipartReader } from '../media/multipart.ts';
import type { Simulation } from '../simulation.ts';
import { flowProblems, problem } from './check-flow-json.ts';
import { FLOW_CATEGORIES, type Flow, type FlowStatus } from './flow-registry.ts';

const MAX_NAME = 512;
const MAX_JSON_BYTES = 10 * 1024 * 1024;
const LIST_FIELDS = 'id,name,status,categories,validation_errors';
const DAY_MS = 24 * 3600 * 1000;
/** The codes of the network about flows. */
const CODES = { update: 139001, publish: 139002, deprecate: 139003, delete: 139004 } as const;

/** `GET /{version}/{waba_id}/flows`: those of the account, newest first, by pages. */
export function listFlows(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'flows');
  const params = paramsOf(call);
  const flows = sim.flows.list().filter((flow) => flow.wabaId === wabaId);
  const { items, paging } = pageOf(call, flows, params);
  const fields = typeof params.fields === 'string' ? params.fields : LIST_FIELDS;
  return { data: items.map((flow) => selectFields(flowNode(sim, flow), fields)), paging };
}

/** `POST /{version}/{waba_id}/flows`: a draft, empty, with JSON, or as a copy. */
export function createFlow(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'flows');
  const params = paramsOf(call);
  const name = readName(sim, wabaId, requiredText(params, 'name'), null);
  const categories = readCategories(params);
  const json = params.flow_json === undefined ? clonedJson(sim, wabaId, params.clone_flow_id) : givenJson(params);
  const problems = json === null ? [] : flowProblems(json);
  const id = sim.flows.newId(sim.clock.now());
  const flow: Flow = { id, wabaId, name, categories, status: 'DRAFT', json, problems };
  sim.flows.add(flow);
  if (params.publish === true || params.publish === 'true') publish(sim, flow);
  return { id: flow.id, success: true, validation_errors: problems };
}

function clonedJson(sim: Simulation, wabaId: string, id: unknown): JsonObject | null {
  if (id === undefined) return null;
  const source = sim.flows.find(String(id));
  if (source?.wabaId !== wabaId) return refuseWith(100, 'Param clone_flow_id does not name a flow of this account.');
  return source.json;
}

function givenJson(params: JsonObject): JsonObject {
  const json = jsonParam(params, 'flow_json');
  return isJsonObject(json) ? json : refuseWith(100, 'Param flow_json must be a JSON object.');
}

function readName(sim: Simulation, wabaId: string, name: string, own: Flow | null): string {
  if ([...name].length > MAX_NAME) refuseWith(100, `Param name must be at most ${MAX_NAME} characters long.`);
  const known = sim.flows.named(wabaId, name);
  if (known !== null && known !== own)
    refuseWith(100, 'Param name must be unique: another flow of this account has it.');
  return name;
}

function readCategories(params: JsonObject): readonly string[] {
  const value = jsonParam(params, 'categories');
  const allowed: readonly unknown[] = FLOW_CATEGORIES;
  const isGood = Array.isArray(value) && value.length > 0 && value.every((one) => allowed.includes(one));
  return isGood
    ? value.map(String)
    : refuseWith(100, `Param categories must be an array of some of {${FLOW_CATEGORIES.join(', ')}}.`);
}

/** The node itself: shown, changed or deleted. */
export function flowObject(sim: Simulation, call: GraphCall, flow: Flow): JsonObject {
  requireReach(sim, call, flow.wabaId);
  switch (call.request.method) {
    case 'GET':
      requireStep(sim, 'flows');
      return selectFields(flowNode(sim, flow), paramsOf(call).fields ?? LIST_FIELDS);
    case 'POST':
      requireStep(sim, 'flow_change');
      return changeFlow(sim, call, flow);
    default:
      requireStep(sim, 'flow_change');
      requireStatus(flow, ['DRAFT'], CODES.delete);
      sim.flows.remove(flow);
      return { success: true };
  }
}

function changeFlow(sim: Simulation, call: GraphCall, flow: Flow): JsonObject {
  requireStatus(flow, ['DRAFT'], CODES.update);
  const params = paramsOf(call);
  const name = params.name === undefined ? flow.name : readName(sim, flow.wabaId, requiredText(params, 'name'), flow);
  const categories = params.categories === undefined ? flow.categories : readCategories(params);
  Object.assign(flow, { name, categories });
  return { success: true };
}

/** `POST /{version}/{flow_id}/assets`: the JSON as a file of a form. */
export function uploadFlowJson(sim: Simulation, call: GraphCall): JsonObject {
  const flow = requireFlow(sim, call);
  requireStatus(flow, ['DRAFT'], CODES.update);
  const { fields, file } = readForm(call);
  if (fields.get('asset_type') !== 'FLOW_JSON') refuseWith(100, 'Param asset_type must be FLOW_JSON.');
  if (fields.get('name') !== 'flow.json') refuseWith(100, 'Param name must be flow.json.');
  if (Buffer.byteLength(file) > MAX_JSON_BYTES) refuseWith(100, 'The file is larger than 10 MB.');
  const json = parseJsonObject(file);
  if (json === null) {
    const broken = problem('INVALID_JSON', 'The file is not a JSON object.', '');
    return { success: false, validation_errors: [broken] };
  }
  Object.assign(flow, { json, problems: flowProblems(json) });
  return { success: true, validation_errors: flow.problems };
}

function readForm({ request, text }: GraphCall): { fields: ReadonlyMap<string, string>; file: string } {
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary === null) return refuseWith(100, 'The body must be multipart/form-data with a boundary.');
  const parts = new Map<string, Buffer[]>();
  let part: Buffer[] = [];
  const onPart = ({ name }: { readonly name: string }): void => {
    part = [];
    parts.set(name, part);
  };
  try {
    new MultipartReader(boundary, { onPart, onData: (chunk) => part.push(chunk) }).feed(Buffer.from(text));
  } catch (error) {
    if (error instanceof MultipartError) return refuseWith(100, error.message);
    throw error;
  }
  const fields = new Map([...parts].map(([name, chunks]) => [name, Buffer.concat(chunks).toString('utf8')]));
  return { fields, file: fields.get('file') ?? refuseWith(100, 'The parameter file is required.') };
}

/** `POST /{version}/{flow_id}/publish` */
export function publishFlow(sim: Simulation, call: GraphCall): JsonObject {
  publish(sim, requireFlow(sim, call));
  return { success: true };
}

function publish(sim: Simulation, flow: Flow): void {
  requireStatus(flow, ['DRAFT'], CODES.publish);
  if (flow.json === null) refuseWith(CODES.publish, 'The flow has no JSON.');
  if (flow.problems.length > 0) refuseWith(CODES.publish, 'The flow has validation errors.');
  enterFlowStatus(sim, flow, 'PUBLISHED');
}

/** `POST /{version}/{flow_id}/deprecate` */
export function deprecateFlow(sim: Simulation, call: GraphCall): JsonObject {
  const flow = requireFlow(sim, call);
  requireStatus(flow, ['PUBLISHED', 'THROTTLED', 'BLOCKED'], CODES.deprecate);
  enterFlowStatus(sim, flow, 'DEPRECATED');
  return { success: true };
}

/** Gives a flow its status from now on, and reports it. */
export function enterFlowStatus(sim: Simulation, flow: Flow, status: FlowStatus): void {
  const before = flow.status;
  flow.status = status;
  const atMs = sim.clock.now();
  sim.callbacks.schedule(atMs, {
    kind: 'account',
    wabaId: flow.wabaId,
    field: 'flows',
    atMs,
    value: {
      event: 'FLOW_STATUS_CHANGE',
      message: `Flow ${flow.name} changed status from ${before} to ${status}.`,
      flow_id: flow.id,
      old_status: before,
      new_status: status,
    },
    holds: () => true,
  });
}

function requireFlow(sim: Simulation, call: GraphCall): Flow {
  requireToken(sim, call);
  const { objectId } = call.path;
  const flow = sim.flows.find(objectId);
  if (flow === null) throw new Refusal(unknownObject('POST', objectId));
  requireReach(sim, call, flow.wabaId);
  requireStep(sim, 'flow_change');
  return flow;
}

function requireStatus({ status }: Flow, allowed: readonly FlowStatus[], code: number): void {
  if (!allowed.includes(status)) refuseWith(code, `The flow is in the status ${status}.`);
}

function flowNode(sim: Simulation, flow: Flow): JsonObject {
  const { id, name, status, categories, json, problems, wabaId } = flow;
  const canSend = { BLOCKED: 'BLOCKED', DEPRECATED: 'BLOCKED', THROTTLED: 'LIMITED' }[String(status)] ?? 'AVAILABLE';
  return {
    id,
    name,
    status,
    categories,
    validation_errors: problems,
    ...(json === null ? {} : { json_version: json.version, preview: previewOf(sim, id) }),
    whatsapp_business_account: { id: wabaId },
    health_status: { can_send_message: canSend, entities: [{ entity_type: 'FLOW', id, can_send_message: canSend }] },
  };
}

/** It has the form of the network's own, and leads nowhere. */
function previewOf(sim: Simulation, id: string): JsonObject {
  return {
    preview_url: `https://business.example/wa/manage/flows/${id}/preview/?token=5b1c`,
    expires_at: new Date(sim.clock.now() + 30 * DAY_MS).toISOString(),
  };
}
