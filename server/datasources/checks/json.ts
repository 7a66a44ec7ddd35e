import { UnusableData, type ReadAt } from './refused.ts';

const maxParsedBytes = 16 * 1024 * 1024;
const firstLineBytes = 64 * 1024;
const maxVersionLength = 20;

/** A JSON object, parsed where it is of a reasonable size. @throws UnusableData */
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
    throw new UnusableData(`${what} is not valid JSON.`);
  }
}

/** @throws UnusableData for what does not even begin like a JSON object */
async function requireObject(what: string, read: ReadAt): Promise<string> {
  const start = new TextDecoder().decode(await read(0, firstLineBytes)).replace(/^\ufeff?\s*/, '');
  if (!start.startsWith('{')) throw new UnusableData(`${what} does not begin like a JSON object.`);
  return start;
}

/**
 * Accepts GeoJSON as one object in WGS84, or in another CRS if the layer names it; the viewer cannot read one feature
 * per line. @throws UnusableData
 */
export async function checkGeoJson(read: ReadAt, hasProjection: boolean): Promise<void> {
  const start = await requireObject('The GeoJSON file', read);
  if (!hasProjection) requireDegrees(start);
  const [line = '', ...rest] = start.split('\n');
  if (!/^\s*\{/.test(rest[0] ?? '') || !isFeature(line)) return;
  throw new UnusableData(
    'The file holds one feature per line, which the viewer cannot read: make vector tiles of it with the job type platenTilesVector, or put its features into one FeatureCollection.',
  );
}

const inDegrees = /CRS:?84|EPSG:{1,2}4326|EPSG\/0\/4326/i;

/** Checks the CRS that the file names, and its first position. */
function requireDegrees(start: string): void {
  const crs = /"crs"\s*:\s*\{[^{}]*\{[^{}]*"name"\s*:\s*"([^"]*)"/.exec(start)?.[1];
  const position = /"coordinates"\s*:[\s[]*(-?[\d.]+(?:e[+-]?\d+)?)\s*,\s*(-?[\d.]+(?:e[+-]?\d+)?)/i.exec(
    start,
  );
  const isBeyond =
    position !== null && (Math.abs(Number(position[1])) > 180 || Math.abs(Number(position[2])) > 90);
  if (!isBeyond && (crs === undefined || inDegrees.test(crs))) return;
  const what =
    crs === undefined ? 'coordinates that are not degrees' : `the coordinate system “${crs.slice(0, 100)}”`;
  throw new UnusableData(
    `The GeoJSON file has ${what}, but the viewer treats them as WGS84: convert it with a job of the type platenConvertVector, or set typeProperties.projection.`,
  );
}

function isFeature(line: string): boolean {
  try {
    return (JSON.parse(line) as { type?: unknown }).type === 'Feature';
  } catch {
    return false;
  }
}

/** The entry of a 3D tileset (3D Tiles 1.1, tileset.json). @throws UnusableData */
export async function checkTileset(what: string, read: ReadAt, size: number): Promise<void> {
  const tileset = await readJson(what, read, size);
  if (!tileset) return;
  const { asset, root } = tileset as { asset?: { version?: unknown }; root?: unknown };
  const version = asset?.version;
  if (typeof version !== 'string' || typeof root !== 'object' || root === null)
    throw new UnusableData(`${what} is not a 3D tileset: it has no asset.version or no root.`);
  if (version !== '1.0' && version !== '1.1')
    throw new UnusableData(
      `${what} is of version ${version.slice(0, maxVersionLength)}, but the viewer shows 3D Tiles 1.0 and 1.1: export it again as one of these.`,
    );
}

/** The entry of oblique images: the viewer reads 3.1 and what came later. @throws UnusableData */
export async function checkObliqueImages(what: string, read: ReadAt, size: number): Promise<void> {
  const images = await readJson(what, read, size);
  const version = images?.['version'];
  if (version === undefined) return;
  const text = typeof version === 'string' ? version.slice(0, maxVersionLength) : undefined;
  const number = text === undefined ? NaN : Number(/(?<!\d)\d+\.\d+/.exec(text)?.[0]);
  if (number >= 3.1) return;
  throw new UnusableData(
    `${what} is of version ${JSON.stringify(text ?? version).slice(0, maxVersionLength)}, but the viewer reads 3.1 and later: export the oblique images again.`,
  );
}
