import { join } from 'node:path';
import { packMember } from '@platen/formats/zip/pack-member';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import type { JobContext } from '../job-type.ts';
import { openCheckpoint } from './checkpoint.ts';
import { openOutputSink, type SinkProgress } from './output-sink.ts';
import { createTilePacker } from './pack-tile.ts';
import { createTileLog, type UnitTiles } from './tile-log.ts';
import { writeTileArchive } from './write-tile-archive.ts';
import { testContext } from '../testing-context.ts';

/** Writes outputs as a job does that resumes, and prints a line for each unit. For tests that kill it. */

export const units = 40;
export const perUnit = 50;
export const contentOf = (i: number): Buffer => Buffer.from(`content ${i % 500} `.repeat(1 + (i % 90)));
export const nameOf = (i: number): string => (i === 0 ? 'tileset.json' : `${i % 7}/tile-${i}.glb`);

type Context = Pick<JobContext, 'outputFolder' | 'scratchFolder'>;

function writeSink(format: '3tz' | 'folder', { outputFolder, scratchFolder }: Context): void {
  const folder = join(scratchFolder, 'job');
  const checkpoint = openCheckpoint<object, SinkProgress>(folder, format);
  const options = { format, name: 'tiles', outputFolder, scratchFolder: folder };
  const sink = openOutputSink({ ...options, resume: checkpoint.units.at(-1) });
  for (let unit = checkpoint.units.length; unit < units; unit++) {
    for (let i = unit * perUnit; i < (unit + 1) * perUnit; i++)
      sink.add(packMember(nameOf(i), contentOf(i), 'deflate'));
    checkpoint.append(sink.flush());
    process.stdout.write(`${unit}\n`);
  }
  sink.finish();
}

async function writeTiles({ outputFolder, scratchFolder }: Context): Promise<void> {
  const folder = join(scratchFolder, 'job');
  const checkpoint = openCheckpoint<object, UnitTiles>(folder, 'pmtiles');
  const log = createTileLog(folder, `log-${checkpoint.attempt}`);
  const pack = createTilePacker(1 << 20);
  const leaves: UnitTiles[] = [...checkpoint.units];
  for (let unit = leaves.length; unit < units; unit++) {
    log.begin();
    for (let i = unit * perUnit; i < (unit + 1) * perUnit; i++) log.add(8, 30_000 + i, pack(contentOf(i)));
    const tiles = log.end();
    leaves.push(tiles);
    checkpoint.append(tiles);
    process.stdout.write(`${unit}\n`);
  }
  log.close();
  const bounds = [-180, -85, 180, 85] as const;
  const info = { metadata: {}, minZoom: 8, maxZoom: 8, bounds, center: [0, 0, 8] as const };
  await writeTileArchive(
    { leaves, tops: [] },
    { ...info, tileType: tileType.mvt, tileCompression: compression.gzip },
    testContext({ outputFolder, scratchFolder }),
  );
}

if (import.meta.main) {
  const [format, scratchFolder, outputFolder] = process.argv.slice(2) as [string, string, string];
  if (format === 'pmtiles') await writeTiles({ scratchFolder, outputFolder });
  else writeSink(format as '3tz' | 'folder', { scratchFolder, outputFolder });
}
