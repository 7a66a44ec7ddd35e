import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';

interface Options {
  readonly datasource: Pick<Datasource, 'type' | 'bbox' | 'properties'>;
  /** The layer configuration that the service returns for the datasource, with its style. */
  readonly layer: FreeForm;
}

/** The tiles' own zoom level from which points are drawn on the ground. */
const nearLevel = 6;
/** Data that are wider than this, in degrees, are seen on a globe with points on its far side. */
const wideDegrees = 60;

/**
 * The layers that show a datasource at its best. Images of tiles suit polygons; lines and points are drawn as they are,
 * lines above a light casing, points of the whole world before the globe, which hides those of its far side.
 */
export function dataLayers({ datasource, layer }: Options): FreeForm[] {
  const base = { ...layer, activeOnStartup: true, zIndex: 10 };
  const kinds = datasource.properties['geometryTypes'];
  if (datasource.type !== 'vectortiles' || !Array.isArray(kinds) || kinds.length !== 1)
    return [{ ...base, name: 'data' }];
  const crisp = { ...base, renderer: 'primitive' };
  if (kinds[0] === 'LineString') return [casingOf(crisp), { ...crisp, name: 'data' }];
  if (kinds[0] === 'Point') return pointLayers(crisp, datasource);
  return [{ ...base, name: 'data' }];
}

const casing = { type: 'VectorStyleItem', stroke: { color: 'rgba(255,255,255,0.85)', width: 5 } };

function casingOf(layer: FreeForm): FreeForm {
  const { properties: _, ...rest } = layer;
  return { ...rest, name: 'casing', zIndex: 9, allowPicking: false, style: casing };
}

/** Smaller from afar: distances in metres, each with a factor. */
const pointScale = [100_000, 1.2, 10_000_000, 0.6];

function pointLayers(layer: FreeForm, { bbox }: Options['datasource']): FreeForm[] {
  const near: FreeForm = { ...layer, name: 'data', vectorProperties: { scaleByDistance: pointScale } };
  const levels = (layer['tileProvider'] as { baseLevels?: number[] } | undefined)?.baseLevels ?? [];
  if (!isWide(bbox) || !levels.some((level) => level >= nearLevel)) return [near];
  const beforeTheGlobe = { altitudeMode: 'absolute', groundLevel: 2000, eyeOffset: [0, 0, -400_000] };
  const far = { scaleByDistance: pointScale, ...beforeTheGlobe };
  return [
    {
      ...near,
      name: 'data-far',
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
