import { openMbtiles, type Mbtiles } from '@platen/formats/mbtiles/open-mbtiles';
import { SqliteError } from '@platen/formats/sqlite/sqlite-error';
import { gridX, gridY, worldSize } from '@platen/geo/tile/world-grid';
import { damage } from '../damage.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { describeTiles, objectOf } from './describe-tiles.ts';

const format = { format: 'mbtiles', formatTitle: 'MBTiles archive' } as const;
const sqlite = 'SQLite format 3\0';
const applicationId = 'MPBX';
const geoPackages = new Set(['GPKG', 'GP10', 'GP11']);

/** Returns undefined for files that are not SQLite, or SQLite databases of another kind. */
export async function inspectMbtiles(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  const { bytes, name: file } = subject;
  if (!bytes) return undefined;
  const head = Buffer.from(await bytes.read(0, 100)).toString('latin1');
  const id = head.slice(68, 72);
  if (!head.startsWith(sqlite) || geoPackages.has(id)) return undefined;
  const { issues } = context;
  try {
    return await describe(await openMbtiles(bytes), subject, context);
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    if (id !== applicationId && !/\.mbtiles$/i.test(file)) return undefined;
    issues.add('damagedFile', damage(file, error.message));
    return { ...format, kind: 'tiles', layers: [], uses: [] };
  }
}

async function describe(
  archive: Mbtiles,
  { name: file, bytes }: Subject,
  context: InspectionContext,
): Promise<Finding> {
  const { metadata, minZoom, maxZoom, bounds } = archive;
  const read = async (z: number, x: number, y: number) =>
    archive.tile(z, x, y).catch((error: unknown) => {
      if (!(error instanceof SqliteError)) throw error;
      context.issues.add('damagedFile', damage(file, error.message));
      return undefined;
    });
  const sample = await archive.someTile();
  const plain = Object.fromEntries([...metadata].filter(([key]) => key !== 'json').slice(0, 50));
  const version = metadata.get('version');
  const tileCount = estimateCount(archive, { sample, size: bytes!.size });
  return describeTiles(
    {
      file,
      format,
      minZoom,
      maxZoom,
      bounds: bounds && [...bounds],
      tileCount,
      isCountEstimated: true,
      metadata: { ...plain, ...jsonOf(metadata.get('json')) },
      details: {
        ...(archive.format !== '' && { tileFormat: archive.format.slice(0, 50) }),
        ...(version !== undefined && { version: version.slice(0, 50) }),
      },
      sample,
      read,
      rasterType: 'wmts',
    },
    context,
  );
}

function jsonOf(text: string | undefined): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

/** Counting tiles would read the whole index, so the count is estimated from the bounds and the size of the file. */
function estimateCount(
  { minZoom, maxZoom, bounds }: Mbtiles,
  { sample, size }: { sample: Uint8Array | undefined; size: number },
): number | undefined {
  if (minZoom === undefined || maxZoom === undefined || !bounds || !sample) return undefined;
  const [west, south, east, north] = bounds;
  let count = 0;
  for (let z = minZoom; z <= maxZoom; z++) {
    const at = (grid: number) => Math.min(2 ** z - 1, Math.max(0, Math.floor((grid / worldSize) * 2 ** z)));
    count += (at(gridX(east)) - at(gridX(west)) + 1) * (at(gridY(south)) - at(gridY(north)) + 1);
  }
  return Math.max(1, Math.round(Math.min(count, size / sample.length)));
}
