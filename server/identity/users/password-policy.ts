import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '../../base/config.ts';
import { invalidAt } from '../../base/failure.ts';
import type { GivenPassword } from '../../base/secrets/passwords.ts';

/** The account that a password is for. */
interface Account {
  readonly username: string;
  readonly email: string;
  /** Administrators and super users need longer passwords. */
  readonly isAdmin: boolean;
}

type PasswordLengths = Pick<Settings, 'minPasswordLength' | 'minAdminPasswordLength'>;

/** Different characters, so that eight spaces are no password. */
const minDifferent = 4;
/** Shorter names occur in other words by chance. */
const minNameLength = 4;

let commonPasswords: ReadonlySet<string> | undefined;
let commonHashes: ReadonlySet<string> | undefined;

/**
 * Refuses passwords that are guessed first, when they are chosen; those of existing accounts stay valid. The
 * length of a hashed password is unknown: it is only compared with the list and the name.
 * @throws Failure `invalid` at /password
 */
export function requireStrongPassword(
  given: GivenPassword,
  account: Account,
  lengths: PasswordLengths,
): void {
  const problem = weaknessOf(given, account, lengths);
  if (problem !== undefined) throw invalidAt('/password', problem);
}

/** @returns a sentence that says what is wrong; undefined if the password may be used */
export function weaknessOf(
  { password, algorithm }: GivenPassword,
  account: Account,
  lengths: PasswordLengths,
): string | undefined {
  if (algorithm === 'sha-256') return weaknessOfHash(password, account);
  const { isAdmin, ...names } = account;
  const min = isAdmin
    ? Math.max(lengths.minAdminPasswordLength, lengths.minPasswordLength)
    : lengths.minPasswordLength;
  if (Array.from(password).length < min)
    return `The password must have at least ${min} characters${isAdmin ? ', as the user is an administrator' : ''}.`;
  const lower = password.toLowerCase();
  if (readCommonPasswords().has(lower)) return tooCommon;
  if (new Set(lower).size < minDifferent) return tooUniform;
  const isName = namesOf(names).some(
    (name) => name === lower || (name.length >= minNameLength && lower.includes(name)),
  );
  return isName ? containsName : undefined;
}

const tooCommon =
  'The password is one of the 10,000 most common ones, which attackers try first. Choose another one.';
const tooUniform = `The password must have at least ${minDifferent} different characters.`;
const containsName = 'The password must not contain the username or the email address.';

function weaknessOfHash(given: string, names: Omit<Account, 'isAdmin'>): string | undefined {
  if (!/^[0-9a-f]{64}$/i.test(given))
    return 'With algorithm sha-256, the password must be the 64 hexadecimal digits of its hash.';
  const lower = given.toLowerCase();
  if (hashCommonPasswords().has(lower)) return tooCommon;
  const exact = [names.username, names.email, ...namesOf(names)];
  return exact.flatMap(spellingsOf).some((name) => sha256(name) === lower) ? containsName : undefined;
}

/** The name, the address and its local part, in lower case. */
function namesOf({ username, email }: Omit<Account, 'isAdmin'>): string[] {
  const lower = email.toLowerCase();
  return [username.toLowerCase(), lower, lower.split('@')[0]!].filter((name) => name !== '');
}

function readCommonPasswords(): ReadonlySet<string> {
  const path = new URL('common-passwords/passwords.txt', import.meta.url);
  return (commonPasswords ??= new Set(readFileSync(path, 'utf8').split('\n').filter(Boolean)));
}

function hashCommonPasswords(): ReadonlySet<string> {
  return (commonHashes ??= new Set([...readCommonPasswords()].flatMap(spellingsOf).map(sha256)));
}

/** As people write a word: a hash does not tell the case of its letters. */
const spellingsOf = (text: string): string[] => [
  text,
  text.charAt(0).toUpperCase() + text.slice(1),
  text.toUpperCase(),
];

const sha256 = (text: string) => hash('sha256', text);
