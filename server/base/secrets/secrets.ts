import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Failure } from '../failure.ts';

/** Encrypts credentials of other servers, so that neither the database nor a copy of it reveals them. */
export interface Secrets {
  /** ID of the key that encrypts. */
  readonly currentKeyId: string;
  /** IDs of all keys that can decrypt. */
  readonly keyIds: readonly string[];
  /** @param owner identifies the row; a secret cannot be opened for another owner */
  seal(text: string, owner: string): Buffer;
  /** @throws Failure `unusable_reference` if no key opens it */
  open(sealed: Buffer, owner: string): string;
  /** Signs what the service hands out and recognises later. */
  sign(text: string): Buffer;
  /** Whether one of the keys has signed the text. */
  isSigned(text: string, signature: Buffer): boolean;
}

export const keyBytes = 32;
const version = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes + nonceBytes + tagBytes;

/** @param keys the first one encrypts; the others only decrypt older secrets */
export function secretsWith(keys: readonly Buffer[]): Secrets {
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const [currentKeyId] = byId.keys();
  if (currentKeyId === undefined) throw new Error('At least one key is needed for encryption.');
  const current = byId.get(currentKeyId)!;
  return {
    currentKeyId,
    keyIds: [...byId.keys()],
    seal: (text, owner) => seal(current, Buffer.from(text), owner),
    open(sealed, owner) {
      const key = byId.get(keyIdOfSealed(sealed));
      if (!key) throw unreadable(`they were encrypted with another key (${keyIdOfSealed(sealed)})`);
      return open(key, sealed, owner).toString();
    },
    sign: (text) => sign(current, text),
    isSigned: (text, signature) =>
      keys.some((key) => {
        const expected = sign(key, text);
        return signature.length === expected.length && timingSafeEqual(signature, expected);
      }),
  };
}

/** Signing has a key of its own, derived from the key that encrypts. */
function sign(key: Buffer, text: string): Buffer {
  const signingKey = createHmac('sha256', key).update('platen signing key').digest();
  return createHmac('sha256', signingKey).update(text).digest();
}

/** Identifies a key without revealing it. */
export function keyIdOf(key: Buffer): string {
  return createHmac('sha256', key)
    .update('platen key id')
    .digest('hex')
    .slice(0, keyIdBytes * 2);
}

/** Layout: `version, key id, nonce, tag, ciphertext`. The SQL of `known-keys.ts` reads the key id. */
export function keyIdOfSealed(sealed: Buffer): string {
  return sealed.toString('hex', 1, 1 + keyIdBytes);
}

function seal(key: Buffer, text: Buffer, owner: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const head = Buffer.concat([Buffer.of(version), Buffer.from(keyIdOf(key), 'hex')]);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(owner)]));
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), encrypted]);
}

function open(key: Buffer, sealed: Buffer, owner: string): Buffer {
  const headEnd = 1 + keyIdBytes;
  if (sealed.length < headBytes || sealed[0] !== version) throw unreadable('they are damaged');
  const nonce = sealed.subarray(headEnd, headEnd + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.concat([sealed.subarray(0, headEnd), Buffer.from(owner)]));
  decipher.setAuthTag(sealed.subarray(headEnd + nonceBytes, headBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]);
  } catch (error) {
    throw unreadable('they are damaged', error);
  }
}

function unreadable(why: string, cause?: unknown): Failure {
  const message = `The credentials cannot be decrypted because ${why}. Enter them again, or ask the operator to restore the earlier key of the service.`;
  return new Failure('unusable_reference', message, { cause });
}
