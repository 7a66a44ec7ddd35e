import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeChunk } from '@platen/formats/las/decode/decode-chunk';
import { decodeLazSettings, readChunks } from '@platen/formats/las/laz-chunks';
import { listRecords, readLasHeader, readRecord } from '@platen/formats/las/read-header';
import { writeLas } from '@platen/formats/las/testing';
import { countedBytes } from '@platen/formats/geotiff/testing';
import { utm } from '@platen/processing/tiles-pointcloud/testing-town';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));

/** A point cloud of the sample data; undefined where there is none. */
export function sampleCloud(name: string): string | undefined {
  const path = join(data, 'points', name);
  return existsSync(path) ? path : undefined;
}

/** The header and the packed chunks of a LAZ file. */
export async function chunksOf(path: string) {
  const bytes = countedBytes(await readFile(path));
  const header = await readLasHeader(bytes);
  const { records } = await listRecords(bytes, header);
  const record = records.find(({ user, id }) => user === 'laszip encoded' && id === 22_204)!;
  const table = await readChunks(bytes, header, decodeLazSettings(await readRecord(bytes, record)));
  const chunks: { packed: Uint8Array; points: number }[] = [];
  for (const { offset, length, points } of table)
    chunks.push({ packed: await bytes.read(offset, length), points });
  return { header, chunks };
}

/** Where records of formats with times and colours have what copies change. */
const layouts = {
  3: { minor: 2, recordLength: 34, classAt: 15, timeAt: 20, colourAt: 28 },
  7: { minor: 4, recordLength: 36, classAt: 16, timeAt: 22, colourAt: 30 },
} as const;
type CopiedFormat = keyof typeof layouts;
/** Of the sample's format 1. */
const sampleTimeAt = 20;
const perRow = 20;
/** Metres between copies, so that their points lie side by side. */
const gap = 0.05;
const secondsApart = 1000;
const pointsPerSecond = 100_000;
/** Of scan angles of format 7. */
const degreesPerStep = 0.006;
/** Metres above the lowest point. */
const groundHeight = 2;

/**
 * Copies of a sample of format 1 side by side, as LAS of format 3 or 7. The sample has neither classes, colours nor times: the former come from height
 * and intensity, and times rise from point to point.
 */
export async function openCopies(path: string, pointFormat: CopiedFormat = 3) {
  const { header, chunks } = await chunksOf(path);
  const { scale, offset, min, max } = header;
  const one = Buffer.concat(
    chunks.map(({ packed, points }) => {
      const records = decodeChunk(packed, { ...header, fields: undefined }, points);
      return coloured(Buffer.from(records), header, pointFormat);
    }),
  );
  const step = [0, 1].map((axis) => Math.ceil((max[axis]! - min[axis]! + gap) / scale[axis]!));
  return {
    points: header.pointCount,
    /** @returns the number of points */
    async write(to: string, copies: number): Promise<number> {
      const count = copies * header.pointCount;
      const { minor } = layouts[pointFormat];
      const head = writeLas({ minor, pointFormat, points: [], records: [utm] });
      if (minor === 4) head.writeBigUInt64LE(BigInt(count), 247);
      else head.writeUInt32LE(count, 107);
      const [columns, rows] = [Math.min(copies, perRow), Math.ceil(copies / perRow)];
      for (let axis = 0; axis < 3; axis++) {
        head.writeDoubleLE(scale[axis]!, 131 + axis * 8);
        head.writeDoubleLE(offset[axis]!, 155 + axis * 8);
        const further = [columns - 1, rows - 1, 0][axis]! * (step[axis] ?? 0) * scale[axis]!;
        head.writeDoubleLE(max[axis]! + further, 179 + axis * 16);
        head.writeDoubleLE(min[axis]!, 187 + axis * 16);
      }
      const file = await open(to, 'w');
      try {
        await file.write(head);
        for (let copy = 0; copy < copies; copy++) await file.write(moved(one, copy, { step, pointFormat }));
      } finally {
        await file.close();
      }
      return count;
    },
  };
}

function moved(
  one: Buffer,
  copy: number,
  { step, pointFormat }: { readonly step: readonly number[]; readonly pointFormat: CopiedFormat },
): Buffer {
  const { recordLength, timeAt } = layouts[pointFormat];
  const points = Buffer.from(one);
  const [east, north] = [(copy % perRow) * step[0]!, Math.floor(copy / perRow) * step[1]!];
  for (let at = 0; at < points.length; at += recordLength) {
    points.writeInt32LE(points.readInt32LE(at) + east, at);
    points.writeInt32LE(points.readInt32LE(at + 4) + north, at + 4);
    points.writeDoubleLE(points.readDoubleLE(at + timeAt) + copy * secondsApart, at + timeAt);
  }
  return points;
}

interface SampleHeader {
  readonly recordLength: number;
  readonly scale: readonly number[];
  readonly offset: readonly number[];
  readonly min: readonly number[];
}

/** Points of format 1 as such of another format. */
function coloured(
  records: Buffer,
  { recordLength: length, scale, offset, min }: SampleHeader,
  pointFormat: CopiedFormat,
): Buffer {
  const { recordLength, classAt, timeAt, colourAt } = layouts[pointFormat];
  const points = Buffer.alloc((records.length / length) * recordLength);
  for (let from = 0, to = 0; from < records.length; from += length, to += recordLength) {
    records.copy(points, to, from, from + (pointFormat === 3 ? sampleTimeAt : 14));
    if (pointFormat === 7) copyNewFields(points, to, records.subarray(from, from + sampleTimeAt));
    const height = records.readInt32LE(from + 8) * scale[2]! + offset[2]! - min[2]!;
    const bright = Math.min(255, records.readUInt16LE(from + 12) >>> 3);
    points.writeDoubleLE(to / recordLength / pointsPerSecond, to + timeAt);
    points.writeUInt8(height < groundHeight ? 2 : 6, to + classAt);
    const green = Math.min(255, Math.round(bright * 0.5 + height * 8));
    for (const [band, value] of [bright, green, 255 - bright].entries())
      points.writeUInt16LE(value << 8, to + colourAt + band * 2);
  }
  return points;
}

/** Returns, edge, scan angle, user data and source, which format 7 has elsewhere. */
function copyNewFields(points: Buffer, to: number, record: Buffer): void {
  const flags = record[14]!;
  points.writeUInt8((flags & 7) | (((flags >> 3) & 7) << 4), to + 14);
  points.writeUInt8(flags & 0xc0, to + 15);
  points.writeUInt8(record[17]!, to + 17);
  points.writeInt16LE(Math.round(record.readInt8(16) / degreesPerStep), to + 18);
  record.copy(points, to + 20, 18, 20);
}
