import type { Module } from '@platen/contract/modules';
import type { Db } from '../../../base/database/database.ts';
import { isObject } from '../../../base/is-object.ts';
import { findDatasourceRevision, findFileAsOf } from '../../../files/revisions/pinned-revision.ts';
import type { AppContent } from '../../content.ts';
import { compileContent } from '../../load.ts';
import type { PaintedLayer } from './paint-picture.ts';

/** More are not painted: a picture shows few. */
const maxLayers = 12;
/** Larger files are left out: they are parsed whole. */
const maxGeoJsonBytes = 8 * 1024 * 1024;
/** Larger styles are left out: what a picture is made of is compared at each request. */
const maxStyleLength = 100_000;

type Json = Readonly<Record<string, unknown>>;

/** The layers of an app that a map shows at its start and a picture can show, the lowest first. */
export async function findPaintedLayers(
  db: Db,
  projectId: string,
  content: AppContent,
): Promise<PaintedLayer[]> {
  if (content.revisions.size === 0) return [];
  const modules = await compileContent(db, projectId, content);
  const shown = modules
    .flatMap((module) => module.layers)
    .filter((layer) => layer['activeOnStartup'] === true && kindOf(layer) !== undefined)
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .slice(0, maxLayers);
  const painted: PaintedLayer[] = [];
  for (const layer of shown) {
    const found = await findData(db, layer, content.revisions);
    if (found) painted.push({ ...found, style: styleOf(layer, modules) });
  }
  return painted;
}

function kindOf({ type, projection, renderer }: Json): PaintedLayer['kind'] | undefined {
  if (type === 'VectorTileLayer' && renderer !== 'none') return 'tiles';
  const epsg = isObject(projection) ? Number(projection['epsg']) : 4326;
  return type === 'GeoJSONLayer' && epsg === 4326 ? 'geojson' : undefined;
}

const orderOf = ({ zIndex }: Json) => (typeof zIndex === 'number' ? zIndex : 0);

async function findData(
  db: Db,
  layer: Json,
  revisions: AppContent['revisions'],
): Promise<Pick<PaintedLayer, 'kind' | 'blobId' | 'size'> | undefined> {
  const { tileProvider } = layer;
  const own = isObject(tileProvider) ? tileProvider['datasourceId'] : undefined;
  const datasourceId = own ?? layer['datasourceId'];
  const revision = typeof datasourceId === 'string' ? revisions.get(datasourceId) : undefined;
  const data =
    revision === undefined ? undefined : await findDatasourceRevision(db, datasourceId as string, revision);
  if (!data || data.bucketId === null || data.bucketKey === null || data.servedFolder !== null)
    return undefined;
  const kind = kindOf(layer)!;
  if (kind === 'tiles' && !/\.pmtiles$/i.test(data.bucketKey)) return undefined;
  const file = await findFileAsOf(db, { bucketId: data.bucketId, key: data.bucketKey, at: data.until });
  if (!file || (kind === 'geojson' && file.size > maxGeoJsonBytes)) return undefined;
  return { kind, blobId: file.blobId, size: file.size };
}

/** The last style of a name counts, as in the map viewer. */
function styleOf({ style }: Json, modules: readonly Module[]): unknown {
  const item = typeof style === 'string' ? styleNamed(style, modules) : style;
  return JSON.stringify(item ?? null).length > maxStyleLength ? undefined : item;
}

const styleNamed = (name: string, modules: readonly Module[]) =>
  modules
    .flatMap(({ styles }) => (Array.isArray(styles) ? (styles as unknown[]) : []))
    .findLast((item) => isObject(item) && item['name'] === name);
