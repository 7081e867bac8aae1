import { type NumberAccess, TokenUnreadable } from '#accounts/actions/account-token';
import { BlobStoreUnavailable, BlobTooLarge, type StagedBlob } from '#blobs/blob-store';
import { sniffType } from '#blobs/sniff-type';
import { ApiProblem } from '#core/errors';
import {
  describeFailure,
  isPassing,
  isWorthOneMore,
  sha256Hex,
  type TransferFailure,
} from '#core/network/transfer-failure';
import { FETCH_LEASE_MS, FetchedElsewhere, type FetchFailure, tiedTo } from '#media/actions/fetch-media';
import { storeMedia } from '#media/actions/store-media';
import { isAnimatedWebp, isMimeType, MAX_NETWORK_BYTES } from '#media/domain/media';
import { chooseMimeType, withCodec } from '#media/domain/media-type';
import type { ClaimedFetch } from '#media/store/inbound-media';
import type { MediaLocation } from '#network/media-client';
import type { FetcherDeps } from './media-fetcher.ts';

/** An attempt ends before its lease does, so that two processes never fetch the same file. */
const MAX_ATTEMPT_MS = FETCH_LEASE_MS - 20_000;

/**
 * Fetches one file: asks where it is, streams it into the media store, compares its hash with what was announced, and
 * ties it to its message.
 * @returns why it came to nothing; null when the file is here
 * @throws StorageUnavailable
 */
export async function fetchFile(parts: FetcherDeps, fetch: ClaimedFetch): Promise<FetchFailure | null> {
  const { networkMediaId, phoneNumberId } = fetch;
  const access = await accessOf(parts, fetch);
  if (access instanceof Error) return { code: 'media_refused', sentence: access.message, passing: true };
  const { token } = access;
  const found = await parts.network.locate({ networkMediaId, phoneNumberId, token });
  if (found.kind === 'failed') return ofTransfer(found.failure, fetch.attempt);
  const blob = await download(parts, { ...found.location, token }, fetch.attempt);
  if ('code' in blob) return blob;
  try {
    return announced(blob, fetch, found.location)
      ? await keep(parts, fetch, { blob, location: found.location })
      : wrongHash;
  } finally {
    await blob.discard();
  }
}

function accessOf({ tokens }: FetcherDeps, fetch: ClaimedFetch): Promise<NumberAccess | TokenUnreadable> {
  return tokens.ofNumber(fetch.tenantId, fetch.phoneNumberId).catch((error: unknown) => {
    if (error instanceof TokenUnreadable) return error;
    throw error;
  });
}

const wrongHash: FetchFailure = {
  code: 'media_corrupt',
  sentence: 'The bytes do not match the hash announced by the network.',
  passing: true,
};

async function download(
  { blobs, network }: FetcherDeps,
  { url, token }: MediaLocation & { readonly token: string | null },
  attempt: number,
): Promise<StagedBlob | FetchFailure> {
  const answer = await network.download(url, token, MAX_ATTEMPT_MS);
  if (answer.kind === 'failed') return ofTransfer(answer.failure, attempt);
  try {
    return await blobs.receive(answer.body, MAX_NETWORK_BYTES);
  } catch (error) {
    if (error instanceof BlobStoreUnavailable) return notStored;
    if (error instanceof BlobTooLarge) return ofTransfer({ kind: 'unfit', reason: error.message }, attempt);
    return ofTransfer(
      { kind: 'unreachable', reason: `The download was interrupted (${(error as Error).message}).` },
      attempt,
    );
  }
}

const notStored: FetchFailure = { code: 'media_not_stored', passing: true };

function announced(blob: StagedBlob, fetch: ClaimedFetch, location: MediaLocation): boolean {
  const expected = [fetch.sha256, sha256Hex(location.sha256)].filter((hash) => hash !== null);
  return blob.size > 0 && expected.every((hash) => hash === blob.sha256);
}

interface Fetched {
  readonly blob: StagedBlob;
  readonly location: MediaLocation;
}

async function keep(
  { rt, db }: FetcherDeps,
  fetch: ClaimedFetch,
  { blob, location }: Fetched,
): Promise<FetchFailure | null> {
  const { tenantId, filename } = fetch;
  const declared = fetch.mimeType ?? location.mimeType;
  const { sha256, size, head } = blob;
  const sniffed = await sniffType(head);
  const mimeType =
    declared && isMimeType(declared)
      ? withCodec(declared.toLowerCase(), sniffed)
      : chooseMimeType({ sniffed, declared: null, head });
  const animated = isAnimatedWebp(head);
  const move = (key: string): Promise<void> => blob.keep(key);
  try {
    const arrived = { tenantId, sha256, size, mimeType, animated, filename, origin: 'inbound', keep: move } as const;
    await storeMedia(rt, db, arrived, tiedTo(fetch));
    return null;
  } catch (error) {
    if (error instanceof FetchedElsewhere) return null;
    if (error instanceof BlobStoreUnavailable) return notStored;
    if (error instanceof ApiProblem) return { ...notStored, sentence: error.message };
    throw error;
  }
}

/** What the network answers for an ID of media that was deleted, has expired or belongs to another number. */
const UNKNOWN_OBJECT = 100;

function ofTransfer(failure: TransferFailure, attempt: number): FetchFailure {
  const isGone = failure.kind === 'refused' && failure.networkCode === UNKNOWN_OBJECT;
  const sentence = isGone ? `The network does not have this file. (${failure.details})` : describeFailure(failure);
  if (failure.kind === 'unreachable') return { code: 'media_unreachable', sentence, passing: true };
  if (failure.kind === 'unfit') return { code: 'media_corrupt', sentence, passing: false };
  const passing = isPassing(failure) || (isWorthOneMore(failure) && attempt === 1);
  const later = failure.retryAfterMs === null ? {} : { retryAfterMs: failure.retryAfterMs };
  return { code: 'media_refused', sentence, passing, ...later };
}
