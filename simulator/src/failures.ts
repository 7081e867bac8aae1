/** Failures that were ordered for the next calls of a step: the counterpart of chaos, without chance. */

export const FAILURE_STEPS = [
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
export type FailureStep = (typeof FAILURE_STEPS)[number];

/** `error` answers a code, `cut` breaks the connection, `corrupt` gives a download with a wrong byte. */
export const FAILURE_KINDS = ['error', 'cut', 'corrupt'] as const;

export type Failure = {
  readonly kind: (typeof FAILURE_KINDS)[number];
  readonly code: number;
  /** HTTP status; absent: that of the code. */
  readonly httpStatus?: number;
};

export type OrderedFailure = Failure & { readonly times: number };

/** How many of the next calls of each step fail, and how. */
export class Failures {
  readonly #ordered = new Map<FailureStep, { readonly failure: Failure; left: number }>();

  /** Replaces everything that was ordered before. */
  order(failures: ReadonlyMap<FailureStep, OrderedFailure>): void {
    this.#ordered.clear();
    for (const [step, { times, ...failure }] of failures) this.#ordered.set(step, { failure, left: times });
  }

  /** The failure of this call, or null; each one is used up by it. */
  take(step: FailureStep): Failure | null {
    const ordered = this.#ordered.get(step);
    if (ordered === undefined) return null;
    ordered.left--;
    if (ordered.left <= 0) this.#ordered.delete(step);
    return ordered.failure;
  }

  /** What is still to come. */
  get left(): ReadonlyMap<FailureStep, OrderedFailure> {
    return new Map([...this.#ordered].map(([step, { failure, left }]) => [step, { ...failure, times: left }]));
  }
}
