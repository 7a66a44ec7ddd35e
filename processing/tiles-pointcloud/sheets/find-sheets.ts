import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { isGeocentric } from '@platen/formats/crs/is-geocentric';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { surveyFootMetres, type VerticalCrs } from '@platen/formats/crs/vertical-crs';
import { readLasCrs } from '@platen/formats/las/las-crs';
import { openLas, readLasPart, type LasPoints } from '@platen/formats/las/open-las';
import { isLas } from '@platen/formats/las/read-header';
import { unpackUpload } from '@platen/formats/open/unpack-upload';
import { SourceError } from '@platen/formats/source/source';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { geocentricBox } from '@platen/geo/geodesy/geocentric-box';
import { heightFactsOf } from '../../heights/height-facts.ts';
import type { HeightOptions } from '../../heights/height-options.ts';
import { withoutGeoid } from '../../heights/open-heights.ts';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';
import type { PointSheet, SheetHeights } from './sheet.ts';

export interface FoundSheets {
  readonly sheets: readonly PointSheet[];
  /** Each kind of heights once. */
  readonly heights: readonly SheetHeights[];
}

interface FindOptions {
  readonly heights: HeightOptions;
  readonly strict: boolean;
  /** A folder that exists, for unpacked archives. */
  readonly scratch: string;
}

type FileOfInput = Pick<JobInput, 'path' | 'name' | 'crs'>;

/** Finds all files of points among the inputs, and opens each. Those that cannot be read are left out with a warning. @throws JobFailure */
export async function findPointSheets(options: FindOptions, context: JobContext): Promise<FoundSheets> {
  const sheets: PointSheet[] = [];
  const heights: SheetHeights[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (facts: SheetHeights): number => {
    const key = JSON.stringify([facts.options, facts.facts.vertical, facts.facts.usual]);
    const number = numbers.get(key) ?? heights.push(facts) - 1;
    numbers.set(key, number);
    return number;
  };
  const files = await listFiles(options, context);
  let failure: JobFailure | undefined;
  for (const file of files) {
    context.signal.throwIfAborted();
    try {
      const { facts, ...sheet } = await openSheet(file, options, context);
      const heightsOf = facts && numberOf(facts);
      sheets.push({ ...sheet, heightsOf });
    } catch (error) {
      failure = failureOf(error, file);
      if (options.strict || files.length === 1) throw failure;
      context.warn('unreadableSheet', failure.message, { file: file.name });
    }
  }
  if (sheets.length > 0) return { sheets, heights };
  throw (
    failure ??
    new JobFailure(
      'notRecognised',
      'None of the inputs is a point cloud. Use LAS, LAZ or COPC, or a zip file or folder with them.',
    )
  );
}

async function listFiles(
  { heights, scratch }: FindOptions,
  { inputs, signal, log }: JobContext,
): Promise<FileOfInput[]> {
  const files: FileOfInput[] = [];
  for (const input of withoutGeoid(inputs, heights)) {
    const { path, name, size, related, crs } = input;
    const uploaded = { path, name, size, ...(related !== undefined && { related }) };
    const { members } = await unpackUpload(uploaded, { signal, scratch }).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      throw new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error });
    });
    for (const { file } of members) {
      if (await isPointFile(file.path))
        files.push({ path: file.path, name: file.name, ...(crs !== undefined && { crs }) });
      else log('info', `${file.name} is no point cloud in LAS, LAZ or COPC.`);
    }
  }
  return files;
}

async function isPointFile(path: string): Promise<boolean> {
  const file = await openFile(path);
  try {
    return isLas(await file.read(0, 4));
  } finally {
    await file.close();
  }
}

async function openSheet(
  { path, name, crs: given }: FileOfInput,
  { heights: options }: FindOptions,
  { warn }: JobContext,
): Promise<Omit<PointSheet, 'heightsOf'> & { readonly facts: SheetHeights | undefined }> {
  const file = await openFile(path);
  try {
    const las = await openLas(file);
    const { header, records, parts, missing } = las;
    if (
      ![...header.min, ...header.max].every(Number.isFinite) ||
      header.min.some((low, i) => low > header.max[i]!)
    )
      throw new BytesError('its header has no bounding box');
    if (missing > 0)
      warn('cutSheet', `${name} is cut off: ${missing} of ${header.pointCount} points are missing.`, {
        file: name,
      });
    const own = await readLasCrs(file, header, records);
    const text = given ?? own.text;
    if (text === undefined)
      throw new JobFailure(
        'unknownCrs',
        `${name} does not say in which coordinate system it is. Set the coordinate system of the input in the task, such as EPSG:25832.`,
      );
    const vertical = (given === undefined ? own.vertical : undefined) ?? findVerticalCrs(text);
    return {
      path,
      name,
      header,
      crs: text,
      partPoints: parts.map(({ points }) => points),
      brightest: await sampleColours(file, las),
      ...(isGeocentric(text)
        ? { box: geocentricPlace(header, name), facts: undefined }
        : await locate({ name, text, vertical, header }, { options, warn })),
    };
  } finally {
    await file.close();
  }
}

