import { gzipSync } from 'node:zlib';
import { encodeTarHeader } from '@platen/formats/tar/write-tar';

interface Entry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** The type flag of ustar: `1` a hard link, `2` a symbolic link, `3` a device; a file by default. */
  readonly type?: string;
}

/** An archive with these entries, as they are. */
export async function archiveOf(entries: readonly Entry[]): Promise<Buffer<ArrayBuffer>> {
  const blocks = entries.map(({ name, content = '', type }) => {
    const size = Buffer.byteLength(content);
    const padded = Buffer.alloc(Math.ceil(size / 512) * 512);
    Buffer.from(content).copy(padded);
    return Buffer.concat([encodeTarHeader({ path: name, size, updatedAt: new Date(0) }, type), padded]);
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])) as Buffer<ArrayBuffer>;
}

interface Plugin {
  readonly name?: string;
  readonly version?: string;
  readonly mapVersion?: unknown;
  /** Below package/. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What npm pack makes of a plugin. */
export function packPlugin({
  name = '@city/lamps',
  version = '1.0.0',
  mapVersion = '^6.0',
  files,
}: Plugin = {}) {
  const manifest = { name, version, description: `Lamps ${version}`, mapVersion };
  const all = {
    'package.json': JSON.stringify(manifest),
    'README.md': '# Lamps',
    'src/index.ts': 'export {}',
    ...(files ?? { 'dist/index.js': `export default () => ({ name: '${name}', version: '${version}' });\n` }),
  };
  return archiveOf(Object.entries(all).map(([path, content]) => ({ name: `package/${path}`, content })));
}

export function formOf(archive: BlobPart): FormData {
  const form = new FormData();
  form.append('file', new Blob([archive]), 'plugin.tgz');
  return form;
}
