/** The datasources of the demo, as vector tiles. */
export interface DemoModuleOptions {
  readonly countriesDatasourceId: string;
  readonly placesDatasourceId?: string;
  readonly riversDatasourceId?: string;
  /** Every zoom the tilesets hold; the engine asks for these and draws those between from them. */
  readonly levels: readonly number[];
}

interface TiledLayer {
  readonly name: string;
  readonly datasourceId: string;
  readonly zIndex: number;
  /**
   * Primitives are crisp on the globe. But polygons, whose tiles overlap, would be drawn twice there, and points
   * of the far side would shine through.
   */
  readonly renderer: 'image' | 'primitive';
  readonly declarativeStyle: Readonly<Record<string, unknown>>;
  readonly attributions: Readonly<Record<string, string>>;
}

const tints = ['#3f8f8b', '#7fa650', '#c9a13b', '#c97a4a', '#5d7fae'];

const countriesStyle = {
  color: {
    conditions: [
      ...tints.map((tint, index) => ['${tint} === ' + String(index), `color('${tint}', 0.6)`]),
      ['true', "color('#8aa0a5', 0.6)"],
    ],
  },
  strokeColor: "color('#ffffff', 0.9)",
  strokeWidth: '1.25',
};

const riversStyle = {
  color: "color('#1c6fb5', 0.9)",
  strokeColor: "color('#1c6fb5', 0.9)",
  strokeWidth: {
    conditions: [
      ["${kind} === 'river'", '3'],
      ['true', '1.5'],
    ],
  },
};

const placesStyle = {
  color: {
    conditions: [
      ['${capital} === true', "color('#c2410c')"],
      ['true', "color('#0e6b78', 0.7)"],
    ],
  },
  pointSize: {
    conditions: [
      ['${capital} === true', '9'],
      ['${placesNearby} > 40', '5'],
      ['true', '3'],
    ],
  },
  pointOutlineColor: "color('#ffffff', 0.9)",
  pointOutlineWidth: {
    conditions: [
      ['${capital} === true', '1.5'],
      ['true', '0.5'],
    ],
  },
};

/** Titles are keys: the engine looks them up in the module's `i18n`. */
const english = {
  title: 'Example data',
  countries: 'Countries',
  rivers: 'Rivers',
  places: 'Places',
  start: 'Start',
  alps: 'The Alps',
};
const german = {
  title: 'Beispieldaten',
  countries: 'Länder',
  rivers: 'Flüsse',
  places: 'Orte',
  start: 'Start',
  alps: 'Die Alpen',
};

/** The engine puts a © before each provider. */
const naturalEarth = { provider: 'Natural Earth', url: 'https://www.naturalearthdata.com/' };
const geoNames = { provider: 'GeoNames, CC BY 4.0', url: 'https://www.geonames.org/' };
const openStreetMap = {
  provider: 'OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
};

function tiledLayersOf(options: DemoModuleOptions): TiledLayer[] {
  const layers: TiledLayer[] = [
    {
      name: 'countries',
      datasourceId: options.countriesDatasourceId,
      zIndex: 10,
      renderer: 'image',
      declarativeStyle: countriesStyle,
      attributions: naturalEarth,
    },
  ];
  if (options.riversDatasourceId !== undefined) {
    layers.push({
      name: 'rivers',
      datasourceId: options.riversDatasourceId,
      zIndex: 20,
      renderer: 'primitive',
      declarativeStyle: riversStyle,
      attributions: openStreetMap,
    });
  }
  if (options.placesDatasourceId !== undefined) {
    layers.push({
      name: 'places',
      datasourceId: options.placesDatasourceId,
      zIndex: 30,
      renderer: 'image',
      declarativeStyle: placesStyle,
      attributions: geoNames,
    });
  }
  return layers;
}

function moduleLayer(layer: TiledLayer, levels: readonly number[]) {
  const { name, datasourceId, zIndex, renderer, declarativeStyle, attributions } = layer;
  return {
    type: 'VectorTileLayer',
    name,
    datasourceId,
    activeOnStartup: true,
    zIndex,
    renderer,
    // The service puts the address of the tiles here, from the datasource.
    tileProvider: { type: 'MVTTileProvider', baseLevels: levels },
    style: { type: 'DeclarativeStyleItem', declarativeStyle },
    properties: { title: `demo.${name}`, attributions, featureInfo: 'attributes' },
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

/** The demo's module: the tiled example data on a globe and on a flat map, seen from above Europe and Africa. */
export function demoModule(options: DemoModuleOptions) {
  const layers = tiledLayersOf(options);
  const levels = [...options.levels].toSorted((one, other) => one - other);
  return {
    name: 'Demo',
    description: 'Countries, places and rivers as vector tiles',
    properties: { title: 'demo.title' },
    i18n: [{ name: 'demo', en: { demo: english }, de: { demo: german } }],
    maps: [
      // The colour of the base layer's water, until its tiles are there.
      { type: 'CesiumMap', name: 'globe', globeColor: '#b8d2dc' },
      { type: 'OpenlayersMap', name: 'flat' },
    ],
    layers: layers.map((layer) => moduleLayer(layer, levels)),
    viewpoints: [
      { ...viewpoint('start', [14, 24, 0]), distance: 13_500_000, animate: false },
      { ...viewpoint('alps', [9.55, 47.14, 0]), distance: 60_000 },
    ],
    contentTree: [
      {
        type: 'GroupContentTreeItem',
        name: 'demo',
        title: 'demo.title',
        initOpen: true,
      },
      ...layers.map(({ name }) => ({
        type: 'LayerContentTreeItem',
        name: `demo.${name}`,
        layerName: name,
      })),
      {
        type: 'ViewpointContentTreeItem',
        name: 'demo.alps',
        viewpointName: 'alps',
        title: 'demo.alps',
      },
    ],
    featureInfo: [{ type: 'TableFeatureInfoView', name: 'attributes' }],
    uiConfig: [
      { name: 'headerTitle', value: 'Platen' },
      { name: 'primaryColor', value: '#0e6b78' },
      { name: 'contentTreeActiveOnStartup', value: true },
    ],
    startingMapName: 'globe',
    startingViewpointName: 'start',
  };
}
