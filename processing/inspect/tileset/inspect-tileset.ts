import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { scanMembers, skipSpace } from '@platen/formats/json/scan-members';
import { readTileContent } from '@platen/formats/tiles-3d/tile-content';
import type { Finding, InspectionContext, Inspector, Subject } from '../inspector.ts';
import { describeTileset } from './describe-tileset.ts';

const headBytes = 1 << 16;
const maxListed = 2000;

/** Inspects 3D Tiles: a tileset.json, a folder with one, or a single tile without its tileset. */
export const inspectTileset: Inspector = async (subject, context) => {
  const { bytes } = subject;
  if (bytes === undefined) {
    const path = await findTileset(subject);
    return path === undefined ? undefined : describeTileset(subject, path, context);
  }
  const head = Buffer.from(await bytes.read(0, headBytes));
  if (looksLikeTileset(head)) {
    const name = subject.name.slice(subject.name.lastIndexOf('/') + 1);
    const file = { ...subject, find: async (path: string) => (path === name ? bytes : subject.find(path)) };
    return describeTileset(file, name, context);
  }
  return /^(?:b3dm|i3dm|pnts|cmpt)\x01\0\0\0/.test(head.toString('latin1', 0, 8)) // oxlint-disable-line no-control-regex
    ? describeSingleTile(subject, bytes, context)
    : undefined;
};

/** Returns the tileset.json nearest to the top. */
async function findTileset(subject: Subject): Promise<string | undefined> {
  if ((await subject.find('tileset.json')) !== undefined) return 'tileset.json';
  const files = await subject.list(maxListed);
  const depth = (name: string) => name.split('/').length;
  const candidates = files
    .map(({ name }) => name)
    .filter((name) => /(?:^|\/)tileset\.json$/i.test(name))
    .toSorted((a, b) => depth(a) - depth(b));
  const others = files
    .map(({ name }) => name)
    .filter((name) => /^[^/]+\.json$/i.test(name))
    .slice(0, 5);
  for (const name of [...candidates.slice(0, 1), ...others]) {
    const found = await subject.find(name);
    if (found !== undefined && looksLikeTileset(Buffer.from(await found.read(0, headBytes)))) return name;
  }
  return undefined;
}

/** Whether the beginning is JSON with an asset and a root, or with a geometric error and one of them. */
function looksLikeTileset(head: Buffer): boolean {
  const start = skipSpace(head, head[0] === 0xef ? 3 : 0);
  if (head[start] !== 123) return false;
  const names = new Set<string>();
  const see = (name: string): void => void names.add(name);
  scanMembers(head, start, see, see);
  if (names.has('nodes') || names.has('meshes') || names.has('accessors')) return false;
  return names.has('geometricError')
    ? names.has('asset') || names.has('root')
    : names.has('asset') && names.has('root');
}

async function describeSingleTile(
  subject: Subject,
  bytes: Bytes,
  { issues }: InspectionContext,
): Promise<Finding> {
  const { name } = subject;
  issues.add(
    'singleTile',
    `${name} is a single tile of a 3D tileset: upload the whole folder with its tileset.json, or a zip file of it.`,
  );
  try {
    const { type, fault } = await readTileContent(bytes);
    if (fault !== undefined) issues.add('brokenFile', `${name}: ${fault}.`);
    const kind = type === 'pnts' ? 'pointCloud' : 'mesh';
    return { format: type, formatTitle: `tile of a 3D tileset (${type})`, kind, layers: [], uses: [] };
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${name}: ${error.message}.`);
    return { format: '3dtiles', formatTitle: '3D Tiles', kind: 'mesh', layers: [], uses: [] };
  }
}
