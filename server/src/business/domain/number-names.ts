/** The name under which customers see a number, and what became of the wish for another one. The states are the network's words in lower case. */
export interface DisplayName {
  readonly name: string | null;
  readonly status: string | null;
  /** Null: no other name was requested. */
  readonly requestedName: string | null;
  readonly requestedStatus: string | null;
}

/** A name by which customers find a number without knowing it. */
export interface Username {
  /** Null: it has none. */
  readonly username: string | null;
  /** `approved`, or `reserved` until the network shows usernames where the business is. */
  readonly status: string | null;
}

/** A username to take, and whether it may be taken away from another number of the same business. */
export interface UsernameWish {
  readonly username: string;
  readonly transfer: boolean;
}

export const usernameLimits = { min: 3, max: 35 } as const;
export const MAX_DISPLAY_NAME = 512;
