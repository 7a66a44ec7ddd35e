import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';

interface Options {
  readonly datasource: Pick<Datasource, 'type' | 'bbox' | 'properties'>;
  /** The layer configuration that the service returns for the datasource, with its style. */
  readonly layer: FreeForm;
  /** The name of the layer with the features; the others' begin with it. */
  readonly name: string;
}

/** The tiles' own zoom level from which points are drawn on the ground. */
const nearLevel = 6;
/** Data that are wider than this, in degrees, are seen on a globe with points on its far side. */
const wideDegrees = 60;

/**
 * The layers that show a datasource at its best, the last for its features: lines above a light casing, points of the whole
 * world before the globe, which hides those of its far side.
 */
export function dataLayers({ datasource, layer, name }: Options): FreeForm[] {
  const named = { ...layer, name };
  const kinds = datasource.properties['geometryTypes'];
  if (datasource.type !== 'vectortiles' || !Array.isArray(kinds) || kinds.length !== 1) return [named];
  if (kinds[0] === 'LineString') return [casingOf(named), named];
  return kinds[0] === 'Point' ? pointLayers(named, datasource) : [named];
}

const casing = { type: 'VectorStyleItem', stroke: { color: 'rgba(255,255,255,0.85)', width: 5 } };

function casingOf(layer: FreeForm): FreeForm {
  const { name, properties: _, ...rest } = layer;
  return { ...rest, name: `${String(name)}-casing`, allowPicking: false, style: casing };
}

/** Smaller from afar: distances in metres, each with a factor. */
const pointScale = [100_000, 1.2, 10_000_000, 0.6];

function pointLayers(layer: FreeForm, { bbox }: Options['datasource']): FreeForm[] {
  const near: FreeForm = { ...layer, vectorProperties: { scaleByDistance: pointScale } };
  const levels = (layer['tileProvider'] as { baseLevels?: number[] } | undefined)?.baseLevels ?? [];
  if (!isWide(bbox) || !levels.some((level) => level >= nearLevel)) return [near];
  const beforeTheGlobe = { altitudeMode: 'absolute', groundLevel: 2000, eyeOffset: [0, 0, -400_000] };
  const far = { scaleByDistance: pointScale, ...beforeTheGlobe };
  return [
    {
      ...near,
      name: `${String(near['name'])}-far`,
      maxLevel: nearLevel - 1,
      vectorProperties: far,
      style: withoutLegend(near['style']),
    },
    { ...near, minLevel: nearLevel },
  ];
}

/** The legend is that of the other layer. */
function withoutLegend(style: unknown): unknown {
  const { properties, ...others } = (typeof style === 'object' ? style : {}) as Record<string, unknown>;
  if (typeof properties !== 'object' || properties === null) return style;
  const { legend: _, ...kept } = properties as Record<string, unknown>;
  return { ...others, properties: kept };
}

function isWide(bbox: readonly number[] | undefined): boolean {
  if (bbox === undefined) return true;
  const [west, , east] = bbox as [number, number, number, number];
  return (west > east ? east + 360 - west : east - west) > wideDegrees;
}
