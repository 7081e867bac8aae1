import type { Asked } from '#accounts/domain/account-network';
import { type Flow, type FlowDetails, MAX_FLOWS } from '#flows/domain/flow';
import type { FlowNetwork } from '#flows/domain/flow-network';
import type { Config } from '#runtime/config';
import { OUTSIDE_AT_ONCE } from '#runtime/outside';
import type { AccountAccess } from '#templates/domain/network';
import { successIn } from './business-answers.ts';
import { accountIn, createdFlowIn, type FlowPage, flowIn, flowPageIn, savedJsonIn } from './flow-answers.ts';
import { type Asker, type Fields, GRAPH_DEADLINE_MS, openGraph } from './graph.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const LIST_FIELDS = 'id,name,status,categories,validation_errors,json_version';
/** The preview that is there: a new one would end it for those who have its address. */
const NODE_FIELDS = `${LIST_FIELDS},preview.invalidate(false),whatsapp_business_account,health_status`;
const FLOWS_PER_PAGE = 100;
const MAX_PAGES = MAX_FLOWS / FLOWS_PER_PAGE;
/** Codes for an object that does not exist, or that the token was not given for: which of the two it is, nobody is told. */
const OUT_OF_REACH: ReadonlySet<number | null> = new Set([100, 200]);

export interface FlowClient extends FlowNetwork {
  close(): Promise<void>;
}

/** The network's paths about flows. Each call tries once and never rejects. */
export function makeFlowClient(config: Config, deadlineMs = GRAPH_DEADLINE_MS): FlowClient {
  const { ask, close } = openGraph(config, {
    connections: OUTSIDE_AT_ONCE,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    deadlineMs,
  });
  const authorized: Asker = (request, read) => ask({ ...request, token: request.token ?? config.networkToken }, read);
  return { ...reads(authorized), ...changes(authorized), close };
}

function reads(ask: Asker) {
  return {
    listFlows: (at) => listFlows(ask, at),
    findFlow: async ({ token }, flowId) => {
      const path = `${flowId}?${new URLSearchParams({ fields: NODE_FIELDS })}`;
      // Without an account, what the id names is no flow.
      const found = await ask({ method: 'GET', path, token }, (node) => ({
        flow: flowIn(node, accountIn(node) ?? ''),
      }));
      if (found.ok) return { ok: true, value: found.value.flow };
      const { failure } = found;
      const isUnknown = failure.kind === 'refused' && OUT_OF_REACH.has(failure.networkCode);
      return isUnknown ? { ok: true, value: null } : found;
    },
  } satisfies Partial<FlowNetwork>;
}

async function listFlows(ask: Asker, { networkAccountId, token }: AccountAccess): Promise<Asked<readonly Flow[]>> {
  const flows: Flow[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const from: Record<string, string> = after === null ? {} : { after };
    const query = new URLSearchParams({ fields: LIST_FIELDS, limit: String(FLOWS_PER_PAGE), ...from });
    const asked: Asked<FlowPage> = await ask(
      { method: 'GET', path: `${networkAccountId}/flows?${query}`, token },
      (answer) => flowPageIn(answer, networkAccountId),
    );
    if (!asked.ok) return asked;
    flows.push(...asked.value.flows);
    after = asked.value.after;
    if (after === null) break;
  }
  return { ok: true, value: flows };
}

function changes(ask: Asker) {
  const command = ({ token }: AccountAccess, path: string, body?: object) =>
    ask({ method: 'POST', path, token, ...(body === undefined ? {} : { body }) }, successIn);
  return {
    createFlow: ({ networkAccountId, token }, { json, cloneFlowId, ...details }) => {
      const body = {
        ...detailFields(details),
        ...(json === null ? {} : { flow_json: JSON.stringify(json) }),
        ...(cloneFlowId === null ? {} : { clone_flow_id: cloneFlowId }),
      };
      return ask({ method: 'POST', path: `${networkAccountId}/flows`, token, body }, createdFlowIn);
    },
    changeFlow: (at, flowId, change) => command(at, flowId, detailFields(change)),
    setFlowJson: ({ token }, flowId, json) => {
      // Indented as people write it, for the lines that the network counts.
      const bytes = Buffer.from(JSON.stringify(json, null, 2));
      const fields = { name: 'flow.json', asset_type: 'FLOW_JSON' };
      const form = { fields, filename: 'flow.json', mimeType: 'application/json', bytes };
      return ask({ method: 'POST', path: `${flowId}/assets`, token, form }, savedJsonIn);
    },
    publishFlow: (at, flowId) => command(at, `${flowId}/publish`),
    deprecateFlow: (at, flowId) => command(at, `${flowId}/deprecate`),
    deleteFlow: ({ token }, flowId) => ask({ method: 'DELETE', path: flowId, token }, successIn),
  } satisfies Partial<FlowNetwork>;
}

function detailFields({ name, categories }: Partial<FlowDetails>): Fields {
  return {
    ...(name === undefined ? {} : { name }),
    ...(categories === undefined ? {} : { categories: categories.map((category) => category.toUpperCase()) }),
  };
}
