// Child process for tests that kill a writer or measure its memory: testing-s3-child.ts <what> <setting> …
import { openStore } from './open.ts';
import { chunks } from './testing.ts';

const [what, setting = '', ...figures] = process.argv.slice(2);
const store = await openStore(setting);
if (what === 'hang') await store.put('unfinished01', hanging());
else if (what === 'draft') await draftThatHangs();
else if (what === 'many') await manyAtOnce(Number(figures[0]), Number(figures[1]));

async function draftThatHangs(): Promise<void> {
  await store.drafts.begin('unfinished01');
  await store.drafts.append('unfinished01', 0, chunks([Buffer.alloc(1_000_000, 'a')]));
  await store.drafts.append('unfinished01', 1_000_000, hanging());
}

/** Two parts and a little. */
async function* hanging(): AsyncIterable<Uint8Array> {
  for (let i = 0; i < 18; i++) yield Buffer.alloc(1_000_000, 'b');
  process.stdout.write('writing\n');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

/** Prints its peak memory in MiB. */
async function manyAtOnce(count: number, bytes: number): Promise<void> {
  let maxRss = 0;
  const timer = setInterval(() => (maxRss = Math.max(maxRss, process.memoryUsage.rss())), 20);
  const ids = Array.from({ length: count }, (_, i) => `parallel${String(i).padStart(4, '0')}`);
  const stored = await Promise.all(ids.map((id) => store.put(id, asFromASocket(bytes))));
  clearInterval(timer);
  if (new Set(stored.map(({ sha256 }) => sha256)).size !== 1) throw new Error('the bytes differ');
  for (const id of ids) await store.remove(id);
  process.stdout.write(`${Math.round(maxRss / 1_048_576)}\n`);
}

async function* asFromASocket(bytes: number): AsyncIterable<Uint8Array> {
  for (let left = bytes; left > 0; left -= 65_536) {
    yield Buffer.alloc(Math.min(left, 65_536), 7);
    await new Promise(setImmediate);
  }
}
