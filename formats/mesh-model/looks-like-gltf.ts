import { asObject } from '../json/read-values.ts';
import { parseAt, scanMembers, skipSpace } from '../json/scan-members.ts';

const ownMembers = new Set([
  'scene',
  'scenes',
  'nodes',
  'meshes',
  'accessors',
  'bufferViews',
  'buffers',
  'materials',
  'images',
  'extensionsUsed',
  'extensionsRequired',
]);

/** Whether the beginning is JSON with an `asset` and two more members of glTF. */
export function looksLikeGltf(head: Buffer, size: number): boolean {
  const start = skipSpace(head, head[0] === 0xef ? 3 : 0);
  if (head[start] !== 123) return false;
  let own = 0;
  let hasAsset = false;
  const see = (name: string): void => {
    if (ownMembers.has(name)) own++;
  };
  const { state } = scanMembers(
    head,
    start,
    (name, from, to) => {
      see(name);
      if (name !== 'asset') return;
      hasAsset = typeof asObject(parseAt(head, from, to))?.['version'] === 'string';
    },
    see,
  );
  // the asset may follow all other members
  return own >= (hasAsset ? 1 : 3) && (hasAsset || (state === 'cutOff' && size > head.length));
}
