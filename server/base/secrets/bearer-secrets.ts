import { hash, randomBytes } from 'node:crypto';

/** A new secret of 256 bits for a header or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The SHA-256 of a secret. Only the hash is stored, so that the database does not reveal it. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
