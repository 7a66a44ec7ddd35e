import { BytesError, type Bytes } from '../../bytes/bytes.ts';
import { readExactly, viewOf } from '../../bytes/read-exactly.ts';
import { numberType } from '../../mesh-model/ply-values.ts';
import { readPlyHeader, strideOf, type PlyElement, type PlyHeader } from '../../mesh/ply.ts';
import { columnsOfNames, hasCoordinates } from '../column-names.ts';
import { partPoints, type PointFile, type PointNote } from '../point-file.ts';
import {
  brightestOf,
  createPointTable,
  createTableScan,
  hasPlace,
  scanRow,
  type TableColumns,
  type TableScan,
} from '../point-table.ts';
import { openText } from '../text/open-text.ts';
import type { TextScan } from '../text/scan-text.ts';

const maxHeaderBytes = 1 << 16;
const fieldsOfSplats = ['f_dc_0', 'opacity'];

export function isPly(head: Uint8Array): boolean {
  return /^ply\r?\n/.test(Buffer.from(head).toString('latin1', 0, 5));
}

/** The vertices of a PLY (Turk 1994) as points. @throws BytesError */
export async function openPly(bytes: Bytes, known?: unknown): Promise<PointFile> {
  const header = readPlyHeader(await bytes.read(0, maxHeaderBytes));
  const number = header.elements.findIndex(({ name }) => name === 'vertex');
  const vertex = header.elements[number];
  if (vertex === undefined) throw new BytesError('it has no vertices');
  if (vertex.count === 0) throw new BytesError('it contains no points');
  const names = vertex.properties.map(({ name }) => name);
  if (fieldsOfSplats.every((name) => names.includes(name)))
    throw new BytesError('it consists of Gaussian splats, which are no points');
  const columns = columnsOfNames(names);
  if (!hasCoordinates(columns)) throw new BytesError('its vertices have no x, y and z');
  const before = header.elements.slice(0, number);
  const file =
    header.encoding === 'ascii'
      ? await openAscii(bytes, { header, vertex, columns, before }, known as TextScan | undefined)
      : await openBinary(bytes, { header, vertex, columns, before }, known as TableScan | undefined);
  return { ...file, notes: [...file.notes, ...notesOf(header)] };
}

interface Vertices {
  readonly header: PlyHeader;
  readonly vertex: PlyElement;
  readonly columns: TableColumns;
  /** The elements whose values come first. */
  readonly before: readonly PlyElement[];
}

function notesOf({ elements }: PlyHeader): PointNote[] {
  return elements
    .filter(({ name, count }) => name !== 'vertex' && count > 0)
    .map(({ name, count }) => ({
      code: 'unusedContent',
      message: `has ${count} elements "${name.slice(0, 50)}" besides its points; they are left out`,
      times: count,
    }));
}

async function openAscii(
  bytes: Bytes,
  { header, vertex, columns, before }: Vertices,
  scan: TextScan | undefined,
): Promise<PointFile> {
  if (before.some(({ count }) => count > 0))
    throw new BytesError('its vertices are not its first element: write it again, such as by CloudCompare');
  const width = Math.max(...Object.values(columns)) + 1;
  const names = vertex.properties.map(({ name }) => name);
  const file = await openText(
    bytes,
    { kind: 'table', start: header.bytes, point: 46, columns, names, width },
    { range: { start: header.bytes, rows: vertex.count }, ...(scan && { scan }) },
  );
  const found = file.partPoints.reduce((sum, points) => sum + points, 0);
  const unreadable = file.notes.reduce((sum, { times }) => sum + times, 0);
  return withMissing(file, vertex.count - found - unreadable, vertex.count);
}

function withMissing(file: PointFile, missing: number, count: number): PointFile {
  if (missing <= 0) return file;
  const message = `is cut off: ${missing} of ${count} points are missing`;
  return { ...file, notes: [...file.notes, { code: 'cutSheet', message, times: missing }] };
}

/** How a number is read from a view. */
type ReadNumber = (view: DataView, at: number) => number;

async function openBinary(
  bytes: Bytes,
  vertices: Vertices,
  known: TableScan | undefined,
): Promise<PointFile> {
  const { header, vertex, columns } = vertices;
  const stride = strideOf(vertex);
  if (stride === undefined) throw new BytesError('its vertices have lists, or numbers of an unknown type');
  const start = header.bytes + bytesBefore(vertices);
  const there = Math.min(vertex.count, Math.max(0, Math.floor((bytes.size - start) / stride)));
  if (there === 0) throw new BytesError('it is cut off');
  const readers = readersOf(vertex, header.encoding === 'binary_little_endian');
  const values = new Float64Array(readers.length);
  const parts = Array.from({ length: Math.ceil(there / partPoints) }, (_, part) =>
    Math.min(partPoints, there - part * partPoints),
  );
  const eachRow = async (part: number, visit: (row: Float64Array) => void): Promise<void> => {
    const count = parts[part]!;
    const view = viewOf(await readExactly(bytes, start + part * partPoints * stride, count * stride));
    for (let at = 0; at < view.byteLength; at += stride) {
      for (let i = 0; i < readers.length; i++) values[i] = readers[i]!(view, at);
      if (hasPlace(values, columns)) visit(values);
    }
  };
  const scan = known ?? createTableScan();
  if (known === undefined)
    for (const part of parts.keys())
      await eachRow(part, (row) =>
        scanRow(scan, row, columns, [row[columns.x!]!, row[columns.y!]!, row[columns.z!]!]),
      );
  if (scan.count === 0) throw new BytesError('none of its vertices has numbers for x, y and z');
  const file: PointFile = {
    min: scan.min,
    max: scan.max,
    hasColours: columns.red !== undefined,
    hasTimes: columns.gpsTime !== undefined,
    partPoints: parts,
    scan,
    notes:
      there > scan.count
        ? [
            {
              code: 'unreadableRows',
              message: 'has vertices without numbers for x, y and z',
              times: there - scan.count,
            },
          ]
        : [],
    crs: undefined,
    vertical: undefined,
    brightest: async () => brightestOf(scan, columns),
    async readPart(part) {
      const table = createPointTable(columns, scan, parts[part]!);
      await eachRow(part, (row) => table.add(row));
      return table.finish();
    },
  };
  return withMissing(file, vertex.count - there, vertex.count);
}

/** @throws BytesError if lists before the vertices make that vary */
function bytesBefore({ before }: Vertices): number {
  return before.reduce((sum, element) => {
    const stride = element.count === 0 ? 0 : strideOf(element);
    if (stride !== undefined) return sum + stride * element.count;
    throw new BytesError('its vertices follow lists: write it again, such as by CloudCompare');
  }, 0);
}

function readersOf({ properties }: PlyElement, isLittle: boolean): ReadNumber[] {
  let offset = 0;
  return properties.map(({ type }) => {
    const [bytes, get] = numberType(type)!;
    const own = offset;
    offset += bytes;
    return (view, at) => get(view, at + own, isLittle);
  });
}
