/** What customers read about a business in the app, as the network keeps it for each of its numbers. */
export interface NumberProfile {
  readonly about: string | null;
  readonly address: string | null;
  readonly description: string | null;
  readonly email: string | null;
  readonly websites: readonly string[];
  /** The network's word for the line of business, in lower case. */
  readonly vertical: string | null;
  /** An address of the network that ends with the picture, or after some days. */
  readonly pictureUrl: string | null;
}

/** What a business may write itself; null empties a field. */
export type ProfileChange = Partial<Omit<NumberProfile, 'pictureUrl'>>;

/** The limits that the network states, in characters. */
export const profileLimits = {
  about: 139,
  address: 256,
  description: 512,
  email: 128,
  website: 256,
  websites: 2,
} as const;

/** The lines of business that a profile may name. */
export const verticals = [
  'other',
  'auto',
  'beauty',
  'apparel',
  'edu',
  'entertain',
  'event_plan',
  'finance',
  'grocery',
  'govt',
  'hotel',
  'health',
  'nonprofit',
  'prof_services',
  'retail',
  'travel',
  'restaurant',
  'alcohol',
  'online_gambling',
  'physical_gambling',
  'otc_drugs',
  'matrimony_service',
] as const;

const PICTURE_TYPES: readonly string[] = ['image/jpeg', 'image/png'];
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** Why a file cannot be a profile picture; null: it can. */
export function pictureFault({ mimeType, size }: { readonly mimeType: string; readonly size: number }): string | null {
  if (!PICTURE_TYPES.includes(mimeType)) return `A profile picture must be a JPEG or PNG file, not ${mimeType}.`;
  return size <= MAX_PICTURE_BYTES ? null : 'A profile picture may have at most 5 MB.';
}
