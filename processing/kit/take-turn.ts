import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets timers and messages run, of which one may be an abort. @throws the reason of the abort */
export async function takeTurn(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}
