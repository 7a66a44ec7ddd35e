import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildMessage, StartMessage } from './messages.ts';

/** Stands where a job would and tells what it was able to do. For tests. */
process.once('message', (message) => {
  const { options, inputs, outputFolder, scratchFolder } = message as StartMessage;
  const { url, secretFile } = options as { url: string; secretFile: string };
  const tries: Record<string, () => unknown> = {
    readsInput: () => readFileSync(inputs[0]!.path),
    writesOutput: () => writeFileSync(join(outputFolder, 'a'), 'a'),
    writesScratch: () => writeFileSync(join(scratchFolder, 'a'), 'a'),
    writesInput: () => writeFileSync(inputs[0]!.path, 'a'),
    readsElsewhere: () => readFileSync(secretFile),
    writesElsewhere: () => writeFileSync(secretFile, 'a'),
    readsOtherProcesses: () => readFileSync(`/proc/${process.ppid}/environ`),
    startsProcesses: () => execFileSync('/bin/true'),
  };
  const able = Object.entries(tries).filter(([, attempt]) => succeeds(attempt));
  void fetch(url).then(
    () => tell([...able.map(([name]) => name), 'reachesNetwork']),
    () => tell(able.map(([name]) => name)),
  );
});
send({ type: 'ready' });

function tell(able: string[]): void {
  const properties = { able, environment: Object.keys(process.env) };
  const datasource = { type: 'generic', path: 'a', typeProperties: {}, properties };
  send({ type: 'result', result: { datasource }, warnings: [] });
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function send(message: ChildMessage): void {
  process.send!(message);
}
