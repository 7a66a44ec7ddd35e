import type { InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import type { SceneLayer } from '@platen/formats/i3s/scene-layer';
import { boxInLonLat, onEarth, type Box } from '../box.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { layerTitle } from '../place/layer-title.ts';
import { describeCrs } from '../place/resolve-place.ts';
import { countNodes, type NodeCounts } from './count-nodes.ts';
import { drawNodes } from './draw-nodes.ts';
import type { SceneLayerFiles } from './scene-layer-files.ts';

/** Supported by VC Map's engine, according to its source. */
const supportedTypes = new Set(['3DObject', 'IntegratedMesh', 'Building']);
const supportedVersions = /^1\.[678](?:\.|$)/;
const titles: Readonly<Record<string, string>> = {
  '3DObject': '3D objects',
  IntegratedMesh: 'integrated mesh',
  Building: 'building',
  Point: 'points',
  PointCloud: 'point cloud',
};

export async function describeSceneLayer(
  subject: Subject,
  files: SceneLayerFiles,
  context: InspectionContext,
): Promise<Finding> {
  const { layer, folder } = files;
  const crs = crsOf(layer, subject, context);
  const counts = await countNodes(files, context);
  const obstacles = reportObstacles(layer, subject.name, context);
  const thumbnail = await drawNodes(files, { counts, crs, isOver: context.isOver });
  return {
    format: 'i3s',
    formatTitle: `I3S (${titles[layer.layerType] ?? layer.layerType})`,
    ...(layer.version !== undefined &&
      /^\d/.test(layer.version) && { formatVersion: layer.version.slice(0, 20) }),
    kind: 'sceneLayer',
    layers: [layerOf(layer, { crs, counts, folder, name: subject.name })],
    uses: [useOf(obstacles, counts)],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

function crsOf({ wkid, wkt }: SceneLayer, { name }: Subject, { issues }: InspectionContext): Crs | undefined {
  const text = wkid === undefined ? wkt : `EPSG:${wkid}`;
  if (text === undefined) {
    issues.add(
      'noCrs',
      `${name} has no coordinate reference system. The viewer shows scene layers in EPSG:4326 only.`,
    );
    return undefined;
  }
  try {
    return findCrs(text);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    issues.add('unknownCrs', `${name}: ${error.message}`);
    return undefined;
  }
}

/** Reports what prevents the viewer from showing the layer. */
function reportObstacles(layer: SceneLayer, name: string, { issues }: InspectionContext): string[] {
  const obstacles: string[] = [];
  if (!supportedTypes.has(layer.layerType)) {
    obstacles.push(`the viewer cannot show I3S layers of the type ${layer.layerType}`);
    issues.add(
      'unsupportedLayerType',
      `${name} is a layer of the type ${layer.layerType}: the viewer shows 3DObject, IntegratedMesh and Building. Upload the data it was made from.`,
    );
  }
  if (layer.wkid !== 4326 && (layer.wkid ?? layer.wkt) !== undefined) {
    const named = layer.wkid === undefined ? 'a CRS of its own' : `EPSG:${layer.wkid}`;
    obstacles.push(`it is in ${named}, not in EPSG:4326`);
    issues.add(
      'notLonLat',
      `${name} is in ${named}: the viewer shows scene layers in EPSG:4326 only. Export it again as a global scene, in WGS 84.`,
    );
  }
  const isVersioned = layer.version !== undefined && /^\d/.test(layer.version);
  if (supportedTypes.has(layer.layerType) && isVersioned && !supportedVersions.test(layer.version)) {
    obstacles.push(`it is of version ${layer.version}`);
    issues.add(
      'unsupportedVersion',
      `${name} is of I3S ${layer.version}: the viewer shows 1.6 to 1.8. Export it again in one of those.`,
    );
  }
  if (/gravity|orthometric/i.test(layer.heightModel ?? ''))
    issues.add(
      'gravityHeights',
      `The heights of ${name} refer to the geoid (${layer.vertCrs ?? layer.heightModel}), but the viewer treats them as ellipsoidal heights and shows the layer some tens of metres too high or too low. Export it with ellipsoidal heights.`,
    );
  return obstacles;
}

interface LayerContext {
  readonly crs: Crs | undefined;
  readonly counts: NodeCounts;
  readonly folder: string;
  readonly name: string;
}

function layerOf(layer: SceneLayer, { crs, counts, folder, name }: LayerContext): InspectedLayer {
  const isPoints = /Point/.test(layer.layerType);
  const box = layer.extent && crs && onEarth(boxInLonLat(crs, [...layer.extent] as Box));
  const datum = datumOf(layer);
  const features = counts.features > 0 ? counts.features : isPoints ? counts.vertices : undefined;
  return {
    name: (layer.name ?? layerTitle(name)).slice(0, 200),
    geometryTypes: [isPoints ? 'Point' : 'Triangle'],
    ...(features !== undefined && { featureCount: features }),
    isEstimated: counts.isEstimated,
    ...(crs && { crs: describeCrs(crs, false) }),
    ...(box && { bbox: box }),
    isBboxEstimated: false,
    ...(datum !== undefined && { verticalDatum: datum }),
    fields: layer.fields.slice(0, 500).map((field) => ({
      name: field.name.slice(0, 200).toWellFormed(),
      type: fieldTypes[field.type] ?? 'json',
      examples: [],
    })),
    details: {
      layerType: layer.layerType,
      nodes: counts.nodes,
      vertices: counts.vertices,
      ...(layer.nodesPerPage !== undefined && { nodePages: counts.pages, nodesPerPage: layer.nodesPerPage }),
      ...(layer.heightModel !== undefined && { heightModel: layer.heightModel }),
      ...(layer.heightUnit !== undefined && { heightUnit: layer.heightUnit }),
      ...(layer.heights && { heightRange: layer.heights }),
      ...(layer.geometryEncodings.length > 0 && { geometryEncodings: layer.geometryEncodings }),
      ...(layer.textureEncodings.length > 0 && { textureEncodings: layer.textureEncodings.slice(0, 10) }),
      ...(layer.sublayers.length > 0 && { sublayers: layer.sublayers.slice(0, 50) }),
      ...(folder !== '' && { path: folder }),
    },
  };
}

const fieldTypes: Readonly<Record<string, string>> = {
  esriFieldTypeOID: 'integer',
  esriFieldTypeInteger: 'integer',
  esriFieldTypeSmallInteger: 'integer',
  esriFieldTypeBigInteger: 'integer',
  esriFieldTypeSingle: 'number',
  esriFieldTypeDouble: 'number',
  esriFieldTypeString: 'string',
  esriFieldTypeGlobalID: 'string',
  esriFieldTypeGUID: 'string',
  esriFieldTypeDate: 'date',
};

function datumOf({ vcsWkid, vertCrs, heightModel }: SceneLayer): string | undefined {
  const named = vcsWkid === undefined ? undefined : findVerticalCrs(`EPSG:${vcsWkid}`)?.name;
  if (named !== undefined) return named;
  return vertCrs ?? (heightModel === 'ellipsoidal' ? 'ellipsoid of WGS 84 (EPSG:4979)' : heightModel);
}

function useOf(obstacles: readonly string[], { missing }: NodeCounts): InspectionUse {
  const use = { kind: 'datasource' as const, type: 'i3s' };
  if (obstacles.length > 0)
    return { ...use, confidence: 0.1, reason: `It cannot be shown: ${obstacles.join(', ')}` };
  if (missing > 0)
    return { ...use, confidence: 0.5, reason: 'It can be shown, but some of its nodes are missing' };
  return { ...use, confidence: 0.95, reason: 'It is a scene layer, which the viewer shows as it is' };
}
