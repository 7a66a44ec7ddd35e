/** West, south, east, north in degrees; west > east crosses the antimeridian. */
export type Bounds = [west: number, south: number, east: number, north: number];

export const worldBounds: Bounds = [-180, -85, 180, 85];

export const isBounds = (value: unknown): value is Bounds =>
  Array.isArray(value) && value.length === 4 && value.every((one) => Number.isFinite(one));

/** The eastern edge as a longitude that is not west of the other: beyond 180° where the box crosses the antimeridian. */
export const eastOf = ([west, , east]: readonly number[]): number => (west! > east! ? east! + 360 : east!);

/** The smallest box around all of them; undefined if there is none. */
export function unionOf(all: readonly (readonly number[] | undefined)[]): Bounds | undefined {
  const boxes = all.filter(isBounds);
  if (boxes.length === 0) return undefined;
  return [
    Math.min(...boxes.map(([west]) => west)),
    Math.min(...boxes.map(([, south]) => south)),
    Math.max(...boxes.map(eastOf)),
    Math.max(...boxes.map(([, , , north]) => north)),
  ];
}

/** The bounds for a map view: continuous to the east, within Mercator's limits, and never a single point. */
export function toView(box: readonly number[]): [[number, number], [number, number]] {
  const [west, south, , north] = box;
  const right = eastOf(box);
  const pad = Math.max(0.0005, (right - west! + (north! - south!)) * 0.002);
  return [
    [west! - pad, Math.max(-85, south! - pad)],
    [right + pad, Math.min(85, north! + pad)],
  ];
}

/** The box and its surroundings, at least so many degrees from its middle. */
export function withSurroundings(box: readonly number[], degrees: number): Bounds {
  const [west, south, , north] = box;
  const right = eastOf(box);
  const [lon, lat] = [(west! + right) / 2, (south! + north!) / 2];
  return [
    wrapLongitude(Math.min(west!, lon - degrees)),
    Math.max(-90, Math.min(south!, lat - degrees)),
    wrapLongitude(Math.max(right, lon + degrees)),
    Math.min(90, Math.max(north!, lat + degrees)),
  ];
}

/** The outline of a box as a ring along parallels and meridians. */
export function ringOf(box: readonly number[]): [number, number][] {
  const [west, south, , north] = box;
  const right = eastOf(box);
  const steps = Math.max(1, Math.ceil((right - west!) / 10));
  const along = Array.from({ length: steps + 1 }, (_, i) => west! + ((right - west!) * i) / steps);
  return [
    ...along.map((x): [number, number] => [x, south!]),
    ...along.toReversed().map((x): [number, number] => [x, north!]),
    [west!, south!],
  ];
}

/** Normalises a longitude to -180 … 180. */
export const wrapLongitude = (degrees: number) =>
  degrees >= -180 && degrees <= 180 ? degrees : ((((degrees + 180) % 360) + 360) % 360) - 180;

/** Why four numbers are not a valid box, as a text key; undefined if they are. */
export function faultOf(box: readonly (number | undefined)[]): 'missing' | 'range' | 'order' | undefined {
  if (box.length !== 4 || box.some((value) => value === undefined || !Number.isFinite(value)))
    return 'missing';
  const [west, south, east, north] = box as Bounds;
  if (Math.abs(west) > 180 || Math.abs(east) > 180 || Math.abs(south) > 90 || Math.abs(north) > 90)
    return 'range';
  return south < north && west !== east ? undefined : 'order';
}

/** Rounds to the screen's resolution: a box dragged over a city needs no twelve digits. */
export function roundBounds(box: readonly number[]): Bounds {
  const span = Math.min(Math.abs(box[2]! - box[0]!), Math.abs(box[3]! - box[1]!));
  const digits = Math.min(7, Math.max(2, 3 - Math.floor(Math.log10(Math.max(span, 1e-6)))));
  return box.map((value) => Number(value.toFixed(digits))) as Bounds;
}
