import { type NumberAccess, type TokenProvider, TokenUnreadable } from '#accounts/actions/account-token';
import type { RefusedAccess } from '#accounts/actions/pause-number';
import type { BlobStore } from '#blobs/blob-store';
import type { PhoneNumberId } from '#core/ids';
import { ruleForNetworkError } from '#core/network/network-errors';
import type { TransferFailure } from '#core/network/transfer-failure';
import type { CarryMedia } from '#media/actions/media-source';
import { blobKey } from '#media/domain/blob-key';
import type { Media } from '#media/domain/media';
import { networkFilename } from '#media/domain/network-filename';
import type { MediaClient } from '#network/media-client';
import type { Slots } from '#queue/slots';
import { laneKey } from './lane-key.ts';

interface CarrierDeps {
  readonly blobs: BlobStore;
  readonly network: MediaClient;
  readonly tokens: TokenProvider;
  /** Concurrent uploads; a number or tenant whose uploads hang delays no other. */
  readonly slots: Slots;
  /** Called when the network refuses the access of the number, which a send would meet too. */
  readonly onRefused: (refusal: RefusedAccess) => void;
}

/** Half of the connections for files; customers' files have the others. */
export const UPLOADS_AT_ONCE = 16;

/** Takes bytes from the media store to the network as a stream: no file is ever in memory as a whole. */
export function makeMediaCarrier(parts: CarrierDeps): CarryMedia {
  const { slots } = parts;
  return async (media, phoneNumberId) => {
    const { tenantId } = media;
    const upload = Symbol('upload');
    if (!(await slots.take(upload, { key: laneKey({ tenantId, phoneNumberId }), tenant: tenantId }))) return stopped;
    return carry(parts, media, phoneNumberId).finally(() => slots.release(upload));
  };
}

const stopped = { failure: { kind: 'unreachable', reason: 'The process stopped before the upload.' } } as const;

async function carry(
  { blobs, network, tokens, onRefused }: CarrierDeps,
  media: Media,
  phoneNumberId: PhoneNumberId,
): ReturnType<CarryMedia> {
  const access = await accessFor(tokens, media, phoneNumberId);
  if ('failure' in access) return access;
  const bytes = await openBytes(blobs, blobKey(media.sha256, media.blobId));
  if (bytes === 'away') return { failure: { kind: 'unreachable', reason: 'The media store does not respond.' } };
  if (bytes === null) return { failure: { kind: 'unfit', reason: 'The bytes of the media no longer exist.' } };
  const { mimeType, size } = media;
  const filename = networkFilename(media.filename, mimeType);
  const { token, accountId } = access;
  const outcome = await network.upload({ phoneNumberId, token, mimeType, filename, size, bytes });
  if (outcome.kind === 'uploaded') return { networkMediaId: outcome.networkMediaId };
  const { failure } = outcome;
  if (failure.kind === 'refused' && failure.rule.retryClass === 'auth') {
    const pauseReason = `The network rejected the sending number: ${failure.rule.sentence} The number is paused.`;
    onRefused({ tenantId: media.tenantId, phoneNumberId, accountId, pauseReason });
  }
  return { failure };
}

async function accessFor(
  tokens: TokenProvider,
  { tenantId }: Media,
  phoneNumberId: PhoneNumberId,
): Promise<NumberAccess | { readonly failure: TransferFailure }> {
  try {
    return await tokens.ofNumber(tenantId, phoneNumberId);
  } catch (error) {
    const reason = 'The access token of the number could not be looked up.';
    return { failure: error instanceof TokenUnreadable ? unreadable(error) : { kind: 'unreachable', reason } };
  }
}

/** As if the network had refused it: a person must act, and the media is as good as before. */
export function unreadable(error: TokenUnreadable): Extract<TransferFailure, { kind: 'refused' }> {
  const rule = ruleForNetworkError(TOKEN_REFUSED, null);
  return { kind: 'refused', rule, networkCode: null, details: error.message, retryAfterMs: null };
}

/** "190: the access token is expired, revoked or unknown." */
const TOKEN_REFUSED = 190;

async function openBytes(blobs: BlobStore, key: string) {
  try {
    return await blobs.open(key);
  } catch {
    return 'away';
  }
}
