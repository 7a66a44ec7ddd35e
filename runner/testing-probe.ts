import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  fchmodSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  openAsBlob,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Session } from 'node:inspector';
import { constants, createRequire, enableCompileCache } from 'node:module';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { createTracing } from 'node:trace_events';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { WASI } from 'node:wasi';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { openGeoid } from '@platen/formats/geoid/open-geoid';
import { collectGarbageAbove } from '@platen/processing/kit/collect-garbage';
import { loadSharp } from '@platen/processing/kit/images/load-sharp';
import type { ChildMessage, StartMessage } from './messages.ts';
import { findPossible } from './testing-tries.ts';

const sharp = (await loadSharp())!;
const environment = Object.keys(process.env);

/** Stands where a job would and tells what it was able to do. For tests. */
process.once('message', (message) => {
  const { options, inputs, outputFolder, scratchFolder, geoidFolder } = message as StartMessage;
  const { url, secretFile } = options as { url: string; secretFile: string };
  const tries: Record<string, () => unknown> = {
    readsInput: () => readFileSync(inputs[0]!.path),
    writesOutput: () => writeFileSync(join(outputFolder, 'a'), 'a'),
    writesScratch: () => writeFileSync(join(scratchFolder, 'a'), 'a'),
    writesInput: () => writeFileSync(inputs[0]!.path, 'a'),
    readsGeoids: async () => {
      const { name } = await openGeoid(findVerticalCrs('EPSG:5703')!, { folder: geoidFolder! });
      if (name !== 'g2018u0.gtx') throw new Error(name);
    },
    writesGeoids: () => writeFileSync(join(geoidFolder!, 'g2018u0.gtx'), ''),
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
    writesByChangingAddress: () => {
      const [allowed, other] = [join(outputFolder, 'c'), `${secretFile}.url`].map((path) =>
        pathToFileURL(path),
      );
      const places = Array.from({ length: 6 }, (_, allowedReads) => {
        let reads = 0;
        const href = { get: () => (reads++ < allowedReads ? allowed! : other!).toString() };
        return new DatabaseSync(Object.defineProperty(new URL(allowed!), 'href', href)).location();
      });
      if (places.every((place) => place === join(outputFolder, 'c'))) throw new Error('refused');
    },
    writesInputByChangingOptions: () => {
      for (let n = 0; n < 6; n++) {
        let reads = 0;
        const options = Object.defineProperty({}, 'readOnly', { enumerable: true, get: () => reads++ < n });
        tolerate(() => new DatabaseSync(inputs[0]!.path, options).exec('drop table a'));
      }
      new DatabaseSync(inputs[0]!.path, { readOnly: true }).prepare('select * from a').all();
      throw new Error('refused');
    },
    opensByConvertedPath: () => {
      const path = { [Symbol.toPrimitive]: () => `${secretFile}.db`, toString: () => `${secretFile}.db` };
      new DatabaseSync(path as never);
    },
    opensByBytes: () => new DatabaseSync(Buffer.from(`${secretFile}.db`)),
    opensBySubclass: () => {
      class Mine extends DatabaseSync {}
      new Mine(inputs[0]!.path).exec('drop table a');
    },
    opensByReflection: () => {
      const made = Reflect.construct(DatabaseSync, [inputs[0]!.path], Object) as DatabaseSync;
      made.exec('drop table a');
    },
    attachesByReplacedCall: () => {
      const raw: Function[] = [];
      const call = function (this: Function, self: unknown, ...args: unknown[]): unknown {
        raw.push(this);
        return Reflect.apply(this, self, args);
      };
      const make = () => new DatabaseSync(':memory:');
      const database = withReplaced(Function.prototype, { call: { value: call } }, make);
      Reflect.apply(
        raw.find(({ name }) => name === 'setAuthorizer')!,
        database,
        [null],
      );
      attach(database, inputs[0]!.path);
    },
    writesInputByPrototype: () => {
      for (let n = 0; n < 6; n++) {
        let reads = 0;
        withReplaced(Object.prototype, { readOnly: { get: () => reads++ < n } }, () =>
          tolerate(() => new DatabaseSync(inputs[0]!.path).exec('drop table a')),
        );
      }
      new DatabaseSync(inputs[0]!.path, { readOnly: true }).prepare('select * from a').all();
      throw new Error('refused');
    },
    opensThroughLink: () => {
      symlinkSync(secretFile, join(outputFolder, 'symbolic'));
      new DatabaseSync(join(outputFolder, 'symbolic')).exec('create table a (b)');
    },
    opensInChangedFolder: () => {
      process.chdir('/');
      new DatabaseSync(`${secretFile.slice(1)}.db`);
    },
    loadsExtension: () => {
      const database = new DatabaseSync(':memory:', { allowExtension: true });
      database.enableLoadExtension(true);
      database.loadExtension(nativeCode());
    },
    signalsRunner: () => process.kill(process.ppid, 0),
    signalsRunnerInternally: () => {
      const internals = process as unknown as { _kill(pid: number, signal: number): number };
      if (internals._kill(process.ppid, 0) !== 0) throw new Error('refused');
    },
    signalsRunnerAsItself: () =>
      withReplaced(process, { pid: { value: process.ppid } }, () => process.kill(process.ppid, 0)),
    debugsRunner: () =>
      (process as unknown as { _debugProcess(pid: number): void })._debugProcess(process.ppid),
    slowsRunner: () => setPriority(process.ppid, 1),
    collectsGarbage: () => collectGarbageAbove(0),
    changesEngine: () => setFlagsFromString('--allow-natives-syntax'),
    usesBinding: () => (process as unknown as { binding(name: string): unknown }).binding('fs'),
    debugsItself: () => new Session().connect(),
    traces: () => createTracing({ categories: ['v8'] }).enable(),
    writesReport: () => process.report.writeReport(`${secretFile}.json`),
    writesSnapshot: () => writeHeapSnapshot(`${secretFile}.heap`),
    compilesElsewhere: () => {
      const { status } = enableCompileCache(`${secretFile}.cache`);
      if (status !== constants.compileCacheStatus.ENABLED) throw new Error('refused');
    },
    loadsEnvironment: () => process.loadEnvFile(secretFile),
    usesWasi: () => new WASI({ version: 'preview1', preopens: { '/': '/' } }),
    opensFileAsBlob: async () => (await openAsBlob(secretFile)).text(),
    changesTimesOfInput: () => futimesSync(openSync(inputs[0]!.path, 'r'), 1, 1),
    changesModeOfOpenInput: () => fchmodSync(openSync(inputs[0]!.path, 'r'), 0o777),
    opensUnixSocket: () =>
      new Promise((resolve, reject) =>
        connect(`${secretFile}.socket`).once('connect', resolve).once('error', reject),
      ),
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
    opensInThreadWithoutOptions: () => {
      process.execArgv.length = 0;
      process.env['NODE_OPTIONS'] = '--no-warnings';
      if (!opensInThread(inputs[0]!.path, { execArgv: [], env: { NODE_OPTIONS: '' } }))
        throw new Error('refused');
    },
    opensInThreadOfPrototype: () => {
      const open = () => opensInThread(inputs[0]!.path, {});
      if (!withReplaced(Object.prototype, { execArgv: { value: [] } }, open)) throw new Error('refused');
    },
    opensInUnguardedThread: () => {
      if (!opensInThread(inputs[0]!.path, { execArgv: [] })) throw new Error('refused');
    },
    opensInThreadOfChangingOptions: () => {
      let reads = 0;
      const options = Object.defineProperty({}, 'execArgv', {
        enumerable: true,
        get: () => (reads++ === 0 ? undefined : []),
      });
      if (!opensInThread(inputs[0]!.path, options)) throw new Error('refused');
    },
  };
  void findPossible({ ...tries, reachesNetwork: () => fetch(url) }).then(report);
});
send({ type: 'ready' });

/** Whether a thread that is started with these options could write to the database. */
function opensInThread(path: string, options: WorkerOptions): boolean {
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
  new Worker(code, Object.assign(options, { eval: true, workerData: { path, done } }));
  Atomics.wait(done, 0, 0, 20_000);
  return done[0] === 2;
}

/** Runs with something of the language replaced. */
function withReplaced<T>(
  owner: object,
  change: Readonly<Record<string, PropertyDescriptor>>,
  run: () => T,
): T {
  const [[name, descriptor]] = Object.entries(change) as [[string, PropertyDescriptor]];
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { ...descriptor, configurable: true });
  try {
    return run();
  } finally {
    if (before) Object.defineProperty(owner, name, before);
    else Reflect.deleteProperty(owner, name);
  }
}

function tolerate(attempt: () => unknown): void {
  try {
    attempt();
  } catch {
    // refused
  }
}

function attach(database: DatabaseSync, path: string): void {
  database.exec(`attach '${path}' as other; drop table other.a`);
}

function report(able: string[]): void {
  const properties = { able, environment };
  const datasource = { type: 'generic', path: 'a', typeProperties: {}, properties };
  send({ type: 'result', result: { datasource }, warnings: [] });
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
