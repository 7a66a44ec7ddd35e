import type { CardDesign } from '@platen/contract/cards';
import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { cardView } from '@platen/viewer/card-view';
import { dataLayers } from '../map-styles/data-layers.ts';
import { openPanels } from '../map-styles/open-panels.ts';
import { featureTypes } from '../map-styles/styled-types.ts';
import { viewBoxOf } from '../map/view-box.ts';
import { middleHeightOf, viewpointOf } from '../map/viewpoint.ts';

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

/** The map that a module becomes a part of. */
export interface JoinedMap {
  /** Makes the names in the module differ from those in others. */
  readonly mark: string;
  /** The types of the maps that are there already. */
  readonly mapTypes: ReadonlySet<unknown>;
}

type NamedModule = FreeForm & { name: string };

/** Types with upright objects are viewed at an angle, flat ones from above. */
const uprightTypes = new Set<string>(['tileset', 'tilesetupdate', 'i3s', 'qmesh', 'meshinmesh']);

/** For data without a style of their own: strong enough on the globe and on a flat map. */
const vectorStyle = {
  type: 'VectorStyleItem',
  fill: { color: 'rgba(234, 88, 12, 0.35)' },
  stroke: { color: '#c2410c', width: 2.5 },
  image: { radius: 6, fill: { color: '#ea580c' }, stroke: { color: '#ffffff', width: 1.5 } },
};

/** A module that shows one datasource at its best: layers, starting view, attributes on click, and both maps. */
export function mapModule(options: MapOptions): NamedModule {
  const { name, datasource } = options;
  const { contentTree, ...parts } = partsOf(options, '', { en: 'Start', de: 'Start' });
  const [start] = parts.viewpoints;
  return {
    name,
    description: '',
    ...parts,
    // the map has a button for its start
    contentTree: contentTree.filter(({ type }) => type !== 'ViewpointContentTreeItem'),
    maps: mapsFor(datasource.type),
    uiConfig: [{ name: 'primaryColor', value: '#0e6b78' }, ...openPanels([options.style])],
    startingMapName: 'globe',
    ...(start && { startingViewpointName: start['name'] }),
  };
}

/** The same as a part of a map that has a start and looks of its own: nothing takes the place of what is there. */
export function addedModule(options: MapOptions, { mark, mapTypes }: JoinedMap): NamedModule {
  const { name, datasource } = options;
  const maps = mapsFor(datasource.type).filter(({ type }) => !mapTypes.has(type));
  const view = literal(name);
  const parts = partsOf(options, mark, { en: `View: ${view}`, de: `Ansicht: ${view}` });
  return { name, description: '', ...parts, ...(maps.length > 0 && { maps }) };
}

/** @param mark the end of all names @param views titles of the starting view */
function partsOf(
  { name, datasource, layer, style = defaultStyle(datasource, layer), card }: MapOptions,
  mark: string,
  views: Readonly<Record<'en' | 'de', string>>,
) {
  const view = viewOf(datasource.type, card, mark);
  const texts = `map${mark}`;
  const properties = {
    ...(layer['properties'] as object | undefined),
    title: `${texts}.layer`,
    // without light and shade, ground of one colour would look flat
    ...(datasource.type === 'qmesh' && { relief: true }),
    ...(view && { featureInfo: view['name'] }),
  };
  const shown = { ...layer, ...(style && { style }), properties };
  const layers = dataLayers({ datasource, layer: shown, name: 'data' }).map((one, index) =>
    marked({ ...one, activeOnStartup: true, zIndex: lowestOrder + index }, mark),
  );
  const layerNames = layers.map((one) => one['name']);
  const data = `data${mark}`;
  const start = `start${mark}`;
  const title = `${texts}.start`;
  const height = middleHeightOf(datasource.properties);
  const view3d = uprightTypes.has(datasource.type) ? { pitch: -45, height } : {};
  const box = viewBoxOf(datasource);
  const viewpoints: FreeForm[] = box
    ? [{ ...viewpointOf(box, view3d), name: start, properties: { title } }]
    : [];
  return {
    i18n: [{ name: texts, en: { [texts]: words(name, views.en) }, de: { [texts]: words(name, views.de) } }],
    layers,
    viewpoints,
    contentTree: [
      layerNames.length > 1
        ? { type: 'LayerGroupContentTreeItem', name: data, title: `${texts}.layer`, layerNames }
        : { type: 'LayerContentTreeItem', name: data, layerName: data },
      ...viewpoints.map(() => ({
        type: 'ViewpointContentTreeItem',
        name: start,
        viewpointName: start,
        title,
      })),
    ],
    ...(view && { featureInfo: [view] }),
  };
}

const marked = (item: FreeForm, mark: string): FreeForm => ({
  ...item,
  name: `${String(item['name'])}${mark}`,
});

/** A card, or all attributes of features whose attributes are not known. */
function viewOf(type: string, card: CardDesign | undefined, mark: string): FreeForm | undefined {
  if (card && card.rows.length > 0) return cardView(card, { name: `card${mark}` });
  return featureTypes.has(type) ? { type: 'TableFeatureInfoView', name: `attributes${mark}` } : undefined;
}

const defaultStyle = ({ type }: MapOptions['datasource'], layer: FreeForm) =>
  featureTypes.has(type) && layer['style'] === undefined ? vectorStyle : undefined;

/** Of layers: above what other modules have. */
const lowestOrder = 10;

/** Types that only the globe can show get no flat map. */
function mapsFor(type: string): FreeForm[] {
  // the colour of the base layer's water, until its tiles have loaded
  const globe = {
    type: 'CesiumMap',
    name: 'globe',
    globeColor: '#b8d2dc',
    enableLightning: false,
  };
  return uprightTypes.has(type) ? [globe] : [globe, { type: 'OpenlayersMap', name: 'flat' }];
}

const words = (layer: string, start: string) => ({ layer: literal(layer), start });

/** Escapes characters that have a meaning in the viewer's messages. */
const literal = (text: string) => text.replace(/[{}@|$%\\]/g, (one) => (one === '\\' ? one : `{'${one}'}`));
