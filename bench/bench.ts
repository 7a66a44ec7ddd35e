import { cpus, totalmem } from 'node:os';
import { benchApi } from './api.ts';
import { benchAppConfig } from './app-config.ts';
import { benchAppFiles } from './app-files.ts';
import { benchArchive } from './archive.ts';
import { benchEvents } from './events.ts';
import { benchCity } from './city.ts';
import { benchCog } from './cog.ts';
import { benchImagery } from './imagery.ts';
import { benchImageryGrowth } from './imagery-growth.ts';
import { benchEmptyJobs } from './empty-jobs.ts';
import { benchFeatures } from './features.ts';
import { benchHeights } from './heights.ts';
import { benchInterface } from './interface.ts';
import { benchMap } from './map.ts';
import { benchJobLists } from './job-lists.ts';
import { benchLargeJob } from './large-job.ts';
import { benchLaz } from './laz.ts';
import { benchLog } from './log.ts';
import { benchMesh } from './mesh.ts';
import { benchObjects } from './objects.ts';
import { benchOutputs } from './outputs.ts';
import { benchPickup } from './pickup.ts';
import { benchPoints } from './points.ts';
import { benchPublish } from './publish.ts';
import { benchQueue } from './queue.ts';
import { print } from './report.ts';
import { benchServe } from './serve.ts';
import { benchSmallJobs } from './small-jobs.ts';
import { benchStaging } from './staging.ts';
import { benchTerrain } from './terrain.ts';
import { benchTerrainUpdate } from './terrain-update.ts';
import { benchTiles } from './tiles.ts';
import { benchWrite3tz } from './write-3tz.ts';
import { benchUploadReads } from './upload-reads.ts';
import { benchUpload } from './upload.ts';

/** Every benchmark by its name: `npm run bench -- api`; none named: all in turn. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  api: benchApi,
  upload: benchUpload,
  'upload-reads': benchUploadReads,
  serve: benchServe,
  archive: benchArchive,
  'app-config': benchAppConfig,
  'app-files': benchAppFiles,
  objects: benchObjects,
  interface: benchInterface,
  map: benchMap,
  'job-lists': benchJobLists,
  log: benchLog,
  outputs: benchOutputs,
  staging: benchStaging,
  'small-jobs': benchSmallJobs,
  pickup: benchPickup,
  publish: benchPublish,
  queue: benchQueue,
  'empty-jobs': benchEmptyJobs,
  events: benchEvents,
  features: benchFeatures,
  heights: benchHeights,
  city: benchCity,
  cog: benchCog,
  mesh: benchMesh,
  laz: benchLaz,
  imagery: benchImagery,
  'imagery-growth': benchImageryGrowth,
  terrain: benchTerrain,
  'terrain-update': benchTerrainUpdate,
  points: benchPoints,
  tiles: benchTiles,
  'outputs-3tz': benchWrite3tz,
  'large-job': benchLargeJob,
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in benches));
if (unknown.length > 0) {
  print(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
const [cpu] = cpus();
print(
  `${cpus().length} × ${cpu!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
);
for (const [name, run] of Object.entries(benches)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  print(`\n# ${name}`);
  await run();
}
