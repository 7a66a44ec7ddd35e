import { Refused, type ReadAt } from './refused.ts';

const maxParsedBytes = 16 * 1024 * 1024;
const firstLineBytes = 64 * 1024;

/** A JSON object, parsed where it is of a reasonable size. @throws Refused */
export async function readJson(
  what: string,
  read: ReadAt,
  size: number,
): Promise<Record<string, unknown> | undefined> {
  await requireObject(what, read);
  if (size > maxParsedBytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(await read(0, size))) as Record<string, unknown>;
  } catch {
    throw new Refused(`${what} is not valid JSON.`);
  }
}

/** @throws Refused for what does not even begin like a JSON object */
async function requireObject(what: string, read: ReadAt): Promise<string> {
  const start = new TextDecoder().decode(await read(0, firstLineBytes)).replace(/^\ufeff?\s*/, '');
  if (!start.startsWith('{')) throw new Refused(`${what} does not begin like a JSON object.`);
  return start;
}

/** GeoJSON as one object; the viewer cannot read one feature per line. @throws Refused */
export async function checkGeoJson(read: ReadAt): Promise<void> {
  const start = await requireObject('The GeoJSON file', read);
  const [line = '', ...rest] = start.split('\n');
  if (!/^\s*\{/.test(rest[0] ?? '') || !isFeature(line)) return;
  throw new Refused(
    'The file holds one feature per line, which the viewer cannot read: make vector tiles of it with the job type platenTilesVector, or put its features into one FeatureCollection.',
  );
}

function isFeature(line: string): boolean {
  try {
    return (JSON.parse(line) as { type?: unknown }).type === 'Feature';
  } catch {
    return false;
  }
}

/** The entry of a 3D tileset (3D Tiles 1.1, tileset.json). @throws Refused */
export async function checkTileset(what: string, read: ReadAt, size: number): Promise<void> {
  const tileset = await readJson(what, read, size);
  if (!tileset) return;
  const { asset, root } = tileset as { asset?: { version?: unknown }; root?: unknown };
  if (typeof asset?.version === 'string' && typeof root === 'object' && root !== null) return;
  throw new Refused(`${what} is not a 3D tileset: it has no asset.version or no root.`);
}
