// Child process for tests that kill a writer or fill a small disk: testing-child.ts <what> <folder>
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openFsStore } from './fs.ts';
import { StorageFailure } from './object-store.ts';

const [what, root = ''] = process.argv.slice(2);
const store = await openFsStore(root);
if (what === 'hang') await putThatHangs();
else if (what === 'many') await putsWithoutEnd();
else if (what === 'fill') await fillTheDisk();

async function putThatHangs(): Promise<void> {
  await store.put('unfinished01', hanging());
}

async function* hanging(): AsyncIterable<Uint8Array> {
  for (let i = 0; i < 50; i++) yield Buffer.alloc(100_000, i);
  process.stdout.write('writing\n');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

/** Prints the id and digest of each object once its put is acknowledged. */
async function putsWithoutEnd(): Promise<void> {
  await Promise.all(Array.from({ length: 8 }, (_, lane) => putInLane(lane)));
}

async function putInLane(lane: number): Promise<void> {
  for (let i = 0; ; i++) {
    const bytes = Buffer.alloc(1 + ((i * 7919) % 300_000), `${lane}/${i}`);
    const id = `${createHash('md5').update(`${process.pid}/${lane}/${i}`).digest('hex')}`;
    const { sha256 } = await store.put(id, halves(bytes));
    process.stdout.write(`${id} ${sha256}\n`);
  }
}

async function* halves(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes.subarray(0, bytes.length / 2);
  yield bytes.subarray(bytes.length / 2);
}

/** Needs a disk of 8 MiB. Prints the test results as JSON. */
async function fillTheDisk(): Promise<void> {
  await store.put('keptobject01', zeros(1));
  const full = await outcomeOf(store.put('largeobject1', zeros(20)));
  const overwrite = await outcomeOf(store.put('keptobject01', zeros(20)));
  const drafts = await readdir(join(root, 'tmp'));
  const visible: string[] = [];
  for await (const { id } of store.list()) visible.push(id);
  const kept = (await store.head('keptobject01'))?.size;
  const copied = [];
  for (let i = 0; i < 9; i++) copied.push(await outcomeOf(store.copy('keptobject01', `copiedobject${i}`)));
  await store.remove('copiedobject0');
  const afterwards = await outcomeOf(store.put('smallobject1', zeros(0.5)));
  const draftsAfterwards = await readdir(join(root, 'tmp'));
  process.stdout.write(
    JSON.stringify({
      full,
      overwrite,
      drafts,
      visible,
      kept,
      copy: copied.at(-1),
      afterwards,
      draftsAfterwards,
    }),
  );
}

async function* zeros(mebibytes: number): AsyncIterable<Uint8Array> {
  for (let i = 0; i < mebibytes * 16; i++) yield Buffer.alloc(65_536);
}

async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'done';
  } catch (error) {
    return error instanceof StorageFailure ? error.code : String(error);
  }
}
