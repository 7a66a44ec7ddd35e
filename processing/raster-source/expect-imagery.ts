import type { InspectionSuggestion, RasterFacts } from '@platen/contract/inspect';
import { pixelMetres, tileSide, zoomOf } from './mercator-frame.ts';

/** What a job will make, and how long it takes. */
export type Expected = Pick<
  InspectionSuggestion,
  'minZoom' | 'maxZoom' | 'expectedBytes' | 'expectedSeconds'
>;

const maxZoom = 24;
/** Of all zooms together, by the highest: each has a quarter of the pixels of the next one. */
const ofAllZooms = 4 / 3;
/** Start and end of a job; CPU seconds to begin with, and per million pixels. */
const idleSeconds = 0.4;
const warmUpSeconds = 0.7;
const jpegSeconds = 0.067;
const pngSeconds = 0.7;
const thumbnailPixels = 256 ** 2;

/**
 * Image tiles by default: JPEG, and PNG where they reach beyond the sheets. Tiles at the outline are half full.
 * @param cores number that the job can expect
 */
export function expectTiles({ jpegBits, pngBits, ...facts }: RasterFacts, cores: number): Expected {
  const zooms = { minZoom: 0, maxZoom: Math.min(maxZoom, zoomOf(facts.metres)) };
  if (jpegBits === undefined || pngBits === undefined) return zooms;
  let [jpegPixels, pngPixels] = [0, Math.min(thumbnailPixels, facts.pixels)];
  for (let z = 0; z <= zooms.maxZoom; z++) {
    const metres = pixelMetres(z);
    const pixels = facts.area / metres ** 2;
    const atOutline = Math.min(pixels, (facts.outline / metres) * (tileSide / 2));
    jpegPixels += pixels - atOutline;
    pngPixels += atOutline;
  }
  const cpuSeconds = (jpegPixels * jpegSeconds + pngPixels * pngSeconds) / 1e6;
  const bytes = (jpegPixels * jpegBits + pngPixels * pngBits) / 8;
  return { ...zooms, ...roundedExpectation(bytes, secondsOf(cpuSeconds, cores)) };
}

/** A cloud-optimized GeoTIFF for viewers by default. @param cores number that the job can expect */
export function expectImage({ jpegBits, metres, area }: RasterFacts, cores: number): Expected {
  if (jpegBits === undefined) return {};
  const zoom = zoomOf(metres);
  const pixels = (area / pixelMetres(zoom) ** 2) * ofAllZooms;
  return roundedExpectation((pixels * jpegBits) / 8, secondsOf((pixels * jpegSeconds) / 1e6, cores));
}

function secondsOf(cpuSeconds: number, cores: number): number {
  return idleSeconds + (warmUpSeconds + cpuSeconds) / Math.max(1, cores);
}

/** With two digits, as more would not be true. */
export function roundedExpectation(bytes: number, seconds: number): Expected {
  return {
    expectedBytes: Number(bytes.toPrecision(2)),
    expectedSeconds: Number(seconds.toPrecision(2)),
  };
}
