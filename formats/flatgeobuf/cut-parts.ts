import type { FileHandle } from 'node:fs/promises';
import { nodeBytes } from './packed-tree.ts';
import { readBytes, type Header } from './read-header.ts';

/** A range of whole features. */
export interface FeatureRange {
  /** Bytes of the file, from and to before. */
  readonly start: number;
  readonly end: number;
  /** The first one's number, from 1. */
  readonly first: number;
  /** The expected number of features; undefined if the file does not say. */
  readonly count: number | undefined;
}

export interface CutOptions {
  readonly fileBytes: number;
  readonly partBytes: number;
  readonly signal: AbortSignal;
}

const maxParts = 10_000;

/**
 * Ends of features near equal shares of the bytes, found in the leaves of the index by halving, so that hardly any
 * of it is read. Undefined where the leaves contradict the file: then it must be walked.
 */
export async function cutByIndex(
  handle: FileHandle,
  { featureCount, featuresStart }: Header,
  { fileBytes, partBytes }: CutOptions,
): Promise<FeatureRange[] | undefined> {
  const total = fileBytes - featuresStart;
  const leaves = featuresStart - featureCount * nodeBytes;
  const offsetOf = async (leaf: number): Promise<number> => {
    const bytes = await readBytes(handle, leaves + leaf * nodeBytes + nodeBytes - 8, 8);
    return bytes.length < 8 ? Number.NaN : Number(bytes.readBigUInt64LE(0));
  };
  const partCount = Math.min(maxParts, featureCount, Math.max(1, Math.ceil(total / partBytes)));
  const cuts = [{ leaf: 0, offset: await offsetOf(0) }];
  for (let part = 1; part < partCount; part++) {
    const target = (total * part) / partCount;
    let low = cuts.at(-1)!.leaf;
    let high = featureCount - 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await offsetOf(middle)) < target) low = middle + 1;
      else high = middle;
    }
    if (low > cuts.at(-1)!.leaf) cuts.push({ leaf: low, offset: await offsetOf(low) });
  }
  cuts.push({ leaf: featureCount, offset: total });
  const ascending = cuts.every(({ offset }, i) => (i === 0 ? offset === 0 : offset > cuts[i - 1]!.offset));
  if (!ascending) return undefined;
  return cuts.slice(1).map(({ leaf, offset }, i) => ({
    start: featuresStart + cuts[i]!.offset,
    end: featuresStart + offset,
    first: cuts[i]!.leaf + 1,
    count: leaf - cuts[i]!.leaf,
  }));
}

const windowBytes = 1 << 20;

/** Walks from feature to feature by their lengths alone. An impossible length leaves the rest to the last part. */
export async function cutByWalking(
  handle: FileHandle,
  { featureCount, featuresStart }: Header,
  { fileBytes, partBytes, signal }: CutOptions,
): Promise<FeatureRange[]> {
  const targetBytes = Math.max(partBytes, (fileBytes - featuresStart) / maxParts);
  const cuts = [{ at: featuresStart, before: 0 }];
  let at = featuresStart;
  let count = 0;
  while (at + 4 <= fileBytes) {
    signal.throwIfAborted();
    const window = await readBytes(handle, at, Math.min(windowBytes, fileBytes - at));
    if (window.length < 4) break;
    let within = 0;
    while (within + 4 <= window.length) {
      if (at + within - cuts.at(-1)!.at >= targetBytes) cuts.push({ at: at + within, before: count });
      within += 4 + window.readUInt32LE(within);
      count++;
    }
    at += within;
  }
  const whole = at === fileBytes;
  const total = featureCount > 0 ? featureCount : whole ? count : undefined;
  return cuts.map(({ at: start, before }, i) => {
    const next = cuts[i + 1];
    const until = next === undefined ? total : next.before;
    return {
      start,
      end: next?.at ?? fileBytes,
      first: before + 1,
      count: until === undefined ? undefined : Math.max(0, until - before),
    };
  });
}
