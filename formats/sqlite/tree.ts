import { decodeNode, type Cell, type NodeKind, type NodePage } from './node-page.ts';
import type { Pages } from './pages.ts';
import type { SqliteHeader } from './read-header.ts';
import { compareValues, decodeRecord, type SqlValue } from './record.ts';
import { decoding, SqliteError } from './sqlite-error.ts';

/** The source of b-tree pages. */
export interface TreeFile {
  readonly header: SqliteHeader;
  readonly pages: Pages;
  /** Limit of a row in bytes. */
  readonly maxRowBytes: number;
}

/** A b-tree by its first page. */
export interface Tree {
  readonly file: TreeFile;
  readonly root: number;
}

export interface TreeRow {
  readonly rowid: number | bigint;
  readonly values: SqlValue[];
}

/** 20 levels hold more rows than any file has pages. */
const deepest = 20;

async function nodeAt({ header, pages }: TreeFile, number: number, kind: NodeKind): Promise<NodePage> {
  return decodeNode(await pages.get(number), { kind, number, usableSize: header.usableSize });
}

/** The row of a table with this rowid. @throws SqliteError */
export async function findRow({ file, root }: Tree, rowid: number | bigint): Promise<SqlValue[] | undefined> {
  let number = root;
  for (let depth = 0; depth < deepest; depth++) {
    const node = await nodeAt(file, number, 'table');
    const index = firstCell(node, (cell) => cell.rowid >= rowid);
    if (!node.isLeaf) {
      number = index < node.count ? node.cell(index).leftChild : node.rightChild;
      continue;
    }
    const cell = index < node.count ? node.cell(index) : undefined;
    return cell?.rowid === rowid ? await valuesOf(file, cell) : undefined;
  }
  throw tooDeep();
}

/** All rows of a table by rowid. @throws SqliteError */
export async function* scanRows({ file, root }: Tree): AsyncGenerator<TreeRow> {
  const visits = createVisits(file);
  async function* below(number: number, depth: number): AsyncGenerator<TreeRow> {
    visits.count(depth);
    const node = await nodeAt(file, number, 'table');
    for (let i = 0; i < node.count; i++) {
      const cell = node.cell(i);
      if (node.isLeaf) yield { rowid: cell.rowid, values: await valuesOf(file, cell, visits) };
      else yield* below(cell.leftChild, depth + 1);
    }
    if (!node.isLeaf) yield* below(node.rightChild, depth + 1);
  }
  yield* below(root, 0);
}

/** Search key of an index: values of its first columns, and which columns are descending. */
export interface IndexPrefix {
  readonly values: readonly SqlValue[];
  readonly isDescending: readonly boolean[];
  /** Also includes all entries behind those with the prefix. */
  readonly andAfter?: true;
}

/** The entries of an index that begin with these values, in its order; without values all. @throws SqliteError */
export async function* scanIndex({ file, root }: Tree, prefix: IndexPrefix): AsyncGenerator<SqlValue[]> {
  const visits = createVisits(file);
  const { encoding } = file.header;
  const order = (values: readonly SqlValue[]): number => {
    for (const [i, expected] of prefix.values.entries()) {
      const order = compareValues(values[i] ?? null, expected, encoding);
      if (order !== 0) return prefix.isDescending[i] ? -order : order;
    }
    return 0;
  };
  const isBefore = async (cell: Cell) => order(await keyOf(file, cell, prefix.values.length)) < 0;
  async function* below(number: number, depth: number): AsyncGenerator<SqlValue[], boolean> {
    visits.count(depth);
    const node = await nodeAt(file, number, 'index');
    for (let i = await firstEntry(node, isBefore); i < node.count; i++) {
      const cell = node.cell(i);
      if (!node.isLeaf && !(yield* below(cell.leftChild, depth + 1))) return false;
      const values = await valuesOf(file, cell, visits);
      const place = order(values);
      if (place > 0 && !prefix.andAfter) return false;
      if (place < 0) throw new SqliteError('one of its indexes is damaged: it is not sorted');
      yield values;
    }
    return node.isLeaf || (yield* below(node.rightChild, depth + 1));
  }
  yield* below(root, 0);
}

async function firstEntry(node: NodePage, isBefore: (cell: Cell) => Promise<boolean>): Promise<number> {
  let low = 0;
  let high = node.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isBefore(node.cell(middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstCell(node: NodePage, isIt: (cell: Cell) => boolean): number {
  let low = 0;
  let high = node.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isIt(node.cell(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Each page belongs to one place: of those that point to each other there would be no end. */
interface Visits {
  count(depth: number): void;
}

function createVisits({ header }: TreeFile): Visits {
  let visited = 0;
  return {
    count(depth) {
      if (depth >= deepest) throw tooDeep();
      if (++visited > header.pageCount)
        throw new SqliteError('the database is damaged: its pages form a loop');
    },
  };
}

async function valuesOf(file: TreeFile, cell: Cell, visits?: Visits): Promise<SqlValue[]> {
  const payload = cell.overflowPage === 0 ? cell.local : await gather(file, cell, visits);
  return decoding(() => decodeRecord(payload, file.header.encoding));
}

/** A key of an index is short; rows may be long in a table WITHOUT ROWID, whose key is at their beginning. */
const maxKeyBytes = 64 * 1024;

/** The first values of an entry, without reading all of it. */
async function keyOf(file: TreeFile, cell: Cell, count: number): Promise<SqlValue[]> {
  const { local, overflowPage, payloadBytes } = cell;
  const decode = (payload: Uint8Array) => decoding(() => decodeRecord(payload, file.header.encoding, count));
  try {
    return decode(local);
  } catch (error) {
    if (!(error instanceof SqliteError) || overflowPage === 0) throw error;
  }
  return decode(await gather(file, { ...cell, payloadBytes: Math.min(maxKeyBytes, payloadBytes) }));
}

/** Assembles a payload from the page and its overflow pages. */
async function gather(
  { header, pages, maxRowBytes }: TreeFile,
  { payloadBytes, local, overflowPage }: Cell,
  visits?: Visits,
): Promise<Uint8Array> {
  if (payloadBytes > maxRowBytes || payloadBytes > header.pageCount * header.pageSize)
    throw new SqliteError(`a row of the database is too long (${payloadBytes} bytes)`);
  const payload = new Uint8Array(payloadBytes);
  payload.set(local);
  let filled = local.length;
  for (let number = overflowPage; filled < payloadBytes;) {
    visits?.count(0);
    const page = await pages.get(number);
    const chunk = page.subarray(4, Math.min(header.usableSize, 4 + payloadBytes - filled));
    payload.set(chunk, filled);
    filled += chunk.length;
    number = new DataView(page.buffer, page.byteOffset, 4).getUint32(0);
  }
  return payload;
}

function tooDeep(): SqliteError {
  return new SqliteError('the database is damaged: a tree is too deep');
}
