import type { Asked } from '#accounts/domain/account-network';
import type { PhoneNumberId } from '#core/ids';
import type { ConversationStarters } from './conversation-starters.ts';
import type { DisplayName, Username, UsernameWish } from './number-names.ts';
import type { NumberProfile, ProfileChange } from './number-profile.ts';
import type { QrCode, QrImageFormat } from './qr-code.ts';

/** A number at the network, and what calls for it carry. */
export interface NumberAtNetwork {
  readonly phoneNumberId: PhoneNumberId;
  /** Null: that of the settings. */
  readonly token: string | null;
}

/** A page of a list that the network keeps. */
export interface NetworkWindow {
  readonly limit: number;
  /** Where the page before ended, in the network's own words; null: the first page. */
  readonly after: string | null;
}

export interface NetworkPage<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly after: string | null;
}

/** The part of the network that shows a business to its customers. Each call tries once and never rejects. */
export interface BusinessNetwork {
  readProfile(at: NumberAtNetwork): Promise<Asked<NumberProfile>>;
  changeProfile(at: NumberAtNetwork, change: ProfileChange): Promise<Asked<true>>;
  /** @param handle of the network's resumable upload */
  setPicture(at: NumberAtNetwork, handle: string): Promise<Asked<true>>;
  readStarters(at: NumberAtNetwork): Promise<Asked<ConversationStarters>>;
  changeStarters(at: NumberAtNetwork, change: Partial<ConversationStarters>): Promise<Asked<true>>;
  /** @param image the form of the pictures; null: none */
  listQrCodes(at: NumberAtNetwork, image: QrImageFormat | null): Promise<Asked<readonly QrCode[]>>;
  /** Null: the number has no such code. */
  findQrCode(at: NumberAtNetwork, code: string, image: QrImageFormat | null): Promise<Asked<QrCode | null>>;
  createQrCode(at: NumberAtNetwork, message: string, image: QrImageFormat): Promise<Asked<QrCode>>;
  changeQrCode(at: NumberAtNetwork, code: string, message: string): Promise<Asked<QrCode>>;
  deleteQrCode(at: NumberAtNetwork, code: string): Promise<Asked<true>>;
  readDisplayName(at: NumberAtNetwork): Promise<Asked<DisplayName>>;
  requestDisplayName(at: NumberAtNetwork, name: string): Promise<Asked<true>>;
  readUsername(at: NumberAtNetwork): Promise<Asked<Username>>;
  /** @returns the state in which the username is then */
  setUsername(at: NumberAtNetwork, wish: UsernameWish): Promise<Asked<Username>>;
  deleteUsername(at: NumberAtNetwork): Promise<Asked<true>>;
  /** Blocks a customer, or no longer. @param user a number or a user id */
  setBlocked(at: NumberAtNetwork, user: string, isBlocked: boolean): Promise<Asked<true>>;
  /** Numbers and user ids, newest first. */
  listBlocked(at: NumberAtNetwork, window: NetworkWindow): Promise<Asked<NetworkPage<string>>>;
  /** Sets the two-step PIN. @param pin six digits */
  setPin(at: NumberAtNetwork, pin: string): Promise<Asked<true>>;
}
