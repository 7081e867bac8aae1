import type { TransferFailure } from '#core/network/transfer-failure';

/** What the network answered, or why it did not. */
export type Asked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: TransferFailure };

/** What came back from the dialog, to be exchanged for a token. */
export interface DialogCode {
  readonly code: string;
  /** The address that the dialog led back to, exactly as it was opened with. */
  readonly redirectUri: string;
}

export interface GrantedToken {
  readonly token: string;
  /** Null: it does not end automatically. */
  readonly expiresInS: number | null;
}

/** What a token is good for. */
export interface TokenReach {
  /** The accounts of the network that it was given for. */
  readonly accountIds: readonly string[];
  /** Permissions that it lacks. */
  readonly lacking: readonly string[];
}

/** A number as the network describes it; its own words, null when it said nothing. */
export interface NetworkNumber {
  readonly phoneNumberId: string;
  /** Digits only. */
  readonly displayPhone: string;
  readonly verifiedName: string | null;
  readonly qualityRating: string | null;
  readonly messagingLimit: string | null;
  readonly throughput: string | null;
  readonly networkStatus: string | null;
  /** Whether it can send already, so that it needs no registration. */
  readonly isConnected: boolean;
}

/** What a number has from before the API. */
export const pastKinds = ['contacts', 'messages'] as const;
export type PastKind = (typeof pastKinds)[number];

/** The part of the network that deals with accounts. Each call tries once and never rejects. */
export interface AccountNetwork {
  exchange(grant: DialogCode): Promise<Asked<GrantedToken>>;
  inspect(token: string): Promise<Asked<TokenReach>>;
  /** The account's callbacks come from now on. */
  subscribe(token: string, networkAccountId: string): Promise<Asked<true>>;
  listNumbers(token: string, networkAccountId: string): Promise<Asked<readonly NetworkNumber[]>>;
  /** One number, as it is now. */
  describe(token: string, phoneNumberId: string): Promise<Asked<NetworkNumber>>;
  /** @param pin six digits; a number that was registered before wants the same ones again */
  register(token: string, phoneNumberId: string, pin: string): Promise<Asked<true>>;
  /** Asks for what was before the API. @param token null: that of the settings @returns the network's id of the request */
  startSync(token: string | null, phoneNumberId: string, kind: PastKind): Promise<Asked<string>>;
}
