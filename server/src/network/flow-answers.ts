/** Reads what the network answers about flows: null where what is wanted is not there. */
import { cutText } from '#core/json';
import type { Flow, FlowHealth, FlowPreview, FlowProblem, SavedFlowJson } from '#flows/domain/flow';
import type { CreatedFlow } from '#flows/domain/flow-network';
import { afterIn, type Fields, fieldsOf } from './graph.ts';

/** Far above every text of the network, and above its addresses. */
const MAX_TEXT = 4_000;
/** Problems, places and sentences of one flow; what goes beyond is of no more help. */
const MAX_ITEMS = 100;
const FLOW_ID = /^[0-9]{1,32}$/;

/** A page of flows. */
export interface FlowPage {
  readonly flows: readonly Flow[];
  /** Null on the last page. */
  readonly after: string | null;
}

/** Nodes without an id are left out. */
export function flowPageIn({ data, paging }: Fields, networkAccountId: string): FlowPage | null {
  if (!Array.isArray(data)) return null;
  const flows = data.map((item) => flowIn(fieldsOf(item), networkAccountId)).filter((flow) => flow !== null);
  return { flows, after: afterIn(paging) };
}

/** @param networkAccountId the account that the flow is in; empty: in none, so that it is no flow */
export function flowIn(node: Fields, networkAccountId: string): Flow | null {
  if (typeof node.id !== 'string' || !FLOW_ID.test(node.id) || networkAccountId === '') return null;
  return {
    flowId: node.id,
    name: textOf(node.name) ?? '',
    status: wordOf(node.status) ?? 'draft',
    categories: itemsOf(node.categories).flatMap((category) => wordOf(category) ?? []),
    networkAccountId,
    jsonVersion: textOf(node.json_version),
    problems: problemsIn(node),
    preview: previewIn(fieldsOf(node.preview)),
    health: healthIn(fieldsOf(node.health_status)),
  };
}

/** The account that a node names; null: it names none. */
export function accountIn({ whatsapp_business_account: account }: Fields): string | null {
  return textOf(fieldsOf(account).id);
}

/** "id, success, validation_errors". */
export function createdFlowIn(answer: Fields): CreatedFlow | null {
  const { id } = answer;
  return typeof id === 'string' && FLOW_ID.test(id) ? { flowId: id, problems: problemsIn(answer) } : null;
}

/** "success: false" comes with the reasons. */
export function savedJsonIn(answer: Fields): SavedFlowJson | null {
  const { success } = answer;
  return typeof success === 'boolean' ? { saved: success, problems: problemsIn(answer) } : null;
}

function problemsIn({ validation_errors: errors }: Fields): readonly FlowProblem[] {
  return itemsOf(errors)
    .map(fieldsOf)
    .map((problem) => ({
      code: textOf(problem.error),
      message: textOf(problem.message) ?? '',
      places: placesIn(problem),
    }));
}

/** The path where the network says one, else lines and columns of the file. */
function placesIn(problem: Fields): readonly string[] {
  const pointers = itemsOf(problem.pointers).map(fieldsOf);
  return (pointers.length > 0 ? pointers : [problem]).flatMap((pointer) => textOf(pointer.path) ?? lineOf(pointer));
}

function lineOf({ line_start: line, column_start: column }: Fields): readonly string[] {
  if (typeof line !== 'number') return [];
  return [typeof column === 'number' ? `line ${line}, column ${column}` : `line ${line}`];
}

function previewIn({ preview_url: url, expires_at: expiresAt }: Fields): FlowPreview | null {
  const address = textOf(url);
  if (address === null) return null;
  const time = textOf(expiresAt);
  const isTime = time !== null && !Number.isNaN(Date.parse(time));
  return { url: address, expiresAt: isTime ? new Date(time).toISOString() : null };
}

function healthIn({ can_send_message: canSend, entities }: Fields): FlowHealth | null {
  const word = wordOf(canSend);
  if (word === null) return null;
  const errors = itemsOf(entities).flatMap((entity) => itemsOf(fieldsOf(entity).errors).map(fieldsOf));
  const problems = errors.map(({ error_description: what, possible_solution: advice }) =>
    [textOf(what), textOf(advice)].filter((text) => text !== null).join(' '),
  );
  return { canSend: word, problems: problems.filter((problem) => problem !== '') };
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}

function wordOf(value: unknown): string | null {
  return textOf(value)?.toLowerCase() ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_TEXT) : null;
}
