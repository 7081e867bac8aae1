import type { TSchema } from 'typebox';
import { ApiKeyView, CreateApiKey, NewApiKeyView, RotateApiKey } from '#access/http/schemas/api-key';
import { AuditEntryView } from '#access/http/schemas/audit-entry';
import { AccountView, LinkUrl } from '#accounts/http/schemas/linking';
import { AddPhoneNumber, ChangePhoneNumber, PhoneNumberView } from '#accounts/http/schemas/phone-number';
import { SubscriptionObject, UsageObject } from '#billing/http/schemas/billing';
import { BeginTopUp, BegunTopUp, TopUpView } from '#billing/http/schemas/top-up';
import { PricingObject, WalletObject, WalletTransaction } from '#billing/http/schemas/wallet';
import { ConditionBody } from '#contacts/http/schemas/condition';
import type { JsonObject, JsonValue } from '#core/json';
import { EventPage, EventView } from '#events/http/schemas/event';
import { documentAnswers, headerComponents, namedAnswers } from '#http/openapi-answers';
import { type Operation, permissionFor } from '#http/operation';
import { agentHeader } from '#http/plugins/agent';
import { ErrorBody } from '#http/schemas/errors';
import { PATTERN_SENTENCE, RULES, VARIANTS } from '#http/schemas/fields';
import { INTRODUCTION, KEY_HELP, tags } from '#http/schemas/introduction';
import { PageInfo } from '#http/schemas/lists';
import { PIECE_TYPE } from '#media/http/multipart';
import { HandleUpload, MediaItem, UploadedMedia } from '#media/http/schemas/media';
import { DryRun } from '#messages/http/schemas/dry-run';
import { Delivery, InboundMessage, Message, OutboundMessage, Trace, TraceItem } from '#messages/http/schemas/message';
import {
  AcceptedMessage,
  SendAudio,
  SendContacts,
  SendDocument,
  SendImage,
  SendInteractive,
  SendLocation,
  SendMessageBody,
  SendReaction,
  SendSticker,
  SendTemplate,
  SendText,
  SendVideo,
} from '#messages/http/schemas/send-request';
import { CreateRule, RuleView } from '#rules/http/schemas/chatbot-rule';
import { DecisionView } from '#rules/http/schemas/rule-decision';
import {
  ChangeEndpoint,
  CreateEndpoint,
  DeliveryView,
  EndpointView,
  NewEndpointView,
  RecoveredView,
} from '#webhooks/http/schemas/webhook-endpoint';
import { documentWebhooks } from './openapi-webhooks.ts';
import { operations } from './operations.ts';

/** The contract's version of the specification (its section 9), not that of the software. */
const SPECIFICATION_VERSION = '1.0.0';

/** Schemas that stand under a name of their own; generators make their types from them. */
const named: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [ErrorBody, 'Error'],
  [SendMessageBody, 'SendMessage'],
  [SendText, 'SendText'],
  [SendTemplate, 'SendTemplate'],
  [SendImage, 'SendImage'],
  [SendVideo, 'SendVideo'],
  [SendAudio, 'SendAudio'],
  [SendDocument, 'SendDocument'],
  [SendSticker, 'SendSticker'],
  [SendLocation, 'SendLocation'],
  [SendContacts, 'SendContacts'],
  [SendReaction, 'SendReaction'],
  [SendInteractive, 'SendInteractive'],
  [AcceptedMessage, 'AcceptedMessage'],
  [Message, 'Message'],
  [OutboundMessage, 'OutboundMessage'],
  [InboundMessage, 'InboundMessage'],
  [Delivery, 'Delivery'],
  [DryRun, 'DryRun'],
  [TraceItem, 'TraceItem'],
  [Trace, 'Trace'],
  [UploadedMedia, 'UploadedMedia'],
  [MediaItem, 'Media'],
  [HandleUpload, 'HandleUpload'],
  [LinkUrl, 'LinkUrl'],
  [AccountView, 'Account'],
  [PhoneNumberView, 'PhoneNumber'],
  [AddPhoneNumber, 'AddPhoneNumber'],
  [ChangePhoneNumber, 'ChangePhoneNumber'],
  [ConditionBody, 'ContactCondition'],
  [RuleView, 'ChatbotRule'],
  [CreateRule, 'CreateChatbotRule'],
  [DecisionView, 'RuleDecision'],
  [ApiKeyView, 'ApiKey'],
  [NewApiKeyView, 'NewApiKey'],
  [CreateApiKey, 'CreateApiKey'],
  [RotateApiKey, 'RotateApiKey'],
  [AuditEntryView, 'AuditEntry'],
  [EventView, 'Event'],
  [EventPage, 'EventPage'],
  [EndpointView, 'WebhookEndpoint'],
  [NewEndpointView, 'NewWebhookEndpoint'],
  [CreateEndpoint, 'CreateWebhookEndpoint'],
  [ChangeEndpoint, 'ChangeWebhookEndpoint'],
  [DeliveryView, 'WebhookDelivery'],
  [RecoveredView, 'RecoveredWebhooks'],
  [SubscriptionObject, 'Subscription'],
  [UsageObject, 'Usage'],
  [WalletObject, 'Wallet'],
  [PricingObject, 'Pricing'],
  [WalletTransaction, 'WalletTransaction'],
  [BeginTopUp, 'BeginTopUp'],
  [BegunTopUp, 'BegunTopUp'],
  [TopUpView, 'TopUp'],
  [PageInfo, 'PageInfo'],
]);

