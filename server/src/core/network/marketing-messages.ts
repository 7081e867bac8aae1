/** Where a message is posted to, below the sending number: the Cloud API, or the Marketing Messages API. */
export type SendEdge = 'messages' | 'marketing_messages';

/** How the network deals with what its Marketing Messages API would not deliver: over the Cloud API, or not at all. */
export const productPolicies = ['cloud_api_fallback', 'strict'] as const;

/** That a template leaves over the network's Marketing Messages API, which chooses whom and when it reaches. */
export type MarketingMessagesFields = {
  readonly product_policy?: (typeof productPolicies)[number];
  /** Whether the network may use what recipients do with the message; absent: as the account is set. */
  readonly message_activity_sharing?: boolean;
};
