import type {
  Credential,
  CredentialChange,
  CredentialType,
  NewCredential,
} from '@platen/contract/credentials';
import type {
  LoginCredential,
  LoginCredentialChange,
  LoginType,
  NewLoginCredential,
} from '@platen/contract/login-credentials';

export const targetFieldsOf = {
  fs: ['folder'],
  sftp: ['host', 'port', 'folder', 'hostKey'],
  ftp: ['host', 'port', 'folder', 'isSecure'],
  s3: ['endpoint', 'region', 'bucket', 'prefix', 'isPathStyle'],
} as const satisfies Record<CredentialType, readonly string[]>;
export type TargetField = (typeof targetFieldsOf)[CredentialType][number];

export const loginFieldsOf = {
  userPassword: ['username', 'password'],
  sshKey: ['username', 'privateKey', 'passphrase'],
  aws: ['accessKeyId', 'secretAccessKey', 'sessionToken'],
} as const satisfies Record<LoginType, readonly string[]>;
export type LoginField = (typeof loginFieldsOf)[LoginType][number];

/** The login types that each destination type accepts, the usual one first. */
export const loginTypesOf = {
  fs: [],
  sftp: ['userPassword', 'sshKey'],
  ftp: ['userPassword'],
  s3: ['aws'],
} as const satisfies Record<CredentialType, readonly LoginType[]>;

/** Fields that can be written but are never returned. */
export const secretFields: ReadonlySet<string> = new Set<LoginField>([
  'password',
  'privateKey',
  'passphrase',
  'secretAccessKey',
  'sessionToken',
]);
/** The field in which the service reports that it has a secret. */
export const factOf = (secret: string) => `has${secret.slice(0, 1).toUpperCase()}${secret.slice(1)}`;

export const optionalFields: ReadonlySet<string> = new Set<TargetField | LoginField>([
  'port',
  'hostKey',
  'endpoint',
  'prefix',
  'passphrase',
  'sessionToken',
]);
/** Fields that null removes. */
const removable: ReadonlySet<string> = new Set(['hostKey', 'endpoint']);
const flags: ReadonlySet<string> = new Set(['isSecure', 'isPathStyle']);

/** The form's fields as text; an empty secret is left unchanged. */
export type Typed = Record<string, string>;

/** How to sign in: with a new login, with the user's stored login, or not at all. */
export type LoginMode = LoginType | 'own' | 'none';

export interface CredentialDraft {
  name: string;
  description: string;
  type: CredentialType;
  typed: Typed;
  isSecure: boolean;
  isPathStyle: boolean;
  mode: LoginMode;
  loginCredentialId: string;
}

export function credentialDraft(stored: Credential | undefined): CredentialDraft {
  const facts = (stored ?? {}) as unknown as Readonly<Record<string, string | number | undefined>>;
  const text = (name: string) => String(facts[name] ?? '');
  const names = [
    'folder',
    'host',
    'port',
    'hostKey',
    'endpoint',
    'region',
    'bucket',
    'prefix',
    'username',
    'accessKeyId',
  ];
  const type = stored?.type ?? 'sftp';
  return {
    name: stored?.name ?? '',
    description: stored?.description ?? '',
    type,
    typed: Object.fromEntries(names.map((name) => [name, text(name)])),
    isSecure: stored?.isSecure ?? true,
    isPathStyle: stored?.isPathStyle ?? stored?.endpoint !== undefined,
    mode: modeOf(stored) ?? loginTypesOf[type][0] ?? 'none',
    loginCredentialId: stored?.loginCredentialId ?? '',
  };
}

function modeOf(stored: Credential | undefined): LoginMode | undefined {
  if (stored?.loginCredentialId !== undefined) return 'own';
  if (stored?.hasPrivateKey) return 'sshKey';
  return undefined;
}

function targetBody({ type, typed, isSecure, isPathStyle }: CredentialDraft): Record<string, unknown> {
  const entries = targetFieldsOf[type].flatMap((name): [string, unknown][] => {
    const text = (typed[name] ?? '').trim();
    if (flags.has(name)) return [[name, name === 'isSecure' ? isSecure : isPathStyle]];
    if (name === 'port') return text === '' ? [] : [[name, Number(text)]];
    return text === '' && optionalFields.has(name) && name !== 'prefix' ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

/** The typed values of these fields; an empty secret is omitted. */
const typedIn = (typed: Typed, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (typed[name] ? [[name, typed[name]]] : [])));

const loginBody = ({ mode, typed, loginCredentialId }: CredentialDraft) => {
  if (mode === 'none') return {};
  return mode === 'own' ? { loginCredentialId } : typedIn(typed, loginFieldsOf[mode]);
};

export function newCredential(draft: CredentialDraft): NewCredential {
  const { type, name, description } = draft;
  const body = { type, name: name.trim(), description, ...targetBody(draft), ...loginBody(draft) };
  return body as unknown as NewCredential;
}

/** The fields that differ from the stored ones, and the secrets that were typed. */
export function credentialChange(draft: CredentialDraft, stored: Credential): CredentialChange {
  const before = credentialDraft(stored);
  const facts = stored as unknown as Record<string, unknown>;
  const target = targetBody(draft);
  const gone = targetFieldsOf[draft.type].filter(
    (name) => removable.has(name) && facts[name] !== undefined && !(name in target),
  );
  const login = loginBody(draft) as Record<string, unknown>;
  const changes = Object.entries({ name: draft.name.trim(), description: draft.description, ...target });
  const isLoginNew = Object.entries(login).some(([name, value]) => facts[name] !== value);
  return {
    ...Object.fromEntries(changes.filter(([name, value]) => facts[name] !== value)),
    ...(isLoginNew && login), // in full: another server needs all of it
    ...Object.fromEntries(gone.map((name) => [name, null])),
    ...(draft.mode !== before.mode && leaving(before.mode)),
  };
}

/** Fields to remove when the sign-in method changes. */
function leaving(mode: LoginMode): CredentialChange {
  if (mode === 'own') return { loginCredentialId: null };
  if (mode === 'sshKey') return { privateKey: null, passphrase: null };
  return mode === 'userPassword' ? { password: null } : {};
}

export interface LoginDraft {
  name: string;
  description: string;
  type: LoginType;
  typed: Typed;
}

export const loginDraft = (stored: LoginCredential | undefined): LoginDraft => ({
  name: stored?.name ?? '',
  description: stored?.description ?? '',
  type: stored?.type ?? 'userPassword',
  typed: { username: stored?.username ?? '', accessKeyId: stored?.accessKeyId ?? '' },
});

export const newLogin = ({ name, description, type, typed }: LoginDraft): NewLoginCredential =>
  ({ name: name.trim(), description, type, ...typedIn(typed, loginFieldsOf[type]) }) as NewLoginCredential;

export const loginChange = ({ name, description, type, typed }: LoginDraft): LoginCredentialChange => ({
  name: name.trim(),
  description,
  ...typedIn(typed, loginFieldsOf[type]),
});
