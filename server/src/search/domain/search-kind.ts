/** What can be found, in the order in which it is shown. */
export const searchKinds = ['messages', 'notes', 'contacts', 'conversations'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** As tables name them. */
export const kindNumber: Readonly<Record<SearchKind, number>> = {
  messages: 1,
  notes: 2,
  contacts: 3,
  conversations: 4,
};

/** What is true of something without standing in its text. */
export const facts = {
  any: 'any',
  inbound: 'in',
  outbound: 'out',
  media: 'media',
  link: 'link',
  note: 'note',
  /** Nothing has it. */
  none: 'none',
  agent: (agentId: string) => `a${agentId}`,
  number: (phoneNumberId: string) => `n${phoneNumberId}`,
} as const;
