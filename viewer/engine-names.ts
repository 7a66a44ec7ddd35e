// Data only: the web interface imports it as well.

/** The class names that a module may use as `type`, by context. */
export interface SupportedTypes {
  readonly layers: readonly string[];
  readonly maps: readonly string[];
  readonly styles: readonly string[];
  readonly tileProviders: readonly string[];
  readonly contentTree: readonly string[];
  readonly featureInfo: readonly string[];
}

/**
 * Everything known to engines since 5.0; later additions are in `laterTypes`, by the first version known to have them.
 */
export const types50: SupportedTypes = {
  layers: [
    'CesiumTilesetLayer',
    'CzmlLayer',
    'DataSourceLayer',
    'FeatureLayer',
    'FeatureStoreLayer',
    'GeoJSONLayer',
    'Layer',
    'OpenStreetMapLayer',
    'PointCloudLayer',
    'RasterLayer',
    'SingleImageLayer',
    'TMSLayer',
    'TerrainLayer',
    'VectorLayer',
    'VectorTileLayer',
    'WFSLayer',
    'WMSLayer',
    'WMTSLayer',
  ],
  maps: ['CesiumMap', 'ObliqueMap', 'OpenlayersMap'],
  styles: ['DeclarativeStyleItem', 'VectorStyleItem'],
  tileProviders: ['MVTTileProvider', 'StaticGeoJSONTileProvider', 'URLTemplateTileProvider'],
  contentTree: [
    'GroupContentTreeItem',
    'LayerContentTreeItem',
    'LayerGroupContentTreeItem',
    'NodeContentTreeItem',
    'ObliqueCollectionContentTreeItem',
    'SubContentTreeItem',
    'ViewpointContentTreeItem',
  ],
  featureInfo: [
    'AddressBalloonFeatureInfoView',
    'BalloonFeatureInfoView',
    'IframeFeatureInfoView',
    'TableFeatureInfoView',
  ],
};

export const laterTypes: readonly { readonly since: string; readonly types: Partial<SupportedTypes> }[] = [
  {
    since: '6.0.0',
    types: {
      contentTree: ['FlightContentTreeItem', 'WMSGroupContentTreeItem'],
      featureInfo: ['IframeWmsFeatureInfoView', 'MarkdownBalloonFeatureInfoView', 'MarkdownFeatureInfoView'],
    },
  },
  { since: '6.1.0', types: { layers: ['FlatGeobufLayer'], tileProviders: ['FlatGeobufTileProvider'] } },
  { since: '6.2.0', types: { layers: ['COGLayer', 'PanoramaDatasetLayer'], maps: ['PanoramaMap'] } },
  { since: '6.3.0', types: { layers: ['I3SLayer', 'MapboxStyleLayer'] } },
];

/** Other names that only some engines know, besides the types of `supportedTypes`. */
export interface KnownNames {
  /** Actions of a click in the content tree. */
  readonly callbacks: readonly string[];
  /** Providers of features or attributes other than the layer's own data. */
  readonly featureProviders: readonly string[];
}

export const laterNames: readonly { readonly since: string; readonly names: Partial<KnownNames> }[] = [
  {
    since: '5.0.0',
    names: {
      callbacks: [
        'ActivateLayersCallback',
        'ApplyLayerStyleCallback',
        'DeactivateLayersCallback',
        'GoToViewpointCallback',
      ],
      featureProviders: ['WMSFeatureProvider'],
    },
  },
  {
    since: '6.2.0',
    names: {
      callbacks: [
        'ActivateClippingPolygonCallback',
        'ActivateMapCallback',
        'ActivateOverviewMapCallback',
        'AddModuleCallback',
        'CloseSplashScreenCallback',
        'DeactivateClippingPolygonCallback',
        'DeactivateOverviewMapCallback',
        'OpenSplashScreenCallback',
        'RemoveModuleCallback',
        'StartRotationCallback',
        'StopRotationCallback',
        'ToggleNavbarButtonCallback',
        'ToggleToolbarButtonCallback',
      ],
    },
  },
  {
    since: '6.3.0',
    names: {
      callbacks: [
        'HideObjectsCallback',
        'HighlightObjectsCallback',
        'ShowObjectsCallback',
        'StartFlightCallback',
        'StopFlightCallback',
        'UnHighlightObjectsCallback',
      ],
      featureProviders: [
        'CompositeFeatureProvider',
        'CsvAttributeProvider',
        'JsonAttributeProvider',
        'UrlIdAttributeProvider',
      ],
    },
  },
];

const vectorMaps = ['CesiumMap', 'ObliqueMap', 'OpenlayersMap', 'PanoramaMap'];
const rasterMaps = ['CesiumMap', 'OpenlayersMap'];
const globes = ['CesiumMap', 'PanoramaMap'];

/** The map types that show a layer type, as of engine 6.3; older ones show no more. */
export const mapsOfLayer: Readonly<Record<string, readonly string[]>> = {
  COGLayer: rasterMaps,
  CesiumTilesetLayer: globes,
  CzmlLayer: ['CesiumMap'],
  DataSourceLayer: ['CesiumMap'],
  FeatureStoreLayer: ['CesiumMap', 'ObliqueMap', 'OpenlayersMap'],
  FlatGeobufLayer: vectorMaps,
  GeoJSONLayer: vectorMaps,
  I3SLayer: globes,
  MapboxStyleLayer: vectorMaps,
  OpenStreetMapLayer: ['CesiumMap', 'OpenlayersMap', 'PanoramaMap'],
  PanoramaDatasetLayer: ['CesiumMap', 'OpenlayersMap', 'PanoramaMap'],
  PointCloudLayer: globes,
  SingleImageLayer: rasterMaps,
  TMSLayer: rasterMaps,
  TerrainLayer: globes,
  VectorLayer: vectorMaps,
  VectorTileLayer: rasterMaps,
  WFSLayer: vectorMaps,
  WMSLayer: rasterMaps,
  WMTSLayer: rasterMaps,
};

/** Engine options that are commonly misspelt in letter case; a key that differs only in case has no effect. */
export const optionNames: readonly string[] = [
  'activeOnStartup',
  'allowPicking',
  'altitudeMode',
  'animate',
  'availableStyles',
  'baseLevels',
  'cameraPosition',
  'clusterDistance',
  'collectionName',
  'coordinates',
  'dataSets',
  'datasourceId',
  'declarativeStyle',
  'defaultViewpoint',
  'exclusiveGroups',
  'extent',
  'fallbackMap',
  'fallbackToCurrentMap',
  'featureInfo',
  'featureProvider',
  'flightName',
  'groundPosition',
  'hiddenObjectIds',
  'highlightStyle',
  'idProperty',
  'infoUrl',
  'initOpen',
  'layerName',
  'layerNames',
  'mapNames',
  'matrixIds',
  'maxLevel',
  'maxRenderingLevel',
  'minLevel',
  'minRenderingLevel',
  'onActivate',
  'onClick',
  'onDeactivate',
  'opacity',
  'projection',
  'renderer',
  'requestVertexNormals',
  'splitDirection',
  'startingMapName',
  'startingObliqueCollectionName',
  'startingViewpointName',
  'style',
  'tileMatrixPrefix',
  'tileMatrixSetID',
  'tileProvider',
  'tileSize',
  'tilingSchema',
  'vectorProperties',
  'viewpointName',
  'weight',
  'zIndex',
];
