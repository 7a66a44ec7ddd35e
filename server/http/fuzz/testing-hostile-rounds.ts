import type { InjectOptions } from 'fastify';
import { hostileData } from '../../datasources/testing-hostile-files.ts';
import type { Random } from './random.ts';

/** Larger ones take seconds to make; a test of their own measures them. */
const maxFileBytes = 8 * 2 ** 20;
const boundary = 'platen-hostile';
const types = ['generic', 'vectortiles', 'tileset', 'i3s', 'oblique', 'geojson', 'raster', 'terrain'];
const paths = [
  '',
  'tiles.json',
  '0/0/0.pbf',
  'tileset.json',
  'image.json',
  'SceneServer',
  'SceneServer/layers/0',
];

type HostileFiles = ReturnType<(typeof hostileData)[string]>;
let made: readonly (readonly [string, HostileFiles])[] | undefined;

/** Those of the test that measures them, made once. */
function hostileFiles(): readonly (readonly [string, HostileFiles])[] {
  const isHeavy = (name: string) => /62 MB|20 MB|2 MB each/.test(name);
  made ??= Object.entries(hostileData)
    .filter(([name]) => !isHeavy(name))
    .map(([name, make]) => [name, make()] as const)
    .filter(([, { files }]) => Object.values(files).every(({ length }) => length <= maxFileBytes));
  return made;
}

interface Place {
  readonly projectId: string;
  readonly dataBucketId: string;
  readonly token: string;
}

export interface HostileRound {
  readonly name: string;
  readonly upload: InjectOptions;
  readonly register: InjectOptions;
  /** Requests that read the files, of the datasource that was registered. */
  reads(datasourceId: string): InjectOptions[];
}

/** Uploads hostile files, makes a datasource of them, of their own type or another, and reads it. */
export function hostileRound(random: Random, { projectId, dataBucketId, token }: Place): HostileRound {
  const [name, { type, key, files, paths: own }] = random.pick(hostileFiles());
  const headers = { authorization: `Bearer ${token}` };
  const api = `/api/v1/project/${projectId}`;
  const parts = Object.entries(files).flatMap(([path, bytes]) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${path}"; filename="file"\r\n\r\n`,
    bytes,
    '\r\n',
  ]);
  const payload = Buffer.concat([...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part)));
  const source = { type: 'internal', dataBucketId, dataBucketKey: key };
  const chosen = random.chance(0.7) ? type : random.pick(types);
  return {
    name: `${name} as ${chosen}`,
    upload: {
      method: 'POST',
      url: `${api}/data-bucket/${dataBucketId}/upload?overwrite=true`,
      headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload,
    },
    register: {
      method: 'POST',
      url: `${api}/datasource`,
      headers,
      payload: { name, type: chosen, typeProperties: {}, sourceProperties: source },
    },
    reads: (datasourceId) =>
      [...own, random.pick(paths), random.pick(paths)]
        .map((path) => `/data/${datasourceId}/${path}`)
        .concat(`${api}/datasource/${datasourceId}/config`, `${api}/datasource/${datasourceId}`)
        .map((url) => ({ method: 'GET', url, headers })),
  };
}
