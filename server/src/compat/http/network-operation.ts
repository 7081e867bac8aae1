import Type, { type TObject, type TSchema } from 'typebox';
import { ANY_UUID } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Operation } from '#http/operation';

/** The version of the network's API that a client writes before everything; which one it is makes no difference here. */
const VERSION = ':version(^v\\d+\\.\\d+$)';

/** What an operation of the network's API says of itself: the network's own documentation describes the rest. */
type NetworkOperation = Pick<
  Operation,
  | 'method'
  | 'operationId'
  | 'scope'
  | 'permission'
  | 'sends'
  | 'form'
  | 'takesIdempotencyKey'
  | 'takesPreference'
  | 'bodyLimit'
  | 'errors'
  | 'handle'
> & {
  /** Without the version: `/:id(^\\d+$)/messages`. */
  readonly path: string;
  readonly body?: TSchema;
  readonly contentType?: string;
};

/** Clients add parameters of the network that mean nothing here. */
const AnyQuery = Type.Object({}, { additionalProperties: true });
const AnyAnswer = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true });

/** The path of one object: ids of the network are digits, ours are UUIDs. */
export const ANY_ID = `/:id(^(?:\\d+|${ANY_UUID})$)`;

/** Parameters of the path. */
export const IdParams: TObject = Type.Object({ id: Type.String() }, { additionalProperties: true });

/** A body that the handler reads itself: clients of the network write it in several ways. */
export const AnyBody = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true });

/**
 * The routes of one operation of the network's API: with the version before the path and without. They are made like the operations of
 * our own API, and stand under the same limits, but are not in its document.
 */
export function networkRoutes(operation: NetworkOperation): readonly Operation[] {
  const { path, contentType, ...others } = operation;
  const described = {
    ...others,
    summary: operation.operationId,
    description: 'See docs/guides/network-clients.md.',
    tag: 'Messages',
    params: IdParams,
    query: AnyQuery,
    answer: {
      status: 200,
      description: 'As the network answers.',
      schema: AnyAnswer,
      example: {},
      ...(contentType === undefined ? {} : { contentType }),
    },
  } as const satisfies Omit<Operation, 'path'>;
  return [
    { ...described, path: `/${VERSION}${path}` },
    { ...described, path },
  ];
}

/** Everything else below a version or an object is answered as unsupported. */
export const UNSUPPORTED_PATH = '/:object(^(?:v\\d+\\.\\d+|\\d+)$)/*';
