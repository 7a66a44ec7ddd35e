import type { InspectedLayer, PointFacts } from '@platen/contract/inspect';
import type { SheetCoverage } from '@platen/geo/raster/sheet-coverage';
import type { Finding, InspectionContext } from '../inspector.ts';
import { heightsAdvice } from '../place/inspect-heights.ts';
import { useOfPoints } from '../point-cloud/use-of-points.ts';
import {
  commonest,
  countedNames,
  describeCoverage,
  describeSystems,
  layerOfFolder,
  polygonOf,
  sampleGaps,
  unionOf,
} from '../sheets/describe-sheets.ts';
import type { ReadSheets } from '../sheets/read-each-sheet.ts';
import { reportSheets } from '../sheets/report-sheets.ts';
import type { PlacedPointSheets } from './place-point-sheets.ts';
import type { PointHeader } from './read-point-header.ts';
import { heightsOfSheets } from './heights-of-sheets.ts';
import { joinSamples } from './join-samples.ts';

/** What is known of a folder of point clouds. */
export interface PointSheets {
  readonly folder: string;
  /** All of the folder. */
  readonly sheets: number;
  readonly read: ReadSheets<PointHeader>;
  readonly places: PlacedPointSheets;
  /** Undefined: no sheet has a place, or there was no time for all. */
  readonly coverage: SheetCoverage | undefined;
  /** Some sheets inspected as files of their own. */
  readonly samples: readonly Finding[];
}

export async function describePointSheets(
  found: PointSheets,
  { issues, samples }: InspectionContext,
): Promise<Finding> {
  const { folder, sheets, read, places, coverage } = found;
  const { headers } = read;
  reportSheets(
    {
      ...found,
      lost: places.lost.map(({ name }) => name),
      lostAdvice:
        'Set the coordinate system of the input in the task, or where their origin lies (modelOptions.placement).',
      placed: places.placed.map(({ header, box }) => ({ name: header.name, box })),
    },
    issues,
  );
  const name = layerOfFolder(folder, 'points');
  const sampler = samples?.start();
  if (sampler) {
    sampleGaps(coverage, sampler);
    for (const { header, system, quad } of places.placed)
      sampler.add({ name: header.name, crs: system, points: header.points }, polygonOf(quad));
    samples!.keep(name, sampler, places.placed.length === sheets);
  }
  const boxes = places.placed.map(({ box }) => box);
  const bbox = boxes.length > 0 ? unionOf(boxes) : undefined;
  const heights = bbox && (await heightsOfSheets(places, bbox));
  const isWhole = read.read === sheets;
  const points = pointFactsOf(found);
  const joined = joinSamples(found.samples);
  const layer: InspectedLayer = {
    name,
    geometryTypes: ['Point'],
    featureCount: points.points,
    isEstimated: !isWhole || headers.some(({ isEstimated }) => isEstimated),
    isBboxEstimated: !isWhole,
    fields: joined.fields,
    ...(places.crs && { crs: places.crs }),
    ...(bbox && { bbox }),
    ...(heights?.datum !== undefined && { verticalDatum: heights.datum }),
    details: { ...detailsOf(found), ...joined.details, ...(heights && { heights: heights.diagnosis }) },
  };
  const [[format], [title]] = [
    commonest(headers.map((header) => header.format))[0]!,
    commonest(headers.map((header) => header.title))[0]!,
  ];
  const isPlaced = bbox !== undefined && places.crs?.isGuessed !== true;
  return {
    format,
    formatTitle: `Sheets of points (${title})`,
    kind: 'pointCloud',
    layers: [layer],
    uses: [useOfPoints(isPlaced ? heightsAdvice(heights?.diagnosis) : 'Its place must be set first.')],
    points,
  };
}

/** Those that there was no time for are like the others. */
function pointFactsOf({ sheets, read: { headers, read } }: PointSheets): PointFacts {
  const scale = sheets / Math.max(1, read);
  const sum = (of: readonly PointHeader[]): number => of.reduce((all, { points }) => all + points, 0);
  const all = sum(headers);
  const isText = ({ format }: PointHeader): boolean =>
    format === 'xyz' || format === 'pts' || format === 'ptx';
  return {
    sheets,
    points: Math.round(all * scale),
    compressedShare: sum(headers.filter(({ isCompressed }) => isCompressed)) / Math.max(1, all),
    textShare: sum(headers.filter(isText)) / Math.max(1, all),
    hasColours: headers.some(({ hasColours }) => hasColours),
    hasTimes: headers.some(({ hasTimes }) => hasTimes),
  };
}

function detailsOf({ sheets, read, places, coverage }: PointSheets): Record<string, unknown> {
  const lows = read.headers.flatMap(({ bounds }) => bounds?.min[2] ?? []);
  const highs = read.headers.flatMap(({ bounds }) => bounds?.max[2] ?? []);
  return {
    sheets,
    formats: countedNames(read.headers.map(({ title }) => title)),
    ...describeSystems(places.placed.map(({ system }) => system)),
    ...(places.lost.length > 0 && { sheetsWithoutPlace: places.lost.length }),
    ...(read.damaged.length > 0 && { damagedSheets: read.damaged.length }),
    ...describeCoverage(coverage),
    ...(lows.length > 0 && {
      heightRange: [lows.reduce((a, b) => Math.min(a, b)), highs.reduce((a, b) => Math.max(a, b))],
    }),
  };
}
