import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new ULID in lower case: 26 characters, sortable by time and not guessable. The first 10 encode milliseconds since
 * 1970, the other 16 are 80 random bits.
 */
export function newId(now: Date): string {
  let time = now.getTime();
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = alphabet[time % 32]! + head;
    time = Math.floor(time / 32);
  }
  let tail = '';
  for (const byte of randomBytes(16)) tail += alphabet[byte & 31];
  return head + tail;
}
