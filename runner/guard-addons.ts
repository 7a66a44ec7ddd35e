import { createRequire } from 'node:module';
import { resolve, sep } from 'node:path';

/**
 * Preloaded in the process of a job and its threads, as Node's permission model does not cover native code. Only sharp
 * may be loaded, and it may not open files: images go in and come out as bytes. (This cannot guard against bugs in
 * decoders: `VIPS_BLOCK_UNTRUSTED` leaves only those that are fuzzed.) Code of a job may have replaced any part of the
 * language by then, so that this uses only what it has kept itself, and passes only copies.
 */

type Module = { exports: object };
type Load = (module: Module, path: string) => void;
/** Of sharp: `metadata`, `pipeline` and `stats`. */
type Call = (options: object, done: unknown) => unknown;

const { apply, defineProperty } = Reflect;
const { create, keys } = Object;
const { isArray } = Array;
// oxlint-disable-next-line typescript/unbound-method
const { isView } = ArrayBuffer;
// oxlint-disable-next-line typescript/unbound-method
const { startsWith } = String.prototype;

const sharp = resolve(import.meta.dirname, '..', 'node_modules', '@img') + sep + 'sharp-';
const { realpathSync } = createRequire(import.meta.url)('node:fs') as {
  realpathSync: (path: string) => string;
};
const load = process.dlopen.bind(process) as Load;

Object.defineProperty(process, 'dlopen', {
  configurable: false,
  writable: false,
  value: ((module, path) => {
    const file = realpathSync(path);
    if (apply(startsWith, file, [sharp]) !== true) throw new Error('A job may not load native code.');
    // what is loaded into an object of the job would stay there unguarded
    const own = { exports: {} };
    load(own, file);
    module.exports = withoutFiles(own.exports as Record<string, Call>);
  }) satisfies Load,
});

function withoutFiles(native: Readonly<Record<string, Call>>): object {
  const { metadata, pipeline, stats, block } = native;
  const { cache, concurrency, counters, simd, format, libvipsVersion } = native;
  const guarded =
    (call: Call): Call =>
    (options, done) =>
      call(copyOf(options, 0), done);
  return {
    cache,
    concurrency,
    counters,
    simd,
    format,
    libvipsVersion,
    _isUsingJemalloc: native['_isUsingJemalloc'],
    _isUsingX64V2: native['_isUsingX64V2'],
    metadata: guarded(metadata!),
    pipeline: guarded(pipeline!),
    stats: guarded(stats!),
    block: (operation: object, isBlocked: unknown) =>
      isBlocked === true ? block!(operation, true) : refuse(),
  };
}

const maxDepth = 6;

/** Has no prototype, in which native code would look for what it lacks. */
function copyOf(value: unknown, depth: number): object {
  if (typeof value !== 'object' || value === null || isArray(value) || isView(value) || depth > maxDepth)
    return refuse();
  const copy = create(null) as Record<string, unknown>;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    copy[name] = valueOf(name, (value as Record<string, unknown>)[name], depth);
  }
  return copy;
}

function valueOf(name: string, value: unknown, depth: number): unknown {
  switch (name) {
    case 'file':
    case 'fileOut':
    case 'textFontfile':
    case 'textValue': // looks for fonts
    case 'withIccProfile':
      return value === undefined || value === '' ? value : refuse();
    case 'debuglog':
    case 'queueListener':
      return typeof value === 'function' ? (message: unknown) => void value(message) : refuse();
    case 'buffer':
      return isView(value) ? value : refuse();
    case 'composite':
    case 'joinChannelIn':
      return listOf(value, depth, copyOf);
    case 'input':
      return copyOf(value, depth + 1);
    case 'boolean': // another input
      return value === undefined || value === null ? value : copyOf(value, depth + 1);
  }
  if (typeof value === 'function') return refuse();
  if (typeof value !== 'object' || value === null) return value;
  return isArray(value) ? listOf(value, depth, numberOf) : copyOf(value, depth + 1);
}

function listOf(list: unknown, depth: number, copy: (value: unknown, depth: number) => unknown): unknown[] {
  if (!isArray(list)) return refuse();
  const copied: unknown[] = [];
  for (let i = 0; i < list.length; i++) {
    const element = create(null) as PropertyDescriptor;
    element.value = copy(list[i], depth + 1);
    // assigning would call setters of the prototype
    defineProperty(copied, i, element);
  }
  return copied;
}

function numberOf(value: unknown, depth: number): unknown {
  if (isArray(value) && depth <= maxDepth) return listOf(value, depth, numberOf);
  return typeof value === 'object' || typeof value === 'function' ? refuse() : value;
}

function refuse(): never {
  throw new Error('A job may open images by their bytes only, not by a path.');
}
