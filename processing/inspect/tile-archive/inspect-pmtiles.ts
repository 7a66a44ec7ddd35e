import { openArchive } from '@platen/geo/pmtiles/archive';
import type { Archive } from '@platen/geo/pmtiles/read-archive';
import { ArchiveError, compression, tileType } from '@platen/geo/pmtiles/header';
import { gridX, gridY, worldSize } from '@platen/geo/tile/world-grid';
import { damage } from '../damage.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { describeTiles } from './describe-tiles.ts';

const format = { format: 'pmtiles', formatTitle: 'PMTiles archive' } as const;
const nameOf = (names: Readonly<Record<string, number>>, code: number) =>
  Object.entries(names).find(([, value]) => value === code)?.[0] ?? `unknown (${code})`;

/** Returns undefined for files that are not PMTiles. */
export async function inspectPmtiles(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  const { bytes, name: file } = subject;
  if (!bytes) return undefined;
  const head = Buffer.from(await bytes.read(0, 8)).toString('latin1');
  const isSecond = head.startsWith('PM\x02\0') || head.startsWith('PM\x01\0');
  if (!head.startsWith('PMTiles') && !isSecond) return undefined;
  const { issues } = context;
  const version = isSecond ? head.charCodeAt(2) : head.charCodeAt(7);
  if (version !== 3) {
    issues.add(
      'oldVersion',
      `${file} is a PMTiles archive of version ${version}, but only version 3 is read: convert it (pmtiles convert).`,
    );
    return { ...format, formatVersion: String(version), kind: 'tiles', layers: [], uses: [] };
  }
  try {
    const archive = await openArchive((offset, length) => bytes.read(offset, length));
    return await describe(archive, subject, context);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    issues.add('damagedFile', damage(file, error.message));
    return { ...format, formatVersion: '3', kind: 'tiles', layers: [], uses: [] };
  }
}

async function describe(archive: Archive, subject: Subject, context: InspectionContext): Promise<Finding> {
  const { header } = archive;
  const { name: file, bytes } = subject;
  const { issues } = context;
  if (header.dataOffset + header.dataLength > bytes!.size)
    issues.add('damagedFile', damage(file, 'it is cut off: tiles at its end are missing'));
  if (header.tileCompression > compression.gzip)
    issues.add(
      'tileCompression',
      `${file}: its tiles are compressed by ${nameOf(compression, header.tileCompression)}, which not all browsers support. Create the archive again with gzip compression.`,
    );
  const read = async (z: number, x: number, y: number) => {
    const range = await archive.findTile(z, x, y);
    return range && bytes!.read(range.offset, range.length);
  };
  const metadata = await archive.metadata().catch((error: unknown) => {
    if (!(error instanceof ArchiveError)) throw error;
    issues.add('damagedMetadata', `${file}: ${error.message}.`);
    return {};
  });
  const { minZoom, maxZoom, bounds } = header;
  return describeTiles(
    {
      file,
      format: { ...format, formatVersion: '3' },
      minZoom,
      maxZoom,
      bounds: [...bounds],
      tileCount: header.addressedTiles || header.tileEntries || undefined,
      isCountEstimated: header.addressedTiles === 0,
      metadata,
      details: {
        tileType: nameOf(tileType, header.tileType),
        tileCompression: nameOf(compression, header.tileCompression),
        isClustered: header.clustered,
        distinctTiles: header.tileContents,
      },
      sample: await someTile(read, header),
      read,
      rasterType: 'wmts',
    },
    context,
  );
}

/** Returns a tile near the middle of the lowest zoom that has one. */
async function someTile(
  read: (z: number, x: number, y: number) => Promise<Uint8Array | undefined>,
  { minZoom, maxZoom, bounds, center }: Archive['header'],
): Promise<Uint8Array | undefined> {
  const places = [
    [center[0], center[1]],
    [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2],
    ...[0.1, 0.9, 0.3, 0.7].map((share) => [
      bounds[0] + (bounds[2] - bounds[0]) * share,
      bounds[1] + (bounds[3] - bounds[1]) * share,
    ]),
  ];
  for (let z = minZoom; z <= Math.min(maxZoom, 30); z++) {
    for (const [lon, lat] of places) {
      const [x, y] = tileAt(lon!, lat!, z);
      const tile = await read(z, x, y);
      if (tile !== undefined) return tile;
    }
  }
  return undefined;
}

function tileAt(lon: number, lat: number, z: number): [x: number, y: number] {
  const side = 2 ** z;
  const within = (value: number) => Math.min(side - 1, Math.max(0, Math.floor(value * side)));
  return [within(gridX(lon) / worldSize), within(gridY(lat) / worldSize)];
}
