import { withMembers } from '../../parsing/parse-file.ts';
import type { ServedFile } from '../file-headers.ts';
import type { Reply } from '../reply.ts';
import type { ServingCache } from '../serving-cache.ts';
import type { Members, MembersRequest } from './members.ts';
import { baseName, type Source } from './source.ts';

type Resource = readonly [path: RegExp, names: readonly string[]];

const json = ['.json.gz', '.json'] as const;
const binary = ['.bin.gz', '.bin'] as const;
const textures = [
  '.jpg',
  '.png',
  '.jpeg',
  '.bin.dds.gz',
  '.dds.gz',
  '.bin.dds',
  '.dds',
  '.ktx2',
  '.ktx2.gz',
  '.bin',
];

/** File names of resources in a package, below a layer or sublayer (I3S 1.7, "Scene Layer Packages"). */
const resources: readonly Resource[] = [
  [/^$/, json.map((ending) => `3dSceneLayer${ending}`)],
  [/^nodepages\/\d+$/, json],
  [/^nodes\/\w+$/, json.map((ending) => `/3dNodeIndexDocument${ending}`)],
  [/^nodes\/\w+\/shared$/, json.map((ending) => `/sharedResource${ending}`)],
  [/^nodes\/\w+\/features\/\w+$/, json],
  [/^nodes\/\w+\/geometries\/\w+$/, binary],
  [/^nodes\/\w+\/attributes\/\w+\/\w+$/, binary],
  [/^nodes\/\w+\/textures\/\w+$/, textures],
  [/^statistics\/\w+(?:\/\w+)?$/, json],
];

const service = /^SceneServer(?:\/|$)/;
const layer = /^layers\/\d+(?:\/|$)/;
const sublayer = /^sublayers\/\d+(?:\/|$)/;

/**
 * A scene service, from the members of a package: `SceneServer`, `SceneServer/layers/0`, `…/layers/0/nodepages/0`,
 * `…/nodes/12/geometries/1`; `SceneServer/` is optional. Members are also served under their own names.
 */
export const sceneLayer: Source<MembersRequest> = {
  async find({ cache, datasource, members, path }) {
    const inner = path.replace(service, '');
    const member = await members.find(path);
    if (inner === '' && !member)
      return describeService(cache, members, baseName(datasource.bucketKey!).replace(/\.\w+$/, ''));
    const file = member ?? (await findResource(members, inner.replace(layer, '')));
    return file && { kind: 'file', file };
  },
};

async function findResource(members: Members, path: string): Promise<ServedFile | undefined> {
  const prefix = sublayer.exec(path)?.[0].replace(/\/?$/, '/') ?? '';
  const inner = path.slice(prefix.length);
  const [, names] = resources.find(([pattern]) => pattern.test(inner)) ?? [];
  for (const spelled of names ? spellings(inner) : []) {
    for (const ending of names!) {
      const file = await members.find(`${prefix}${spelled}${ending}`, typeOf(ending));
      if (file) return file;
    }
  }
  return path === '' ? members.find('layers/0') : members.find(path);
}

/** Returns both spellings that packages use. */
function spellings(path: string): string[] {
  return path.startsWith('nodepages/') ? [path, path.replace('nodepages', 'nodePages')] : [path];
}

const types: readonly [RegExp, string][] = [
  [/\.json$/, 'application/json'],
  [/\.jpe?g$/, 'image/jpeg'],
  [/\.png$/, 'image/png'],
  [/\.dds$/, 'image/vnd-ms.dds'],
  [/\.ktx2$/, 'image/ktx2'],
];

/** Returns the media type of a member; of the content if it is gzipped. */
function typeOf(name: string): string {
  const plain = name.replace(/\.gz$/, '');
  return types.find(([ending]) => ending.test(plain))?.[1] ?? 'application/octet-stream';
}

/** Returns the service that a layer belongs to, for clients that were given no layer. */
async function describeService(
  cache: ServingCache,
  members: Members,
  name: string,
): Promise<Reply | undefined> {
  const file = await findResource(members, '');
  const layer = file && (await cache.document(file, 'sceneLayer'));
  if (!layer) return undefined;
  const described = { serviceName: name, name, currentVersion: 10.8, supportedBindings: ['REST'] };
  return { kind: 'document', bytes: withMembers(layer, described) };
}
