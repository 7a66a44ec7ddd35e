import { middleOf } from './area.ts';
import type { Crs, CrsNote } from './crs.ts';
import { openTransform, type Definition, type Transform } from './open-transform.ts';
import { UnknownCrs } from './unknown-crs.ts';

export interface CrsParts extends Pick<Crs, 'code' | 'name' | 'area' | 'northingFirst'> {
  readonly definition: Definition;
  readonly notes: readonly CrsNote[];
}

/** @throws UnknownCrs where proj4 does not know the projection, or does not find back */
export function assembleCrs({ definition, notes, ...parts }: CrsParts): Crs {
  const transform = open(parts.name, definition);
  if (!survivesRoundTrip(transform, parts.area)) {
    throw new UnknownCrs(
      `${describe(parts)} cannot be computed accurately: transforming the centre of its area and back gives another position. Transform the data to EPSG:4326.`,
    );
  }
  const { toLonLat, fromLonLat } = transform;
  const unknownShift = transform.hasUnknownShift ? [unknownDatumShift] : [];
  return { ...parts, kind: kindOf(transform), notes: [...notes, ...unknownShift], toLonLat, fromLonLat };
}

const unknownDatumShift: CrsNote = {
  code: 'unknownDatumShift',
  message: 'its datum has no known shift to WGS 84: positions may be off by some hundred metres',
};

function describe({ code, name }: Pick<Crs, 'code' | 'name'>): string {
  return code === undefined || code === name ? name : `${code} (${name})`;
}

function open(name: string, definition: Definition): Transform {
  if (/\+proj=(?:geocent|cart|pipeline)\b/.test(definition.text)) {
    throw new UnknownCrs(
      `"${name}" is not a geographic or projected coordinate system. Transform the data to EPSG:4326.`,
    );
  }
  try {
    return openTransform(definition);
  } catch (error) {
    throw new UnknownCrs(
      `The projection of "${name}" is not supported, or its parameters are not valid. Enter its EPSG code, or transform the data to EPSG:4326.`,
      { cause: error },
    );
  }
}

function kindOf({ isIdentity, isGeographic, isWebMercator, hasUnknownShift }: Transform): Crs['kind'] {
  if (isIdentity && !hasUnknownShift) return 'lonLat';
  if (isGeographic) return 'geographic';
  return isWebMercator ? 'webMercator' : 'projected';
}

/** Degrees, a metre: a datum shift far from its area loses some with the heights. */
const tolerance = 1e-5;

function survivesRoundTrip({ toLonLat, fromLonLat, origin }: Transform, area: Crs['area']): boolean {
  const [lon, lat] = area === undefined ? origin : middleOf(area);
  const coordinates = Float64Array.of(lon, lat);
  fromLonLat(coordinates, 1);
  toLonLat(coordinates, 1);
  const eastwards = Math.abs(((coordinates[0]! - lon + 540) % 360) - 180) * Math.cos((lat * Math.PI) / 180);
  return eastwards < tolerance && Math.abs(coordinates[1]! - lat) < tolerance;
}
