/** What a timeline consists of. */
export const timelineTypes = [
  'message',
  'note',
  'conversation_change',
  'rule_decision',
  'campaign_skip',
  'consent',
  'merge',
] as const;
export type TimelineType = (typeof timelineTypes)[number];
