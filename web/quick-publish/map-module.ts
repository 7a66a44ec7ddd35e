import type { CardDesign } from '@platen/contract/cards';
import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { cardView } from '@platen/viewer/card-view';
import { viewpointOf } from '../map/viewpoint.ts';
import { dataLayers } from './data-layers.ts';

interface MapOptions {
  readonly name: string;
  readonly datasource: Pick<Datasource, 'type' | 'bbox' | 'properties'>;
  /** The layer configuration that the service returns for a datasource. */
  readonly layer: FreeForm;
  /** Instead of the layer's own style. */
  readonly style?: FreeForm | undefined;
  /** What a click on a feature shows; all attributes by default. */
  readonly card?: CardDesign | undefined;
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
  card,
}: MapOptions): FreeForm & { name: string } {
  const view = viewOf(datasource.type, card);
  const properties = {
    ...(layer['properties'] as object | undefined),
    title: 'map.layer',
    ...(view && { featureInfo: view['name'] }),
  };
  const layers = dataLayers({ datasource, layer: { ...layer, ...(style && { style }), properties } });
  const layerNames = layers.map((one) => one['name']);
  const start = datasource.bbox && {
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
    viewpoints: start ? [start] : [],
    contentTree: [
      layerNames.length > 1
        ? { type: 'LayerGroupContentTreeItem', name: 'data', title: 'map.layer', layerNames }
        : { type: 'LayerContentTreeItem', name: 'data', layerName: 'data' },
      ...(start
        ? [{ type: 'ViewpointContentTreeItem', name: 'start', viewpointName: 'start', title: 'map.start' }]
        : []),
    ],
    ...(view && { featureInfo: [view] }),
    uiConfig: [
      { name: 'primaryColor', value: '#0e6b78' },
      { name: 'contentTreeActiveOnStartup', value: true },
    ],
    startingMapName: 'globe',
    ...(start && { startingViewpointName: 'start' }),
  };
}

/** A card, or all attributes of features whose attributes are not known. */
function viewOf(type: string, card: CardDesign | undefined): FreeForm | undefined {
  if (card && card.rows.length > 0) return cardView(card, { name: 'card' });
  return vectors.has(type) ? { type: 'TableFeatureInfoView', name: 'attributes' } : undefined;
}

const defaultStyle = ({ type }: MapOptions['datasource'], layer: FreeForm) =>
  vectors.has(type) && layer['style'] === undefined ? vectorStyle : undefined;

/** Types that only the globe can show get no flat map. */
function mapsFor(type: string): FreeForm[] {
  // the colour of the base layer's water, until its tiles have loaded
  const globe = {
    type: 'CesiumMap',
    name: 'globe',
    globeColor: '#b8d2dc',
    // without light and shade, ground of one colour would look flat
    enableLightning: type === 'qmesh',
  };
  return uprightTypes.has(type) ? [globe] : [globe, { type: 'OpenlayersMap', name: 'flat' }];
}

const words = (layer: string, start: string) => ({ layer: literal(layer), start });

/** Escapes characters that have a meaning in the viewer's messages. */
const literal = (text: string) => text.replace(/[{}@|$%\\]/g, (one) => (one === '\\' ? one : `{'${one}'}`));
