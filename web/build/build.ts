import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { build as buildByVite } from 'vite';

type BuildOutput = Extract<Awaited<ReturnType<typeof buildByVite>>, object>;

const root = fileURLToPath(new URL('..', import.meta.url));
const repository = join(root, '..');
const dist = join(root, 'dist');
/** Describes the sources of `dist`: hashes of all files, and their sizes and times for a quick check. */
const stampFile = join(dist, '.stamp');
const quickStampFile = join(dist, '.quick-stamp');
/** Lists the modules of other rooms in `dist`. */
const modulesFile = '.modules';

/** Sources of the interface, beside the modules in `dist`: if any changes, it is rebuilt. Folders include all subfolders. */
const sources = [
  { folder: 'web', files: /(?<!\.test|\.component)\.(ts|vue|css|json|html|svg|js|woff2)$/ },
  { folder: 'contract', files: /\.ts$/ },
  { folder: 'client', files: /\.ts$/ },
  { folder: 'processing', files: /^(catalog|spec)\.ts$|^words\.\w+\.json$/ },
  { folder: '.', files: /^package-lock\.json$/ },
];
const isSearched = (name: string) => !/^(node_modules|dist.*|basemap)$/.test(name);

/**
 * Builds the web interface into `web/dist` if its sources have changed: some seconds, in a separate process. The
 * former build stays in use until the new one is complete. Without Vite, a build-time dependency, nothing is built.
 * @param say receives a message if the build takes long or is impossible @throws Error with the output of the builder
 */
export async function buildIfStale(say: (line: string) => void): Promise<void> {
  const files = listSources();
  const quickStamp = quickStampOf(files);
  if (read(quickStampFile) === quickStamp && existsSync(stampFile)) return;
  if (isBuilt(stampOf(files))) return keepQuickStamp(quickStamp);
  if (!canBuild())
    return say(`The web interface ${existsSync(dist) ? 'is out of date' : 'is not built'}. ${how}`);
  say('Building the web interface …');
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)]);
}

const how = 'Run “npm ci && npm run build”, then leave out again what only builds: “npm ci --omit=dev”.';

function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

/** Written next to the old file and renamed: the folder may be read-only or shared by hard links. */
async function keepQuickStamp(stamp: string): Promise<void> {
  const draft = `${quickStampFile}-${process.pid}`;
  await writeFile(draft, stamp)
    .then(() => rename(draft, quickStampFile))
    .catch(() => {});
}

async function buildNow(): Promise<void> {
  if (isBuilt(stampOf(listSources()))) return;
  const { build } = await import('vite');
  const folder = join(root, `dist-${process.pid}`);
  try {
    const outputs = await build({
      configFile: join(root, 'build/vite.config.ts'),
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true },
    });
    await writeFile(join(folder, modulesFile), JSON.stringify(modulesOf([outputs].flat())));
    const files = listSources(folder);
    const stamp = stampOf(files);
    await writeFile(join(folder, '.stamp'), stamp);
    await writeFile(join(folder, '.quick-stamp'), quickStampOf(files));
    await replaceBy(folder, stamp);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Paths from the root. */
function modulesOf(outputs: readonly BuildOutput[]): string[] {
  const files = outputs.flatMap((one) => ('output' in one ? one.output : []));
  const modules = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return modules
    .map((id) => relative(repository, id.replace(/\?.*$/, '')).split(sep).join('/'))
    .filter((path) => !/^(?:\0|\.\.|web\/)|node_modules\//.test(path) && existsSync(join(repository, path)));
}

const isBuilt = (stamp: string) => read(stampFile) === stamp;

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

async function replaceBy(folder: string, stamp: string): Promise<void> {
  const old = `${folder}-old`;
  try {
    await rename(dist, old).catch(() => {}); // there may be none yet
    await rename(folder, dist);
  } catch (error) {
    if (!isBuilt(stamp)) throw error; // another process was quicker, with the same
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

/** Each is a path from the root. @param built a folder like `dist`; it is done at each start, so in a tenth of the time that a glob would take. */
function listSources(built = dist): string[] {
  const modules = JSON.parse(read(join(built, modulesFile)) ?? '[]') as string[];
  const found = new Set(modules.filter((path) => existsSync(join(repository, path))));
  const search = (folder: string, files: RegExp) => {
    for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
      if (entry.isFile() && files.test(entry.name)) found.add(`${folder}/${entry.name}`);
      else if (entry.isDirectory() && folder !== '.' && isSearched(entry.name))
        search(`${folder}/${entry.name}`, files);
    }
  };
  for (const { folder, files } of sources) search(folder, files);
  return [...found].toSorted();
}

function stampOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(repository, file)));
  return hash.digest('hex');
}

function quickStampOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(repository, file));
    hash.update(`${file}\0${size} ${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

if (import.meta.main) await buildNow();
