/** The network names no limits for these texts; they are lines on a card. */
export const MAX_PLACE_CHARACTERS = 1000;

/** A place, as the API takes it and the network wants it. */
export interface LocationFields {
  /** Degrees, -90 to 90. */
  readonly latitude: number;
  /** Degrees, -180 to 180. */
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

export interface LocationContent {
  readonly type: 'location';
  readonly location: LocationFields;
}
