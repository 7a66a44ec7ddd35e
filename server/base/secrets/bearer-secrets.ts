import { hash, randomBytes } from 'node:crypto';

/** A new secret of 256 bits, as it travels in a header or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The SHA-256 of a secret, which is all that is stored: whoever reads the database cannot sign in with it. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
