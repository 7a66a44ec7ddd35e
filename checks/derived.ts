import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Derivative } from './derivatives.ts';

const run = promisify(execFile);

/** Returns the expected content of the whole file from the output of its script. */
export async function derive({ file, script, section }: Derivative): Promise<string> {
  const { stdout } = await run(process.execPath, [script], { maxBuffer: 64 * 1024 * 1024 });
  if (stdout === '') throw new Error(`${script} printed nothing`);
  return section === undefined ? stdout : replaceSection(file, await readFile(file, 'utf8'), section, stdout);
}

function replaceSection(file: string, text: string, section: string, content: string): string {
  const [opening, closing] = [`<!-- ${section} -->\n`, `<!-- end of ${section} -->`];
  const start = text.indexOf(opening);
  const end = text.indexOf(closing);
  if (start < 0 || end < start)
    throw new Error(`${file} has no section between ${opening.trim()} and ${closing}`);
  return `${text.slice(0, start + opening.length)}\n${content.trim()}\n\n${text.slice(end)}`;
}
