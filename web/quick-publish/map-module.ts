import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { viewpointOf } from '../map/viewpoint.ts';
import { dataLayers } from './data-layers.ts';

interface MapOptions {
  readonly name: string;
  readonly datasource: Pick<Datasource, 'type' | 'bbox' | 'properties'>;
  /** The layer configuration that the service returns for a datasource. */
  readonly layer: FreeForm;
  /** Instead of the layer's own style. */
  readonly style?: FreeForm | undefined;
}

/** Types with upright objects are viewed at an angle, flat ones from above. */
const uprightTypes = new Set<string>(['tileset', 'tilesetupdate', 'i3s', 'qmesh', 'meshinmesh']);
const vectors = new Set<string>(['geojson', 'flatgeobuf', 'vectortiles']);

/** For data without a style of their own: strong enough on the globe and on a flat map. */
const vectorStyle = {
  type: 'VectorStyleItem',
  fill: { color: 'rgba(234, 88, 12, 0.35)' },
  stroke: { color: '#c2410c', width: 2.5 },
  image: { radius: 6, fill: { color: '#ea580c' }, stroke: { color: '#ffffff', width: 1.5 } },
};

/** A module that shows one datasource at its best: layers, starting view, attributes on click, and both maps. */
export function mapModule({
  name,
  datasource,
  layer,
  style = defaultStyle(datasource, layer),
}: MapOptions): FreeForm & { name: string } {
  const isVector = vectors.has(datasource.type);
  const properties = {
    ...(layer['properties'] as object | undefined),
    title: 'map.layer',
    ...(isVector && { featureInfo: 'attributes' }),
  };
  const layers = dataLayers({ datasource, layer: { ...layer, ...(style && { style }), properties } });
  const layerNames = layers.map((one) => one['name']);
  const view = datasource.bbox && {
    ...viewpointOf(datasource.bbox, uprightTypes.has(datasource.type) ? { pitch: -45 } : {}),
    name: 'start',
    properties: { title: 'map.start' },
  };
  return {
    name,
    description: '',
    i18n: [{ name: 'map', en: { map: words(name, 'Start') }, de: { map: words(name, 'Start') } }],
    maps: mapsFor(datasource.type),
    layers,
    viewpoints: view ? [view] : [],
    contentTree: [
      layerNames.length > 1
        ? { type: 'LayerGroupContentTreeItem', name: 'data', title: 'map.layer', layerNames }
        : { type: 'LayerContentTreeItem', name: 'data', layerName: 'data' },
      ...(view
        ? [{ type: 'ViewpointContentTreeItem', name: 'start', viewpointName: 'start', title: 'map.start' }]
        : []),
    ],
    ...(isVector && { featureInfo: [{ type: 'TableFeatureInfoView', name: 'attributes' }] }),
    uiConfig: [
      { name: 'primaryColor', value: '#0e6b78' },
      { name: 'contentTreeActiveOnStartup', value: true },
    ],
    startingMapName: 'globe',
    ...(view && { startingViewpointName: 'start' }),
  };
}

const defaultStyle = ({ type }: MapOptions['datasource'], layer: FreeForm) =>
  vectors.has(type) && layer['style'] === undefined ? vectorStyle : undefined;

/** Types that only the globe can show get no flat map. */
function mapsFor(type: string): FreeForm[] {
  // the colour of the base layer's water, until its tiles have loaded
  const globe = { type: 'CesiumMap', name: 'globe', globeColor: '#b8d2dc', enableLightning: false };
  return uprightTypes.has(type) ? [globe] : [globe, { type: 'OpenlayersMap', name: 'flat' }];
}

const words = (layer: string, start: string) => ({ layer: literal(layer), start });

/** Escapes characters that have a meaning in the viewer's messages. */
const literal = (text: string) => text.replace(/[{}@|$%\\]/g, (one) => (one === '\\' ? one : `{'${one}'}`));
