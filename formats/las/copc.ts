import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';
import type { Chunk } from './laz-chunks.ts';

/** The record `copc info` (COPC 1.0). */
export interface CopcInfo {
  readonly centre: readonly [number, number, number];
  readonly halfSide: number;
  /** Between points of the root node, in units of the CRS. */
  readonly spacing: number;
  readonly rootOffset: number;
  readonly rootLength: number;
}

export interface CopcNode extends Chunk {
  /** 0 is the root, whose points are spread thinly over everything. */
  readonly level: number;
}

export function decodeCopcInfo(record: Uint8Array): CopcInfo {
  if (record.length < 72) throw new BytesError('its COPC record is damaged');
  const view = viewOf(record);
  const double = (i: number) => view.getFloat64(i * 8, true);
  return {
    centre: [double(0), double(1), double(2)],
    halfSide: double(3),
    spacing: double(4),
    rootOffset: Number(view.getBigUint64(40, true)),
    rootLength: Number(view.getBigUint64(48, true)),
  };
}

const entryBytes = 32;
const maxPageBytes = 4 << 20;

/** The nodes of the first page of the hierarchy, the thinnest first. @throws BytesError */
export async function readRootNodes(bytes: Bytes, { rootOffset, rootLength }: CopcInfo): Promise<CopcNode[]> {
  if (rootLength > maxPageBytes || rootLength % entryBytes !== 0)
    throw new BytesError('its COPC hierarchy is damaged');
  const page = viewOf(await readExactly(bytes, rootOffset, rootLength));
  const nodes: CopcNode[] = [];
  for (let at = 0; at < page.byteLength; at += entryBytes) {
    const node = {
      level: page.getInt32(at, true),
      offset: Number(page.getBigUint64(at + 16, true)),
      length: page.getInt32(at + 24, true),
      points: page.getInt32(at + 28, true),
    };
    // -1 is another page, 0 an empty node
    if (node.points <= 0) continue;
    if (node.level < 0 || node.length <= 0 || node.offset + node.length > bytes.size)
      throw new BytesError('its COPC hierarchy is damaged');
    nodes.push(node);
  }
  return nodes.toSorted((a, b) => a.level - b.level || a.offset - b.offset);
}
