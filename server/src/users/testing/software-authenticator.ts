import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { JsonObject } from '#core/json';

/** What a challenge of the service says, as far as an authenticator cares. */
export interface AuthenticatorOptions {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/** What an answer has that is not as it should be. */
export interface Oddities {
  readonly origin?: string;
  readonly rpId?: string;
  /** Bits of the authenticator data beside that of the key. */
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly signature?: string;
  readonly type?: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;
const AAGUID = Buffer.alloc(16);

/** COSE names of the parts of a P-256 key. */
const COSE = { kty: 1, alg: 3, crv: -1, x: -2, y: -3 } as const;

/** An authenticator with one passkey, which counts how often it signs: what a browser and a device do, in a few lines. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(16).toString('base64url');
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly #origin: string;
  #counter = 0;
  #userHandle = '';

  /** @param origin of the page that asks */
  constructor(origin: string) {
    this.#origin = origin;
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** Answers `navigator.credentials.create`. */
  create({ challenge, rp, user }: AuthenticatorOptions, odd: Oddities = {}): JsonObject {
    this.#userHandle = user?.id ?? '';
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.from([0, id.length]);
    const head = this.#data(odd.rpId ?? rp?.id ?? '', { flags: HAS_KEY, ...odd });
    const authData = Buffer.concat([head, AAGUID, length, id, this.#coseKey()]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url');
    const clientDataJSON = this.#clientData(odd.type ?? 'webauthn.create', challenge, odd).toString('base64url');
    return this.#credential({ clientDataJSON, attestationObject, transports: ['internal'] });
  }

  /** Answers `navigator.credentials.get`. */
  get({ challenge, rpId }: AuthenticatorOptions, odd: Oddities = {}): JsonObject {
    this.#counter += 1;
    const authData = this.#data(odd.rpId ?? rpId ?? '', { counter: this.#counter, ...odd });
    const clientData = this.#clientData(odd.type ?? 'webauthn.get', challenge, odd);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    const signature = createSign('sha256').update(signed).sign(this.#key.privateKey).toString('base64url');
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: odd.signature ?? signature,
      userHandle: odd.userHandle ?? this.#userHandle,
    });
  }

  #data(rpId: string, { flags = 0, counter = 0 }: Oddities): Buffer {
    const usual = USER_PRESENT | USER_VERIFIED;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const isWhole = (flags & ~HAS_KEY) === 0;
    const bits = isWhole ? flags | usual : flags;
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([bits]), count]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Oddities): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [COSE.kty, 2],
      [COSE.alg, -7],
      [COSE.crv, 1],
      [COSE.x, new Uint8Array(Buffer.from(x, 'base64url'))],
      [COSE.y, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    return Buffer.from(isoCBOR.encode(key as never));
  }

  #credential(response: JsonObject): JsonObject {
    const id = this.credentialId;
    return {
      id,
      rawId: id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    };
  }
}

/** Bits of an answer for which nobody was verified, or nobody was there: beside that of the key. */
export const UNVERIFIED = USER_PRESENT;
export const UNVERIFIED_WITH_KEY = USER_PRESENT | HAS_KEY;
