import type { InspectedLayer, RasterFacts } from '@platen/contract/inspect';
import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import type { Ring } from '@platen/geo/raster/sheet-coverage';
import { metresOfDegree } from '../../raster-source/mercator-frame.ts';
import type { Box } from '../box.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { round } from '../raster/value-range.ts';
import type { Mosaic } from './mosaic.ts';
import { reportMosaic } from './report-mosaic.ts';

const titles: Readonly<Record<string, string>> = {
  geotiff: 'GeoTIFF',
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  jpeg2000: 'JPEG 2000',
  hgt: 'SRTM',
  asciiGrid: 'ESRI ASCII',
};

export function describeMosaic(
  mosaic: Mosaic,
  { issues, samples }: InspectionContext,
  raster: RasterFacts | undefined,
): Finding {
  const { folder, sheets, read, places, coverage } = mosaic;
  reportMosaic(mosaic, issues);
  const [format] = commonest(read.headers.map((header) => header.format))[0] ?? ['geotiff'];
  const [kind] = commonest(mosaic.samples.map((finding) => finding.kind ?? 'raster'))[0] ?? [
    'raster' as const,
  ];
  const name = folder.replace(/\.[^.]+$/, '').slice(0, 200) || 'mosaic';
  const sampler = samples?.start();
  if (sampler) {
    for (const [i, ring] of (coverage?.gaps ?? []).slice(0, maxShownGaps).entries())
      sampler.add({ gap: String(i + 1) }, polygonOf(ring));
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
  };
}

const maxShownGaps = 100;
const maxSystems = 6;

function detailsOf({ sheets, read, places, coverage, samples }: Mosaic): Record<string, unknown> {
  const systems = commonest(places.placed.map(({ crs }) => crs.code ?? crs.name));
  const formats = commonest(read.headers.map(({ format }) => titles[format] ?? format));
  const sizes = places.placed.map(({ facts }) => facts.degrees * metresOfDegree);
  const heights = samples.find(({ layers }) => layers[0]?.details?.['heights'])?.layers[0]?.details;
  const percent = (share: number) => Number((share * 100).toFixed(1));
  return {
    sheets,
    formats: formats.map(([name, count]) => (formats.length > 1 ? `${name} (${count})` : name)),
    ...(systems.length > 1 && {
      systems: systems.slice(0, maxSystems).map(([name, count]) => `${name} (${count})`),
    }),
    ...(sizes.length > 0 && {
      pixelMetres: [
        ...new Set([sizes.reduce(smaller), sizes.reduce(larger)].map((size) => Number(size.toPrecision(3)))),
      ],
    }),
    ...(places.lost.length > 0 && { sheetsWithoutPlace: places.lost.length }),
    ...(read.damaged.length > 0 && { damagedSheets: read.damaged.length }),
    ...(coverage && {
      gaps: coverage.gaps.length,
      ...(coverage.gaps.length > 0 && { gapPercent: percent(coverage.gapShare) }),
      overlapPercent: percent(coverage.overlapShare),
    }),
    ...(heights && {
      heights: heights['heights'],
      heightRange: heights['heightRange'],
      isRangeEstimated: true,
    }),
  };
}

const smaller = (a: number, b: number): number => Math.min(a, b);
const larger = (a: number, b: number): number => Math.max(a, b);

/** Each value with its number, the commonest first. */
function commonest<T extends string>(values: readonly T[]): [value: T, count: number][] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

function unionOf(boxes: readonly Box[]): Box {
  return boxes.reduce((a, b) => [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ]);
}

function polygonOf(ring: Ring): GeometryBuffer {
  const coordinates = Float64Array.of(...ring, ring[0]!, ring[1]!);
  const positionCount = coordinates.length / 2;
  return {
    coordinates,
    heights: undefined,
    positionCount,
    ringEnds: [positionCount],
    polygonEnds: [1],
    parts: [{ type: 'Polygon', polygonStart: 0, polygonEnd: 1 }],
  };
}
