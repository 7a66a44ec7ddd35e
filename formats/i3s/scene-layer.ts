import {
  asArray,
  asIndex,
  asNumber,
  asNumbers,
  asObject,
  asObjects,
  asText,
  type JsonObject,
} from '../json/read-values.ts';

/** A 3dSceneLayer.json of I3S 1.6 to 1.9, or of a point cloud's 2.x (OGC 17-014r9). */
export interface SceneLayer {
  readonly name: string | undefined;
  /** `3DObject`, `IntegratedMesh`, `Building`, `Point`, `PointCloud`, `Voxel` */
  readonly layerType: string;
  /** Version of the store: `1.7`. */
  readonly version: string | undefined;
  /** `latestWkid`, or else `wkid`; undefined if the CRS is given as WKT. */
  readonly wkid: number | undefined;
  readonly vcsWkid: number | undefined;
  readonly wkt: string | undefined;
  /** `gravity_related_height`, `ellipsoidal`, `orthometric` */
  readonly heightModel: string | undefined;
  readonly vertCrs: string | undefined;
  readonly heightUnit: string | undefined;
  /** xmin, ymin, xmax, ymax in its own CRS. */
  readonly extent: readonly number[] | undefined;
  readonly heights: readonly [number, number] | undefined;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly sublayers: readonly SubLayer[];
  readonly nodesPerPage: number | undefined;
  readonly lodSelectionMetric: string | undefined;
  readonly textureEncodings: readonly string[];
  /**
   * Layout of the first, uncompressed buffer: the bytes before the positions; undefined if those are not three floats
   * each.
   */
  readonly geometryOffset: number | undefined;
  readonly geometryEncodings: readonly string[];
}

export interface SubLayer {
  readonly id: number;
  readonly name: string;
  readonly layerType: string;
}

const maxSublayers = 1000;

/** @param value any parsed JSON. @returns undefined if it is not a scene layer */
export function readSceneLayer(value: unknown): SceneLayer | undefined {
  const layer = asObject(value);
  const layerType = asText(layer?.['layerType']);
  const store = asObject(layer?.['store']);
  if (layer === undefined || layerType === undefined) return undefined;
  if (store === undefined && asArray(layer['sublayers']) === undefined) return undefined;
  const reference = asObject(layer['spatialReference']);
  const height = asObject(layer['heightModelInfo']);
  return {
    name: asText(layer['name'])?.slice(0, 200),
    layerType: layerType.slice(0, 40),
    version: (asText(store?.['version']) ?? asText(layer['version']))?.slice(0, 40),
    wkid: asIndex(reference?.['latestWkid']) ?? asIndex(reference?.['wkid']) ?? wkidOf(store?.['indexCRS']),
    vcsWkid: asIndex(reference?.['latestVcsWkid']) ?? asIndex(reference?.['vcsWkid']),
    wkt: asText(reference?.['wkt']),
    heightModel: asText(height?.['heightModel'])?.slice(0, 60),
    vertCrs: asText(height?.['vertCRS'])?.slice(0, 100),
    heightUnit: asText(height?.['heightUnit'])?.slice(0, 40),
    ...extentOf(layer, store),
    fields: asObjects(layer['fields']).flatMap((field) => {
      const name = asText(field?.['name']);
      return name === undefined ? [] : [{ name, type: asText(field?.['type']) ?? '' }];
    }),
    sublayers: sublayersOf(layer),
    nodesPerPage:
      asIndex(asObject(layer['nodePages'])?.['nodesPerPage']) ??
      asIndex(asObject(asObject(store?.['index'])?.['nodes'])?.['nodesPerPage']) ??
      asIndex(asObject(store?.['index'])?.['nodesPerPage']),
    lodSelectionMetric: asText(asObject(layer['nodePages'])?.['lodSelectionMetricType']),
    textureEncodings: (asArray(store?.['textureEncoding']) ?? []).filter((text) => typeof text === 'string'),
    ...geometryOf(layer),
  };
}

/** `http://www.opengis.net/def/crs/EPSG/0/4326` */
function wkidOf(text: unknown): number | undefined {
  const code = /EPSG\/[^/]*\/(\d+)$/.exec(asText(text) ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}

function extentOf(layer: JsonObject, store: JsonObject | undefined): Pick<SceneLayer, 'extent' | 'heights'> {
  const full = asObject(layer['fullExtent']);
  const sides = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => asNumber(full?.[side]));
  const [low, high] = [asNumber(full?.['zmin']), asNumber(full?.['zmax'])];
  return {
    extent: asNumbers(sides, 4) ?? asNumbers(store?.['extent'], 4),
    heights: low !== undefined && high !== undefined ? [low, high] : undefined,
  };
}

/** The sublayers of a building, which can be in nested groups. */
function sublayersOf(layer: JsonObject): SubLayer[] {
  const found: SubLayer[] = [];
  const waiting = [...asObjects(layer['sublayers'])];
  for (let i = 0; i < waiting.length && found.length < maxSublayers && i < maxSublayers * 10; i++) {
    const one = waiting[i];
    const id = asIndex(one?.['id']);
    const layerType = asText(one?.['layerType']);
    if (one === undefined || layerType === undefined) continue;
    if (layerType !== 'group' && id !== undefined)
      found.push({
        id,
        layerType: layerType.slice(0, 40),
        name: (asText(one['name']) ?? String(id)).slice(0, 100),
      });
    for (const below of asObjects(one['sublayers'])) waiting.push(below);
  }
  return found;
}

function geometryOf(layer: JsonObject): Pick<SceneLayer, 'geometryOffset' | 'geometryEncodings'> {
  const buffers = asObjects(asObjects(layer['geometryDefinitions'])[0]?.['geometryBuffers']);
  const [first] = buffers;
  const position = asObject(first?.['position']);
  const isPlain = position?.['type'] === 'Float32' && position['component'] === 3;
  const encodings = buffers.map(
    (buffer) => asText(asObject(buffer?.['compressedAttributes'])?.['encoding']) ?? 'plain',
  );
  const isOld = buffers.length === 0 && asObject(layer['store'])?.['defaultGeometrySchema'] !== undefined;
  return {
    geometryOffset: isPlain ? (asIndex(first?.['offset']) ?? 0) : isOld ? 8 : undefined,
    geometryEncodings: [...new Set(encodings)],
  };
}
