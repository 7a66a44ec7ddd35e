import { readVarint } from './record.ts';
import { decoding, SqliteError } from './sqlite-error.ts';

export type NodeKind = 'table' | 'index';

/** One page of a b-tree (fileformat2, 1.6). */
export interface NodePage {
  readonly isLeaf: boolean;
  readonly count: number;
  /** Behind the last cell; 0 in a leaf. */
  readonly rightChild: number;
  cell(index: number): Cell;
}

/** Fields that this kind of cell does not have are 0. */
export interface Cell {
  readonly leftChild: number;
  readonly rowid: number | bigint;
  /** Bytes, including overflow pages. */
  readonly payloadBytes: number;
  /** The part of the payload in this page. */
  readonly local: Uint8Array;
  readonly overflowPage: number;
}

const types: Readonly<Record<number, { kind: NodeKind; isLeaf: boolean }>> = {
  2: { kind: 'index', isLeaf: false },
  5: { kind: 'table', isLeaf: false },
  10: { kind: 'index', isLeaf: true },
  13: { kind: 'table', isLeaf: true },
};

/** @throws SqliteError */
export function decodeNode(
  page: Uint8Array,
  { kind, number, usableSize }: { kind: NodeKind; number: number; usableSize: number },
): NodePage {
  const start = number === 1 ? 100 : 0;
  const view = new DataView(page.buffer, page.byteOffset, usableSize);
  const type = types[view.getUint8(start)];
  if (type?.kind !== kind) throw new SqliteError('the database is damaged: a page has the wrong type');
  const { isLeaf } = type;
  const pointers = start + (isLeaf ? 8 : 12);
  const count = view.getUint16(start + 3);
  if (pointers + count * 2 > usableSize)
    throw new SqliteError('the database is damaged: a page has too many cells');
  return {
    isLeaf,
    count,
    rightChild: isLeaf ? 0 : view.getUint32(start + 8),
    cell: (index) =>
      decoding(() => decodeCell(view, view.getUint16(pointers + index * 2), { kind, isLeaf, usableSize })),
  };
}

interface CellKind {
  readonly kind: NodeKind;
  readonly isLeaf: boolean;
  readonly usableSize: number;
}

function decodeCell(view: DataView, start: number, { kind, isLeaf, usableSize }: CellKind): Cell {
  const leftChild = isLeaf ? 0 : view.getUint32(start);
  let at = start + (isLeaf ? 0 : 4);
  if (kind === 'table' && !isLeaf) {
    return {
      leftChild,
      rowid: readVarint(view, at).value,
      payloadBytes: 0,
      local: new Uint8Array(0),
      overflowPage: 0,
    };
  }
  const payload = readVarint(view, at);
  at = payload.end;
  let rowid: number | bigint = 0;
  if (kind === 'table') ({ value: rowid, end: at } = readVarint(view, at));
  const payloadBytes = Number(payload.value);
  const localBytes = localOf(payloadBytes, kind, usableSize);
  if (payloadBytes < 0 || at + localBytes > usableSize)
    throw new RangeError('a cell passes the end of its page');
  const local = new Uint8Array(view.buffer, view.byteOffset + at, localBytes);
  const overflowPage = localBytes < payloadBytes ? view.getUint32(at + localBytes) : 0;
  return { leftChild, rowid, payloadBytes, local, overflowPage };
}

/** Bytes of a payload that are stored in the page itself (fileformat2, 1.6). */
function localOf(payloadBytes: number, kind: NodeKind, usableSize: number): number {
  const max = kind === 'table' ? usableSize - 35 : Math.floor(((usableSize - 12) * 64) / 255) - 23;
  if (payloadBytes <= max) return payloadBytes;
  const min = Math.floor(((usableSize - 12) * 32) / 255) - 23;
  const fitting = min + ((payloadBytes - min) % (usableSize - 4));
  return fitting <= max ? fitting : min;
}
