import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BytesError } from '../bytes/bytes.ts';
import type { MeshReading } from '../mesh-model/mesh-model.ts';
import type { IfcAnswer, IfcContents, IfcProduct, IfcTask } from './answer-task.ts';

export interface IfcReading extends Pick<MeshReading, 'onNotice'> {
  /** Longer than that, no product takes, and neither does finding them. */
  readonly maxMilliseconds?: number;
  readonly signal?: AbortSignal;
}

export interface IfcFile {
  /** Such as `IFC4`. */
  readonly schema: string;
  readonly productCount: number;
  readonly place: IfcContents['place'];
  /** All of them once, also those without a shape. @throws BytesError */
  products(): AsyncGenerator<IfcProduct, void>;
  close(): Promise<void>;
}

const defaultMilliseconds = 120_000;
/** Products that may be left out because they do not end. */
const maxEndless = 1;
/** So often web-ifc may fail, after which a file is opened anew. */
const maxTraps = 10;
/** A thread that has ended with a file; loading it takes a moment. */
let idle: Worker | undefined;

/**
 * Opens an IFC file in a thread of its own: in a damaged one, web-ifc may look for the end of an instance for ever, which only
 * the end of its thread ends. @throws BytesError
 */
export async function openIfc(content: Uint8Array, reading: IfcReading): Promise<IfcFile> {
  let session = await start({ content, first: 0 }, reading);
  const { schema, products, place } = session.contents;
  return {
    schema,
    productCount: products.length,
    place,
    async *products() {
      for (let [number, endless, traps, first] = [0, 0, 0, -1]; number < products.length;) {
        const answer = await session.next();
        if (answer?.kind === 'product') {
          number++;
          for (const notice of answer.notices) reading.onNotice(...notice);
          yield answer.product;
          continue;
        }
        if (answer?.kind === 'trapped') traps++;
        else endless++;
        if (endless > maxEndless || traps > maxTraps)
          throw new BytesError(
            `several of its shapes, the last of #${products[number]}, cannot be read: it is damaged. Export it again`,
          );
        const isFirst = first === number;
        if (answer?.kind !== 'trapped' || isFirst)
          reading.onNotice('unsupportedPart', `#${products[number++]}`);
        // otherwise what came before may have left the memory in disorder: it is tried again in another
        session = await start({ content, first: (first = number) }, reading);
      }
      await session.next();
    },
    close: () => session.close(),
  };
}

interface Session {
  readonly contents: IfcContents;
  /** Undefined if there is none in time: the session is over, as it is when the thread was trapped. */
  next(): Promise<IfcAnswer | undefined>;
  close(): Promise<void>;
}

async function start(
  task: IfcTask,
  limits: Pick<IfcReading, 'maxMilliseconds' | 'signal'>,
): Promise<Session> {
  const { maxMilliseconds = defaultMilliseconds, signal } = limits;
  const isUsed = idle !== undefined;
  const worker = idle ?? startThread();
  idle = undefined;
  worker.ref();
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), maxMilliseconds);
  const touch = (): void => void timer.refresh();
  worker.on('message', touch);
  const stop = signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]);
  const answers = on(worker, 'message', { signal: stop }) as AsyncIterator<[IfcAnswer]>;
  let isOver = false;
  const end = async (isFree: boolean): Promise<void> => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    worker.off('message', touch);
    await answers.return?.();
    if (isFree && idle === undefined) (idle = worker).unref();
    else await worker.terminate();
  };
  const next = async (): Promise<IfcAnswer | undefined> => {
    if (isOver) return undefined;
    try {
      const { value } = (await answers.next()) as IteratorYieldResult<[IfcAnswer]>;
      const [answer] = value;
      if (answer.kind === 'end' || answer.kind === 'failed') await end(true);
      if (answer.kind === 'failed') throw new BytesError(answer.message);
      if (answer.kind === 'trapped') await end(false);
      return answer;
    } catch (error) {
      await end(false);
      if (silence.signal.aborted) return undefined;
      throw error;
    }
  };
  worker.postMessage(task);
  const first = await next();
  if (first?.kind === 'contents') return { contents: first.contents, next, close: () => end(false) };
  // the file before may have left the memory of the thread in disorder
  if (first?.kind === 'trapped' && isUsed) return start(task, limits);
  throw new BytesError('its instances cannot be read: it is damaged. Export it again');
}

function startThread(): Worker {
  const worker = new Worker(new URL('ifc-thread.ts', import.meta.url));
  worker.once('exit', () => {
    if (idle === worker) idle = undefined;
  });
  return worker;
}
