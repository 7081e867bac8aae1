/** Forms of the picture that the network draws. */
export const qrImageFormats = ['png', 'svg'] as const;
export type QrImageFormat = (typeof qrImageFormats)[number];

/** A link, and a QR code of it, that opens a chat with a number and puts a text into it. */
export interface QrCode {
  /** The network's. */
  readonly code: string;
  readonly message: string;
  readonly link: string;
  /** Null: no picture was asked for. */
  readonly imageUrl: string | null;
}

/** "A QR code scan can initiate a pre-filled message containing up to 140 characters of text." */
export const MAX_QR_MESSAGE = 140;
/** "A number cannot be associated with more than 2,000." */
export const MAX_QR_CODES = 2_000;
