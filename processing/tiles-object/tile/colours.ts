import { surfaceRoles, type SurfaceRole } from '@platen/formats/city-object/surface-roles';

export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** `#c05642` and so on, by what a surface is; `none` counts where the class of the object says nothing. */
export const defaultColours: Readonly<Record<SurfaceRole, string>> = {
  none: '#d6d0c6',
  roof: '#b5563f',
  wall: '#ded8cc',
  ground: '#82786e',
  closure: '#b0c4d8',
  interior: '#e6e0d4',
  door: '#8a5a33',
  window: '#7fa6c9',
  traffic: '#8f9194',
  verge: '#a9b28c',
  water: '#6fa5d2',
};

/** Colours of objects whose surfaces have no role. */
const classColours: readonly (readonly [pattern: RegExp, colour: string])[] = [
  [/^(?:PlantCover|SolitaryVegetationObject)$/, '#5f8f4a'],
  [/^(?:WaterBody|WaterSurface|Waterway)$/, '#6fa5d2'],
  [/^(?:Road|Railway|Track|Square|TransportationComplex|TransportSquare|Section|Intersection)$/, '#9a9b9d'],
  [/^LandUse$/, '#c3cfa0'],
  [/Relief$|^ReliefFeature$|^TINRelief$/, '#b7a98a'],
  [/^CityFurniture$/, '#7d8288'],
  [/^(?:Bridge|Tunnel)/, '#b8b4ad'],
];

const none = surfaceRoles.indexOf('none');

/** The colour of a face, as glTF has it: linear, from 0 to 255. */
export type FaceColour = (className: string, role: number) => Colour;

export function createFaceColours(colours: Readonly<Record<SurfaceRole, string>>): FaceColour {
  const byRole = surfaceRoles.map((role) => linearOf(parse(colours[role])));
  const byClass = new Map<string, Colour>();
  return (className, role) => {
    if (role !== none) return byRole[role] ?? byRole[none]!;
    let colour = byClass.get(className);
    if (colour === undefined) {
      const found = classColours.find(([pattern]) => pattern.test(className))?.[1];
      colour = found === undefined ? byRole[none]! : linearOf(parse(found));
      if (byClass.size < 1000) byClass.set(className, colour);
    }
    return colour;
  };
}

function parse(hex: string): [number, number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255, 1];
}

/** sRGB from 0 to 1 (IEC 61966-2-1) as linear values from 0 to 255; alpha is linear already. */
export function linearOf([red, green, blue, alpha]: Colour): Colour {
  const linear = (value: number): number => {
    const v = Math.min(1, Math.max(0, value));
    return Math.round(255 * (v <= 0.040_45 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  };
  return [linear(red), linear(green), linear(blue), Math.round(255 * Math.min(1, Math.max(0, alpha)))];
}
