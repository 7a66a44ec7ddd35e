import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { roomyHeap } from '../job-memory.ts';

/** The file with what V8 has compiled of a program. @param options of Node */
export const codeCacheOf = (path: string, options: readonly string[] = process.execArgv) =>
  `${path}.${options.includes(roomyHeap) ? 'roomy' : 'scarce'}.cache`;

/**
 * Reads a program of the job code: a function with the parameters of a CommonJS module.
 * @param codeCache what V8 has compiled of it; ignored if it is of another version of V8 or for another processor
 */
export function readProgram(path: string, codeCache?: Buffer): Script {
  return new Script(readFileSync(path, 'utf8'), {
    filename: path,
    ...(codeCache && { cachedData: codeCache }),
  });
}

/** @param require finds packages from the installation */
export function runProgram(script: Script, path: string, require: NodeJS.Require): void {
  const module = { exports: {} };
  const run = script.runInThisContext() as (...parameters: unknown[]) => void;
  run(module.exports, require, module, path, dirname(path));
}
