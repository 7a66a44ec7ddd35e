import { timedOut } from '@platen/contract/runner';
import { JobFailure } from '@platen/processing/job-type';

/** The maximum delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/** Rejects when the work exceeds its time, even if it ignores its signal. @throws JobFailure `timedOut` */
export async function withTimeout<T>(
  { title, seconds }: { readonly title: string; readonly seconds: number },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const reason = new JobFailure(timedOut, `${title} exceeded its time limit of ${seconds} seconds.`);
  const end = performance.now() + seconds * 1000;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const leftMs = end - performance.now();
    if (leftMs <= 0) late.abort(reason);
    else timer = setTimeout(wait, Math.min(leftMs, maxTimerMs));
  };
  wait();
  const { promise: over, reject } = Promise.withResolvers<never>();
  late.signal.addEventListener('abort', () => reject(reason));
  try {
    return await Promise.race([work(AbortSignal.any([signal, late.signal])), over]);
  } catch (error) {
    throw late.signal.aborted ? reason : error; // an aborted request fails with an error of its own
  } finally {
    clearTimeout(timer);
  }
}
