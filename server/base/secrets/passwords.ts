import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The cost of one password guess. */
export interface PasswordCost {
  /** KiB, at least 8. */
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
export const defaultPasswordCost: PasswordCost = { memory: 19_456, passes: 2 };

const maxConcurrent = 4;
const derive = promisify(argon2);

export type Algorithm = 'plain' | 'sha-256' | undefined;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * The stored form of a password in PHC string format: argon2id of its hexadecimal SHA-256, so that clients may send
 * either the password or the hash.
 */
export async function hashPassword(
  password: string,
  cost: PasswordCost,
  algorithm?: Algorithm,
): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveTag(secretOf(password, algorithm), salt, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${encode(salt)}$${encode(tag)}`;
}

/** Takes as long for unknown users (`stored` undefined) as for wrong passwords. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  cost: PasswordCost,
  algorithm?: Algorithm,
): Promise<boolean> {
  const parts = stored?.split('$') ?? [];
  const salt = stored === undefined ? randomBytes(16) : Buffer.from(parts[4] ?? '', 'base64');
  const tag = await deriveTag(secretOf(password, algorithm), salt, cost);
  const expected = stored === undefined ? randomBytes(32) : Buffer.from(parts[5] ?? '', 'base64');
  return stored !== undefined && expected.length === tag.length && timingSafeEqual(expected, tag);
}

function secretOf(password: string, algorithm: Algorithm): string {
  if (algorithm === 'sha-256') return password.toLowerCase();
  return createHash('sha256').update(password, 'utf8').digest('hex');
}

/** Limits concurrency: each call takes 19 MiB and a thread for about 30 ms. */
export async function deriveTag(message: string, nonce: Buffer, cost: PasswordCost): Promise<Buffer> {
  if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await derive('argon2id', { message, nonce, ...cost, parallelism: 1, tagLength: 32 });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
