/** An event whose data is still text. */
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

interface StreamOptions {
  /** Throws to end the stream; undefined: connecting failed, try again. */
  readonly connect: (connection: Connection, isFirst: boolean) => Promise<Response | undefined>;
  readonly lastEventId: string;
  readonly signal: AbortSignal | undefined;
}

/** The service sends something every 15 seconds; after this time the connection is dead. */
const idleTimeoutMs = 45_000;
const maxBackoffMs = 30_000;

/**
 * Reads Server-Sent Events, reconnecting after the last event when the connection breaks. Ends with the event `end`,
 * with status 204, when the service refuses, or by an error when the signal aborts.
 */
export async function* followEvents({
  connect,
  lastEventId,
  signal,
}: StreamOptions): AsyncGenerator<ReadEvent> {
  const state = { id: lastEventId, retryMs: 1000 };
  for (let failures = 0, isFirst = true; ; isFirst = false) {
    const abortConnection = new AbortController();
    const ended = signal ? AbortSignal.any([signal, abortConnection.signal]) : abortConnection.signal;
    try {
      const response = await connect({ lastEventId: state.id, signal: ended }, isFirst);
      if (response?.status === 204) return;
      failures = response ? 0 : failures + 1;
      if (response?.body) {
        for await (const { event, data, id } of parse(response.body, state, () => abortConnection.abort())) {
          yield { event, data: JSON.parse(data), id };
          if (event === 'end') return;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof StreamInterrupted)) throw error;
    } finally {
      abortConnection.abort();
    }
    await wait(Math.min(state.retryMs * 2 ** failures, maxBackoffMs), signal);
  }
}

class StreamInterrupted extends Error {}

interface StreamState {
  id: string;
  retryMs: number;
}

/** Parses the events of one connection (HTML standard, "Server-sent events"). */
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
      state.id = id; // an event that was cut off does not count as seen
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
      const { done, value } = await withIdleTimeout(reader.read(), hangUp);
      if (done) return; // an incomplete event is discarded
      const text = rest + decoder.decode(value, { stream: true });
      // a \r at the end may be half of a \r\n
      const isCut = text.endsWith('\r');
      const lines = (isCut ? text.slice(0, -1) : text).split(/\r\n|\n|\r/);
      rest = lines.pop()! + (isCut ? '\r' : '');
      yield* lines;
    }
  } catch (error) {
    throw new StreamInterrupted('The stream broke off.', { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function withIdleTimeout<T>(reading: Promise<T>, hangUp: () => void): Promise<T> {
  const timer = setTimeout(hangUp, idleTimeoutMs);
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
