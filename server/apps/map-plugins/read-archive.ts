import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { maxPluginBytes, maxPluginFiles } from '@platen/contract/map-plugins';
import { readTar, type TarEntry } from '@platen/formats/tar/read-tar';
import { TarError } from '@platen/formats/tar/tar-header';
import { webTypeOf } from '../app-pages/web-types.ts';
import { Failure } from '../../base/failure.ts';
import { readManifest, type Manifest } from './manifest.ts';

export interface PluginFile {
  /** Below the folder of the plugin, as it is served. */
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

export interface PluginArchive extends Manifest {
  /** Sorted by path. */
  readonly files: readonly PluginFile[];
  /** Paths in dist/ and plugin-assets/ whose file type is not served. */
  readonly leftOut: readonly string[];
  /** Hash of the names and contents of the files. */
  readonly sha256: string;
  readonly hasReadme: boolean;
  readonly hasChangelog: boolean;
}

const maxEntries = 10_000;
const maxPathLength = 512;
const maxManifestBytes = 1024 * 1024;

const inflate = promisify(gunzip);

/**
 * Reads an archive made by npm pack in memory, and keeps only files that are served. Nothing is written or run.
 * @throws Failure `invalid` if it is not such an archive, `unprocessable` if it is not a plugin, `too_large`
 */
export async function readArchive(archive: Buffer): Promise<PluginArchive> {
  const found = new Map<string, PluginFile>();
  const leftOut: string[] = [];
  const texts = new Set<string>();
  let manifest: Manifest | undefined;
  for (const entry of entriesOf(await unpack(archive))) {
    const path = pathOf(entry.name);
    if (path === undefined || entry.type === 'folder') continue;
    if (/^[a-z]+\.md$/i.test(path)) texts.add(path.toLowerCase());
    if (path === 'package.json') {
      if (manifest) throw twice(path);
      manifest = readManifest(contentOf(entry, maxManifestBytes));
      continue;
    }
    const served = servedPathOf(path);
    if (served === undefined) continue;
    const type = webTypeOf(served);
    if (type === undefined) {
      if (leftOut.length < 100) leftOut.push(path);
      continue;
    }
    if (found.has(served)) throw twice(path);
    if (found.size >= maxPluginFiles) throw tooMany();
    const bytes = contentOf(entry, maxPluginBytes);
    found.set(served, { path: served, type, bytes, sha256: digest(bytes) });
  }
  if (!manifest) throw new Failure('unprocessable', 'The archive has no package/package.json.');
  const files = [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  if (!found.get('index.js')?.bytes.length)
    throw new Failure('unprocessable', 'The plugin has no dist/index.js. Build it before packing it.');
  const sha256 = digest(files.map((file) => `${file.sha256} ${file.path}\n`).join(''));
  const has = { hasReadme: texts.has('readme.md'), hasChangelog: texts.has('changelog.md') };
  return { ...manifest, ...has, files, leftOut, sha256 };
}

export async function unpack(archive: Buffer): Promise<Buffer> {
  try {
    return await inflate(archive, { maxOutputLength: maxPluginBytes });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Failure('too_large', `An unpacked plugin must not exceed ${maxPluginBytes / 2 ** 20} MiB.`);
    throw new Failure(
      'invalid',
      'The file is not a gzip archive, or it is truncated. Send the archive that npm pack makes.',
      {
        cause: error,
      },
    );
  }
}

/** @throws Failure for links and whatever else is neither a file nor a folder */
export function* entriesOf(tar: Buffer): Generator<TarEntry> {
  let count = 0;
  try {
    for (const entry of readTar(tar)) {
      if (++count > maxEntries) throw tooMany();
      const { name, type } = entry;
      if (type !== 'file' && type !== 'folder')
        throw new Failure('invalid', `${shown(name)} is a ${type}. Only files and folders are allowed.`);
      yield entry;
    }
  } catch (error) {
    if (!(error instanceof TarError)) throw error;
    throw new Failure('invalid', 'The tar archive is damaged or truncated.', { cause: error });
  }
}

function contentOf({ name, content }: TarEntry, max: number): Buffer {
  const { length } = content;
  if (length > max)
    throw new Failure('too_large', `${shown(name)} has ${length} bytes. The limit is ${max} bytes.`);
  return Buffer.from(content); // a copy, as the archive would stay in memory with it
}

/** Below package/, where npm puts everything; undefined for that folder itself. */
function pathOf(name: string): string | undefined {
  const segments = name.replace(/\/$/, '').split('/');
  const isPlain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  // oxlint-disable-next-line no-control-regex -- it is about those
  if (!isPlain || name.length > maxPathLength || /[\u0000-\u001f\u007f\\]/.test(name))
    throw new Failure('invalid', `${shown(name)} is not a valid path in an npm archive.`);
  if (segments[0] !== 'package')
    throw new Failure('invalid', `${shown(name)} is outside package/. Send the archive that npm pack makes.`);
  return segments.length > 1 ? segments.slice(1).join('/') : undefined;
}

/** The path of the file below plugins/<name>/ of a map viewer. */
function servedPathOf(path: string): string | undefined {
  if (path.startsWith('dist/')) return path.slice('dist/'.length);
  return path.startsWith('plugin-assets/') ? path : undefined;
}

const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const shown = (name: string) => JSON.stringify(name.slice(0, 100));
const twice = (path: string) => new Failure('invalid', `${shown(path)} is in the archive twice.`);
const tooMany = () =>
  new Failure(
    'too_large',
    `A plugin can have at most ${maxPluginFiles} served files, and its archive at most ${maxEntries} entries.`,
  );
