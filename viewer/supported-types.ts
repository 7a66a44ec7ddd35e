import { coerce, gte } from 'semver';

/** The class names a module may use as `type`, by the place where it stands. */
export interface SupportedTypes {
  readonly layers: readonly string[];
  readonly maps: readonly string[];
  readonly styles: readonly string[];
  readonly tileProviders: readonly string[];
  readonly contentTree: readonly string[];
  readonly featureInfo: readonly string[];
}

/** Everything an engine since 5.0 knows; what came later stands in `additions`. */
const types50: SupportedTypes = {
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
    'FlightContentTreeItem',
    'GroupContentTreeItem',
    'LayerContentTreeItem',
    'LayerGroupContentTreeItem',
    'NodeContentTreeItem',
    'ObliqueCollectionContentTreeItem',
    'SubContentTreeItem',
    'ViewpointContentTreeItem',
    'WMSGroupContentTreeItem',
  ],
  featureInfo: [
    'AddressBalloonFeatureInfoView',
    'BalloonFeatureInfoView',
    'IframeFeatureInfoView',
    'IframeWmsFeatureInfoView',
    'MarkdownBalloonFeatureInfoView',
    'MarkdownFeatureInfoView',
    'TableFeatureInfoView',
  ],
};

const additions: readonly { readonly since: string; readonly types: Partial<SupportedTypes> }[] = [
  { since: '6.1.0', types: { layers: ['FlatGeobufLayer'], tileProviders: ['FlatGeobufTileProvider'] } },
  { since: '6.2.0', types: { layers: ['COGLayer', 'PanoramaDatasetLayer'], maps: ['PanoramaMap'] } },
  { since: '6.3.0', types: { layers: ['I3SLayer', 'MapboxStyleLayer'] } },
];

/** The types which the engine of a version knows, sorted by name; a version without sense has those of 5.0. */
export function supportedTypes(version: string): SupportedTypes {
  const engine = coerce(version) ?? '5.0.0';
  const known = additions.filter(({ since }) => gte(engine, since));
  const all = (place: keyof SupportedTypes) =>
    [...types50[place], ...known.flatMap(({ types }) => types[place] ?? [])].toSorted();
  return {
    layers: all('layers'),
    maps: all('maps'),
    styles: all('styles'),
    tileProviders: all('tileProviders'),
    contentTree: all('contentTree'),
    featureInfo: all('featureInfo'),
  };
}
