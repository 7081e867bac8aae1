/** Codes of `delivery.error.code` that are neither responses of the API nor of the network. */
export const deliveryErrors = {
  canceled: 'The message was canceled before it was sent.',
  contact_blocked: 'The contact was blocked before the message was sent.',
  contact_opted_out: 'The contact opted out of marketing before the message was sent.',
  contact_erased: 'The contact was erased before the message was sent.',
  expired: 'The message expired before it could be sent.',
  delivery_unknown:
    'The connection to the network broke during the send, and no report said whether the network accepted the message.',
  attempts_exhausted: 'The network kept rejecting the message until no attempts were left.',
  outcome_not_stored: "The network's response could not be stored.",
  media_unavailable: 'The media of the message could not be uploaded to the network.',
  target_unavailable: 'The message to react to has no ID on the network.',
  past_failure: 'It was sent before the API was used, and did not arrive.',
} as const;

/** Codes of `media.error.code` of an inbound message: why its file is not here (yet). */
export const inboundMediaErrors = {
  media_refused: 'The network does not provide the file.',
  media_unreachable: 'The file could not be downloaded from the network.',
  media_corrupt: 'The file from the network does not match the announced hash, or is too large.',
  media_not_stored: 'The file could not be stored.',
} as const;

export type InboundMediaErrorCode = keyof typeof inboundMediaErrors;
