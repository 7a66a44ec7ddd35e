import type { InspectedField, InspectionUse, PointFacts } from '@platen/contract/inspect';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { decodeCopcInfo, readRootNodes, type CopcInfo } from '@platen/formats/las/copc';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { isGeocentric } from '@platen/formats/crs/is-geocentric';
import { ellipsoidOf } from '@platen/formats/crs/vertical-crs';
import type { VerticalCrs } from '@platen/formats/crs/vertical-crs';
import { readLasCrs } from '@platen/formats/las/las-crs';
import { decodeLazSettings, readChunks, type Chunk, type LazSettings } from '@platen/formats/las/laz-chunks';
import { isFloat, readExtraFields, type ExtraFields } from '@platen/formats/las/extra-bytes';
import { className, fieldsOf, layoutOf } from '@platen/formats/las/point-format';
import {
  isLas,
  listRecords,
  readLasHeader,
  readRecord,
  type LasHeader,
  type LasRecord,
} from '@platen/formats/las/read-header';
import { sampleChunks, samplePlain } from '@platen/formats/las/sample-points';
import { geocentricBox } from '@platen/geo/geodesy/geocentric-box';
import type { Box } from '../box.ts';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import type { Place } from '../place/resolve-place.ts';
import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import { heightsAdvice, inspectHeights } from '../place/inspect-heights.ts';
import { likelyPlace, placeBox, reportWrongGeocentric } from '../place/place-box.ts';
import { spread } from '../vector/spread.ts';
import { colourBits } from './colour-bits.ts';
import { createPointCollector, type PointSample } from './collect-points.ts';
import { densityOf } from './density.ts';
import { drawPoints } from './draw-points.ts';
import { samplePoints } from './sample-points.ts';
import { useOfPoints } from './use-of-points.ts';

interface Las {
  readonly bytes: Bytes;
  readonly file: string;
  readonly header: LasHeader;
  readonly records: readonly LasRecord[];
  readonly laz: LazSettings | undefined;
  readonly copc: CopcInfo | undefined;
}

const format = { format: 'las', kind: 'pointCloud' } as const;

