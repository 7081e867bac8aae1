import type { PhoneNumberId, TenantId } from '#core/ids';
import type { MediaType } from '#media/domain/media-content';

/** What accepting a message needs to know of a stored media. */
export interface KnownMedia {
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** The message types that the network would take it for. */
  readonly sendableAs: readonly MediaType[];
}

/** The media of tenants, as accepting a message asks for them. */
export interface MediaCache {
  /** Null when the tenant has no such media, or it has expired. */
  find(tenantId: TenantId, mediaId: string): Promise<KnownMedia | null>;
}

/** Why a media cannot be sent. */
export interface MediaFailure {
  /** What the tenant reads, in one sentence. */
  readonly sentence: string;
  /** Whether another try can help: the message then waits and is tried again. */
  readonly retryable: boolean;
}

/** Where the dispatcher gets the network's id of a media from: uploaded at the first send per number. */
export interface MediaSource {
  /** Never rejects: what cannot be had is a failure. */
  networkIdFor(
    tenantId: TenantId,
    mediaId: string,
    phoneNumberId: PhoneNumberId,
  ): Promise<{ readonly networkId: string } | { readonly failure: MediaFailure }>;
  /** The network may no longer know the id: the next send uploads the media again. Never rejects. */
  forget(tenantId: TenantId, mediaId: string, phoneNumberId: PhoneNumberId): Promise<void>;
}

/** For a service without stored media: knows none. */
export const emptyMediaCache: MediaCache = { find: async () => null };
