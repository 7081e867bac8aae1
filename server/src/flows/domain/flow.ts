/** What a flow is for, as the network asks; in lower case here. */
export const flowCategories = [
  'sign_up',
  'sign_in',
  'appointment_booking',
  'lead_generation',
  'contact_us',
  'customer_support',
  'survey',
  'other',
] as const;
export type FlowCategory = (typeof flowCategories)[number];

/** Why the network would not publish a flow. */
export interface FlowProblem {
  /** The network's. */
  readonly code: string | null;
  readonly message: string;
  /** Where in its JSON: `screens[0].id`. */
  readonly places: readonly string[];
}

/** Whether a flow can be sent now, in the network's words in lower case. */
export interface FlowHealth {
  readonly canSend: string;
  /** Sentences of the network, each with what it advises. */
  readonly problems: readonly string[];
}

/** A page that shows a flow without sending it. */
export interface FlowPreview {
  readonly url: string;
  readonly expiresAt: string | null;
}

/** A form that customers fill in within the chat. The network keeps it; its words are in lower case here. */
export interface Flow {
  readonly flowId: string;
  readonly name: string;
  /** `draft`, `published`, `deprecated`, `blocked`, `throttled`. */
  readonly status: string;
  readonly categories: readonly string[];
  readonly networkAccountId: string;
  readonly jsonVersion: string | null;
  readonly problems: readonly FlowProblem[];
  /** Null: not asked for. */
  readonly preview: FlowPreview | null;
  readonly health: FlowHealth | null;
}

/** What is said of a flow besides its JSON. */
export interface FlowDetails {
  readonly name: string;
  readonly categories: readonly FlowCategory[];
}

/** What came of storing the JSON of a flow. */
export interface SavedFlowJson {
  /** False: it is too broken to be stored, and the JSON from before stays. */
  readonly saved: boolean;
  readonly problems: readonly FlowProblem[];
}

/** The network states none; its names of templates have as many. */
export const MAX_FLOW_NAME = 512;
/** "The file size of Flow JSON must not exceed 10 MB". */
export const MAX_FLOW_JSON_BYTES = 10 * 1024 * 1024;
/** Far above what an account has; a list of the network that never ends does end. */
export const MAX_FLOWS = 5_000;
