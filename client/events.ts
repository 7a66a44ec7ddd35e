/** One event of a stream, its data still as text. */
interface RawEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

export interface ReadEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id: string;
}

interface Connection {
  readonly lastEventId: string;
  readonly signal: AbortSignal;
}

interface Follow {
  /** Throws what ends it all; undefined: the connection did not come about, so try again. */
  readonly connect: (connection: Connection, isFirst: boolean) => Promise<Response | undefined>;
  readonly lastEventId: string;
  readonly signal: AbortSignal | undefined;
}

/** The service says something every 15 seconds: after this time the connection is dead. */
const silenceMs = 45_000;
const longestWaitMs = 30_000;

/**
 * Reads a stream of Server-Sent Events, and connects again from the last event on when it breaks. It is over with the event
 * `end`, with the answer 204, when the service refuses, and, by an error, when the signal aborts.
 */
export async function* followEvents({ connect, lastEventId, signal }: Follow): AsyncGenerator<ReadEvent> {
  const state = { id: lastEventId, retryMs: 1000 };
  for (let failures = 0, isFirst = true; ; isFirst = false) {
    const hangUp = new AbortController();
    const ended = signal ? AbortSignal.any([signal, hangUp.signal]) : hangUp.signal;
    try {
      const response = await connect({ lastEventId: state.id, signal: ended }, isFirst);
      if (response?.status === 204) return;
      failures = response ? 0 : failures + 1;
      if (response?.body) {
        for await (const { event, data, id } of parse(response.body, state, () => hangUp.abort())) {
          yield { event, data: JSON.parse(data), id };
          if (event === 'end') return;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof BrokenStream)) throw error;
    } finally {
      hangUp.abort();
    }
    await wait(Math.min(state.retryMs * 2 ** failures, longestWaitMs), signal);
  }
}

class BrokenStream extends Error {}

interface StreamState {
  id: string;
  retryMs: number;
}

/** The events of one connection, as the HTML standard defines the format. */
async function* parse(
  body: ReadableStream<Uint8Array>,
  state: StreamState,
  hangUp: () => void,
): AsyncGenerator<RawEvent> {
  let { id } = state;
  let event = '';
  let data: string[] = [];
  for await (const line of linesOf(body, hangUp)) {
    if (line === '') {
      state.id = id; // not before: an event that was cut off has not been seen
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id };
      event = '';
      data = [];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) state.retryMs = Number(value);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>, hangUp: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder(); // drops a byte order mark
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), hangUp);
      if (done) return; // what is not complete is no event
      const text = rest + decoder.decode(value, { stream: true });
      // a \r at the end may be half of a \r\n
      const isCut = text.endsWith('\r');
      const lines = (isCut ? text.slice(0, -1) : text).split(/\r\n|\n|\r/);
      rest = lines.pop()! + (isCut ? '\r' : '');
      yield* lines;
    }
  } catch (error) {
    throw new BrokenStream('The stream broke off.', { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function withinSilence<T>(reading: Promise<T>, hangUp: () => void): Promise<T> {
  const timer = setTimeout(hangUp, silenceMs);
  try {
    return await reading;
  } finally {
    clearTimeout(timer);
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
