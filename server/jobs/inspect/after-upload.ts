import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { findObject, type ObjectFile } from '../../files/objects/store.ts';
import { ownerOf, splitEnding } from './sidecar-files.ts';
import { isRunnerThere, startInspection } from './operations.ts';
import { countWaiting, findInspection, findReport } from './store.ts';
import { targetOf } from './target.ts';

export interface Uploaded {
  readonly projectId: string;
  readonly bucketId: string;
  readonly key: string;
  readonly by: string;
}

/** More would take longer than users stay on the page. */
const maxWaiting = 100;
/** More files with the same ending in one folder are usually parts of one dataset. */
const maxOfAKind = 100;
const lookedAt = 500;

/** `…/{z}/{x}/{y}.png`, also with @2x and compressed. */
const tile = /(?:^|\/)\d+\/\d+\/\d+(?:@\dx)?\.[\w.]+$/;
/** Entry files of folders that are one dataset. */
const entryFiles = ['tileset.json', 'layer.json', '3dSceneLayer.json', '3dSceneLayer.json.gz'];
/** Endings of files that are always part of something, besides the sidecar files (`sidecar-files.ts`). */
const parts = new Set(
  'b3dm i3dm pnts cmpt vctr geom subtree terrain mvt pbf dbf shx prj cpg qpj sbn sbx qix idx bin mtl ktx2 ovr tfw jgw pgw j2w jkw wld'.split(
    ' ',
  ),
);

/**
 * Queues a background inspection, so that the result is known before a user opens the file. Skips files that are parts
 * of a dataset, and all files while too many inspections wait. Never throws.
 */
export async function inspectAfterUpload(context: Context, uploaded: Uploaded): Promise<void> {
  const { db, settings, log } = context;
  if (!settings.inspectUploads) return;
  try {
    const { projectId, bucketId, key, by } = uploaded;
    if (tile.test(key)) return;
    const file = await findObject(db, bucketId, key);
    const main = file && (await worthInspecting(db, file));
    if (!main || !(await isRunnerThere(context))) return;
    const target = await targetOf(db, main);
    if (await findReport(db, projectId, target.reportOf)) return;
    if (await findInspection(db, projectId, target.reportOf)) return;
    if ((await countWaiting(db, projectId)) >= maxWaiting) return;
    await startInspection(context, { projectId, target, by, isUrgent: false });
  } catch (error) {
    if (isShutDown(error)) return; // the inspection is repeated on request
    log.warn({ err: error, key: uploaded.key }, 'an upload could not be inspected');
  }
}

/** No request waits for it, so the database may be closed first. */
function isShutDown(error: unknown): boolean {
  return error instanceof Error && error.message === 'driver has already been destroyed';
}

/** The file itself, or the file that it belongs to; undefined if neither should be inspected. */
async function worthInspecting(db: Db, file: ObjectFile): Promise<ObjectFile | undefined> {
  if (file.size === 0 || (await isPartOfFolder(db, file))) return undefined;
  const owner = await ownerOf(db, file);
  if (owner) return owner;
  const [, ending] = splitEnding(file.key);
  if (parts.has(ending) || (await isOneOfMany(db, file, ending))) return undefined;
  return file;
}

/** Whether a folder above the file has an entry file and is one dataset. */
async function isPartOfFolder(db: Db, { key, dataBucketId }: ObjectFile): Promise<boolean> {
  const folders = key.split('/').slice(0, -1);
  const above = ['', ...folders.map((_, i) => `${folders.slice(0, i + 1).join('/')}/`)];
  const keys = above
    .flatMap((folder) => entryFiles.map((name) => folder + name))
    .filter((one) => one !== key);
  const { rows } = await sql`
    select from object where bucket_id = ${dataBucketId} and key = any(${keys}::text[]) limit 1`.execute(db);
  return rows.length > 0;
}

async function isOneOfMany(db: Db, { key, dataBucketId }: ObjectFile, ending: string): Promise<boolean> {
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select key from object where bucket_id = ${dataBucketId} and key > ${folder}
        and starts_with(key, ${folder}) order by key limit ${lookedAt}
    ) near where right(lower(key), ${ending.length + 1}) = ${`.${ending}`}`.execute(db);
  return rows[0]!.count > maxOfAKind;
}
