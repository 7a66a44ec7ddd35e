import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { openPasswordQueue, type Lane } from './password-queue.ts';

/** The cost of one password guess. */
export interface PasswordCost {
  /** KiB, at least 8. */
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
export const defaultPasswordCost: PasswordCost = { memory: 19_456, passes: 2 };

/** Half of libuv's four threads, so that files can still be read; strangers get one. A computation takes about 30 ms. */
const runQueued = openPasswordQueue({ maxRunning: 2, maxStrangers: 1, maxWaiting: 100 });
const derive = promisify(argon2);

export type Algorithm = 'plain' | 'sha-256' | undefined;

/** A password as a client sends it. */
export interface GivenPassword {
  readonly password: string;
  readonly algorithm?: Algorithm;
}

/**
 * The stored form of a password in PHC string format: argon2id of its hexadecimal SHA-256, so that clients may send
 * either the password or the hash.
 * @throws Failure `unavailable` if too many passwords are being processed
 */
export async function hashPassword(given: GivenPassword, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveTag(secretOf(given), salt, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${encode(salt)}$${encode(tag)}`;
}

/**
 * Takes as long for unknown users (`stored` undefined) as for wrong passwords.
 * @throws Failure `unavailable` if too many passwords are being processed
 */
export async function verifyPassword(
  stored: string | undefined,
  given: GivenPassword,
  cost: PasswordCost,
  lane: Lane,
): Promise<boolean> {
  const parts = stored?.split('$') ?? [];
  const salt = stored === undefined ? randomBytes(16) : Buffer.from(parts[4] ?? '', 'base64');
  const tag = await deriveTag(secretOf(given), salt, cost, lane);
  const expected = stored === undefined ? randomBytes(32) : Buffer.from(parts[5] ?? '', 'base64');
  return stored !== undefined && expected.length === tag.length && timingSafeEqual(expected, tag);
}

function secretOf({ password, algorithm }: GivenPassword): string {
  if (algorithm === 'sha-256') return password.toLowerCase();
  return createHash('sha256').update(password, 'utf8').digest('hex');
}

/** Takes 19 MiB and a thread for about 30 ms, so only a few run at a time. */
function deriveTag(
  message: string,
  nonce: Buffer,
  cost: PasswordCost,
  lane: Lane = 'known',
): Promise<Buffer> {
  return runQueued(lane, () =>
    derive('argon2id', { message, nonce, ...cost, parallelism: 1, tagLength: 32 }),
  );
}

const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
