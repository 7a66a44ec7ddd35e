import { createRequire, syncBuiltinESMExports } from 'node:module';
import type * as System from 'node:os';
import type * as Tracing from 'node:trace_events';
import type * as Engine from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded in the process of a job and its threads: Node's permission model (26.10) lets a process signal others of
 * its user, start their debugger, change their priority, set flags of the engine, and write traces anywhere.
 */

const require = createRequire(import.meta.url);
const internals = process as unknown as {
  _kill(pid: number, signal: number): number;
  _debugProcess(pid: number): void;
  _debugEnd(): void;
};
/** processing/kit/collect-garbage.ts sets it. */
const collectingFlag = '--expose-gc';
const kill = internals._kill.bind(process); // what process.kill() calls
const ownPid = process.pid; // a job may replace the property

fix('_kill', (pid: number, signal: number) => (pid === ownPid ? kill(pid, signal) : refuse()));
fix('_debugProcess', refuse);
fix('_debugEnd', refuse);

Object.assign(require('node:os') as typeof System, { setPriority: refuse });
const engine = require('node:v8') as typeof Engine;
const { setFlagsFromString } = engine;
engine.setFlagsFromString = (flags) => {
  if (flags !== collectingFlag) refuse();
  setFlagsFromString(collectingFlag);
};
// threads have no traces
if (isMainThread) Object.assign(require('node:trace_events') as typeof Tracing, { createTracing: refuse });
syncBuiltinESMExports();

function fix(name: keyof typeof internals, value: unknown): void {
  Object.defineProperty(process, name, { value, writable: false, configurable: false });
}

function refuse(): never {
  throw new Error('A job may not do this.');
}
