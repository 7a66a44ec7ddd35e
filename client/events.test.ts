import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followEvents, type ReadEvent } from './events.ts';

type Connect = Parameters<typeof followEvents>[0]['connect'];

/** A response that yields these chunks and then ends or breaks. */
function streamOf(pieces: readonly (string | Uint8Array)[], breaks = false): Response {
  const rest = pieces.values();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = rest.next();
        if (!done) controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value);
        else if (breaks) controller.error(new Error('connection reset'));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body);
}

async function read(connect: Connect, signal?: AbortSignal): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of followEvents({ connect, lastEventId: '', signal })) events.push(event);
  return events;
}

const end = 'event: end\ndata: {}\n\n';

test('events are read however they are cut, with any line end, comments and unknown fields passed over', async () => {
  const text = `\u{feff}: hello\r\n\r\nevent: a\r\nid: 1\r\nfield: x\r\ndata: {"n":\r\ndata: "ü€😀"}\r\n\r\ndata:7\r\r: \n\nid: 2\n\n${end}`;
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size < 9; size++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    assert.deepEqual(await read(async () => streamOf(pieces)), [
      { event: 'a', data: { n: 'ü€😀' }, id: '1' },
      { event: 'message', data: 7, id: '1' },
      { event: 'end', data: {}, id: '2' },
    ]);
  }
});

test('a connection that breaks, ends early or cannot be opened is opened again from the last event', async () => {
  const seen: string[] = [];
  const replies = [
    () => streamOf(['retry: 1\n\nid: 5\nevent: a\ndata: 1\n\nid: 6\nevent: a\ndata: 2'], true),
    () => undefined,
    () => streamOf(['id: 6\nevent: a\ndata: 2\n\n']),
    () => streamOf([end]),
  ];
  const events = await read(async ({ lastEventId }, isFirst) => {
    assert.equal(isFirst, seen.length === 0);
    seen.push(lastEventId);
    return replies.shift()!();
  });
  assert.deepEqual(seen, ['', '5', '5', '6']);
  assert.deepEqual(
    events.map(({ data }) => data),
    [1, 2, {}],
  );
});

test('204 ends it, a refusal is thrown, and so is what the caller aborts with', async () => {
  assert.deepEqual(await read(async () => new Response(null, { status: 204 })), []);
  const refused = new Error('no');
  await assert.rejects(
    read(() => Promise.reject(refused)),
    refused,
  );
  const stopping = new AbortController();
  const reading = read(async () => {
    setTimeout(() => stopping.abort(new Error('enough')), 5);
    return streamOf(['retry: 60000\n\n']);
  }, stopping.signal);
  await assert.rejects(reading, { message: 'enough' });
});
