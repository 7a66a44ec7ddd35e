import { demoLayers, type DemoData, type DemoLayer } from './layers.ts';

/** The datasources of the demo, as vector tiles. */
export interface DemoModuleOptions {
  readonly countriesDatasourceId: string;
  readonly placesDatasourceId?: string;
  readonly riversDatasourceId?: string;
  /** Every zoom the tilesets hold; the engine asks for these and draws those between from them. */
  readonly levels: readonly number[];
}

/** Titles are keys: the engine looks them up in the module's `i18n`. */
const english = {
  title: 'Example data',
  countries: 'Countries',
  rivers: 'Rivers',
  places: 'Places',
  capitals: 'Capitals',
  'further-capitals': 'Further capitals',
  land: 'Country (colours tell neighbours apart)',
  border: 'Border',
  river: 'River',
  stream: 'Stream or canal',
  capital: 'Capital',
  place: 'Place',
  start: 'Start',
  alps: 'The Alps',
};
const german = {
  title: 'Beispieldaten',
  countries: 'Länder',
  rivers: 'Flüsse',
  places: 'Orte',
  capitals: 'Hauptstädte',
  'further-capitals': 'Weitere Hauptstädte',
  land: 'Land (Farben unterscheiden Nachbarn)',
  border: 'Grenze',
  river: 'Fluss',
  stream: 'Bach oder Kanal',
  capital: 'Hauptstadt',
  place: 'Ort',
  start: 'Start',
  alps: 'Die Alpen',
};

const englishAttributes = {
  name: 'Name',
  country: 'Country',
  areaKm2: 'Area (km²)',
  placesNearby: 'Places nearby',
};
const germanAttributes = {
  name: 'Name',
  country: 'Land',
  areaKm2: 'Fläche (km²)',
  placesNearby: 'Orte in der Nähe',
};

/** The engine puts a © before each provider. */
const naturalEarth = { provider: 'Natural Earth', url: 'https://www.naturalearthdata.com/' };
const geoNames = { provider: 'GeoNames, CC BY 4.0', url: 'https://www.geonames.org/' };
const openStreetMap = {
  provider: 'OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
};

const sources: Readonly<Record<DemoData, Readonly<Record<string, string>>>> = {
  countries: naturalEarth,
  rivers: openStreetMap,
  places: geoNames,
};

function moduleLayer(layer: DemoLayer, datasourceId: string, levels: readonly number[]) {
  const { name, data, zIndex, options, declarativeStyle, legend, card } = layer;
  return {
    type: 'VectorTileLayer',
    name,
    datasourceId,
    activeOnStartup: true,
    zIndex,
    ...options,
    // The service puts the address of the tiles here, from the datasource.
    tileProvider: { type: 'MVTTileProvider', baseLevels: levels },
    style: { type: 'DeclarativeStyleItem', declarativeStyle },
    properties: {
      title: `demo.${name}`,
      attributions: sources[data],
      featureInfo: card,
      // layers that say nothing of it get a legend by themselves, and an empty one has a heading
      legend: legend.length > 0 ? [{ type: 'StyleLegendItem', colNr: 1, rows: legend }] : null,
    },
  };
}

function viewpoint(name: string, groundPosition: number[]) {
  return {
    type: 'Viewpoint',
    name,
    properties: { title: `demo.${name}` },
    groundPosition,
    heading: 0,
    pitch: -90,
    roll: 0,
    animate: true,
  };
}

/** What a click shows. The engine looks up names of attributes as keys of texts, too. */
const cards = [
  { name: 'country', attributes: ['name', 'areaKm2'], balloonSubtitle: 'demo.land' },
  { name: 'river', attributes: ['name'], balloonSubtitle: 'demo.river' },
  { name: 'place', attributes: ['name', 'country', 'placesNearby'], balloonSubtitle: 'country' },
].map(({ name, attributes, balloonSubtitle }) => ({
  type: 'BalloonFeatureInfoView',
  name,
  balloonTitle: 'name',
  balloonSubtitle,
  attributeKeys: attributes,
}));

/** The demo's module: the tiled example data on a globe and on a flat map, seen from above Europe and Africa. */
export function demoModule(options: DemoModuleOptions) {
  const ids: Readonly<Record<DemoData, string | undefined>> = {
    countries: options.countriesDatasourceId,
    rivers: options.riversDatasourceId,
    places: options.placesDatasourceId,
  };
  const levels = [...options.levels].toSorted((one, other) => one - other);
  const layers = demoLayers.flatMap((layer) => {
    const id = ids[layer.data];
    return id === undefined ? [] : [moduleLayer(layer, id, levels)];
  });
  return {
    name: 'Demo',
    description: 'Countries, places and rivers as vector tiles',
    properties: { title: 'demo.title' },
    i18n: [
      {
        name: 'demo',
        en: { demo: english, ...englishAttributes },
        de: { demo: german, ...germanAttributes },
      },
    ],
    maps: [
      // The colour of the base layer's water, until its tiles are there.
      { type: 'CesiumMap', name: 'globe', globeColor: '#b8d2dc', enableLightning: false, webGLaa: true },
      { type: 'OpenlayersMap', name: 'flat' },
    ],
    layers,
    viewpoints: [
      { ...viewpoint('start', [14, 26, 0]), distance: 12_500_000, animate: false },
      { ...viewpoint('alps', [9.55, 47.14, 0]), distance: 60_000 },
    ],
    contentTree: [
      {
        type: 'GroupContentTreeItem',
        name: 'demo',
        title: 'demo.title',
        initOpen: true,
      },
      ...treeItems(layers.map(({ name }) => name)),
      {
        type: 'ViewpointContentTreeItem',
        name: 'demo.alps',
        viewpointName: 'alps',
        title: 'demo.alps',
      },
    ],
    featureInfo: cards,
    uiConfig: [
      { name: 'primaryColor', value: '#0e6b78' },
      { name: 'contentTreeActiveOnStartup', value: true },
      { name: 'openLegendOnAdd', value: true },
    ],
    startingMapName: 'globe',
    startingViewpointName: 'start',
  };
}

/** One item for each layer, and one for all capitals. */
function treeItems(names: readonly string[]) {
  const single = names.filter((name) => !name.endsWith('capitals'));
  const capitals = names.filter((name) => name.endsWith('capitals'));
  return [
    ...single.map((name) => ({ type: 'LayerContentTreeItem', name: `demo.${name}`, layerName: name })),
    ...(capitals.length > 0
      ? [
          {
            type: 'LayerGroupContentTreeItem',
            name: 'demo.capitals',
            title: 'demo.capitals',
            layerNames: capitals,
          },
        ]
      : []),
  ];
}
