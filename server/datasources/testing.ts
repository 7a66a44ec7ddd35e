import type { DatasourceType } from '@platen/contract/datasource-types';
import type { NewDatasource } from '@platen/contract/datasources';
import { tileType } from '@platen/geo/pmtiles/header';
import { archiveOf, flatGeobufOf, tiffOf } from './serving/testing.ts';
import type { TestService } from '../testing.ts';

export const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
export const tileset = '{"asset":{"version":"1.1"},"geometricError":1,"root":{}}';
export const places = ' {"type":"FeatureCollection","features":[]}';
const tile = Buffer.from('tile');

/** A project whose default data bucket holds good and bad data of every type. */
export interface Samples {
  readonly projectId: string;
  readonly dataBucketId: string;
}

export async function uploadSamples({ admin }: TestService): Promise<Samples> {
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  const params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const form = new FormData();
  for (const [key, content] of Object.entries(await sampleFiles())) {
    form.append(key, new Blob([new Uint8Array(Buffer.from(content))]), 'file');
  }
  await admin.postProjectDataBucketUpload({ params, body: form });
  return params;
}

/** A new datasource of one of the samples. */
export function internal(
  { dataBucketId }: Samples,
  type: DatasourceType,
  dataBucketKey: string,
  more: Partial<NewDatasource> = {},
): NewDatasource {
  return { name: type, type, sourceProperties: { type: 'internal', dataBucketId, dataBucketKey }, ...more };
}

export function external(
  type: DatasourceType,
  url: string,
  more: Partial<NewDatasource> = {},
): NewDatasource {
  return { name: type, type, sourceProperties: { type: 'external', url }, ...more };
}

async function sampleFiles(): Promise<Record<string, string | Buffer>> {
  const archive = archiveOf([[0, 0, 0, tile]]);
  return {
    'places.geojson': places,
    'lines.geojson': '{"type":"Feature"}\n{"type":"Feature"}\n',
    'not.geojson': 'PK\u0003\u0004',
    'mesh/tileset.json': tileset,
    'mesh/a/b.b3dm': 'b3dm',
    'tileset.json': tileset,
    'odd/tileset.json': '{"asset":{}}',
    'terrain/layer.json': '{"tilejson":"2.1.0"}',
    'terrain/0/0/0.terrain': 'x',
    'terrain/0/1/0.terrain': 'x',
    'half/layer.json': '{}',
    'half/0/0/0.terrain': 'x',
    'oblique/image.json': '{"version":"3.5"}',
    'tiles/0/0/0.png': 'x',
    'scene/SceneServer/layers/0': '{}',
    'good.fgb': flatGeobufOf(),
    'utm.fgb': flatGeobufOf({ epsg: 25833 }),
    'unindexed.fgb': flatGeobufOf({ nodeSize: 0 }),
    'high.fgb': flatGeobufOf({ hasZ: true }),
    'street/images.fgb': flatGeobufOf(),
    'good.tif': tiffOf(),
    'utm.tif': tiffOf({ epsg: 25833 }),
    'zstd.tif': tiffOf({ compression: 50_000 }),
    'strips.tif': tiffOf({ isTiled: false }),
    'opaque.tif': tiffOf({ samples: 3, hasAlpha: false }),
    'cut.tif': tiffOf().subarray(0, 40),
    'places.pmtiles': archive,
    'raster.pmtiles': archiveOf([[0, 0, 0, tile]], tileType.png),
    'cut.pmtiles': archive.subarray(0, 100),
  };
}
