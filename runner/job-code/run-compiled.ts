import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { codeCacheOf, readProgram, runProgram } from './read-compiled.ts';

// Stands beside each program of the job code and runs it with its compiled code.
const path = import.meta.filename.replace(/cjs$/, 'js');
const codeCache = readFileSync(codeCacheOf(path));
runProgram(readProgram(path, codeCache), path, createRequire(import.meta.url));
