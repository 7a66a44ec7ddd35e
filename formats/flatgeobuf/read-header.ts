import { SourceError, type SourceLayer } from '../source/source.ts';
import { readColumns, type Column } from './columns.ts';
import {
  FlatFault,
  fieldAt,
  rootTable,
  stringIn,
  tableIn,
  vectorIn,
  vectorLength,
  type FlatBytes,
} from './flat-table.ts';
import { isFlatGeobuf } from './is-flatgeobuf.ts';
import { indexBytes } from './packed-tree.ts';
import type { RangeReader } from './range-reader.ts';

export interface Header {
  readonly name: string | undefined;
  readonly bbox: SourceLayer['bbox'];
  /** 0 if each geometry says its own. */
  readonly geometryType: number;
  readonly columns: readonly Column[];
  /** 0 where it is unknown. */
  readonly featureCount: number;
  /** 0 without an index. */
  readonly nodeSize: number;
  readonly crs: string | undefined;
  readonly indexStart: number;
  readonly featuresStart: number;
}

/** Fields of the table Header, header.fbs. */
const slot = { name: 0, envelope: 1, geometryType: 2, columns: 7, featureCount: 8, nodeSize: 9, crs: 10 };
const crsSlot = { organization: 0, code: 1, wkt: 4, codeText: 5 };

const magicBytes = 8;
const defaultNodeSize = 16;
/** 65,535 columns, each with a name and a description. */
const maxHeaderBytes = 16 * 2 ** 20;

/** @throws SourceError */
export async function readHeader(handle: RangeReader, file: { readonly size: number }): Promise<Header> {
  const head = await readBytes(handle, 0, magicBytes + 4);
  if (!isFlatGeobuf(head))
    throw new SourceError('notRecognised', 'it is not a FlatGeobuf file: it does not begin with fgb');
  if (head[3] !== 3) {
    throw new SourceError(
      'unsupported',
      `version ${head[3]} of FlatGeobuf is not supported, only version 3: export the file again`,
    );
  }
  if (head.length < magicBytes + 4) throw new SourceError('truncatedFile', 'the file ends before its header');
  const length = head.readUInt32LE(magicBytes);
  const indexStart = magicBytes + 4 + length;
  if (length > maxHeaderBytes)
    throw new SourceError('brokenFile', `its header announces a length of ${length} bytes`);
  if (indexStart > file.size) throw new SourceError('truncatedFile', 'the file ends in its header');
  const bytes = await readBytes(handle, magicBytes + 4, length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return parseHeader({ bytes, view, start: 0, end: bytes.length }, { indexStart, fileBytes: file.size });
  } catch (error) {
    if (!(error instanceof FlatFault)) throw error;
    throw new SourceError('brokenFile', `its header is damaged: ${error.message}`, {}, { cause: error });
  }
}

function parseHeader(
  flat: FlatBytes,
  { indexStart, fileBytes }: { indexStart: number; fileBytes: number },
): Header {
  const { view } = flat;
  const table = rootTable(flat);
  const typeAt = fieldAt(flat, table, slot.geometryType, 1);
  const countAt = fieldAt(flat, table, slot.featureCount, 8);
  const nodeAt = fieldAt(flat, table, slot.nodeSize, 2);
  const crs = tableIn(flat, table, slot.crs);
  const featureCount = countAt === 0 ? 0 : Number(view.getBigUint64(countAt, true));
  const indexed = featureCount > 0;
  const nodeSize = indexed ? (nodeAt === 0 ? defaultNodeSize : view.getUint16(nodeAt, true)) : 0;
  if (nodeSize === 1) throw new FlatFault('the nodes of its index have only one child each');
  const featuresStart = indexStart + (nodeSize === 0 ? 0 : indexBytes(featureCount, nodeSize));
  if (featuresStart > fileBytes) {
    throw new SourceError(
      'truncatedFile',
      `the index of its ${featureCount} features does not fit into the file: it is cut off or damaged`,
    );
  }
  return {
    name: stringIn(flat, table, slot.name) || undefined,
    bbox: envelopeOf(flat, table),
    geometryType: typeAt === 0 ? 0 : view.getUint8(typeAt),
    columns: readColumns(flat, table, slot.columns) ?? [],
    featureCount,
    nodeSize,
    crs: crs === 0 ? undefined : crsOf(flat, crs),
    indexStart,
    featuresStart,
  };
}

function envelopeOf(flat: FlatBytes, table: number): Header['bbox'] {
  const first = vectorIn(flat, table, slot.envelope, 8);
  if (vectorLength(flat, first) !== 4) return undefined;
  const [west, south, east, north] = [0, 8, 16, 24].map((at) => flat.view.getFloat64(first + at, true)) as [
    number,
    number,
    number,
    number,
  ];
  const ordered = west <= east && south <= north && Number.isFinite(east - west + north - south);
  return ordered ? [west, south, east, north] : undefined;
}

/** header.fbs: an absent organization is EPSG. WKT where the code is none of EPSG. */
function crsOf(flat: FlatBytes, crs: number): string | undefined {
  const codeAt = fieldAt(flat, crs, crsSlot.code, 4);
  const number = codeAt === 0 ? 0 : flat.view.getInt32(codeAt, true);
  const code = number > 0 ? String(number) : stringIn(flat, crs, crsSlot.codeText) || undefined;
  const organization = (stringIn(flat, crs, crsSlot.organization) || 'EPSG').toUpperCase();
  const wkt = stringIn(flat, crs, crsSlot.wkt) || undefined;
  const named = code === undefined ? undefined : `${organization}:${code}`;
  return organization === 'EPSG' ? (named ?? wkt) : (wkt ?? named);
}

/** Reads at most `length` bytes; fewer at the end of the file. */
export async function readBytes(handle: RangeReader, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}
