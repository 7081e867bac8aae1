import type { FastifyRequest } from 'fastify';
import { translateFault, translateSend } from '#compat/domain/send-body';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { SendEdge } from '#core/network/marketing-messages';
import type { SqlRunner } from '#database/database';
import { principalOf } from '#http/plugins/auth';
import { bodyValidator } from '#http/validation/ajv';
import { problemOf, summarise, validationProblem } from '#http/validation/faults';
import type { SendRequest } from '#messages/actions/accept-message';
import { readSend } from '#messages/http/read-send';
import { SendMessageBody } from '#messages/http/schemas/send-request';
import { findMessageId } from '#messages/store/named-messages';

/** A send that a client of the network asked for. */
export interface RequestedSend {
  readonly send: SendRequest;
  /** The recipient as the caller wrote it. */
  readonly input: string;
}

const validate = bodyValidator(SendMessageBody);

/**
 * Reads a send in the network's form.
 * @throws ApiProblem validation_failed, unknown_reply_to; in the words of that form
 */
export async function readNetworkSend(
  db: SqlRunner,
  request: FastifyRequest,
  { given, ...where }: { readonly given: JsonObject; readonly phoneNumberId: string; readonly edge: SendEdge },
): Promise<RequestedSend> {
  const translated = translateSend(given, where);
  if (translated.kind === 'faults') throw problemOf(translated.faults);
  const { body, quoted, input } = translated;
  const replyTo = quoted === null ? {} : { reply_to: await quotedId(db, request, quoted) };
  const complete: unknown = { ...body, ...replyTo };
  if (!validate(complete)) throw inNetworkWords(validationProblem(validate.errors ?? [], 'body'), String(body.type));
  return { send: readSend(complete as SendMessageBody, request), input };
}

/** Messages that were sent before this service was used are not known to it: a quote that nobody would see is refused. */
async function quotedId(db: SqlRunner, request: FastifyRequest, quoted: string): Promise<string> {
  const messageId = await findMessageId(db, principalOf(request).tenantId, quoted);
  if (messageId !== null) return messageId;
  throw new ApiProblem('unknown_reply_to', { sentence: 'context.message_id does not name a message of this tenant.' });
}

/** A refusal of a send with the names that its fields have in the network's form. @param type of the message */
export function inNetworkWords(problem: ApiProblem, type: string): ApiProblem {
  const { code, details, headers, cause } = problem;
  if (details === undefined) return problem;
  const translated = details.map((fault) => translateFault(fault, type));
  return new ApiProblem(code, { sentence: summarise(translated), details: translated, headers, cause });
}
