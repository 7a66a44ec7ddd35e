import { setImmediate as nextTurn } from 'node:timers/promises';
import { openFileSync } from '@platen/formats/bytes/open-file-sync';
import { openZip, type ZipIndex } from '@platen/formats/zip/open-zip';
import { ZipError } from '@platen/formats/zip/zip-error';
import { cellKey, parentCell } from '@platen/geo/point-tree/cloud';
import type { JobContext } from '../../job-type.ts';
import { cellBelow, latticeCorner } from '../place/root-cube.ts';
import type { HandedNode, MadeTile, NodeAnswer } from '../tasks.ts';
import { contentPath, type Naming } from '../tile/tile-names.ts';
import type { UpdatePlan } from './plan-update.ts';

interface CopiedNode extends NodeAnswer {
  readonly tiles: MadeTile[];
  readonly inner: HandedNode[];
}

/** The largest parts of the tree that are as they were, with their tiles in the former archive. @throws ZipError */
export async function copyFormer(
  { former, cleanNodes }: UpdatePlan,
  naming: Naming,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<readonly NodeAnswer[]> {
  const { root } = naming;
  const copies: CopiedNode[] = [];
  /** By cell, the copy that it belongs to. */
  const owners = new Map<string, CopiedNode>();
  for (const node of cleanNodes) {
    const owner = node.cell.level === 0 ? undefined : owners.get(cellKey(parentCell(node.cell)));
    const copy: CopiedNode = owner ?? {
      kind: 'node',
      node,
      tiles: [],
      inner: [],
      warnings: [],
    };
    if (owner) owner.inner.push(node);
    else copies.push(copy);
    owners.set(cellKey(node.cell), copy);
  }
  const file = openFileSync(former.archive);
  try {
    const archive = await openZip(file);
    const corner = latticeCorner(root);
    for (const [i, tile] of former.tiles.entries()) {
      if (i % 100 === 99) await nextTurn();
      signal.throwIfAborted();
      const cell = cellBelow(root, tile.cell);
      const owner = cell && owners.get(cellKey(parentCell(cell)));
      if (cell === undefined || owner === undefined) continue;
      owners.set(cellKey(cell), owner);
      const box = tile.box.map((units, i) => units - corner[i % 3]!);
      const { part, count, hasContent } = tile;
      const content = hasContent
        ? await findContent(archive, contentPath({ cell, part }, naming), former.archive)
        : undefined;
      owner.tiles.push({ cell, part, count, box, content });
    }
  } finally {
    await file.close();
  }
  return copies;
}

/** @throws ZipError if the archive is damaged */
async function findContent(archive: ZipIndex, name: string, path: string): Promise<MadeTile['content']> {
  const member = await archive.find(name);
  if (member === undefined) throw new ZipError('damaged', `it has no ${name}`);
  const { packing, size, crc32, dataOffset: start, packedSize } = member;
  return { packing, size, crc32, range: { path, start, end: start + packedSize } };
}
