import { isSidecar } from '../../raster-source/sidecars.ts';
import type { ListedFile } from '../archive/choose-members.ts';
import { fileWithin } from '../archive/parts-of-subject.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { createIssues } from '../issues.ts';
import { inspectPointCloud } from '../point-cloud/inspect-point-cloud.ts';
import { readEachSheet } from '../sheets/read-each-sheet.ts';
import { spread } from '../vector/spread.ts';
import { describePointSheets } from './describe-point-sheets.ts';
import { coverageOfPoints } from './point-coverage.ts';
import { placePointSheets } from './place-point-sheets.ts';
import { readPointHeader, type PointHeader } from './read-point-header.ts';

/** Files that are of points if they are what they are called, and those that may be something else. */
const pointEndings = /\.(?:las|laz|e57|pts|ptx)$/i;
const otherEndings = /\.(?:ply|xyz|txt|csv|asc)$/i;
const companions = /\.(?:prj|lax|xml|json|pdf|html?|md)$/i;
/** Sheets that are inspected as files of their own, for classes, density and colours. */
const maxSamples = 8;
const maxProbes = 3;
/** For headers: 10,000 sheets take longer than other inspections. */
const defaultMaxReadMs = 25_000;

/** Inspects a folder of point clouds as one; undefined for other folders. */
export async function inspectPointSheets(
  folder: Subject,
  files: readonly ListedFile[],
  context: InspectionContext,
  maxReadMs = defaultMaxReadMs,
): Promise<Finding | undefined> {
  const until = performance.now() + maxReadMs;
  const isOver = (): boolean => context.isOver() && performance.now() > until;
  const { issues, signal } = context;
  const names = files.map(({ name }) => name);
  const candidates = names.filter(isCandidate);
  const others = names.filter((name) => !isCandidate(name) && !companions.test(name) && !isSidecar({ name }));
  if (candidates.length < 2 || others.length > candidates.length) return undefined;
  if (!(await areProbablyPoints(folder, candidates))) return undefined;
  let strangers = 0;
  const read = await readEachSheet<PointHeader>(folder, candidates, {
    isOver,
    signal,
    async readHeader(file, name) {
      const header = await readPointHeader(file, name);
      if (header === undefined) strangers++;
      return header;
    },
  });
  if (read.headers.length < 2 || strangers > read.headers.length) return undefined;
  const places = placePointSheets(read.headers, { file: folder.name, issues, area: context.area });
  const sheets = candidates.length - strangers;
  // sheets that were not read would be gaps
  const isWhole = read.read === candidates.length;
  return describePointSheets(
    {
      folder: folder.name,
      sheets,
      read: { ...read, read: read.read - strangers },
      places,
      coverage: isWhole ? coverageOfPoints(places.placed) : undefined,
      samples: await inspectSamples(folder, read.headers, context),
    },
    context,
  );
}

const isCandidate = (name: string): boolean => pointEndings.test(name) || otherEndings.test(name);

/** Whether some of them are point clouds: a folder of tables need not be read as a whole. */
async function areProbablyPoints(folder: Subject, candidates: readonly string[]): Promise<boolean> {
  const probes = Math.min(maxProbes, candidates.length);
  const chosen = spread(candidates.length).slice(0, probes);
  const probed = await readEachSheet(
    folder,
    chosen.map((i) => candidates[i]!),
    { isOver: () => false, signal: new AbortController().signal, readHeader: readPointHeader },
  );
  return probed.headers.length > 0 || probed.damaged.some(({ name }) => pointEndings.test(name));
}

/** Some from all over the folder, as if they were alone. */
async function inspectSamples(
  folder: Subject,
  headers: readonly PointHeader[],
  context: InspectionContext,
): Promise<Finding[]> {
  const { samples: _samples, ...plain } = context;
  const findings: Finding[] = [];
  for (const i of spread(headers.length).slice(0, maxSamples)) {
    if (findings.length > 0 && context.isOver()) break;
    const { name } = headers[i]!;
    const bytes = await folder.find(name);
    // what is odd about one sheet is not odd about all
    const own = { ...plain, issues: createIssues() };
    const finding = bytes && (await inspectPointCloud(fileWithin(folder, name, bytes), own));
    if (finding) findings.push(finding);
  }
  return findings;
}
