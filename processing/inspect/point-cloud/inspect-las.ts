import type { InspectedField, InspectionUse } from '@platen/contract/inspect';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { decodeCopcInfo, readRootNodes, type CopcInfo } from '@platen/formats/las/copc';
import { readLasCrs } from '@platen/formats/las/las-crs';
import { decodeLazSettings, readChunks, type Chunk, type LazSettings } from '@platen/formats/las/laz-chunks';
import { className, extraFieldsIn, fieldsOf } from '@platen/formats/las/point-format';
import {
  isLas,
  listRecords,
  readLasHeader,
  readRecord,
  type LasHeader,
  type LasRecord,
} from '@platen/formats/las/read-header';
import { sampleChunks, samplePlain } from '@platen/formats/las/sample-points';
import type { Box } from '../box.ts';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, Inspecting, Subject } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import type { Place } from '../place/named-place.ts';
import { placeBox } from '../place/place-box.ts';
import { spread } from '../vector/spread.ts';
import { createPointCollector, type SeenPoints } from './collect-points.ts';
import { densityOf } from './density.ts';
import { drawPoints } from './draw-points.ts';
import { samplePoints } from './sample-points.ts';

interface Las {
  readonly bytes: Bytes;
  readonly file: string;
  readonly header: LasHeader;
  readonly records: readonly LasRecord[];
  readonly laz: LazSettings | undefined;
  readonly copc: CopcInfo | undefined;
}

const format = { format: 'las', kind: 'pointCloud' } as const;

/** LAS, LAZ and COPC. undefined: it is none of them. */
export async function inspectLas(subject: Subject, inspecting: Inspecting): Promise<Finding | undefined> {
  const { bytes, name: file } = subject;
  if (!bytes || !isLas(await bytes.read(0, 4))) return undefined;
  const { issues } = inspecting;
  try {
    const header = await readLasHeader(bytes);
    const { records, fault } = await listRecords(bytes, header);
    if (fault !== undefined) issues.add('damagedFile', damage(file, fault));
    const laz = await decodeRecord(bytes, records, ['laszip encoded', 22_204], decodeLazSettings);
    const copc = await decodeRecord(bytes, records, ['copc', 1], decodeCopcInfo);
    return await describe({ bytes, file, header, records, laz, copc }, inspecting);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('damagedFile', damage(file, error.message));
    return { ...format, formatTitle: 'LAS point cloud', layers: [], uses: [] };
  }
}

async function decodeRecord<T>(
  bytes: Bytes,
  records: readonly LasRecord[],
  [user, id]: readonly [string, number],
  decode: (record: Uint8Array) => T,
): Promise<T | undefined> {
  const record = records.find((one) => one.user === user && one.id === id);
  return record && decode(await readRecord(bytes, record));
}

