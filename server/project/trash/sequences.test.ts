import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { newPlace, read, write, type BucketPath } from '../../files/revisions/testing.ts';
import { seededRandom, type Random } from '../../http/fuzz/random.ts';
import { sweep } from '../retention/sweep.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, context } = service;
const hour = 3_600_000;
const day = 24 * hour;
const keys = ['a', 'b', 'x/a', 'x/b', 'y/a', 'y/b'];
const folders = ['x/', 'y/'];

type Files = Map<string, string>;

/** What should be there. */
interface Model {
  readonly files: Files;
  /** By the id of the item in the trash. */
  readonly trash: Map<string, Files>;
}

const within = (files: Files, key: string): Files =>
  new Map([...files].filter(([one]) => one === key || (key.endsWith('/') && one.startsWith(key))));

/** What went into the trash last; the model does not know yet under which id. */
async function noteTrash(place: BucketPath, { trash }: Model, gone: Files): Promise<void> {
  if (gone.size === 0) return;
  const { items } = await admin.getProjectTrash({ params: place, query: { limit: 1000 } });
  const added = items.filter(({ _id }) => !trash.has(_id));
  assert.equal(added.length, 1);
  assert.equal(added[0]!.numberOfFiles, gone.size);
  trash.set(added[0]!._id, gone);
}

type Step = (place: BucketPath, model: Model, random: Random['integer']) => Promise<void>;

const steps: readonly Step[] = [
  async (place, { files }, random) => {
    const key = keys[random(keys.length)]!;
    const text = `text ${random(8)}`; // few, so that contents are shared
    await write(admin, place, { [key]: text });
    files.set(key, text);
  },
  async (place, model, random) => {
    const key = [...keys, ...folders][random(8)]!;
    const gone = within(model.files, key);
    const deletion = admin.deleteProjectDataBucketObject({ params: place, query: { key } });
    if (gone.size === 0) return assert.rejects(deletion, { status: 404 });
    await deletion;
    for (const one of gone.keys()) model.files.delete(one);
    await noteTrash(place, model, gone);
  },
  async (place, model, random) => {
    const [from, to] = [keys[random(keys.length)]!, keys[random(keys.length)]!];
    const text = model.files.get(from);
    if (text === undefined || from === to) return;
    const inTheWay = within(model.files, to);
    await admin.postProjectDataBucketObjectMove({ params: place, body: { key: from, to, overwrite: true } });
    model.files.delete(from);
    model.files.set(to, text);
    await noteTrash(place, model, inTheWay);
  },
  async (place, model, random) => {
    const items = [...model.trash];
    const [trashId, files] = items[random(items.length || 1)] ?? ['none', new Map<string, string>()];
    const inTheWay = new Map([...model.files].filter(([key]) => files.has(key)));
    const overwrite = random(2) === 0;
    const params = { ...place, trashId };
    const restoration = admin.postProjectTrashItemRestore({ params, query: { overwrite } });
    if (!model.trash.has(trashId)) return assert.rejects(restoration, { status: 404 });
    if (inTheWay.size > 0 && !overwrite) return assert.rejects(restoration, { status: 409 });
    await restoration;
    model.trash.delete(trashId);
    await noteTrash(place, model, inTheWay);
    for (const [key, text] of files) model.files.set(key, text);
  },
  async (place, { files }, random) => {
    const present = [...files.keys()];
    const key = present[random(present.length || 1)];
    if (key === undefined) return;
    const query = { key };
    const { items } = await admin.getProjectDataBucketObjectRevisions({ params: place, query });
    const { revision: number, sha256 } = items[random(items.length)]!;
    const revision = String(number);
    await admin.postProjectDataBucketObjectRevisionRestore({ params: { ...place, revision }, query });
    const text = String(await read(admin, place, key));
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256);
    files.set(key, text);
  },
  // the time of blobs is over, but not that of the trash and of revisions
  async () => {
    await sweep({ ...context, now: () => new Date(Date.now() + 2 * hour) });
  },
  async (place, model, random) => {
    if (random(4) > 0) return;
    await admin.deleteProjectTrash({ params: place });
    model.trash.clear();
  },
];

for (let seed = 1; seed <= 6; seed++) {
  test(`whatever is done in whatever order, files read back and no bytes are left over: ${seed}`, async () => {
    const place = await newPlace(service);
    const random = seededRandom(seed).integer;
    const model: Model = { files: new Map(), trash: new Map() };
    for (let step = 0; step < 60; step++) await steps[random(steps.length)]!(place, model, random);
    await admin.postProjectDataBucketObject({ params: place, query: { key: 'last' } });
    for (const key of keys) assert.equal(await read(admin, place, key), model.files.get(key) ?? 404, key);
    for (const [trashId, files] of model.trash) {
      const { key } = await admin.postProjectTrashItemRestore({
        params: { ...place, trashId },
        query: { overwrite: true },
      });
      for (const [one, text] of files) assert.equal(await read(admin, place, one), text, `${key} ${one}`);
    }
    await admin.deleteProjectTrash({ params: place });
    // everything but the files is given up, and then its bytes
    const later = (ms: number) => ({ ...context, now: () => new Date(Date.now() + ms) });
    await sweep(later(40 * day));
    await sweep(later(40 * day));
    const { projectId } = place;
    const blobs = await context.db
      .selectFrom('blob')
      .select('id')
      .where('project_id', '=', projectId)
      .execute();
    const files = await context.db
      .selectFrom('object')
      .select('blob_id')
      .distinct()
      .where('project_id', '=', projectId)
      .execute();
    const ids = (rows: readonly string[]) => [...new Set(rows)].toSorted();
    assert.deepEqual(ids(blobs.map(({ id }) => id)), ids(files.map(({ blob_id }) => blob_id)));
    const usage = await context.db
      .selectFrom('kept_usage')
      .select((it) => it.fn.sum<string>('objects').as('objects'))
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    assert.equal(Number(usage?.objects ?? 0), 0);
  });
}

test('at the end the store holds what the rows name, and nothing else', async () => {
  await sweep({ ...context, now: () => new Date(Date.now() + 40 * day) });
  const stored: string[] = [];
  for await (const { id } of context.store.list()) stored.push(id);
  const blobs = await context.db.selectFrom('blob').select('id').execute();
  assert.deepEqual(stored.toSorted(), blobs.map(({ id }) => id).toSorted());
});

test('restoring while the trash expires and the store is swept gives back all of it or nothing', async () => {
  for (let round = 0; round < 10; round++) {
    const place = await newPlace(service);
    await write(admin, place, { 'x/a': `a ${round}`, 'x/b': `b ${round}` });
    await admin.deleteProjectDataBucketObject({ params: place, query: { key: 'x/' } });
    const [item] = (await admin.getProjectTrash({ params: place })).items;
    const params = { ...place, trashId: item!._id };
    const after = { ...context, now: () => new Date(Date.now() + 40 * day) };
    const [restored] = await Promise.allSettled([
      admin.postProjectTrashItemRestore({ params }),
      sweep(after),
      sweep(after),
    ]);
    await sweep(after);
    const isBack = restored.status === 'fulfilled';
    if (!isBack) assert.equal((restored.reason as { status: number }).status, 404);
    assert.equal(await read(admin, place, 'x/a'), isBack ? `a ${round}` : 404);
    assert.equal(await read(admin, place, 'x/b'), isBack ? `b ${round}` : 404);
  }
});
