import { svgElement } from './element.ts';
import { land } from './land.ts';

type Degrees = readonly [longitude: number, latitude: number];

/** On the disc of the globe: x to the right, y down, both from -1 to 1; `visible` on the side that faces us. */
interface Projected {
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

interface GlobeOptions {
  readonly centre: Degrees;
  readonly graticuleDegrees: number;
  /** west, south, east, north in degrees; west > east crosses the antimeridian. */
  readonly bbox?: readonly number[];
}

const units = 100; // the radius in the units of the view box
const smallestBoxDegrees = 9;

/** The Earth from far away, land and graticule, with an optional box on it. Decorative: hidden from screen readers. */
export function globe({ centre, graticuleDegrees, bbox }: GlobeOptions): SVGSVGElement {
  const project = orthographic(centre);
  const svg = svgElement(
    'svg',
    { class: 'globe', viewBox: '-104 -104 208 208', 'aria-hidden': 'true', focusable: 'false' },
    svgElement('circle', { class: 'globe-water', r: units }),
    svgElement('path', { class: 'globe-land', d: landPath(project) }),
    svgElement('path', { class: 'globe-graticule', d: linePath(graticule(graticuleDegrees), project) }),
    svgElement('circle', { class: 'globe-limb', r: units }),
  );
  if (bbox) svg.append(marker(bbox, project));
  return svg;
}

/** The middle of a box, also of one across the antimeridian. */
export function centreOf([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Degrees {
  const middle = west + widthOf(west, east) / 2;
  return [middle > 180 ? middle - 360 : middle, (south + north) / 2];
}

function widthOf(west: number, east: number): number {
  return east >= west ? east - west : east - west + 360;
}

type Projection = (point: Degrees) => Projected;

/** Snyder 1987, eq. 20-3, 20-4 and 5-3. */
function orthographic([longitude0, latitude0]: Degrees): Projection {
  const radians = Math.PI / 180;
  const [sin0, cos0] = [Math.sin(latitude0 * radians), Math.cos(latitude0 * radians)];
  return ([longitude, latitude]) => {
    const [sin, cos] = [Math.sin(latitude * radians), Math.cos(latitude * radians)];
    const turn = (longitude - longitude0) * radians;
    return {
      x: cos * Math.sin(turn),
      y: -(cos0 * sin - sin0 * cos * Math.cos(turn)),
      visible: sin0 * sin + cos0 * cos * Math.cos(turn) >= 0,
    };
  };
}

let rings: readonly Degrees[][] | undefined;

function landRings(): readonly Degrees[][] {
  rings ??= land.split(',').map((chain) => {
    const steps = chain.match(/-?\d+/g)!.map(Number);
    const ring: Degrees[] = [];
    for (let at = 0, x = 0, y = 0; at < steps.length; at += 2) {
      x += steps[at]!;
      y += steps[at + 1]!;
      ring.push([x / 5, y / 5]);
    }
    return ring;
  });
  return rings;
}

/** Rings partly behind the globe follow its limb there. */
function landPath(project: Projection): string {
  return landRings()
    .map((ring) => ring.map(project))
    .filter((ring) => ring.some(({ visible }) => visible))
    .map((ring) => `M${ring.map((it) => place(it.visible ? it : onLimb(it))).join('L')}Z`)
    .join('');
}

function onLimb({ x, y }: Projected): { x: number; y: number } {
  const length = Math.hypot(x, y) || 1;
  return { x: x / length, y: y / length };
}

function linePath(lines: Iterable<readonly Degrees[]>, project: Projection): string {
  let path = '';
  for (const line of lines) {
    let isDrawing = false;
    for (const point of line) {
      const projected = project(point);
      if (projected.visible) path += (isDrawing ? 'L' : 'M') + place(projected);
      isDrawing = projected.visible;
    }
  }
  return path;
}

function* graticule(stepDegrees: number): Generator<Degrees[]> {
  const latitudes = range(-90 + stepDegrees, 90 - stepDegrees, stepDegrees);
  for (const longitude of range(-180, 180 - stepDegrees, stepDegrees)) {
    yield range(-90 + stepDegrees, 90 - stepDegrees, 3).map((latitude) => [longitude, latitude]);
  }
  for (const latitude of latitudes) yield range(-180, 180, 3).map((longitude) => [longitude, latitude]);
}

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** The outline of the box, or a ring around its middle where it would be too small to see. */
function marker(bbox: readonly number[], project: Projection): SVGElement {
  const [west = 0, south = 0, east = 0, north = 0] = bbox;
  const width = widthOf(west, east);
  if (Math.max(width, north - south) < smallestBoxDegrees) {
    const { x, y } = project(centreOf(bbox));
    const at = { cx: round(x), cy: round(y) };
    return svgElement(
      'g',
      {},
      svgElement('circle', { class: 'globe-ring', r: 15, ...at }),
      svgElement('circle', { class: 'globe-dot', r: 6, ...at }),
    );
  }
  if (width >= 360) {
    const parallels = [south, north].filter((latitude) => Math.abs(latitude) < 90);
    const lines = parallels.map((latitude) => range(-180, 180, 3).map((it): Degrees => [it, latitude]));
    return svgElement('path', { class: 'globe-box globe-line', d: linePath(lines, project) });
  }
  const steps = range(0, 1, 1 / 48);
  const outline: Degrees[] = [
    ...steps.map((part): Degrees => [west + part * width, south]),
    ...steps.map((part): Degrees => [west + width, south + part * (north - south)]),
    ...steps.map((part): Degrees => [west + width - part * width, north]),
    ...steps.map((part): Degrees => [west, north - part * (north - south)]),
  ];
  return svgElement('path', { class: 'globe-box', d: linePath([outline], project) });
}

function place({ x, y }: { readonly x: number; readonly y: number }): string {
  return `${round(x)} ${round(y)}`;
}

function round(part: number): number {
  return Math.round(part * units * 10) / 10;
}
