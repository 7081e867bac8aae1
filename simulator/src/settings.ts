export type Sha256Form = 'hex' | 'base64';

/** What can be configured; `PUT /_sim/config` changes it while the simulator runs. */
export type Settings = {
  /** Where callbacks go; null: the app has no subscription and nothing is sent. */
  readonly callbackUrl: string | null;
  /** Expected in the verification request. */
  readonly verifyToken: string;
  /** Key of `X-Hub-Signature-256`. */
  readonly appSecret: string;
  /** Accepted bearer tokens; null: any token that is not empty. */
  readonly tokens: readonly string[] | null;
  /** Messages per second and number before 130429; 0: no limit. */
  readonly numberRate: number;
  /** One message per 6 s and recipient, 45 in a burst, before 131056. */
  readonly pairLimit: boolean;
  /** Only registered phone number ids exist. */
  readonly strictNumbers: boolean;
  /** Delays of the statuses after the accept, in simulator milliseconds. */
  readonly sentMs: number;
  readonly deliveredMs: number;
  readonly readMs: number;
  /** How often due callbacks leave, in real milliseconds. */
  readonly flushMs: number;
  /** Updates per POST at most; the network allows itself 1,000. */
  readonly callbackBatchMax: number;
  /** POSTs that may be under way at the same time, each on a connection of its own. */
  readonly callbackConnections: number;
  /** When the receiver counts as silent, in real milliseconds. */
  readonly callbackTimeoutMs: number;
  /** Write `/` as `\/` in callbacks, as some recorded deliveries do. */
  readonly escapeSlashes: boolean;
  /** Number that inbound messages go to when none is named. */
  readonly defaultPhoneNumberId: string | null;
  /** How long an address of media lives, in seconds of the simulator's clock. */
  readonly mediaUrlSeconds: number;
  /** How callbacks write the digest of media; the network writes base64, some recordings have the hexadecimal form. */
  readonly sha256Form: Sha256Form;
  /** Refuse uploads whose bytes are not those of their declared type. */
  readonly sniffMedia: boolean;
  /** Only templates that were created here exist; otherwise an unknown one is taken as it is sent. */
  readonly strictTemplates: boolean;
  /** A free-form message to a customer who has not written to the number for 24 hours fails with 131047. */
  readonly enforceWindow: boolean;
  /** How long the code of the linking dialog can be exchanged, in seconds of the simulator's clock. */
  readonly oauthCodeSeconds: number;
  /** How long a token from the dialog lives, in seconds; 0: it does not end. */
  readonly oauthTokenSeconds: number;
  /** Credentials of the app that may exchange codes; null: any. */
  readonly appId: string | null;
  /** Where the payment gateway posts its events; null: nowhere. */
  readonly gatewayCallbackUrl: string | null;
  /** Key of `Stripe-Signature`. */
  readonly gatewayWebhookSecret: string;
  /** The secret key that the gateway takes; null: any that is not empty. */
  readonly gatewayKey: string | null;
};

export const DEFAULT_SETTINGS: Settings = {
  callbackUrl: null,
  verifyToken: 'simulator-verify-token',
  appSecret: 'simulator-app-secret',
  tokens: null,
  numberRate: 80,
  pairLimit: true,
  strictNumbers: false,
  sentMs: 20,
  deliveredMs: 60,
  readMs: 120,
  flushMs: 5,
  callbackBatchMax: 200,
  callbackConnections: 16,
  callbackTimeoutMs: 10_000,
  escapeSlashes: false,
  defaultPhoneNumberId: null,
  mediaUrlSeconds: 300,
  sha256Form: 'base64',
  sniffMedia: true,
  strictTemplates: false,
  enforceWindow: false,
  oauthCodeSeconds: 30,
  oauthTokenSeconds: 5_183_944,
  appId: null,
  gatewayCallbackUrl: null,
  gatewayWebhookSecret: 'whsec_simulator',
  gatewayKey: null,
};
