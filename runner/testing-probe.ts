import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { loadSharp } from '@platen/processing/inspect/load-sharp';
import type { ChildMessage, StartMessage } from './messages.ts';

const sharp = (await loadSharp())!;

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
    linksInput: () => linkSync(inputs[0]!.path, join(outputFolder, 'link')),
    truncatesInput: () => ftruncateSync(openSync(inputs[0]!.path, 'r'), 0),
    changesModeOfInput: () => chmodSync(inputs[0]!.path, 0o600),
    queriesInput: () => new DatabaseSync(inputs[0]!.path, { readOnly: true }).exec('select * from a'),
    makesDatabase: () => new DatabaseSync(join(outputFolder, 'b')).exec('create table a (b)'),
    writesInputAsDatabase: () => new DatabaseSync(inputs[0]!.path).exec('drop table a'),
    writesInputByAddress: () => new DatabaseSync(`file:${inputs[0]!.path}?mode=rw`).exec('drop table a'),
    writesInputLater: () => {
      const database = new DatabaseSync(inputs[0]!.path, { open: false });
      database.open();
    },
    attachesInput: () => attach(new DatabaseSync(':memory:'), inputs[0]!.path),
    attachesWithAuthority: () => {
      const database = new DatabaseSync(':memory:');
      database.setAuthorizer(null);
      attach(database, inputs[0]!.path);
    },
    attachesInUnguarded: () => {
      const Unguarded = Object.getPrototypeOf(new DatabaseSync(':memory:'))
        .constructor as typeof DatabaseSync;
      new Unguarded(inputs[0]!.path).exec('drop table a');
    },
    dumpsDatabase: () => new DatabaseSync(':memory:').exec(`vacuum into '${secretFile}.db'`),
    backsUpDatabase: () => backup(new DatabaseSync(':memory:'), `${secretFile}.db`),
    shrinksPicture: async () =>
      sharp(await picture())
        .resize(1)
        .webp()
        .toBuffer(),
    savesPicture: async () => sharp(await picture()).toFile(join(outputFolder, 'a.png')),
    readsPictureByPath: () => sharp(inputs[0]!.path).toBuffer(),
    drawsUntrusted: () => sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')).png().toBuffer(),
    loadsOwnNativeCode: () => {
      const path = join(scratchFolder, 'own.node');
      copyFileSync(nativeCode(), path);
      process.dlopen({ exports: {} }, path);
    },
    opensInUnguardedThread: () => {
      const code = `const { DatabaseSync } = require('node:sqlite');
        const { workerData } = require('node:worker_threads');
        try {
          new DatabaseSync(workerData.path).exec('drop table a');
          Atomics.store(workerData.done, 0, 2);
        } catch {
          Atomics.store(workerData.done, 0, 1);
        }
        Atomics.notify(workerData.done, 0);`;
      const done = new Int32Array(new SharedArrayBuffer(4));
      new Worker(code, { eval: true, execArgv: [], workerData: { path: inputs[0]!.path, done } });
      Atomics.wait(done, 0, 0, 20_000);
      if (done[0] !== 2) throw new Error('refused');
    },
  };
  void probe({ ...tries, reachesNetwork: () => fetch(url) }).then(report);
});
send({ type: 'ready' });

function attach(database: DatabaseSync, path: string): void {
  database.exec(`attach '${path}' as other; drop table other.a`);
}

function report(able: string[]): void {
  const properties = { able, environment: Object.keys(process.env) };
  const datasource = { type: 'generic', path: 'a', typeProperties: {}, properties };
  send({ type: 'result', result: { datasource }, warnings: [] });
}

async function probe(tries: Record<string, () => unknown>): Promise<string[]> {
  const able: string[] = [];
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      await attempt();
      able.push(name);
    } catch {
      // then it is not able to
    }
  }
  return able;
}

const picture = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

/** Of sharp, as it is installed. */
function nativeCode(): string {
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  return loaded.find((file) => file.endsWith('.node'))!;
}

function send(message: ChildMessage): void {
  process.send!(message);
}
