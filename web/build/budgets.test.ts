import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { wordsFile } from './messages-plugin.ts';

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const manifestFile = `${dist}.vite/manifest.json`;
const skip = !existsSync(manifestFile) && 'the interface is not built: npm run build';
const manifest = skip ? {} : (JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>);

const sizes = new Map<string, number>();
function sizeOf(file: string): number {
  if (!file.endsWith('.js')) return 0;
  const known = sizes.get(file) ?? gzipSync(readFileSync(dist + file), { level: 9 }).length;
  sizes.set(file, known);
  return known;
}

/** The bytes of script, as gzip, that the browser has to have before it can show what these modules show. */
function bytesFor(modules: readonly string[]): number {
  const reached = new Set<string>();
  const reach = (key: string) => {
    const chunk = manifest[key];
    assert.ok(chunk, key);
    if (reached.has(chunk.file)) return;
    reached.add(chunk.file);
    for (const next of [...(chunk.imports ?? []), ...(wordsOf[chunk.file] ?? []).map(words)]) reach(next);
  };
  for (const key of modules) reach(key);
  return [...reached].reduce((sum, file) => sum + sizeOf(file), 0);
}

const entry = Object.keys(manifest).find((key) => manifest[key]!.isEntry)!;
const words = (area: string) =>
  Object.keys(manifest).find((key) => key.endsWith(`virtual:messages/de/${area}`))!;
/** The areas whose words a chunk waits for. */
const wordsOf = skip ? {} : (JSON.parse(readFileSync(dist + wordsFile, 'utf8')) as Record<string, string[]>);
const pages = Object.keys(manifest).filter((key) => /^[\w-]+\/\w+Page\.vue$/.test(key));
const kilobytes = (bytes: number) => Math.round(bytes / 100) / 10;

test('signing in takes at most 90 kB of script', { skip }, (t) => {
  const bytes = bytesFor([entry, words('first'), 'login/LoginPage.vue']);
  t.diagnostic(`${kilobytes(bytes)} kB`);
  assert.ok(bytes <= 90_000, `${bytes} bytes`);
});

test('every page takes at most 170 kB of script, before its map and its editor', { skip }, (t) => {
  assert.ok(pages.length > 20);
  const frame = [entry, words('first'), 'shell/AppShell.vue', 'project/ProjectFrame.vue'];
  const each = pages.map((key) => [key, bytesFor([...frame, key])] as const).toSorted((a, b) => b[1] - a[1]);
  for (const [key, bytes] of each.slice(0, 5)) t.diagnostic(`${key}: ${kilobytes(bytes)} kB`);
  assert.deepEqual(
    each.filter(([, bytes]) => bytes > 170_000).map(([key, bytes]) => `${key}: ${kilobytes(bytes)} kB`),
    [],
  );
});