/** The OpenAPI 3.1 description of the service, from the schemas that validate requests and serialise answers. */
export function openApiDocument(): JsonObject {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Postrider',
      version: SPECIFICATION_VERSION,
      summary: 'Business messaging over a cloud messaging network.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: [...tags],
    security: [{ apiKey: [] }],
    paths: documentPaths(),
    webhooks: documentWebhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: KEY_HELP },
      },
      headers: headerComponents,
      responses: namedAnswers(),
      schemas: Object.fromEntries([...named].map(([schema, name]) => [name, inline(schema)])),
    },
  };
  // Through text: leaves out what is undefined, and every hidden mark of the schema library.
  return JSON.parse(JSON.stringify(document)) as JsonObject;
}

let text: string | null = null;

/** The description as it is served: it says the same of every service of a process, and is made once. */
export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument());
  return text;
}

function documentPaths(): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: documentOperation(operation) };
  }
  return paths;
}

function documentOperation(operation: Operation): Record<string, unknown> {
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    description: operation.scope
      ? `${operation.description} Needs the scope ${operation.scope}.`
      : operation.description,
    tags: [operation.tag],
    security: operation.scope === null ? [] : undefined,
    'x-agent-permission': permissionFor(operation) ?? undefined,
    parameters: documentParameters(operation),
    requestBody: documentBody(operation),
    responses: documentAnswers(operation, reference),
  };
}

const tableSchema = { type: 'string', description: 'The table itself, at most 16 MiB.' };
const rawSchema = { type: 'string', contentMediaType: 'application/octet-stream' };

function documentBody(operation: Operation): Record<string, unknown> | undefined {
  const { form, takesBytes, bodyExamples: examples } = operation;
  const bytes = takesBytes ? { [PIECE_TYPE]: { schema: rawSchema, example: operation.bytesExample } } : {};
  const fields = { schema: reference(form), example: operation.formExample };
  if (form) return { required: true, content: { 'multipart/form-data': fields, ...bytes } };
  if (takesBytes) return { required: true, content: bytes };
  if (!examples) return undefined;
  const schema = reference(operation.documentedBody ?? operation.body);
  const tables = Object.entries(operation.tableExamples ?? {}).map(([type, example]) => [
    type,
    { schema: tableSchema, example },
  ]);
  const content = { 'application/json': { schema, examples }, ...Object.fromEntries(tables) };
  return { required: operation.bodyIsOptional !== true, content };
}

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Does the request once, however often it is repeated within 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '3f0c7a52-order-42',
};
const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description: 'wait=N: the answer waits up to N seconds, 1 to 30, for the message to be sent or to fail.',
  schema: { type: 'string' },
  example: 'wait=5',
};
const requestIdParameter = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Your name for the request; it is returned, and stands in the logs.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  example: 'checkout-7f3a',
};

function documentParameters(operation: Operation): readonly unknown[] {
  const path = parametersOf(operation.params, 'path');
  const query = parametersOf(operation.query, 'query');
  const own = operation.requestHeaders ?? [];
  const actsForAgents = operation.scope !== null && own.every(({ name }) => name !== agentHeader.name);
  const headers = [...own, ...(actsForAgents ? [agentHeader] : [])].map((header) => ({
    ...header,
    in: 'header',
    schema: { type: 'string' },
  }));
  const once = operation.takesIdempotencyKey ? [idempotencyParameter] : [];
  const wait = operation.takesPreference ? [preferParameter] : [];
  return [...path, ...query, ...headers, ...once, ...wait, requestIdParameter];
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

function parametersOf(schema: TSchema | undefined, place: 'path' | 'query'): readonly unknown[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...rest } = inline(property) as JsonObject;
    const [example] = (examples ?? []) as readonly JsonValue[];
    return { name, in: place, required: required.includes(name), description, schema: rest, example };
  });
}

/** A schema as the document shows it: by name when it has one. */
function reference(schema: unknown): unknown {
  const name = named.get(schema);
  return name === undefined ? inline(schema) : { $ref: `#/components/schemas/${name}` };
}

/** Our own annotations; and the hint of which of several objects is meant, which OpenAPI knows for named ones alone. */
const UNPUBLISHED: ReadonlySet<string> = new Set([PATTERN_SENTENCE, RULES, VARIANTS, 'discriminator']);

/** The schema itself, with what is below it by name, and without our own annotations. */
function inline(schema: unknown): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => reference(item)) as JsonValue;
  if (typeof schema !== 'object' || schema === null) return schema as JsonValue;
  const kept = Object.entries(schema).filter(([key]) => !UNPUBLISHED.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, reference(value)])) as JsonObject;
}
