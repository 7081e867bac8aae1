/** The claim of a request to be done once. Both are SHA-256, base64: of the key, and of method, path and body. */
export interface IdempotencyClaim {
  readonly keyHash: string;
  readonly fingerprint: string;
}
