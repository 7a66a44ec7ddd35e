import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { StartMessage } from '../messages.ts';

/** Stands where a job would, and takes more and more of what its options name. For tests. */
process.once('message', (message) => {
  const { options, scratchFolder, outputFolder } = message as StartMessage;
  process.send!({ type: 'started' });
  void greedy[options['of'] as keyof typeof greedy](scratchFolder, outputFolder);
});
process.send!({ type: 'ready' });

const block = Buffer.alloc(2 ** 20, 1);

const greedy = {
  /** In two threads that do not see that anybody asks. */
  time() {
    new Worker('for (;;);', { eval: true });
    for (;;);
  },
  async disk(scratch: string, output: string) {
    for (let i = 0; ; i++) {
      writeFileSync(join(i % 2 ? scratch : output, String(i)), block);
      await sleep(2);
    }
  },
  /** That hold nothing. */
  async files(scratch: string) {
    for (let i = 0; ; i++) {
      if (i % 100 === 0) mkdirSync(join(scratch, String(i / 100)));
      writeFileSync(join(scratch, String(Math.floor(i / 100)), String(i)), '');
      if (i % 200 === 0) await sleep(1);
    }
  },
  /** Of a file that has no name any more. */
  async hidden(scratch: string) {
    const path = join(scratch, 'hidden');
    const file = openSync(path, 'w');
    rmSync(path);
    for (;;) {
      writeSync(file, block);
      await sleep(2);
    }
  },
  /** What is given back does not count. */
  async modest(scratch: string) {
    for (let i = 0; i < 100; i++) {
      const path = join(scratch, 'same');
      const file = openSync(path, 'w');
      for (let n = 0; n < 4; n++) writeSync(file, block);
      closeSync(file);
      rmSync(path);
      await sleep(5);
    }
    process.send!({ type: 'result', result: {}, warnings: [] });
  },
};
