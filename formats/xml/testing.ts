import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceError, type Source, type SourceFormat, type SourceLayer } from '../source/source.ts';
import { readPartsOf, type SeenFeature } from '../testing-parts.ts';
import { seeded } from '../wkb/testing.ts';

export interface SeenLayer {
  readonly name: string | undefined;
  readonly crs: string | undefined;
  readonly featureCount: number | undefined;
  readonly fields: SourceLayer['fields'];
  readonly partCount: number;
  readonly features: readonly SeenFeature[];
}

export interface ReadFileOptions {
  readonly encoding?: string;
  readonly partBytes?: number;
  readonly maxFeatureBytes?: number;
}

/** Opens and reads all of a file with the given content, as a job would. */
export async function readFileOf(
  format: SourceFormat,
  content: string | Uint8Array,
  options: ReadFileOptions = {},
): Promise<{ layers: readonly SeenLayer[]; warnings: Source['warnings'] }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-xml-'));
  try {
    const path = join(folder, 'file');
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    await writeFile(path, bytes);
    const { encoding, partBytes = 1 << 20, maxFeatureBytes = 1 << 26 } = options;
    const file = {
      path,
      name: 'file',
      size: bytes.length,
      related: {},
      ...(encoding !== undefined && { encoding }),
    };
    const source = await format.open(file, { signal: new AbortController().signal, partBytes });
    const layers: SeenLayer[] = [];
    for (const { name, crs, featureCount, fields, parts } of source.layers) {
      const features = await readPartsOf(format, parts, [], maxFeatureBytes);
      if (featureCount !== undefined) assert.equal(features.length, featureCount);
      layers.push({ name, crs, featureCount, fields, partCount: parts.length, features });
    }
    return { layers, warnings: source.warnings };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Text with tags lost, doubled, moved, bytes changed, and cut off. */
export function mutateText(bytes: Uint8Array, seed: number): Uint8Array {
  const random = seeded(seed * 7919 + 1);
  let copy = Buffer.from(bytes);
  for (let change = 0; change <= random(5); change++) {
    const at = random(copy.length);
    const until = Math.min(copy.length, at + random(60));
    const kind = random(6);
    if (kind === 0) copy[at]! ^= 1 << random(8);
    else if (kind === 1) copy[at] = '<>/&"\'=![]{},.-e9 \0'.charCodeAt(random(20));
    else if (kind === 2) copy = Buffer.concat([copy.subarray(0, at), copy.subarray(until)]);
    else if (kind === 3) copy = Buffer.concat([copy.subarray(0, until), copy.subarray(at)]);
    else if (kind === 4) {
      const to = random(copy.length);
      copy = Buffer.concat([copy.subarray(0, to), copy.subarray(at, until), copy.subarray(to)]);
    } else if (random(3) === 0) copy = copy.subarray(0, Math.max(1, at));
  }
  return copy;
}

/** Reads 200 damaged copies: each gives features or fails with a SourceError, in two seconds of CPU and little memory. */
export async function survivesMutations(format: SourceFormat, content: string): Promise<void> {
  const bytes = Buffer.from(content);
  let failed = 0;
  const rssBefore = process.memoryUsage().rss;
  for (let seed = 0; seed < 200; seed++) {
    const before = process.threadCpuUsage();
    try {
      await readFileOf(format, mutateText(bytes, seed), { partBytes: 2000 });
    } catch (error) {
      assert.ok(error instanceof SourceError, `seed ${seed}: ${String(error)} ${(error as Error).stack}`);
      assert.ok(error.message.length > 10);
      failed++;
    }
    const { user, system } = process.threadCpuUsage(before);
    assert.ok((user + system) / 1000 < 2000, `seed ${seed} takes too long`);
    const grown = process.memoryUsage().rss - rssBefore;
    assert.ok(grown < 256 * 2 ** 20, `seed ${seed} takes too much memory`);
  }
  assert.ok(failed > 20 && failed < 200, `${failed} of 200 failed`);
}
