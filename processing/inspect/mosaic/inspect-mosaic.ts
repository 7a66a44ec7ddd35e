import type { RasterFacts } from '@platen/contract/inspect';
import { coverageOf } from '@platen/geo/raster/sheet-coverage';
import { imageEndings } from '../../raster-source/find-sheets.ts';
import { metresOfDegree } from '../../raster-source/mercator-frame.ts';
import { isSidecar } from '../../raster-source/sidecars.ts';
import type { ListedFile } from '../archive/choose-members.ts';
import { fileWithin } from '../archive/parts-of-subject.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { createIssues } from '../issues.ts';
import { inspectRaster } from '../raster/inspect-raster.ts';
import { describeMosaic } from './describe-mosaic.ts';
import type { Mosaic } from './mosaic.ts';
import { placeSheets, type PlacedSheets } from './place-sheets.ts';
import { readSheetHeaders } from './read-sheets.ts';

const gridEndings = /\.(?:hgt|asc|agr|xyz)$/i;
/** Sheets that are inspected as files of their own, for kind, heights and pixels. */
const maxSamples = 3;
/** For headers: 10,000 sheets take longer than other inspections. */
const defaultMaxReadMs = 25_000;

/** Inspects a folder of sheets as one mosaic; undefined for other folders. */
export async function inspectMosaic(
  folder: Subject,
  files: readonly ListedFile[],
  context: InspectionContext,
  maxReadMs = defaultMaxReadMs,
): Promise<Finding | undefined> {
  const until = performance.now() + maxReadMs;
  const isOver = (): boolean => context.isOver() && performance.now() > until;
  const names = files.map(({ name }) => name);
  const sheets = names.filter((name) => imageEndings.test(name) || gridEndings.test(name));
  const others = names.length - sheets.length - names.filter((name) => isSidecar({ name })).length;
  if (sheets.length < 2 || others > sheets.length) return undefined;
  const read = await readSheetHeaders(folder, sheets, {
    isOver,
    signal: context.signal,
    names: new Set(names),
  });
  const issues = createIssues();
  const places = placeSheets(read.headers, { file: folder.name, issues, area: context.area });
  const georeferenced = read.headers.filter(({ transform }) => transform);
  if (georeferenced.length < 2) return undefined;
  for (const { code, message, count } of issues.list()) context.issues.add(code, message, count);
  // sheets that were not read would be gaps
  const isWhole = places.placed.length > 0 && read.read === sheets.length;
  const coverage = isWhole ? coverageOf(places.placed.map(({ quad }) => quad)) : undefined;
  const samples = await inspectSamples(folder, georeferenced, context);
  const mosaic: Mosaic = { folder: folder.name, sheets: sheets.length, read, places, coverage, samples };
  return describeMosaic(mosaic, context, rasterOf(mosaic));
}

/** The first, the last and the one in the middle, as if they were alone. */
async function inspectSamples(
  folder: Subject,
  sheets: readonly { readonly name: string }[],
  context: InspectionContext,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let i = 0; i < maxSamples; i++) {
    const { name } = sheets[Math.round((i / (maxSamples - 1)) * (sheets.length - 1))]!;
    const bytes = await folder.find(name);
    // what is odd about one sheet is not odd about all
    const own = { ...context, issues: createIssues() };
    const finding = bytes && (await inspectRaster(fileWithin(folder, name, bytes), own));
    if (finding) findings.push(finding);
  }
  return findings;
}

/** Of all sheets together; those that there was no time for are like the others. */
function rasterOf({ sheets, read, places, coverage, samples }: Mosaic): RasterFacts | undefined {
  const facts = places.placed.map((sheet) => sheet.facts);
  if (facts.length === 0) return undefined;
  const scale = sheets / Math.max(1, read.read);
  const sum = (valueOf: (one: RasterFacts) => number): number =>
    facts.reduce((all, one) => all + valueOf(one), 0) * scale;
  const min = (valueOf: (one: RasterFacts) => number): number =>
    facts.reduce((all, one) => Math.min(all, valueOf(one)), Infinity);
  const area = sum((one) => one.area) * (1 - (coverage?.overlapShare ?? 0));
  return {
    sheets: Math.round(facts.length * scale),
    pixels: sum((one) => one.pixels),
    metres: min((one) => one.metres),
    degrees: min((one) => one.degrees),
    area,
    outline: coverage ? outlineOf(places, [...coverage.outlines, ...coverage.gaps]) : 4 * Math.sqrt(area),
    ...meansOf(samples.flatMap(({ raster }) => raster ?? [])),
    ...masksOf(samples),
  };
}

/** Metres of web mercator along rings, whose steps follow parallels and meridians. */
function outlineOf({ placed }: PlacedSheets, rings: readonly (readonly number[])[]): number {
  const narrow = Math.cos((placed[0]!.box[1] * Math.PI) / 180);
  let length = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const next = (i + 2) % ring.length;
      length += Math.abs(ring[next]! - ring[i]!) + Math.abs(ring[next + 1]! - ring[i + 1]!) / narrow;
    }
  }
  return length * metresOfDegree;
}

/** Sheets with a border have it at different sides: those in the middle of a mosaic may have none. */
function masksOf(samples: readonly Finding[]): Pick<RasterFacts, 'mask'> {
  const mask = samples.find(({ raster }) => raster?.mask)?.raster?.mask;
  return mask ? { mask } : {};
}

const measured = ['jpegBits', 'pngBits', 'meshVertices'] as const;

function meansOf(facts: readonly RasterFacts[]): Partial<RasterFacts> {
  const means: { -readonly [name in (typeof measured)[number]]?: number } = {};
  for (const name of measured) {
    const values = facts.flatMap((one) => one[name] ?? []);
    if (values.length > 0) means[name] = values.reduce((sum, value) => sum + value, 0) / values.length;
  }
  return means;
}