interface LocatedFile {
  readonly name: string;
  readonly text: string;
  readonly vertical: VerticalCrs | undefined;
  readonly header: PointSheet['header'];
}

async function locate(
  { name, text, vertical, header }: LocatedFile,
  { options, warn }: { readonly options: HeightOptions; readonly warn: JobContext['warn'] },
): Promise<{ readonly box: PointSheet['box']; readonly facts: SheetHeights }> {
  const crs = crsOf(text, name);
  for (const { code, message } of crs.notes)
    if (code !== 'compoundHorizontal') warn(code, `${name}: ${message}.`, { file: name });
  const box = boxOf(crs, header, name);
  const place = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] as const;
  const facts = await heightFactsOf({ name, vertical, crsCode: crs.code, place });
  return { box, facts: { facts: { ...facts, box }, options: withUnit(options, crs, { vertical, header }) } };
}

/** @throws JobFailure if the coordinates are not on Earth */
function geocentricPlace({ min, max }: PointSheet['header'], name: string): PointSheet['box'] {
  const box = geocentricBox(min, max);
  if (box !== undefined) return box;
  throw new JobFailure(
    'invalidCoordinates',
    `${name} names a geocentric coordinate system, but its coordinates are not on the surface of the earth. Set the coordinate system of the input in the task, such as EPSG:25832.`,
  );
}

/** Heights have the unit of the horizontal coordinates, unless something says otherwise. */
function withUnit(
  options: HeightOptions,
  crs: Crs,
  { vertical, header }: { readonly vertical: VerticalCrs | undefined; readonly header: PointSheet['header'] },
): HeightOptions {
  const { unit = 'auto' } = options;
  if (unit !== 'auto' || vertical !== undefined || crs.kind !== 'projected') return options;
  const isFoot = Math.abs(metresPerUnitOf(crs, header) / surveyFootMetres - 1) < 0.01;
  return isFoot ? { ...options, unit: 'usSurveyFoot' } : options;
}

/** Metres on the ground of a unit of a projected coordinate system in the middle of the data. */
export function metresPerUnitOf(crs: Crs, { min, max }: PointSheet['header']): number {
  const [x, y] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  const ends = Float64Array.of(x, y, x, y + 1);
  crs.toLonLat(ends, 2);
  const one = geocentricOf(ends[0]!, ends[1]!, 0);
  const other = geocentricOf(ends[2]!, ends[3]!, 0);
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

function crsOf(text: string, file: string): Crs {
  try {
    return findCrs(text);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    throw new JobFailure('unknownCrs', `${file}: ${error.message}`, { cause: error });
  }
}

const boxSteps = 4;

function boxOf(crs: Crs, { min, max }: PointSheet['header'], name: string): PointSheet['box'] {
  const places: number[] = [];
  for (let row = 0; row <= boxSteps; row++) {
    for (let column = 0; column <= boxSteps; column++)
      places.push(
        min[0] + ((max[0] - min[0]) * column) / boxSteps,
        min[1] + ((max[1] - min[1]) * row) / boxSteps,
      );
  }
  const lonLat = Float64Array.from(places);
  crs.toLonLat(lonLat, lonLat.length / 2);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < lonLat.length; i += 2) {
    const [lon, lat] = [lonLat[i]!, lonLat[i + 1]!];
    if (!Number.isFinite(lon) || !Number.isFinite(lat))
      throw new JobFailure(
        'invalidCoordinates',
        `${name} is not where its coordinate system is used. Set the coordinate system of the input in the task.`,
      );
    [west, south, east, north] = [
      Math.min(west, lon),
      Math.min(south, lat),
      Math.max(east, lon),
      Math.max(north, lat),
    ];
  }
  return [west, south, east, north];
}

const samplePoints = 5000;

async function sampleColours(
  file: Parameters<typeof readLasPart>[0],
  { header, parts }: LasPoints,
): Promise<number | undefined> {
  const [part] = parts;
  if (part === undefined) return undefined;
  const points = Math.min(part.points, samplePoints);
  const length = header.isCompressed ? part.length : points * header.recordLength;
  const { colours } = await readLasPart(file, header, { ...part, length, points });
  return colours?.reduce((max, value) => Math.max(max, value), 0);
}

function failureOf(error: unknown, { name }: FileOfInput): JobFailure {
  if (error instanceof JobFailure) return error;
  if (!(error instanceof BytesError)) throw error;
  return new JobFailure('brokenFile', `${name} cannot be read: ${error.message}.`, { cause: error });
}
