import { Failure } from '../../base/failure.ts';
import type { ServedFile } from './file-headers.ts';
import type { Library } from './library.ts';
import type { Members } from './members.ts';
import { sendFile, sendJson } from './reply.ts';
import type { Exchange } from './send-bytes.ts';
import { contentOf } from './send-packed.ts';

const longestLayerBytes = 16 * 1024 * 1024;

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

/** What a resource of the service is called in a package (I3S 1.7, "Scene Layer Packages"), below a layer or sublayer. */
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
 * Answers as a scene service does, from the members of a package: `SceneServer`, `SceneServer/layers/0`,
 * `…/layers/0/nodepages/0`, `…/nodes/12/geometries/1`; `SceneServer/` may be left out. Members also go by their own names.
 */
export async function sendI3s(
  library: Library,
  { members, rest, name }: { members: Members; rest: string; name: string },
  exchange: Exchange,
): Promise<boolean> {
  const path = rest.replace(service, '');
  const plain = await members.find(rest);
  if (path === '' && !plain) return sendService(library, { members, name }, exchange);
  const file = plain ?? (await findResource(members, path.replace(layer, '')));
  return file !== undefined && sendFile(library, file, exchange);
}

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

/** Packages call it so or so. */
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

/** Of what is in it, when it is gzipped. */
function typeOf(name: string): string {
  const plain = name.replace(/\.gz$/, '');
  return types.find(([ending]) => ending.test(plain))?.[1] ?? 'application/octet-stream';
}

/** The service that a layer belongs to, as clients ask for it that were given no layer. */
async function sendService(
  library: Library,
  { members, name }: { members: Members; name: string },
  exchange: Exchange,
): Promise<boolean> {
  const file = await findResource(members, '');
  const content = file && (await contentOf(library, file, longestLayerBytes));
  if (!content) return false;
  const found = parse(content);
  const { store } = found as { store?: { version?: unknown } };
  const body = {
    serviceName: name,
    name,
    currentVersion: 10.8,
    serviceVersion: typeof store?.version === 'string' ? store.version : '1.7',
    supportedBindings: ['REST'],
    layers: [found],
  };
  return sendJson(body, exchange);
}

function parse(content: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content.toString());
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw new Failure('unprocessable', 'The scene layer is no valid JSON.', { cause: error });
  }
  throw new Failure('unprocessable', 'The scene layer is no JSON object.');
}
