import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import type { VerticalCrs } from '@platen/formats/crs/vertical-crs';
import { openE57 } from '@platen/formats/e57/open-e57';
import { isE57, readE57 } from '@platen/formats/e57/read-e57';
import { readLasCrs } from '@platen/formats/las/las-crs';
import { readLazSettings } from '@platen/formats/las/open-las';
import { layoutOf } from '@platen/formats/las/point-format';
import { isLas, listRecords, readLasHeader } from '@platen/formats/las/read-header';
import { readPlyHeader } from '@platen/formats/mesh/ply';
import { isPly } from '@platen/formats/points/ply/open-ply';
import type { PointFile, Place } from '@platen/formats/points/point-file';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import { layoutOfCloud, openTextSample } from '../point-cloud/inspect-text.ts';

/** What is known of a file of points without reading them. */
export interface PointHeader {
  /** Path in the folder. */
  readonly name: string;
  /** As inspections name it. */
  readonly format: 'las' | 'e57' | 'ply' | 'xyz' | 'pts' | 'ptx';
  readonly title: string;
  readonly points: number;
  readonly isEstimated: boolean;
  /** In its own coordinates; undefined: only reading its points would tell. */
  readonly bounds: { readonly min: Place; readonly max: Place } | undefined;
  /** A text for findCrs; undefined: it does not say. */
  readonly crs: string | undefined;
  readonly vertical: VerticalCrs | undefined;
  readonly hasColours: boolean;
  readonly hasTimes: boolean;
  readonly isCompressed: boolean;
}

/** @returns undefined for what is no point cloud. @throws BytesError where it is damaged */
export async function readPointHeader(
  { bytes, name: fileName }: FileSubject,
  name: string,
): Promise<PointHeader | undefined> {
  const head = await bytes.read(0, 8);
  if (isLas(head)) return lasHeader(bytes, name);
  if (isE57(head)) return e57Header(bytes, name);
  if (isPly(head)) return plyHeader(bytes, name);
  const layout = await layoutOfCloud(bytes, fileName);
  if (layout === undefined) return undefined;
  const { file, isWhole, pointCount } = await openTextSample(bytes, layout);
  const format = layout.kind === 'table' ? 'xyz' : layout.kind;
  return {
    name,
    format,
    title: format.toUpperCase(),
    points: pointCount,
    isEstimated: !isWhole,
    ...factsOf(file),
  };
}

async function lasHeader(bytes: Bytes, name: string): Promise<PointHeader> {
  const header = await readLasHeader(bytes);
  const { records } = await listRecords(bytes, header);
  const { pointCount, pointFormat, isCompressed, min, max } = header;
  if (pointCount === 0) throw new BytesError('it contains no points');
  if (!min.every((low, axis) => Number.isFinite(low) && low <= max[axis]! && max[axis]! < Infinity))
    throw new BytesError('its header has no bounding box');
  if (isCompressed) await readLazSettings(bytes, records);
  const { text: crs, vertical } = await readLasCrs(bytes, header, records);
  const layout = layoutOf(pointFormat);
  const isCopc = records.some(({ user, id }) => user === 'copc' && id === 1);
  return {
    name,
    format: 'las',
    title: isCopc ? 'COPC' : isCompressed ? 'LAZ' : 'LAS',
    points: pointCount,
    isEstimated: false,
    bounds: { min, max },
    crs,
    vertical: vertical ?? (crs === undefined ? undefined : findVerticalCrs(crs)),
    hasColours: layout.colour !== undefined,
    hasTimes: layout.gpsTime !== undefined,
    isCompressed,
  };
}

/** What the file says itself; only where that is not enough, all points are read. */
async function e57Header(bytes: Bytes, name: string): Promise<PointHeader> {
  const { scans } = await readE57(bytes);
  const points = scans.reduce((sum, scan) => sum + scan.points, 0);
  return { name, format: 'e57', title: 'E57', points, isEstimated: false, ...factsOf(await openE57(bytes)) };
}

const plyHeaderBytes = 1 << 16;

async function plyHeader(bytes: Bytes, name: string): Promise<PointHeader | undefined> {
  const { elements } = readPlyHeader(await bytes.read(0, plyHeaderBytes));
  const vertex = elements.find((element) => element.name === 'vertex');
  const isMesh = elements.some((element) => element.name === 'face' && element.count > 0);
  if (vertex === undefined || isMesh) return undefined;
  const has = (property: string): boolean => vertex.properties.some((one) => one.name === property);
  return {
    name,
    format: 'ply',
    title: 'PLY',
    points: vertex.count,
    isEstimated: false,
    bounds: undefined,
    crs: undefined,
    vertical: undefined,
    hasColours: has('red'),
    hasTimes: false,
    isCompressed: false,
  };
}

function factsOf({ min, max, crs, vertical, hasColours, hasTimes }: PointFile) {
  const byCrs = crs === undefined ? undefined : findVerticalCrs(crs);
  const bounds = { min, max };
  return { bounds, crs, vertical: vertical ?? byCrs, hasColours, hasTimes, isCompressed: false };
}
