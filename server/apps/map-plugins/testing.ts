import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';

type Header = Parameters<ReturnType<typeof pack>['entry']>[0];

interface Entry extends Header {
  readonly content?: string | Buffer;
}

/** An archive with these entries, as they are. */
export async function archiveOf(entries: readonly Entry[]): Promise<Buffer<ArrayBuffer>> {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry(header, content);
  tar.finalize();
  return gzipSync(await buffer(Readable.from(tar))) as Buffer<ArrayBuffer>;
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
