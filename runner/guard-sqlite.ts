import { createRequire, syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import type * as Sqlite from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type * as Threads from 'node:worker_threads';

/**
 * Preloaded in the process of a job and its threads: Node's permission model (26.10) does not check the files that
 * SQLite opens, so a job could write or attach any database. This restricts it to the same folders.
 */

const require = createRequire(import.meta.url);
const sqlite = require('node:sqlite') as typeof Sqlite;
const threads = require('node:worker_threads') as typeof Threads;
const { SQLITE_ATTACH, SQLITE_DENY, SQLITE_OK } = sqlite.constants;
const may = process.permission.has.bind(process.permission);

type Authorizer = Parameters<Sqlite.DatabaseSync['setAuthorizer']>[0];

const { prototype } = sqlite.DatabaseSync;
// Code of a job may have replaced any part of the language when these are called.
const { apply } = Reflect;
const { assign, create } = Object;
// oxlint-disable-next-line typescript/unbound-method
const { open, setAuthorizer } = prototype;

/** ATTACH and VACUUM INTO also open files. */
const withoutAttach =
  (authorizer: Authorizer): Authorizer =>
  (action, ...on) =>
    action === SQLITE_ATTACH ? SQLITE_DENY : (authorizer?.(action, ...on) ?? SQLITE_OK);

prototype.setAuthorizer = function (authorizer) {
  apply(setAuthorizer, this, [withoutAttach(authorizer)]);
};
prototype.loadExtension = refuse;
prototype.enableLoadExtension = refuse;
prototype.open = function () {
  apply(open, this, []);
  apply(setAuthorizer, this, [withoutAttach(null)]);
};

const Guarded = new Proxy(sqlite.DatabaseSync, {
  construct(Target, [path, options]: [string | Buffer | URL, Sqlite.DatabaseSyncOptions?]) {
    // copies without prototype, so that no getter can return something else after the check
    const copied = assign(create(null) as Sqlite.DatabaseSyncOptions, options, { allowExtension: false });
    const readOnly = copied.readOnly === true;
    copied.readOnly = readOnly;
    const database = new Target(allowedPath(path, readOnly), copied);
    if (database.isOpen) apply(setAuthorizer, database, [withoutAttach(null)]);
    return database;
  },
});
prototype.constructor = Guarded;

function allowedPath(path: string | Buffer | URL, isReadOnly: boolean): string {
  if (path === ':memory:') return path;
  const isPlain = typeof path === 'string' && !/^file:/i.test(path);
  const file = isPlain ? resolve(path) : path instanceof URL ? fileURLToPath(path) : undefined;
  if (file !== undefined && may(isReadOnly ? 'fs.read' : 'fs.write', file)) return file;
  throw new Error(`A job may not open the database ${String(path)}.`);
}

function refuse(): never {
  throw new Error('A job may not do this.');
}

/** Threads always start with this guard. */
const GuardedWorker = new Proxy(threads.Worker, {
  construct: (
    Target,
    [file, { execArgv: _execArgv, ...options } = {}]: ConstructorParameters<typeof Threads.Worker>,
  ) => new Target(file, assign(create(null) as Threads.WorkerOptions, options)),
});
threads.Worker.prototype.constructor = GuardedWorker;

Object.assign(sqlite, { DatabaseSync: Guarded, backup: refuse });
Object.assign(threads, { Worker: GuardedWorker });
syncBuiltinESMExports();
