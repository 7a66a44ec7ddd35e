import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test, type TestContext } from 'node:test';
import { JobFailure } from '../job-type.ts';
import { runAll, runSideBySide } from './run-all.ts';
import type { PooledTask } from './testing-pooled.ts';
import { createWorkerPool, DeadWorker, type PoolOptions } from './worker-pool.ts';

function poolOf(t: TestContext, options: Partial<PoolOptions<unknown>> = {}) {
  const pool = createWorkerPool<PooledTask, unknown, unknown>({
    program: new URL('testing-pooled.ts', import.meta.url),
    size: 2,
    setup: {},
    signal: new AbortController().signal,
    onReport: () => {},
    ...options,
  });
  t.after(() => pool.close());
  return pool;
}

const answer = (value: unknown): PooledTask => ({ do: 'answer', with: value });

test('buffers of a task and of its answer move instead of being copied', async (t) => {
  const pool = poolOf(t);
  const numbers = Float64Array.of(1, 2, 3);
  const { doubled } = (await pool.run({ do: 'double', numbers }, [numbers.buffer])) as {
    doubled: Float64Array;
  };
  assert.deepEqual([...doubled], [2, 4, 6]);
  assert.equal(numbers.length, 0, 'it has moved to the worker');
});

test('more workers start only for tasks that no other is free for', async (t) => {
  const workers = new Set<unknown>();
  const pool = poolOf(t, { onReport: (report) => workers.add((report as { worker: number }).worker) });
  await pool.run(answer(1));
  await pool.run(answer(2));
  assert.deepEqual([...workers], [0]);
  await Promise.all([pool.run(answer(1)), pool.run(answer(2))]);
  assert.deepEqual(workers, new Set([0, 1]));
});

test('a failure keeps its code, and so does an error of the system', async (t) => {
  const pool = poolOf(t);
  const failure = await pool.run({ do: 'fail', code: 'emptyInput' }).catch((error: unknown) => error);
  assert.ok(failure instanceof JobFailure && failure.code === 'emptyInput');
  await assert.rejects(pool.run({ do: 'lack', code: 'ENOSPC' }), { name: 'Error', code: 'ENOSPC' });
  assert.equal(await pool.run(answer('still here')), 'still here');
});

test('a task that cannot be sent fails alone', async (t) => {
  const pool = poolOf(t, { size: 1 });
  await assert.rejects(pool.run(answer(() => {})), { name: 'DataCloneError' });
  assert.equal(await pool.run(answer('still here')), 'still here');
});

for (const [what, task, expected] of [
  ['exits', { do: 'exit' }, { message: 'Thread 0 of the job ended with exit code 7.' }],
  [
    'throws outside its task',
    { do: 'throw late' },
    { message: /died: nobody awaits this$/, code: undefined },
  ],
] as const)
  test(`if a worker ${what}, all tasks fail with the reason`, async (t) => {
    const pool = poolOf(t, { size: 1 });
    const others = [pool.run(task), pool.run(answer('never'))];
    for (const end of await Promise.allSettled(others)) {
      assert.ok(end.status === 'rejected' && end.reason instanceof DeadWorker);
      assert.throws(() => {
        throw end.reason;
      }, expected);
    }
    await assert.rejects(pool.run(answer('later')), DeadWorker);
  });

test('if the heap of a worker is full, the reason says so', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pool-'));
  t.after(() => rm(folder, { recursive: true }));
  const program = `
    import { createWorkerPool } from ${JSON.stringify(new URL('worker-pool.ts', import.meta.url).href)};
    const program = new URL(${JSON.stringify(new URL('testing-pooled.ts', import.meta.url).href)});
    const { signal } = new AbortController();
    const pool = createWorkerPool({ program, size: 1, setup: {}, signal, onReport() {} });
    const { name, code, message } = await pool.run({ do: 'fill the heap' }).catch((error) => error);
    console.log(JSON.stringify({ name, code, message }));
  `;
  await writeFile(join(folder, 'fill.mjs'), program);
  const args = ['--max-old-space-size=40', join(folder, 'fill.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { name, code, message } = JSON.parse(stdout) as Record<string, string>;
  assert.deepEqual([name, code], ['DeadWorker', 'ERR_WORKER_OUT_OF_MEMORY']);
  assert.match(message!, /^Thread 0 of the job died: .*memory/);
});

test('an abort ends tasks with its reason', async (t) => {
  const stop = new AbortController();
  const pool = poolOf(t, { signal: stop.signal });
  const running = pool.run({ do: 'sleep' });
  const waiting = [pool.run({ do: 'sleep' }), pool.run({ do: 'sleep' })];
  stop.abort(new Error('stopped'));
  for (const task of [running, ...waiting]) await assert.rejects(task, { message: 'stopped' });
});

test('more tasks than may wait are a bug of their maker', async (t) => {
  const pool = poolOf(t, { size: 1, maxWaiting: 2 });
  const tasks = [1, 2, 3].map((value) => pool.run(answer(value))); // one of them runs
  await assert.rejects(pool.run(answer(4)), RangeError);
  assert.deepEqual(await Promise.all(tasks), [1, 2, 3]);
});

test('runAll makes tasks only as fast as they run, and tells their numbers', async (t) => {
  const pool = poolOf(t, { maxWaiting: 1 });
  let made = 0;
  let answered = 0;
  async function* make() {
    for (; made < 100; made++) {
      assert.ok(made - answered <= pool.size, `${made - answered} tasks are ahead`);
      yield answer(made);
    }
  }
  const answers: unknown[] = [];
  await runAll(pool, make(), (value, number) => {
    answered++;
    answers[number] = value;
  });
  assert.deepEqual(answers, [...answers.keys()]);
  assert.equal(answers.length, 100);
});

test('workers take tasks side by side, and each other’s rest when they have no more', async () => {
  const taken: number[][] = [[], []];
  const waits = [3, 1]; // the first worker is slower
  const busy = [false, false];
  const pool = {
    size: 2,
    async run(task: number) {
      const worker = busy.indexOf(false);
      busy[worker] = true;
      taken[worker]!.push(task);
      for (let i = 0; i < waits[worker]!; i++) await new Promise((resolve) => setImmediate(resolve));
      busy[worker] = false;
      return task * 10;
    },
  };
  const answers = new Map<number, number>();
  const tasks = Array.from({ length: 40 }, (_, i) => () => i);
  await runSideBySide(pool, tasks, (answer, number) => void answers.set(number, answer));
  assert.deepEqual(
    [...answers].toSorted(([a], [b]) => a - b),
    tasks.map((_, i) => [i, i * 10]),
  );
  const [slow, fast] = taken as [number[], number[]];
  assert.ok(fast.length > 1.5 * slow.length, `${slow.length} and ${fast.length}`);
  const jumps = (list: readonly number[]): number =>
    list.slice(1).filter((task, i) => task !== list[i]! + 1).length;
  assert.ok(jumps(slow) <= 6 && jumps(fast) <= 6, `${slow.join(' ')} and ${fast.join(' ')}`);
});

test('runAll makes no further task after a failure, and waits for those that run', async () => {
  let running = 0;
  let made = 0;
  const pool = {
    size: 4,
    async run(task: number) {
      running++;
      for (let turn = 0; turn < task % 7; turn++) await Promise.resolve();
      running--;
      if (task === 20) throw new Error('task 20');
      return task;
    },
  };
  function* make() {
    for (; made < 1000; made++) yield made;
  }
  await assert.rejects(
    runAll(pool, make(), () => {}),
    { message: 'task 20' },
  );
  assert.equal(running, 0);
  assert.ok(made < 40, `${made} were made`);
});