async function describe(las: Las, inspecting: Inspecting): Promise<Finding> {
  const { file, header, copc, laz } = las;
  const { issues } = inspecting;
  checkHeader(las, issues);
  const place = await locate(las, issues);
  const seen = await lookAtPoints(las, inspecting);
  const pixels = drawPoints(seen);
  const thumbnail = pixels && (await encodePicture(pixels));
  const name = file.replace(/(\.copc)?\.[^.]+$/i, '').slice(0, 200) || 'points';
  const sampler = inspecting.samples?.start();
  if (sampler) {
    samplePoints(seen, place.crs?.code, sampler);
    inspecting.samples!.keep(name, sampler, false);
  }
  return {
    ...format,
    formatTitle: copc
      ? 'Cloud-optimized point cloud (COPC)'
      : header.isCompressed
        ? 'LAZ point cloud'
        : 'LAS point cloud',
    formatVersion: `LAS ${header.version}${laz ? `, LAZ ${laz.version}` : ''}`,
    layers: [
      {
        name,
        geometryTypes: ['Point'],
        featureCount: header.pointCount,
        isEstimated: false,
        isBboxEstimated: false,
        fields: await describeFields(las),
        ...place,
        details: detailsOf(las, place, seen),
      },
    ],
    uses: [useOf(place, header)],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

/** Of more than one thing wrong with it, each is told. */
function checkHeader({ bytes, file, header, laz }: Las, issues: Issues): void {
  const { pointCount, recordLength, pointOffset, isCompressed, min, max } = header;
  if (pointCount === 0) issues.add('noPoints', `${file} says that it has no points.`);
  const there = Math.max(0, Math.floor((bytes.size - pointOffset) / recordLength));
  if (!isCompressed && there < pointCount)
    issues.add('damagedFile', damage(file, `it is cut off: of ${pointCount} points only ${there} are there`));
  if (isCompressed && laz === undefined)
    issues.add('damagedFile', damage(file, 'it is compressed, but does not say how'));
  if (laz?.isChunked === false)
    issues.add(
      'oldCompression',
      `${file} was compressed in one piece, by a LAZ of before 2011: compress it anew.`,
    );
  if (pointCount > 0 && !min.every((value, axis) => value <= max[axis]! && Number.isFinite(value)))
    issues.add('damagedFile', damage(file, 'its header has no bounding box'));
}

async function locate({ bytes, file, header, records }: Las, issues: Issues): Promise<Place> {
  const { min, max } = header;
  const box: Box = [min[0], min[1], max[0], max[1]];
  const isSound = header.pointCount > 0 && box.every(Number.isFinite) && box[0] <= box[2] && box[1] <= box[3];
  const { text, citation, verticalDatum } = await readLasCrs(bytes, header, records);
  if (text === undefined && citation !== undefined)
    issues.add(
      'unknownCrs',
      `${file}: its CRS "${citation}" is not known. Have its EPSG code written into it.`,
    );
  const place = placeBox(text, isSound ? box : undefined, { file, issues });
  return { ...place, ...(verticalDatum !== undefined && { verticalDatum }) };
}

const mostPoints = 400_000;
/** Of a COPC so deep: the levels above lie thinly over everything. */
const deepestLevel = 3;
const mostChunks = 24;

async function lookAtPoints(las: Las, { issues, isOver }: Inspecting): Promise<SeenPoints> {
  const { bytes, header, file } = las;
  const collector = createPointCollector(header, Math.min(mostPoints, header.pointCount));
  const options = { isOver, take: collector.take };
  try {
    if (header.isCompressed) await sampleChunks(bytes, header, await chunksOf(las), options);
    else await samplePlain(bytes, header, options);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('damagedFile', damage(file, error.message));
  }
  return collector.seen();
}

async function chunksOf({ bytes, header, laz, copc }: Las): Promise<readonly Chunk[]> {
  if (copc) {
    const nodes = await readRootNodes(bytes, copc);
    return nodes.filter(({ level }) => level <= deepestLevel).slice(0, mostChunks);
  }
  if (!laz?.isChunked) return [];
  const chunks = await readChunks(bytes, header, laz);
  return spread(chunks.length)
    .slice(0, mostChunks)
    .map((i) => chunks[i]!);
}

async function describeFields({ bytes, header, records }: Las): Promise<InspectedField[]> {
  const extra = records.find(({ user, id }) => user === 'LASF_Spec' && id === 4);
  const extraFields = extra ? extraFieldsIn(await readRecord(bytes, extra)) : [];
  return [...fieldsOf(header.pointFormat), ...extraFields].map(({ name, type }) => ({
    name,
    type,
    examples: [],
  }));
}

function detailsOf({ header, copc, laz }: Las, place: Place, seen: SeenPoints): Record<string, unknown> {
  const { min, max, scale, pointFormat, recordLength, software, created, returns, pointCount } = header;
  const density = densityOf(seen, pointCount, place.crs);
  const classes = [...seen.classes].toSorted(([a], [b]) => a - b);
  return {
    pointFormat,
    pointBytes: recordLength,
    scale,
    heightRange: [min[2], max[2]],
    ...(returns.some((count) => count > 0) && { pointsByReturn: trimmed(returns) }),
    ...(classes.length > 0 && {
      classes: classes.map(([code, count]) => ({
        code,
        name: className(code),
        share: Number((count / seen.count).toPrecision(3)),
      })),
      sampledPoints: seen.count,
    }),
    ...(density !== undefined && { pointsPerSquareMetre: density, isDensityEstimated: true }),
    hasColours: seen.colours?.some((value) => value > 0) === true,
    ...(copc && { copc: { spacing: copc.spacing, halfSide: copc.halfSide } }),
    ...(laz?.chunkSize !== undefined && { chunkSize: laz.chunkSize }),
    ...(software !== '' && { software }),
    ...(created.year > 1900 && { createdIn: created.year }),
  };
}

function trimmed(returns: readonly number[]): readonly number[] {
  return returns.slice(0, returns.findLastIndex((count) => count > 0) + 1);
}

function useOf({ crs }: Place, { pointCount }: LasHeader): InspectionUse {
  const missing = crs === undefined || crs.isGuessed ? ' Its CRS has to be found out first.' : '';
  return {
    kind: 'datasource',
    type: 'tileset',
    confidence: pointCount === 0 ? 0.05 : 0.3,
    reason: `A point cloud: it is shown as 3D Tiles, which have to be made of it.${missing}`,
  };
}
