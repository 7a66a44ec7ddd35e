import { resolve } from 'node:path';
import { writeTar, type TarPart } from '@platen/formats/tar/write-tar';
import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import { findJobFiles } from '../files/store.ts';
import { findLines } from '../log/store.ts';
import { findJobRow, type JobRow } from '../store.ts';
import { factsOf } from './facts.ts';
import { redact } from './redact.ts';

interface Place {
  readonly projectId: string;
  readonly jobId: string;
}

export interface DebugPackage {
  readonly name: string;
  readonly pack: () => AsyncGenerator<Uint8Array>;
}

const linesAtOnce = 1000;

/** Streams a tar archive of everything known about a job. @throws Failure `not_found` */
export async function packDebug(context: Context, { projectId, jobId }: Place): Promise<DebugPackage> {
  const job = await findJobRow(context.db, projectId, jobId);
  if (!job) throw notFound('job');
  const name = `job-${jobId}-debug`;
  return { name, pack: () => writeTar(partsOf(context, job, name)) };
}

async function* partsOf(context: Context, job: JobRow, folder: string): AsyncGenerator<TarPart> {
  const { db, store, now } = context;
  const hide = hider(context);
  const at = (path: string) => ({ path: `${folder}/${path}`, updatedAt: now() });
  for (const [name, fact] of Object.entries(await factsOf(context, job))) {
    if (fact === undefined) continue;
    const bytes = Buffer.from(`${JSON.stringify(hide(fact), null, 2)}\n`);
    yield { ...at(`${name}.json`), size: bytes.length, bytes: [bytes] };
  }
  yield { ...at('log.jsonl'), ...(await logOf(context, job)) };
  for (const { name, blobId, size } of await findJobFiles(db, job.project_id, job.id)) {
    const bytes = await store.stream(blobId);
    if (bytes) yield { ...at(`files/${name}`), size, bytes: bytes as AsyncIterable<Uint8Array> };
  }
}

function hider({ store, now }: Context): (value: unknown) => unknown {
  const stored = store.localPath?.(newId(now()));
  const folders = stored === undefined ? [] : [resolve(stored, '../../..')]; // <store>/objects/<shard>/<id>
  return (value) => redact(value, folders);
}

/**
 * A tar header needs the size of a file before its bytes, so the log is read twice, up to its current last line. Lines
 * that a full log drops in between become empty lines at the end.
 */
async function logOf(context: Context, { id }: JobRow): Promise<Pick<TarPart, 'size' | 'bytes'>> {
  let size = 0;
  let last = 0;
  for await (const { seq, bytes } of linesOf(context, id, Infinity)) {
    size += bytes.length;
    last = seq;
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let left = size;
    for await (const line of linesOf(context, id, last)) {
      left -= line.bytes.length;
      yield line.bytes;
    }
    if (left > 0) yield Buffer.alloc(left, '\n');
  }
  return { size, bytes: bytes() };
}

/** Yields the lines in batches, up to the one with this number. */
async function* linesOf(
  context: Context,
  jobId: string,
  last: number,
): AsyncGenerator<{ seq: number; bytes: Buffer }> {
  const hide = hider(context);
  for (let after = 0; ;) {
    const lines = await findLines(context.db, jobId, { after, limit: linesAtOnce });
    const wanted = lines.filter(({ seq }) => seq <= last);
    if (wanted.length === 0) return;
    const text = wanted.map((line) => `${JSON.stringify(hide(line))}\n`).join('');
    after = wanted.at(-1)!.seq;
    yield { seq: after, bytes: Buffer.from(text) };
    if (lines.length < linesAtOnce) return;
  }
}
