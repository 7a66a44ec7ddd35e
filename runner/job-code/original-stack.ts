import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A place in a program of the job code, after its folder. */
const place = /^\/([a-z-]+\.js):(\d+):(\d+)/;

/** Names our modules in the stack of a job, in place of the programs of the job code. */
export function originalStack(stack: string, jobCode: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  const [before, ...others] = stack.split(jobCode);
  const originals = others.map((text) => {
    const [here = '', name = '', line, column] = place.exec(text) ?? [];
    const map = maps.getOrInsertComputed(name, () => readMap(join(jobCode, `${name}.map`)));
    const origin = map?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return jobCode + text;
    const module = fileURLToPath(new URL(origin.fileName, pathToFileURL(join(jobCode, name))));
    return `${module}:${origin.lineNumber}:${origin.columnNumber}${text.slice(here.length)}`;
  });
  return [before, ...originals].join('');
}

function readMap(path: string): SourceMap | undefined {
  if (!existsSync(path)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
}