/** Inspects LAS, LAZ and COPC; undefined for other formats. */
export async function inspectLas(subject: Subject, context: InspectionContext): Promise<Finding | undefined> {
  const { bytes, name: file } = subject;
  if (!bytes || !isLas(await bytes.read(0, 4))) return undefined;
  const { issues } = context;
  try {
    const header = await readLasHeader(bytes);
    const { records, fault } = await listRecords(bytes, header);
    if (fault !== undefined) issues.add('damagedFile', damage(file, fault));
    const laz = await decodeRecord(bytes, records, ['laszip encoded', 22_204], decodeLazSettings);
    const copc = await decodeRecord(bytes, records, ['copc', 1], decodeCopcInfo);
    return await describe({ bytes, file, header, records, laz, copc }, context);
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

async function describe(las: Las, context: InspectionContext): Promise<Finding> {
  const { file, header, copc, laz } = las;
  const { issues } = context;
  checkHeader(las, issues);
  const { place, vertical } = await locate(las, context);
  const heights = await inspectHeights({ fileName: file, vertical }, place);
  const sample = await readPointSample(las, context);
  const extra = await readExtraFields(las.bytes, header, las.records);
  const pixels = drawPoints(sample);
  const thumbnail = pixels && (await encodePicture(pixels));
  const name = file.replace(/(\.copc)?\.[^.]+$/i, '').slice(0, 200) || 'points';
  const sampler = context.samples?.start();
  if (sampler) {
    samplePoints(sample, place.crs?.code, sampler);
    context.samples!.keep(name, sampler, false);
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
        fields: describeFields(las, extra),
        ...place,
        details: { ...detailsOf(las, place, sample), ...undescribed(extra), ...(heights && { heights }) },
      },
    ],
    // no job can read it
    ...(laz?.fault === undefined
      ? { uses: [useOf(place, header, heights)], points: pointFactsOf(header) }
      : { uses: [] }),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

/** Reports every fault found, not only the first. */
function checkHeader({ bytes, file, header, laz }: Las, issues: Issues): void {
  const { pointCount, recordLength, pointOffset, isCompressed, min, max } = header;
  if (pointCount === 0) issues.add('noPoints', `${file} contains no points according to its header.`);
  const there = Math.max(0, Math.floor((bytes.size - pointOffset) / recordLength));
  if (!isCompressed && there < pointCount)
    issues.add(
      'damagedFile',
      damage(file, `it is cut off: only ${there} of ${pointCount} points are present`),
    );
  if (isCompressed && laz === undefined)
    issues.add('damagedFile', damage(file, 'it is compressed, but does not say how'));
  if (isCompressed && laz?.fault === 'old')
    issues.add(
      'oldCompression',
      `${file} was compressed by an old version of LAZ. Compress it again, such as by laszip or pdal translate.`,
    );
  if (isCompressed && laz?.fault === 'newer')
    issues.add(
      'newerCompression',
      `${file} was compressed by a newer version of LAZ than can be read. Write it again as LAZ of version 4.`,
    );
  if (pointCount > 0 && !min.every((value, axis) => value <= max[axis]! && Number.isFinite(value)))
    issues.add('damagedFile', damage(file, 'its header has no bounding box'));
}

interface LasLocation {
  readonly place: Place;
  readonly vertical: VerticalCrs | undefined;
}

async function locate(
  { bytes, file, header, records }: Las,
  { issues, area }: InspectionContext,
): Promise<LasLocation> {
  const { min, max } = header;
  const box: Box = [min[0], min[1], max[0], max[1]];
  const isSound = header.pointCount > 0 && box.every(Number.isFinite) && box[0] <= box[2] && box[1] <= box[3];
  const { text, citation, vertical: byKeys } = await readLasCrs(bytes, header, records);
  if (text === undefined && citation !== undefined)
    issues.add('unknownCrs', `${file}: its CRS "${citation}" is unknown. Write its EPSG code into the file.`);
  if (text !== undefined && isGeocentric(text) && isSound) {
    const bbox = geocentricBox(min, max);
    if (bbox !== undefined) {
      const crs = { code: 'EPSG:4978', name: 'WGS 84, geocentric', isGuessed: false };
      return { place: { crs, bbox }, vertical: ellipsoidOf('WGS 84 (EPSG:4978)') };
    }
    reportWrongGeocentric(box, { file, issues, area });
    return { place: likelyPlace(box, { area }), vertical: undefined };
  }
  const place = placeBox(text, isSound ? box : undefined, { file, issues, area });
  const vertical = byKeys ?? (text === undefined ? undefined : findVerticalCrs(text));
  return { place: { ...place, ...(vertical && { verticalDatum: vertical.name }) }, vertical };
}

const maxPoints = 400_000;
/** Levels of a COPC octree that are sampled: the upper ones cover everything sparsely. */
const maxLevel = 3;
const maxChunks = 24;

async function readPointSample(las: Las, { issues, isOver }: InspectionContext): Promise<PointSample> {
  const { bytes, header, file } = las;
  const collector = createPointCollector(header, Math.min(maxPoints, header.pointCount));
  const options = { isOver, take: collector.take };
  try {
    if (header.isCompressed) await sampleChunks(bytes, header, await chunksOf(las), options);
    else await samplePlain(bytes, header, options);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('damagedFile', damage(file, error.message));
  }
  return collector.sample();
}

async function chunksOf({ bytes, header, laz, copc }: Las): Promise<readonly Chunk[]> {
  if (laz === undefined || laz.fault !== undefined) return [];
  if (copc) {
    const nodes = await readRootNodes(bytes, copc);
    return nodes.filter(({ level }) => level <= maxLevel).slice(0, maxChunks);
  }
  const chunks = await readChunks(bytes, header, laz);
  return spread(chunks.length)
    .slice(0, maxChunks)
    .map((i) => chunks[i]!);
}

const maxExtraFields = 200;

function describeFields({ header }: Las, { fields }: ExtraFields): InspectedField[] {
  const extras = fields.slice(0, maxExtraFields).map(({ name, type, scaling }) => ({
    name,
    type: isFloat(type) || scaling ? ('number' as const) : ('integer' as const),
  }));
  return [...fieldsOf(header.pointFormat), ...extras].map(({ name, type }) => ({ name, type, examples: [] }));
}

/** Extra bytes that the file does not describe, whose numbers nobody can know. */
function undescribed({ undescribedBytes }: ExtraFields): Record<string, unknown> {
  return undescribedBytes > 0 ? { undescribedBytes } : {};
}

function detailsOf({ header, copc, laz }: Las, place: Place, sample: PointSample): Record<string, unknown> {
  const { min, max, scale, pointFormat, recordLength, software, created, returns, pointCount } = header;
  const density = densityOf(sample, pointCount, place.crs);
  const classes = [...sample.classes].toSorted(([a], [b]) => a - b);
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
        share: Number((count / sample.count).toPrecision(3)),
      })),
      sampledPoints: sample.count,
    }),
    ...(density !== undefined && { pointsPerSquareMetre: density, isDensityEstimated: true }),
    hasColours: sample.colours?.some((value) => value > 0) === true,
    ...colourBits(sample),
    ...(copc && { copc: { spacing: copc.spacing, halfSide: copc.halfSide } }),
    ...(laz?.chunkSize !== undefined && { chunkSize: laz.chunkSize }),
    ...(software !== '' && { software }),
    ...(created.year > 1900 && { createdIn: created.year }),
  };
}

function trimmed(returns: readonly number[]): readonly number[] {
  return returns.slice(0, returns.findLastIndex((count) => count > 0) + 1);
}

function useOf(
  { crs }: Place,
  { pointCount }: LasHeader,
  heights: HeightDiagnosis | undefined,
): InspectionUse {
  const isMissing = crs === undefined || crs.isGuessed;
  const advice = isMissing ? 'Its CRS must be determined first.' : heightsAdvice(heights);
  return useOfPoints(advice, pointCount === 0 ? 0.05 : 0.3);
}

function pointFactsOf({ pointCount, pointFormat, isCompressed }: LasHeader): PointFacts {
  const { colour, gpsTime } = layoutOf(pointFormat);
  return {
    sheets: 1,
    points: pointCount,
    compressedShare: isCompressed ? 1 : 0,
    textShare: 0,
    hasColours: colour !== undefined,
    hasTimes: gpsTime !== undefined,
  };
}
