// npm run bless: regenerates the committed files that derive from others.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { derivatives, recordings } from './derivatives.ts';
import { derive } from './derived.ts';

for (const { file, name, test } of recordings) {
  const before = contentOf(file);
  // without --test and its variable, the file runs in a test, too
  const env = { ...process.env, PLATEN_BLESS: name, NODE_TEST_CONTEXT: undefined };
  await promisify(execFile)(process.execPath, [test], { env, maxBuffer: 2 ** 26 });
  report(file, contentOf(file) === before);
}
for (const derivative of derivatives) {
  const { file } = derivative;
  const content = await derive(derivative);
  const isSame = contentOf(file) === content;
  if (!isSame) writeFileSync(file, content);
  report(file, isSame);
}

function contentOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function report(file: string, isSame: boolean): void {
  process.stdout.write(`${isSame ? 'unchanged' : 'written  '} ${file}\n`);
}
