import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { findObject, type ObjectFile } from '../../files/objects/store.ts';
import { ownerOf, parted } from './beside.ts';
import { isRunnerThere, startInspection } from './operations.ts';
import { countWaiting, findInspection, findReport } from './store.ts';
import { targetOf } from './target.ts';

export interface Uploaded {
  readonly projectId: string;
  readonly bucketId: string;
  readonly key: string;
  readonly by: string;
}

/** More would take longer than anybody looks for. */
const mostWaiting = 100;
/** Many files of a kind in a folder are most probably parts of one thing. */
const mostOfAKind = 20;
const lookedAt = 500;

/** `…/{z}/{x}/{y}.png`, also of double size and packed. */
const tile = /(?:^|\/)\d+\/\d+\/\d+(?:@\dx)?\.[\w.]+$/;
/** Of a folder that is one thing: whoever opens it begins with this file. */
const beginnings = ['tileset.json', 'layer.json', '3dSceneLayer.json', '3dSceneLayer.json.gz'];
/** What never stands alone, beside companions (`beside.ts`). */
const parts = new Set(
  'b3dm i3dm pnts cmpt vctr geom subtree terrain mvt pbf dbf shx prj cpg qpj sbn sbx qix idx bin mtl ktx2 ovr tfw jgw pgw wld'.split(
    ' ',
  ),
);

/**
 * Has a file looked into behind everything else that waits, so that what it is is known when somebody looks. Files that
 * are parts of something larger are passed over, and whatever is too much. Never throws.
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
    if ((await countWaiting(db, projectId)) >= mostWaiting) return;
    await startInspection(context, { projectId, target, by, isUrgent: false });
  } catch (error) {
    if (isShutDown(error)) return; // it is asked for again by whoever wants to know
    log.warn({ err: error, key: uploaded.key }, 'an upload could not be inspected');
  }
}

/** Nobody waits for it, so the database may be gone before it. */
function isShutDown(error: unknown): boolean {
  return error instanceof Error && error.message === 'driver has already been destroyed';
}

/** The file, or the one that it belongs to; undefined where neither is worth it. */
async function worthInspecting(db: Db, file: ObjectFile): Promise<ObjectFile | undefined> {
  if (file.size === 0 || (await isWithin(db, file))) return undefined;
  const owner = await ownerOf(db, file);
  if (owner) return owner;
  const [, ending] = parted(file.key);
  if (parts.has(ending) || (await isOneOfMany(db, file, ending))) return undefined;
  return file;
}

/** Is some folder above it one thing, with a file of its own that tells of it? */
async function isWithin(db: Db, { key, dataBucketId }: ObjectFile): Promise<boolean> {
  const folders = key.split('/').slice(0, -1);
  const above = ['', ...folders.map((_, i) => `${folders.slice(0, i + 1).join('/')}/`)];
  const keys = above
    .flatMap((folder) => beginnings.map((name) => folder + name))
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
  return rows[0]!.count > mostOfAKind;
}
