import type { FeaturePlace } from '@platen/formats/feature/feature';
import { emptyBox, growBox, type Box } from '../box.ts';

/** A feature that lies far from nearly all others. */
export interface FarFeature {
  readonly longitude: number;
  readonly latitude: number;
  readonly place: FeaturePlace;
}

export interface FarFeatures {
  /** Where nearly all features are: much smaller than the extent of all. */
  readonly typical: Box;
  /** In the order of the file; at most `maxOfSide` at each side. */
  readonly far: readonly FarFeature[];
}

export interface FarFeatureSearch {
  /** @param place is asked for features at the edge of all only */
  see(coordinates: Float64Array, count: number, place: () => FeaturePlace): void;
  /** Undefined if the features lie together, or are too few to say. */
  find(): FarFeatures | undefined;
}

interface Extreme {
  readonly box: Box;
  readonly place: FeaturePlace;
}

/** The share of features at each side that may lie far away. */
const outerShare = 0.02;
const minFeatures = 50;
const maxBoxes = 4096;
const maxOfSide = 5;
/** Only then is the extent of all not that of a map of the features. */
const minGrowth = 3;
const sides = [0, 1, 2, 3] as const;

/** Searches features, in longitude and latitude, for those that would take the view of a map from all others. */
export function createFarFeatureSearch(): FarFeatureSearch {
  let boxes: Box[] = [];
  let seen = 0;
  /** Of every so many features the box is kept. */
  let step = 1;
  const extremes = sides.map((): Extreme[] => []);
  return {
    see(coordinates, count, place) {
      const box = emptyBox();
      growBox(box, coordinates, count);
      if (box[0] > box[2]) return;
      if (seen++ % step === 0) boxes.push(box);
      if (boxes.length > maxBoxes) {
        boxes = boxes.filter((_, index) => index % 2 === 0);
        step *= 2;
      }
      let known: FeaturePlace | undefined;
      for (const side of sides) {
        const list = extremes[side]!;
        const last = list.at(-1);
        if (last !== undefined && list.length === maxOfSide && !isFarther(box, last.box, side)) continue;
        known ??= { ...place() };
        list.push({ box, place: known });
        list.sort((one, other) => distance(other.box, side) - distance(one.box, side));
        list.splice(maxOfSide);
      }
    },
    find() {
      const typical = boxes.length < minFeatures ? undefined : typicalOf(boxes);
      if (!typical) return undefined;
      const [width, height] = sizeOf(typical);
      const [wholeWidth, wholeHeight] = sizeOf(sides.map((side) => extremes[side]![0]!.box[side]) as Box);
      if (width <= 0 || height <= 0) return undefined;
      if (wholeWidth < minGrowth * width && wholeHeight < minGrowth * height) return undefined;
      const far = new Map<number, Extreme>();
      for (const one of extremes.flat()) if (isFar(one.box, typical)) far.set(one.place.feature, one);
      if (far.size === 0) return undefined;
      const inOrder = [...far.values()].toSorted((one, other) => one.place.feature - other.place.feature);
      return { typical, far: inOrder.map(farFeatureOf) };
    },
  };
}

/** How far a box reaches to a side. */
const distance = (box: Box, side: 0 | 1 | 2 | 3) => (side < 2 ? -box[side] : box[side]);
const isFarther = (box: Box, than: Box, side: 0 | 1 | 2 | 3) => distance(box, side) > distance(than, side);

const sizeOf = ([west, south, east, north]: Box) => [east - west, north - south] as const;

/** Without the outermost at each side. */
function typicalOf(boxes: readonly Box[]): Box {
  const cut = Math.ceil(boxes.length * outerShare);
  const [west, south, east, north] = sides.map(
    (side) => boxes.map((box) => distance(box, side)).toSorted((a, b) => b - a)[cut]!,
  ) as Box;
  return [-west, -south, east, north];
}

/** Beyond the box by more than its size, also if it is reached across the antimeridian. */
function isFar([west, south, east, north]: Box, typical: Box): boolean {
  const [width, height] = sizeOf(typical);
  if (south < typical[1] - height || north > typical[3] + height) return true;
  return [-360, 0, 360].every((turn) => west + turn < typical[0] - width || east + turn > typical[2] + width);
}

const farFeatureOf = ({ box: [west, south, east, north], place }: Extreme): FarFeature => ({
  longitude: (west + east) / 2,
  latitude: (south + north) / 2,
  place,
});
