export { type Answered, Call, type CallOptions, List, type Page } from './call.ts';
export { type Events, type Messages, type PlainRequest, Postrider, type Webhooks } from './client.ts';
export type { ClientOptions, Exchange } from './connection.ts';
export {
  AuthenticationError,
  BadRequestError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  CursorExpiredError,
  type ErrorFacts,
  MessageFailedError,
  NotFoundError,
  PaymentRequiredError,
  PermissionError,
  PostriderError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedAnswerError,
  UnprocessableError,
  WebhookSignatureError,
} from './errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export { EventStream, type LiveSignal, type StreamOptions } from './stream.ts';
export { template } from './template.ts';
export { VERSION } from './version.ts';
export type { WaitOptions } from './wait.ts';
export { type UnwrapOptions, unwrapWebhook, type WebhookHeaders } from './webhooks.ts';

/** Your templates by name and language; `postrider templates types` writes the file that fills this in. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declarations of the program that uses the library
export interface Templates {}
