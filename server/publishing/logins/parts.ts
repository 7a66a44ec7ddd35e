import { isUnchanged } from '../../base/is-unchanged.ts';
import type { LoginFacts, loginFields } from '@platen/contract/login-credentials';
import { invalidAt } from '../../base/failure.ts';
import type { Secrets } from '../../base/secrets/secrets.ts';
import { fingerprintOf } from './ssh-key.ts';

const plainNames = ['username', 'accessKeyId'] as const;
const secretNames = ['password', 'privateKey', 'passphrase', 'secretAccessKey', 'sessionToken'] as const;
const names: readonly PartName[] = [...plainNames, ...secretNames];

type PartName = keyof typeof loginFields;

/** The decrypted parts of a login; they are only ever in memory. */
export type LoginParts = { readonly [Name in PartName]?: string };

type GivenParts = { readonly [Name in PartName]?: string | null | undefined };

/** The parts that a body gives; null: it takes one away. */
export function partsIn(body: GivenParts): GivenParts {
  const given = names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
  return Object.fromEntries(given) as GivenParts;
}

/** Whether a body gives no field another value, and no secret: secrets are not in what users read. */
export function isSameLogin(stored: object, body: GivenParts): boolean {
  return Object.keys(partsIn(body)).every((name) => name in stored) && isUnchanged(stored, body);
}

/** Merges given parts into the stored ones; a new key removes the passphrase or session token of the old one. */
export function mergeParts(stored: LoginParts, given: GivenParts): LoginParts {
  const { passphrase, sessionToken, ...others } = stored;
  const kept = {
    ...others,
    ...(passphrase !== undefined && given.privateKey === undefined && { passphrase }),
    ...(sessionToken !== undefined && given.secretAccessKey === undefined && { sessionToken }),
  };
  const merged = Object.entries({ ...kept, ...given }).filter(([, value]) => value !== null);
  const parts = Object.fromEntries(merged) as LoginParts;
  return parts.privateKey === undefined ? parts : { ...parts, privateKey: `${parts.privateKey.trim()}\n` };
}

/** The sets of parts for each type of server or login; one of the sets must be complete. */
const whole = {
  aws: [['accessKeyId', 'secretAccessKey']],
  userPassword: [['username', 'password']],
  sshKey: [['username', 'privateKey']],
  s3: [['accessKeyId', 'secretAccessKey']],
  ftp: [['username', 'password']],
  sftp: [
    ['username', 'password'],
    ['username', 'privateKey'],
  ],
} as const satisfies Record<string, readonly (readonly PartName[])[]>;

export type LoginKind = keyof typeof whole;

/** @throws Failure `invalid` that points to the missing part */
export function requireWhole(kind: LoginKind, parts: LoginParts): void {
  const choices: readonly (readonly PartName[])[] = whole[kind];
  if (choices.some((choice) => choice.every((name) => parts[name] !== undefined))) return;
  const missing = choices[0]!.find((name) => parts[name] === undefined)!;
  const or = kind === 'sftp' && missing === 'password' ? ', or a privateKey' : '';
  throw invalidAt(`/${missing}`, `This field is required${or}.`, 'required');
}

/** The facts about a login that are not secret. @throws Failure `invalid` if the private key is not valid */
export function factsOf(parts: LoginParts): LoginFacts {
  const { username, accessKeyId, password, privateKey, passphrase, secretAccessKey, sessionToken } = parts;
  return {
    ...(username !== undefined && { username }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(password !== undefined && { hasPassword: true }),
    ...(privateKey !== undefined && {
      hasPrivateKey: true,
      hasPassphrase: passphrase !== undefined,
      keyFingerprint: fingerprintOf(privateKey, passphrase),
    }),
    ...(secretAccessKey !== undefined && {
      hasSecretAccessKey: true,
      hasSessionToken: sessionToken !== undefined,
    }),
  };
}

/** The secret ones alone. */
export function sealParts(secrets: Secrets, parts: LoginParts, owner: string): Buffer {
  const secret = secretNames.filter((name) => parts[name] !== undefined).map((name) => [name, parts[name]]);
  return secrets.seal(JSON.stringify(Object.fromEntries(secret)), owner);
}

interface Stored {
  readonly login: LoginFacts;
  readonly secret: Buffer;
}

/** @throws Failure `unusable_reference` where no key of the service opens them */
export function openParts(secrets: Secrets, { login, secret }: Stored, owner: string): LoginParts {
  const { username, accessKeyId } = login;
  return {
    ...(username !== undefined && { username }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(JSON.parse(secrets.open(secret, owner)) as LoginParts),
  };
}
