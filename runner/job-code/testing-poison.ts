import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartMessage } from '../messages.ts';

/** Stands where a job would and tries to leave something to the next one. For tests. */
process.once('message', (message) => {
  const { options, scratchFolder } = message as StartMessage;
  const folder = options['folder'] as string;
  const code = join(folder, 'guards.cjs');
  const own = join(scratchFolder, 'own.mjs');
  writeFileSync(own, 'process.exit(1)');
  const tries: Record<string, () => unknown> = {
    reads: () => readFileSync(code),
    writes: () => writeFileSync(code, 'process.exit(1)'),
    adds: () => writeFileSync(join(folder, 'new.mjs'), ''),
    replaces: () => renameSync(own, code),
    removes: () => rmSync(code),
    links: () => symlinkSync(own, join(folder, 'link.mjs')),
    opens: () => chmodSync(folder, 0o777),
  };
  const able = Object.keys(tries).filter((name) => {
    try {
      tries[name]!();
      return true;
    } catch {
      return false;
    }
  });
  process.send!({ type: 'result', result: { report: { able } }, warnings: [] });
});
process.send!({ type: 'ready' });
