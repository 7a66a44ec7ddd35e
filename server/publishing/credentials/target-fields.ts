import { isIP } from 'node:net';
import type { CredentialType } from '@platen/contract/credentials';
import type { Target } from '../../base/database/schema.ts';
import { invalidAt } from '../../base/failure.ts';
import { problemOfKey } from '../../files/objects/key.ts';

export const targetNames = {
  fs: ['folder', 'gzip'],
  ftp: ['host', 'port', 'isSecure', 'folder', 'gzip'],
  sftp: ['host', 'port', 'hostKey', 'folder', 'gzip'],
  s3: ['endpoint', 'region', 'bucket', 'isPathStyle', 'prefix', 'gzip', 'params'],
} as const satisfies Record<CredentialType, readonly (keyof Target)[]>;

type GivenTarget = { readonly [Name in keyof Target]?: Target[Name] | null | undefined };

/** The fields of a body that say where it leads, on top of the stored ones; whole, checked, and as they are kept. */
export function targetFrom(type: CredentialType, stored: Target, body: GivenTarget): Target {
  const given = targetNames[type]
    .filter((name) => body[name] !== undefined)
    .map((name) => [name, body[name]]);
  const merged = Object.entries({ ...stored, ...Object.fromEntries(given) }).filter(
    ([, value]) => value !== null,
  );
  const target = Object.fromEntries(merged) as Target;
  return { ...checks[type](target), ...(target.gzip === true && { gzip: true }) };
}

const checks: Readonly<Record<CredentialType, (target: Target) => Target>> = {
  fs: ({ folder }) => ({ folder: relativeFolder(required(folder, '/folder'), '/folder') }),
  ftp: ({ host = '', port = 21, isSecure = true, folder = '' }) => ({
    host: hostOf(host, '/host'),
    port,
    isSecure,
    folder: serverFolder(folder),
  }),
  sftp: ({ host = '', port = 22, hostKey, folder = '' }) => ({
    host: hostOf(host, '/host'),
    port,
    ...(hostKey !== undefined && { hostKey }),
    folder: serverFolder(folder),
  }),
  s3: ({
    endpoint,
    region = 'us-east-1',
    bucket,
    isPathStyle = endpoint !== undefined,
    prefix = '',
    params,
  }) => ({
    ...(endpoint !== undefined && { endpoint: originOf(endpoint) }),
    region,
    bucket: required(bucket, '/bucket'),
    isPathStyle,
    prefix: prefix.replace(/^\/|\/$/g, '') === '' ? '' : relativeFolder(prefix, '/prefix'),
    ...(params && { params }),
  }),
};

function required(value: string | undefined, pointer: string): string {
  if (value === undefined) throw invalidAt(pointer, 'This field is required.', 'required');
  return value;
}

/** Whether a login would be sent to another server than before. */
export function isOtherServer(one: Target, other: Target): boolean {
  const names = ['host', 'port', 'hostKey', 'isSecure', 'endpoint', 'region'] as const;
  return names.some((name) => one[name] !== other[name]);
}

/** A folder without slashes around it. @throws Failure `invalid` */
export function relativeFolder(raw: string, pointer: string): string {
  const folder = raw.replace(/^\/|\/$/g, '').normalize('NFC');
  const problem = problemOfKey(folder);
  if (problem !== undefined) throw invalidAt(pointer, problem.replaceAll(/\bkey\b/g, 'folder'), 'folder');
  return folder;
}

/** Absolute where it begins with a slash; empty: where the login leads. */
function serverFolder(raw: string): string {
  if (raw === '' || raw === '/') return raw;
  const folder = relativeFolder(raw, '/folder');
  return raw.startsWith('/') ? `/${folder}` : folder;
}

const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;

function hostOf(raw: string, pointer: string): string {
  const host = raw.toLowerCase();
  const isName = host
    .replace(/\.$/, '')
    .split('.')
    .every((part) => label.test(part));
  if (isIP(host) !== 0 || isName) return host;
  throw invalidAt(pointer, 'It must be a host name, such as files.example.org, or an IP address.', 'host');
}

function originOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isOrigin =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '') &&
    url.pathname === '/';
  if (isOrigin) return url.origin;
  throw invalidAt(
    '/endpoint',
    'It must be an address without a path, such as https://s3.example.org.',
    'endpoint',
  );
}
