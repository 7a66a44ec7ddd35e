import { createRequire } from 'node:module';
import { join, resolve, sep } from 'node:path';

/**
 * Preloaded in the process of a job and its threads, as Node's permission model does not cover native code. Only
 * addons of the installation may be loaded, and sharp may not open files: images go in and come out as bytes. (This
 * cannot guard against bugs in decoders: `VIPS_BLOCK_UNTRUSTED` leaves only those that are fuzzed.)
 */

type Load = (module: { exports: unknown }, path: string, flags?: number) => void;

const installed = resolve(import.meta.dirname, '..', 'node_modules') + sep;
const { realpathSync } = createRequire(import.meta.url)('node:fs') as {
  realpathSync: (path: string) => string;
};
const load = process.dlopen.bind(process) as Load;

Object.defineProperty(process, 'dlopen', {
  configurable: false,
  writable: false,
  value: ((module, path, ...flags) => {
    const file = realpathSync(path);
    if (!file.startsWith(installed)) throw new Error('A job may not load native code.');
    load(module, file, ...flags);
    if (file.includes(join('@img', 'sharp-'))) module.exports = withoutFiles(module.exports as object);
  }) satisfies Load,
});

type Native = (options: unknown, ...rest: unknown[]) => unknown;

function withoutFiles(native: object): Record<string, unknown> {
  const { metadata, pipeline, stats, ...others } = native as Record<string, Native>;
  const guarded = Object.entries({ metadata, pipeline, stats }).map(([name, call]) => [
    name,
    (options: unknown, ...rest: unknown[]) => call!(plain(options, 0), ...rest),
  ]);
  return { ...others, ...Object.fromEntries(guarded), unblock: refuse };
}

const deepest = 6;
const opensFile = new Set(['file', 'fileOut', 'textFontfile', 'withIccProfile']);

/** Copies the options, so that they cannot change after the check. */
function plain(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (depth > deepest) return refuse();
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1));
  const entries = Object.entries(value).map(([name, one]) => [name, plain(one, depth + 1)] as const);
  if (entries.some(([name, one]) => opensFile.has(name) && one !== undefined && one !== '')) refuse();
  return Object.fromEntries(entries);
}

function refuse(): never {
  throw new Error('A job may open images by their bytes only, not by a path.');
}
