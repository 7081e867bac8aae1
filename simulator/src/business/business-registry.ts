import type { JsonObject } from '../json.ts';
import { isUserId, userIdOfPhone } from '../recipient.ts';

/** What customers read about a business in the app; absent: nothing was entered. */
export type Profile = {
  about: string;
  address: string;
  description: string;
  email: string;
  vertical: string;
  websites: readonly string[];
};

/** What customers can tap or type before anybody answers. */
export type Automation = {
  enable_welcome_message: boolean;
  prompts: readonly string[];
  commands: readonly { readonly command_name: string; readonly command_description: string }[];
};

/** A link that opens a chat with a text in it. */
export type QrCode = { readonly code: string; readonly createdAtMs: number; message: string };

/** The picture beside it; it is not kept between two runs. */
export type Picture = { readonly mimeType: string; readonly bytes: Buffer };

/** What the network keeps about a number for its customers. */
export type NumberBusiness = {
  readonly profile: Profile;
  readonly automation: Automation;
  /** Newest first. */
  readonly qrCodes: QrCode[];
  /** Empty: it has none. */
  username: string;
  /** The display name that was asked for; empty: none. */
  requestedName: string;
  /** Customers who cannot write or call, by their numbers or user IDs; newest first. */
  readonly blocked: string[];
};

export type KeptBusiness = readonly (readonly [phoneNumberId: string, business: NumberBusiness])[];

/** What customers see of each business number besides its messages. */
export class BusinessRegistry {
  readonly #numbers = new Map<string, NumberBusiness>();
  readonly #pictures = new Map<string, Picture>();

  of(phoneNumberId: string): NumberBusiness {
    const business = this.#numbers.get(phoneNumberId) ?? emptyBusiness();
    this.#numbers.set(phoneNumberId, business);
    return business;
  }

  /** The number that has a username; the network tells usernames apart without case. */
  ownerOf(username: string): string | null {
    const wanted = username.toLowerCase();
    return [...this.#numbers].find(([, one]) => one.username.toLowerCase() === wanted)?.[0] ?? null;
  }

  /** Whether this customer is blocked by the number, under the phone or the user ID. */
  isBlocked(phoneNumberId: string, from: string | null, userId: string | null): boolean {
    const blocked = this.#numbers.get(phoneNumberId)?.blocked ?? [];
    if (blocked.length === 0) return false;
    const names = new Set(blocked.flatMap(namesOf));
    return [from, userId].some((name) => name !== null && namesOf(name).some((one) => names.has(one)));
  }

  /** Somebody who is not blocked stays so. */
  unblock(phoneNumberId: string, name: string): void {
    const { blocked } = this.of(phoneNumberId);
    const names = new Set(namesOf(name));
    const kept = blocked.filter((one) => !namesOf(one).some((known) => names.has(known)));
    blocked.splice(0, blocked.length, ...kept);
  }

  pictureOf(phoneNumberId: string): Picture | null {
    return this.#pictures.get(phoneNumberId) ?? null;
  }

  setPicture(phoneNumberId: string, picture: Picture): void {
    this.#pictures.set(phoneNumberId, picture);
  }

  dump(): KeptBusiness {
    return [...this.#numbers];
  }

  /** @param kept undefined: an earlier program kept nothing of it */
  load(kept: KeptBusiness | undefined): void {
    for (const [id, business] of kept ?? []) this.#numbers.set(id, { ...emptyBusiness(), ...business });
  }

  reset(): void {
    this.#numbers.clear();
    this.#pictures.clear();
  }
}

/** A phone stands for the user ID that belongs to it as well. */
function namesOf(name: string): readonly string[] {
  return isUserId(name) ? [name] : [name, userIdOfPhone(name)];
}

function emptyBusiness(): NumberBusiness {
  return {
    profile: { about: '', address: '', description: '', email: '', vertical: '', websites: [] },
    automation: { enable_welcome_message: false, prompts: [], commands: [] },
    qrCodes: [],
    username: '',
    requestedName: '',
    blocked: [],
  };
}

/** Members that hold something, as the network leaves out what was never entered. */
export function enteredOf(values: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}
