import { execFile, execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codeBlocksOf, type CodeBlock } from './markdown-code.ts';

const run = promisify(execFile);
/** Words in angle brackets stand for something that the reader chooses: such a block cannot be run. */
const placeholder = /<name>/;

export interface Guide {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
}

export function readGuides(): Guide[] {
  return globSync('docs/adding-*.md')
    .toSorted()
    .map((path) => ({
      path,
      blocks: codeBlocksOf(readFileSync(path, 'utf8')).filter(({ code }) => !placeholder.test(code)),
    }));
}

/** A copy of the repository in which the rooms import each other, and everything else from where it was installed. */
export async function copyRepository(to: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' });
  const files = listed.split('\0').filter((path) => path !== '' && globSync(path).length > 0);
  for (const path of files) {
    await mkdir(join(to, dirname(path)), { recursive: true });
    await cp(path, join(to, path));
  }
  for (const folder of ['node_modules', ...globSync('*/node_modules')]) await linkPackages(folder, to);
}

/** Processes that parse files may read the installation only, so links would lead them out of it. */
const parserPackages = new Set(
  [...withDependencies(['formats', 'geo', 'styles'])].map((name) => name.split('/')[0]!),
);

/** The packages that these rooms depend on, and those that these depend on. */
function withDependencies(rooms: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...rooms];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue; // an optional package, or one within another
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: object };
    const fresh = Object.keys(dependencies).filter((name) => !found.has(name));
    for (const name of fresh) found.add(name);
    waiting.push(...fresh.map((name) => join('node_modules', name)));
  }
  return found;
}

async function linkPackages(folder: string, to: string): Promise<void> {
  await mkdir(join(to, folder), { recursive: true });
  for (const name of await readdir(folder)) {
    if (name === '@platen' || parserPackages.has(name))
      await cp(join(folder, name), join(to, folder, name), { recursive: true, verbatimSymlinks: true });
    else await symlink(join(process.cwd(), folder, name), join(to, folder, name));
  }
}

/** Writes a file, or changes one by a diff without positions. */
export async function apply({ language, attributes, code }: CodeBlock, root: string): Promise<void> {
  const path = join(root, attributes['file']!);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, language === 'diff' ? patched(await readFile(path, 'utf8'), code) : code);
}

/** Lines that stay, or go, are looked for from the last one on; those that come are put behind it. */
export function patched(text: string, diff: string): string {
  const lines = text.split('\n');
  let at = 0;
  for (const change of diff.split('\n').filter(Boolean)) {
    const [sign, line] = [change[0], change.slice(1)];
    if (sign === '+') {
      lines.splice(at++, 0, line);
      continue;
    }
    const found = lines.indexOf(line, at);
    if (found === -1) throw new Error(`There is no such line: ${line}`);
    at = found + 1;
    if (sign === '-') lines.splice(--at, 1);
  }
  return lines.join('\n');
}

/**
 * Runs a shell step of a guide in the copy; `npm run check` ends with the types, limited to the files of the guides.
 */
export async function runStep(step: string, root: string): Promise<void> {
  const [npm, verb, ...words] = step.replace(/ #.*/, '').trim().split(/\s+/);
  if (npm !== 'npm') throw new Error(`Not a step of npm: ${step}`);
  const node = (...args: string[]) => run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 });
  if (verb === 'test') {
    const files = words
      .filter((word) => word !== '--')
      .flatMap((word) => (word.endsWith('.ts') ? word : globSync(`${word}/**/*.test.ts`, { cwd: root })));
    if (files.length === 0) throw new Error(`No tests: ${step}`);
    await node('--test', '--test-isolation=none', ...files);
  } else if (words[0] === 'bless') await node('checks/bless.ts');
  else if (words[0] === 'check')
    // several threads would each check what they share once more
    await node('node_modules/ts7/bin/tsc', '--singleThreaded', '-p', await configOfTypes(root));
  else throw new Error(`An unknown step: ${step}`);
}

/** What the rooms of the guides run, and the tests that the guides write. */
async function configOfTypes(root: string): Promise<string> {
  const path = join(root, 'tsconfig.guides.json');
  const files = readGuides()
    .flatMap(({ blocks }) => blocks.map(({ attributes }) => attributes['file'] ?? ''))
    .filter((name) => name.endsWith('.test.ts'));
  const include = ['contract', 'client', 'processing', 'server'];
  const config = { extends: './tsconfig.json', include, exclude: ['**/*.test.ts'], files };
  await writeFile(path, JSON.stringify(config));
  return path;
}
