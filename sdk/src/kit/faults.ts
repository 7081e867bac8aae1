/** What can go wrong between the service and the network, by the step at which it does. The simulator's README explains each. */
export const FAULTS = [
  'send.error',
  'send.status5xx',
  'send.non_json',
  'send.delay',
  'send.drop_before_accept',
  'send.accept_then_drop',
  'send.rate_limit',
  'send.garbage',
  'send.accept_then_garbage',
  'send.hang',
  'send.drip',
  'status.duplicate',
  'status.lost',
  'status.reorder',
  'status.delay',
  'status.before_response',
  'status.batch',
  'callback.duplicate',
  'callback.delay',
  'callback.cut',
] as const;
/** The name of a fault: its step, and what happens. */
export type Fault = (typeof FAULTS)[number];

/** How often a fault happens, and its details. */
export interface FaultOptions {
  /** 0 to 1. Default: 1, always. */
  readonly probability?: number | undefined;
  /** Code of the network, for `send.error`. */
  readonly code?: number | undefined;
  /** Status of the network's answer. */
  readonly status?: number | undefined;
  readonly delay_ms?: number | undefined;
  /** Only for this sending number; for faults of `send`. */
  readonly phone_number_id?: string | undefined;
}

/** Calls of the network other than sends, of which the next ones can fail. */
export const STEPS = [
  'media_upload',
  'media_lookup',
  'media_download',
  'media_delete',
  'upload_session',
  'upload_bytes',
  'upload_offset',
  'template_create',
  'template_edit',
  'template_delete',
  'template_list',
  'template_library',
  'oauth_token',
  'debug_token',
  'phone_numbers',
  'number',
  'account',
  'subscribe',
  'register',
  'profile',
  'smb_app_data',
  'commands',
  'qr_codes',
  'number_change',
  'username',
  'block_users',
  'flows',
  'flow_change',
  'analytics',
  'gateway',
] as const;
/** The name of such a call. */
export type Step = (typeof STEPS)[number];

/** How many of the next calls fail, and how. */
export interface FailureOptions {
  /** Default: 1. */
  readonly times?: number | undefined;
  /** `error` answers a code, `cut` breaks the connection, `corrupt` changes a byte of a download. Default: `error`. */
  readonly fault?: 'error' | 'cut' | 'corrupt' | undefined;
  /** Code of the network. */
  readonly code?: number | undefined;
  /** Status of the network's answer; by default, that of the code. */
  readonly status?: number | undefined;
}

/** The body of `PUT /_sim/chaos`. */
export function chaosPlan(faults: Readonly<Partial<Record<Fault, FaultOptions>>>): object {
  const steps: Record<string, object[]> = {};
  for (const [name, { probability = 1, ...details }] of Object.entries(faults)) {
    const [step = '', fault] = name.split('.');
    steps[step] = [...(steps[step] ?? []), { fault, probability, ...details }];
  }
  return { steps };
}
