import type { FastifyReply, FastifyRequest, preHandlerHookHandler, RouteShorthandOptions } from 'fastify';
import { findNumberOf, type NumberedThing } from '#accounts/store/number-of';
import type { Principal } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import { isJsonObject, type JsonValue } from '#core/json';
import type { SqlRunner } from '#database/database';
import type { HttpDeps } from '#http/deps';
import { principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';

/**
 * How an operation holds a key to the sending numbers that it is limited to: `body`, `batch` and `query` name a number in
 * phone_number_id, `path` is about a number, and a thing in the path has one. `none`: it is about no number.
 */
type NumberRule = 'body' | 'batch' | 'query' | 'path' | 'none' | NumberedThing;

/**
 * The operations that a key limited to numbers may use, by operationId. It is refused every other one: what is not about a
 * number, such as contacts, events or keys, would show it what belongs to other numbers.
 */
export const numberRules: Readonly<Record<string, NumberRule>> = {
  sendMessage: 'body',
  dryRunMessage: 'body',
  sendMessageBatch: 'batch',
  getMessage: 'message',
  getMessageTrace: 'message',
  cancelMessage: 'message',
  resendMessage: 'message',
  markMessageRead: 'message',
  listMessages: 'query',
  listInboundMessages: 'query',
  listOutboundMessages: 'query',
  listConversations: 'query',
  createConversation: 'body',
  getConversation: 'conversation',
  updateConversation: 'conversation',
  listConversationMessages: 'conversation',
  replyInConversation: 'conversation',
  listConversationEvents: 'conversation',
  assignConversation: 'conversation',
  snoozeConversation: 'conversation',
  resolveConversation: 'conversation',
  reopenConversation: 'conversation',
  readConversation: 'conversation',
  tagConversation: 'conversation',
  leaseConversation: 'conversation',
  releaseConversation: 'conversation',
  getConversationDraft: 'conversation',
  setConversationDraft: 'conversation',
  deleteConversationDraft: 'conversation',
  setConversationSignal: 'conversation',
  getAssignmentLog: 'conversation',
  createCampaign: 'body',
  getCampaign: 'campaign',
  deleteCampaign: 'campaign',
  addCampaignRecipients: 'campaign',
  listCampaignRecipients: 'campaign',
  preflightCampaign: 'campaign',
  startCampaign: 'campaign',
  pauseCampaign: 'campaign',
  resumeCampaign: 'campaign',
  cancelCampaign: 'campaign',
  retryCampaign: 'campaign',
  getPhoneNumber: 'path',
  getNumberProfile: 'path',
  getNumberCommands: 'path',
  listNumberQrCodes: 'path',
  getNumberQrCode: 'path',
  getNumberDisplayName: 'path',
  getNumberUsername: 'path',
  networkSendMessage: 'path',
  networkSendMarketingMessage: 'path',
  networkUploadMedia: 'path',
  networkGetObject: 'none',
  networkListNumbers: 'none',
  networkListTemplates: 'none',
  networkGetTemplate: 'none',
  uploadMedia: 'none',
  listTemplates: 'none',
  listTemplateLibrary: 'none',
  getTemplate: 'none',
  lintTemplate: 'none',
  previewTemplate: 'none',
  listFlows: 'none',
  getFlow: 'none',
};

const NOT_FOR_LIMITED = 'This API key is limited to some sending numbers and is not allowed to do this.';
const OTHER_NUMBER = 'This API key is limited to other sending numbers.';

type NumberHooks = Pick<RouteShorthandOptions, 'onRequest' | 'preValidation' | 'preHandler'>;

/** Holds keys that are limited to sending numbers to them; they stand behind `requireKey`. Other keys pass at once. */
export function holdToNumbers({ db }: Pick<HttpDeps, 'db'>, operationId: string): NumberHooks {
  const rule = numberRules[operationId];
  switch (rule) {
    case undefined:
      return { onRequest: checking(() => new ApiProblem('forbidden', { sentence: NOT_FOR_LIMITED })) };
    case 'none':
      return {};
    case 'query':
      // Before a list binds its cursor to what it was asked for.
      return { preValidation: checking((principal, { query }) => nameNumber(principal, query as Fields, 'query')) };
    case 'body':
      return { preHandler: checking((principal, { body }) => nameNumber(principal, body as Fields, 'body')) };
    case 'batch':
      return { preHandler: checking((principal, { body }) => nameNumbers(principal, (body as Batch).messages)) };
    case 'path':
      return { preHandler: checking((principal, request) => unlessUsable(principal, idOf(request))) };
    default:
      return { preHandler: checkingThing(db, rule) };
  }
}

type Check = (principal: Principal, request: FastifyRequest) => ApiProblem | undefined;

function checking(check: Check) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (problem?: ApiProblem) => void): void => {
    const principal = principalOf(request);
    done(isLimited(principal) ? check(principal, request) : undefined);
  };
}

/** What has another number reads like what does not exist. */
function checkingThing(db: SqlRunner, thing: NumberedThing): preHandlerHookHandler {
  return (request, _reply, done) => {
    const principal = principalOf(request);
    if (!isLimited(principal)) return done();
    findNumberOf(db, thing, principal.tenantId, idOf(request).toLowerCase()).then(
      (number) => done(unlessUsable(principal, number ?? '')),
      done,
    );
  };
}

function unlessUsable(principal: Principal, number: string): ApiProblem | undefined {
  return mayUse(principal, number) ? undefined : new ApiProblem('not_found');
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

function isLimited({ phoneNumberIds }: Principal): boolean {
  return phoneNumberIds.length > 0;
}

function mayUse({ phoneNumberIds }: Principal, number: string): boolean {
  return phoneNumberIds.includes(number);
}

type Fields = { phone_number_id?: unknown };
type Batch = { readonly messages: readonly JsonValue[] };

/** A message that is no object is refused by itself, later. */
function nameNumbers(principal: Principal, messages: readonly JsonValue[]): ApiProblem | undefined {
  const problems = messages.map((message, index) =>
    isJsonObject(message) ? nameNumber(principal, message as Fields, `body.messages[${index}]`) : undefined,
  );
  return problems.find((problem) => problem !== undefined);
}

/** Names the number of a key that has one; who may use several says which, since the tenant's default may be another. */
function nameNumber(principal: Principal, fields: Fields, place: string): ApiProblem | undefined {
  const [only, ...others] = principal.phoneNumberIds;
  const { phone_number_id: named } = fields;
  if (named === undefined && others.length === 0) {
    fields.phone_number_id = only;
    return undefined;
  }
  if (named !== undefined) {
    return mayUse(principal, String(named)) ? undefined : new ApiProblem('forbidden', { sentence: OTHER_NUMBER });
  }
  const message = 'phone_number_id is required: this API key is limited to several sending numbers.';
  return problemOf([{ path: `${place}.phone_number_id`, message }]);
}
