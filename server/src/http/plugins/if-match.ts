import type { FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify';

/** A version in quotes: what ETag shows and If-Match gives back. */
const TAG = /^"([1-9][0-9]{0,9})"$/;

/**
 * The versions that If-Match allows; null without the header and for `*`. Tags that are none of ours match nothing, weak
 * ones neither (RFC 9110, 13.1.1).
 */
export function matchingVersions({ headers }: Pick<FastifyRequest, 'headers'>): readonly number[] | null {
  const header = headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  const tags = header.split(',').map((tag) => TAG.exec(tag.trim())?.[1]);
  return tags.filter((version) => version !== undefined).map(Number);
}

/** Shows the version of the resource that the answer holds. */
export function tagVersion(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`);
}

/** Does so for the `version` of an answer: the hook of operations that declare an ETag. */
export const tagAnswer: preSerializationHookHandler = (_request, reply, payload, done) => {
  const { version } = (payload ?? {}) as { readonly version?: unknown };
  if (typeof version === 'number') tagVersion(reply, version);
  done(null, payload);
};

/** For the documentation of operations that honour it. */
export const ifMatchHeader = {
  name: 'If-Match',
  description: 'Executes the request only if the version is this one: the ETag of an earlier response, in quotes.',
  example: '"3"',
} as const;
