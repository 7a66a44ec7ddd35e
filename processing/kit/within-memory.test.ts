import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { runAll } from './run-all.ts';
import { withinMemory } from './within-memory.ts';

test('tasks that run together fit into memory, larger ones run alone, and all run', async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 6 }), async (tasks, size) => {
      const running: number[] = [];
      const pool = {
        size,
        async run(task: number) {
          running.push(task);
          const counted = running.filter((bytes) => bytes > 0);
          const sum = counted.reduce((total, bytes) => total + bytes, 0);
          assert.ok(sum <= 100 || counted.length === 1, `${counted.join(' + ')} at a time`);
          await nextTurn();
          running.splice(running.indexOf(task), 1);
          return task;
        },
      };
      const done: number[] = [];
      await runAll(
        withinMemory(pool, 100, (task: number) => task),
        tasks,
        (answer) => void done.push(answer),
      );
      const inOrder = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b);
      assert.deepEqual(inOrder(done), inOrder(tasks));
    }),
  );
});

test('a failure ends those that wait, too', async () => {
  const pool = {
    size: 3,
    async run(): Promise<never> {
      await nextTurn();
      throw new Error('it failed');
    },
  };
  await assert.rejects(
    runAll(
      withinMemory(pool, 10, () => 8),
      [1, 2, 3, 4],
      () => {},
    ),
    /it failed/,
  );
});
