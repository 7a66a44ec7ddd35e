import type { InspectedLayer, RasterFacts } from '@platen/contract/inspect';
import { maxCorners } from '../../heights/ground-heights.ts';
import { metresOfDegree } from '../../raster-source/mercator-frame.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { round } from '../raster/value-range.ts';
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
import { reportSheets } from '../sheets/report-sheets.ts';
import type { Mosaic } from './mosaic.ts';

const titles: Readonly<Record<string, string>> = {
  geotiff: 'GeoTIFF',
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  jpeg2000: 'JPEG 2000',
  hgt: 'SRTM',
  asciiGrid: 'ESRI ASCII',
  xyzGrid: 'XYZ',
};

export function describeMosaic(
  mosaic: Mosaic,
  { issues, samples }: InspectionContext,
  raster: RasterFacts | undefined,
): Finding {
  const { folder, sheets, read, places, coverage } = mosaic;
  reportSheets(
    {
      ...mosaic,
      lost: places.lost.map(({ name }) => name),
      lostAdvice: 'Upload their world files or .aux.xml to the same folder.',
      placed: places.placed.map(({ header, box }) => ({ name: header.name, box })),
    },
    issues,
  );
  const [format] = commonest(read.headers.map((header) => header.format))[0] ?? ['geotiff'];
  const [kind] = commonest(mosaic.samples.map((finding) => finding.kind ?? 'raster'))[0] ?? [
    'raster' as const,
  ];
  const name = layerOfFolder(folder, 'mosaic');
  const sampler = samples?.start();
  if (sampler) {
    sampleGaps(coverage, sampler);
    for (const { header, crs, quad, facts } of places.placed)
      sampler.add(
        {
          name: header.name,
          crs: crs.code ?? crs.name,
          pixels: `${header.width} × ${header.height}`,
          pixelSize: `${round(facts.degrees * metresOfDegree).toPrecision(3)} m`,
        },
        polygonOf(quad),
      );
    samples!.keep(name, sampler, places.placed.length === sheets);
  }
  const layer: InspectedLayer = {
    name,
    geometryTypes: [],
    featureCount: sheets,
    isEstimated: false,
    isBboxEstimated: read.read < sheets,
    fields: [],
    ...(places.crs && { crs: places.crs }),
    ...(places.placed.length > 0 && { bbox: unionOf(places.placed.map(({ box }) => box)) }),
    details: detailsOf(mosaic),
  };
  return {
    format,
    formatTitle: `Mosaic of sheets (${titles[format] ?? format})`,
    kind,
    layers: [layer],
    uses: [],
    ...(raster && { raster }),
    ...groundOf(mosaic.samples),
    ...(kind === 'raster' && pictureOf(mosaic.samples)),
  };
}

function detailsOf({ sheets, read, places, coverage, samples }: Mosaic): Record<string, unknown> {
  const sizes = places.placed.map(({ facts }) => facts.degrees * metresOfDegree);
  const heights = samples.find(({ layers }) => layers[0]?.details?.['heights'])?.layers[0]?.details;
  return {
    sheets,
    formats: countedNames(read.headers.map(({ format }) => titles[format] ?? format)),
    ...describeSystems(places.placed.map(({ crs }) => crs.code ?? crs.name)),
    ...(sizes.length > 0 && {
      pixelMetres: [
        ...new Set([sizes.reduce(smaller), sizes.reduce(larger)].map((size) => Number(size.toPrecision(3)))),
      ],
    }),
    ...(places.lost.length > 0 && { sheetsWithoutPlace: places.lost.length }),
    ...(read.damaged.length > 0 && { damagedSheets: read.damaged.length }),
    ...describeCoverage(coverage),
    ...(heights && {
      heights: heights['heights'],
      heightRange: heights['heightRange'],
      isRangeEstimated: true,
    }),
  };
}

/** Of the sheet in the middle, if it has one: what is at the side of a mosaic shows it less well. */
function pictureOf(samples: readonly Finding[]): Pick<Finding, 'pixels' | 'sheetPicture'> {
  const [first, middle, last] = samples;
  for (const sheet of [middle, first, last]) {
    if (sheet?.pixels) return { pixels: sheet.pixels };
    const width = sheet?.layers[0]?.details?.['width'];
    if (sheet?.thumbnail !== undefined && typeof width === 'number')
      return { sheetPicture: { url: sheet.thumbnail, width } };
  }
  return {};
}

/** Of all sheets that were looked into. */
function groundOf(samples: readonly Finding[]): Pick<Finding, 'ground'> {
  const grounds = samples.flatMap(({ ground }) => ground ?? []);
  const corners = grounds.flatMap((ground) => ground.corners).slice(0, 3 * maxCorners);
  return grounds.length === 0 ? {} : { ground: { ...grounds[0]!, corners } };
}

const smaller = (a: number, b: number): number => Math.min(a, b);
const larger = (a: number, b: number): number => Math.max(a, b);
