import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown, type Plugin } from 'rolldown';
import { roomyHeap } from '../job-memory.ts';
import { childProgram, compiledOf, guardsOf, installation } from './code-files.ts';

/**
 * Writes the code of jobs to the folder of the argument: the program of a job, and that of each thread which it starts,
 * as one file of JavaScript each with its compiled code, and the guards.
 */
const [folder] = process.argv.slice(2) as [string];

/** Loaded from their packages, as they find native code, WebAssembly or data beside themselves. */
const external = [
  'sharp',
  'epsg-index',
  'proj4-list',
  '@cornerstonejs/codec-openjpeg/decodewasmjs',
  'web-ifc',
  'draco3d/draco_decoder_nodejs.js',
];
const loader = join(import.meta.dirname, 'run-compiled.ts');
const compiler = join(import.meta.dirname, 'compile.ts');
/** It takes less than a second; a small job that never ends must not hold a build. */
const compileLimitMs = 60_000;
const parameters = 'exports, require, module, __filename, __dirname';
const wrapped = { postBanner: `(function (${parameters}) { 'use strict';`, postFooter: '})' };

await mkdir(folder, { mode: 0o755 });
await bundle(join(installation, 'runner/guards.ts'), guardsOf(folder));
const programs = new Set([childProgram]);
for (const program of programs) {
  const start = compiledOf(folder, program);
  const path = start.replace(/cjs$/, 'js');
  const map = await bundle(program, path, { ...wrapped, onThread: (thread) => programs.add(thread) });
  await writeFile(`${path}.map`, JSON.stringify(map), { mode: 0o644 });
  await bundle(loader, start);
  for (const heap of [[], [roomyHeap]]) {
    const words = ['--disable-warning=ExperimentalWarning', ...heap, compiler, path];
    await promisify(execFile)(process.execPath, words, { env: {}, timeout: compileLimitMs });
  }
}

interface BundleOptions {
  readonly postBanner?: string;
  readonly postFooter?: string;
  readonly onThread?: (program: string) => void;
}

/** @returns its source map */
async function bundle(
  input: string,
  path: string,
  { onThread = () => {}, ...around }: BundleOptions = {},
): Promise<object> {
  const plugins = [keepPlaces(onThread)];
  const modules = await rolldown({
    cwd: installation,
    input,
    platform: 'node',
    external,
    plugins,
    logLevel: 'warn',
  });
  const { output } = await modules.generate({
    ...around,
    file: path,
    format: 'cjs',
    codeSplitting: false,
    dynamicImportInCjs: false,
    minify: { compress: false, mangle: false },
    sourcemap: 'hidden',
  });
  const [{ code, map }] = output;
  await writeFile(path, code, { mode: 0o644 });
  return { ...map!, sourcesContent: undefined };
}

/** Lets modules find their files where they are without a bundle, and start threads from bundles. */
function keepPlaces(onThread: (program: string) => void): Plugin {
  const thread = /new URL\('([^']+\.ts)', import\.meta\.url\)/g;
  return {
    name: 'keep-places',
    transform: {
      filter: { id: /\.ts$/, code: 'import.meta.' },
      handler: (code, id) => ({
        code: code
          .replaceAll(thread, (_, path: string) => {
            const program = resolve(dirname(id), path);
            onThread(program);
            return `new URL('${basename(compiledOf('', program))}', 'file:' + __filename)`;
          })
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        map: null, // lines stay as they are
      }),
    },
  };
}
