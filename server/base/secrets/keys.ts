import { randomBytes } from 'node:crypto';
import { link, open, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { keyBytes } from './secrets.ts';

interface KeySettings {
  /** The keys as text; undefined: they are in a file. */
  readonly secretKeys: string | undefined;
  /** undefined: a file in the data folder, created if missing. */
  readonly secretKeyFile: string | undefined;
  readonly dataFolder: string;
}

/** Reads the keys for encrypting secrets. @throws Error with one clear line that contains no key */
export async function readKeys({ secretKeys, secretKeyFile, dataFolder }: KeySettings): Promise<Buffer[]> {
  if (secretKeys !== undefined) return keysIn(secretKeys, 'PLATEN_SECRET_KEY');
  if (secretKeyFile !== undefined) return readKeyFile(secretKeyFile);
  const path = join(dataFolder, 'secret.key');
  if (!(await exists(path))) await makeKeyFile(path);
  return readKeyFile(path);
}

/** Parses keys that are separated by white space or commas. */
export function keysIn(text: string, where: string): Buffer[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const keys = words.flatMap((word) => keyOfText(word) ?? []);
  if (keys.length === words.length && keys.length > 0) return keys;
  throw new Error(
    `${where} must contain 32 bytes in base64 or hexadecimal digits, or several such keys. “openssl rand -base64 32” generates one.`,
  );
}

function keyOfText(word: string): Buffer | undefined {
  if (/^[\da-f]{64}$/i.test(word)) return Buffer.from(word, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(word)) return undefined;
  const key = Buffer.from(word, word.includes('-') || word.includes('_') ? 'base64url' : 'base64');
  return key.length === keyBytes ? key : undefined;
}

async function readKeyFile(path: string): Promise<Buffer[]> {
  const file = await open(path).catch((error: Error) => {
    throw new Error(`The secret key file ${path} cannot be read: ${error.message}`);
  });
  try {
    await requirePrivate(file, path);
    return keysIn(await file.readFile('utf8'), path);
  } finally {
    await file.close();
  }
}

/** Checks the open file, so that it cannot be replaced in between. Windows has no such modes. */
async function requirePrivate(file: FileHandle, path: string): Promise<void> {
  const info = await file.stat();
  if (!info.isFile()) throw new Error(`The secret key ${path} is not a file.`);
  if (process.platform === 'win32' || (info.mode & 0o077) === 0) return;
  throw new Error(`Other users can read the secret key file ${path}. Run “chmod 600 ${path}”.`);
}

/**
 * Creates the key file atomically and durably. If another process creates one at the same time, both use the same key.
 */
async function makeKeyFile(path: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}-${randomBytes(8).toString('hex')}`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(draft);
  }
  await syncFolder(dirname(path));
}

/** Makes a rename durable. Windows cannot open folders, and journals names itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
