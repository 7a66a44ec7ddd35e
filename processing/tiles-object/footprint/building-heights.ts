import { roofShapes, type RoofShape } from './roofs.ts';

export interface ExtrudeOptions {
  /** The attribute with the height; by default those of the usual tags. */
  readonly height: string | undefined;
  /** The attribute with the height at which the building begins; by default those of the usual tags. */
  readonly base: string | undefined;
  /** The attribute with the number of storeys; by default those of the usual tags. */
  readonly levels: string | undefined;
  /** Metres of a storey. */
  readonly levelHeight: number;
  /** Metres of buildings of which nothing is known. */
  readonly defaultHeight: number;
  /** The shape of roofs of which nothing is known. */
  readonly roof: RoofShape;
}

/** Where a building begins and ends, in metres above the ground. */
export interface BuildingHeights {
  readonly bottom: number;
  readonly top: number;
  readonly roof: RoofShape;
  /** Of the part of it that is roof; undefined if nothing says it. */
  readonly roofHeight: number | undefined;
}

type Values = Readonly<Record<string, unknown>>;

const heightNames = ['height', 'building:height', 'measuredHeight', 'est_height', 'building_height'];
const levelNames = ['building:levels', 'storeysAboveGround', 'levels', 'num_floors'];
const maxHeight = 2000;

/** Heights by the tags of OpenStreetMap's Simple 3D Buildings, and by names that surveys use. */
export function buildingHeights(values: Values, options: ExtrudeOptions): BuildingHeights {
  const { levelHeight, defaultHeight } = options;
  const valueOf = (name: string | undefined) => (name === undefined ? undefined : metres(values[name]));
  const levels = valueOf(options.levels) ?? first(values, levelNames);
  const roofLevels = metres(values['roof:levels']);
  const given = valueOf(options.height);
  const bottom =
    valueOf(options.base) ??
    first(values, ['min_height', 'building:min_height']) ??
    (metres(values['building:min_level']) ?? 0) * levelHeight;
  const byLevels = levels === undefined ? undefined : (levels + (roofLevels ?? 0)) * levelHeight;
  const top = given ?? first(values, heightNames) ?? byLevels ?? defaultHeight;
  const shape = values['roof:shape'] ?? values['building:roof:shape'];
  return {
    bottom: Math.min(maxHeight, Math.max(0, bottom)),
    top: Math.min(maxHeight, Math.max(top, bottom + 0.1)),
    roof: roofShapes.find((one) => one === shape) ?? options.roof,
    roofHeight:
      metres(values['roof:height']) ?? (roofLevels === undefined ? undefined : roofLevels * levelHeight),
  };
}

function first(values: Values, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = metres(values[name]);
    if (value !== undefined && value >= 0) return value;
  }
  return undefined;
}

const footMetres = 0.3048;

/** A number, or a text such as `12.5 m`, `40 ft` or `40'`. */
export function metres(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const [, digits, unit = ''] = /^(-?\d+(?:[.,]\d+)?) ?(m|ft|feet|')?$/i.exec(value.trim()) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits.replace(',', '.'));
  return unit === '' || unit.toLowerCase() === 'm' ? number : number * footMetres;
}
