import { newestTypes } from './newest.ts';
import { advanced, field, type Field } from './field.ts';
import { layerFields } from './layer-fields.ts';

const subjects: Readonly<Record<string, readonly Field[]>> = {
  LayerContentTreeItem: [field('layerName', 'name', { list: 'layers' })],
  LayerGroupContentTreeItem: [field('layerNames', 'names', { list: 'layers' })],
  ViewpointContentTreeItem: [field('viewpointName', 'name', { list: 'viewpoints' })],
  ObliqueCollectionContentTreeItem: [field('collectionName', 'name', { list: 'obliqueCollections' })],
  FlightContentTreeItem: [field('flightName', 'name', { list: 'flights' })],
  WMSGroupContentTreeItem: [
    field('layerName', 'name', { list: 'layers' }),
    advanced('allowedWMSLayers', 'texts'),
    advanced('loadOnStartup', 'yesNo', { initial: false }),
  ],
};

const treeItem = [
  advanced('tooltip', 'text'),
  advanced('icon', 'text'),
  advanced('infoUrl', 'text'),
  advanced('initOpen', 'yesNo', { initial: false }),
  advanced('defaultViewpoint', 'name', { list: 'viewpoints' }),
  advanced('availableStyles', 'names', { list: 'styles' }),
  advanced('weight', 'number'),
  advanced('onClick', 'json'),
  advanced('onActivate', 'json'),
  advanced('onDeactivate', 'json'),
];

const everyMap = [
  field('fallbackMap', 'name', { list: 'maps' }),
  advanced('fallbackToCurrentMap', 'yesNo', { initial: false }),
  advanced('layerTypes', 'texts'),
];
const maps: Readonly<Record<string, readonly Field[]>> = {
  CesiumMap: [
    field('globeColor', 'colour', { initial: '#b8d2dc' }),
    field('enableLightning', 'yesNo', { initial: false }),
    field('properties.backgroundColor', 'colour', { initial: '#dfe9ee' }),
    field('properties.stars', 'yesNo', { initial: false }),
    field('properties.groundAtmosphere', 'yesNo', { initial: false }),
    advanced('lightIntensity', 'number', { min: 0, initial: 3 }),
    advanced('webGLaa', 'yesNo', { initial: false }),
    advanced('tileCacheSize', 'number', { min: 1, initial: 1 }),
    advanced('useOriginalCesiumShader', 'yesNo', { initial: false }),
    advanced('cameraLimiter', 'json'),
    advanced('contextOptions', 'json'),
  ],
  OpenlayersMap: [field('fixedNorthOrientation', 'yesNo', { initial: true })],
  ObliqueMap: [
    field('switchOnEdge', 'yesNo', { initial: true }),
    advanced('switchThreshold', 'share', { initial: 0 }),
    advanced('changeOnMoveEnd', 'yesNo', { initial: false }),
    advanced('maintainViewpointOnCollectionChange', 'yesNo', { initial: false }),
  ],
  PanoramaMap: [
    advanced('defaultFov', 'number', { min: 1, max: 179, initial: 90 }),
    advanced('cursorColor', 'colour'),
  ],
};

const attributes = [
  field('attributeKeys', 'texts'),
  advanced('keyMapping', 'json'),
  advanced('valueMapping', 'json'),
];
const balloon = [field('balloonTitle', 'text'), field('balloonSubtitle', 'text')];
const views: Readonly<Record<string, readonly Field[]>> = {
  TableFeatureInfoView: attributes,
  IframeFeatureInfoView: [field('src', 'text'), ...attributes],
  IframeWmsFeatureInfoView: [],
  BalloonFeatureInfoView: [...balloon, ...attributes],
  AddressBalloonFeatureInfoView: [...balloon, ...attributes, advanced('addressKeys', 'json')],
  MarkdownFeatureInfoView: [field('template', 'longText'), ...attributes],
  MarkdownBalloonFeatureInfoView: [field('template', 'longText'), ...attributes],
};

const others: Readonly<Record<string, readonly Field[]>> = {
  viewpoints: [
    field('groundPosition', 'numbers'),
    field('distance', 'number', { min: 0, initial: 1000 }),
    field('heading', 'number'),
    field('pitch', 'number'),
    field('roll', 'number'),
    field('animate', 'yesNo', { initial: false }),
    advanced('cameraPosition', 'numbers'),
    advanced('duration', 'number', { min: 0 }),
  ],
  obliqueCollections: [
    field('datasourceId', 'datasource'),
    field('dataSets', 'json'),
    advanced('minZoom', 'number', { min: 0 }),
    advanced('maxZoom', 'number', { min: 0 }),
    advanced('scaleFactor', 'number', { initial: 4 }),
    advanced('hideLevels', 'number', { min: 0 }),
  ],
  plugins: [field('entry', 'text'), field('version', 'text')],
  flights: [
    field('multiplier', 'number', { min: 0, initial: 1 }),
    field('interpolation', 'choice', { choices: ['spline', 'linear'], initial: 'spline' }),
    field('loop', 'yesNo', { initial: false }),
    field('url', 'address'),
    field('anchors', 'json'),
  ],
  clippingPolygons: [
    field('activeOnStartup', 'yesNo', { initial: false }),
    field('layerNames', 'names', { list: 'layers' }),
    field('terrain', 'yesNo', { initial: false }),
    field('coordinates', 'json'),
  ],
  vectorClusterGroups: [
    field('clusterDistance', 'number', { min: 0, initial: 100 }),
    field('style', 'style'),
    advanced('highlightStyle', 'json'),
    advanced('vectorProperties', 'json'),
  ],
  categories: [field('items', 'json')],
  i18n: [field('de', 'json'), field('en', 'json')],
  uiConfig: [field('value', 'json')],
  hiddenObjects: [],
  styles: [],
};

/** The editable options of a list item, apart from its name and type. */
export function fieldsOf(list: string, type: string): readonly Field[] {
  if (list === 'layers') return layerFields(type);
  if (list === 'contentTree') return [field('title', 'text'), ...(subjects[type] ?? []), ...treeItem];
  if (list === 'maps') return [...(maps[type] ?? []), ...everyMap];
  if (list === 'featureInfo') return [...(views[type] ?? attributes), advanced('window', 'json')];
  return others[list] ?? [];
}

/** The types that an item of a list may have; empty if items have none. */
export function typesOf(list: string): readonly string[] {
  if (list === 'layers' || list === 'maps' || list === 'styles') return newestTypes[list];
  if (list === 'contentTree' || list === 'featureInfo') return newestTypes[list];
  return [];
}
