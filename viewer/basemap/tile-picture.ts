import { clipRing, type Point } from './clip-to-box.ts';
import { copiesIn, frameOf, runsIn, type Frame } from './frame.ts';
import { worldColours, type WorldLook } from '../world-colours.ts';
import { toMercator, type Outline, type WorldOutlines } from './world-outlines.ts';
import type { WorldWaters } from './world-waters.ts';

/** Edge length of a tile in pixels. */
export const tileSizePixels = 256;

/**
 * South of this everything is drawn as ice: the globe stretches the map's last row of pixels over the pole,
 * and a bay of the Ross Ice Shelf that reaches that row would become a wedge of sea.
 */
const southPoleLatitude = -84.7;

/** Drawn beyond the tile's edge, so that no line ends or changes its width there. */
const marginPixels = 8;

function pathData(frame: Frame, points: readonly Point[]): string {
  const pixels = points.map(([x, y]) => {
    const right = x * frame.scale - frame.left;
    const down = y * frame.scale - frame.top;
    return `${right.toFixed(2)} ${down.toFixed(2)}`;
  });
  return `M${pixels.join('L')}`;
}

function linePath(frame: Frame, outlines: readonly Outline[]): string {
  return outlines
    .flatMap((outline) => copiesIn(frame, outline))
    .flatMap((points) => runsIn(frame, points))
    .map((run) => pathData(frame, run))
    .join('');
}

/** All areas are one path: edges shared by copies cancel out, so that no seam is visible. */
function areaPath(frame: Frame, outlines: readonly Outline[]): string {
  return outlines
    .flatMap((outline) => copiesIn(frame, outline))
    .map((points) => clipRing(points, frame.box))
    .filter((points) => points.length > 0)
    .map((points) => pathData(frame, points))
    .join('');
}

function graticulePath(frame: Frame, z: number): string {
  const stepDegrees = z < 2 ? 30 : 15;
  const lines: string[] = [];
  for (let degrees = -180; degrees <= 180; degrees += stepDegrees) {
    const across = ((degrees / 360 + 0.5) * frame.scale - frame.left).toFixed(2);
    lines.push(`M${across} -9V${tileSizePixels + 9}`);
    if (Math.abs(degrees) >= 85) continue;
    const [, y] = toMercator([0, degrees]);
    lines.push(`M-9 ${(y * frame.scale - frame.top).toFixed(2)}H${tileSizePixels + 9}`);
  }
  return lines.join('');
}

export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** One tile of the base layer as SVG: water, graticule, land, ice, rivers, lakes, borders, coasts. */
export function tilePicture(
  world: WorldOutlines & WorldWaters,
  { z, x, y }: TilePlace,
  look: WorldLook = 'light',
): string {
  const colours = worldColours[look];
  const frame = frameOf({ z, x, y, size: tileSizePixels, margin: marginPixels });
  const thin = z < 2 ? 0.6 : 0.9;
  const coasts = linePath(frame, world.coasts);
  const borders = linePath(frame, world.borders);
  const rivers = world.rivers.filter(({ minZoom }) => z >= minZoom);
  const main = linePath(
    frame,
    rivers.filter(({ isMain }) => isMain),
  );
  const others = linePath(
    frame,
    rivers.filter(({ isMain }) => !isMain),
  );
  const lakes = world.lakes.filter(({ minZoom }) => z >= minZoom);
  const size = tileSizePixels;
  const poleTop = (toMercator([0, southPoleLatitude])[1] * frame.scale - frame.top).toFixed(2);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">`,
    `<rect width="${size}" height="${size}" fill="${colours.water}"/>`,
    `<g fill="none" stroke-linejoin="round" stroke-linecap="round">`,
    `<path d="${coasts}" stroke="${colours.shallows}" stroke-width="${z < 2 ? 3 : 6}"/>`,
    `<path d="${graticulePath(frame, z)}" stroke="${colours.graticule}" stroke-width="${thin}"/>`,
    `</g><path d="${areaPath(frame, world.land)}" fill="${colours.land}" fill-rule="evenodd"/>`,
    `<path d="${areaPath(frame, world.ice)}" fill="${colours.ice}" fill-rule="evenodd"/>`,
    `<g fill="none" stroke-linejoin="round" stroke-linecap="round" stroke-width="${thin}">`,
    `<path d="${main}" stroke="${colours.river}" stroke-width="${z < 4 ? 0.9 : 1.3}"/>`,
    `<path d="${others}" stroke="${colours.river}" stroke-width="${z < 4 ? 0.6 : 0.9}"/>`,
    `<path d="${areaPath(frame, lakes)}" fill="${colours.water}"/>`, // some are in the source twice,
    `<path d="${linePath(frame, lakes)}" stroke="${colours.coast}" stroke-width="${thin * 0.7}"/>`,
    `<path d="${borders}" stroke="${colours.border}"/><path d="${coasts}" stroke="${colours.coast}"/>`,
    `</g><rect y="${poleTop}" width="${size}" height="${size}" fill="${colours.ice}"/></svg>`,
  ].join('');
}
