import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version } from '../../base/version.ts';
import { aboutFolder, type PackageLicence } from './about-files.ts';
import { shippedComponents, shippedNames, type BillOfMaterials, type Component } from './shipped.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** The rooms that an installation consists of. */
const rooms = ['cli', 'formats', 'processing', 'runner', 'server', 'storage', 'viewer', 'web'];
const maxBillBytes = 64 * 1024 * 1024;

/** Writes the bill of materials, and the licences of what is shipped. */
export async function buildAbout(folder = aboutFolder): Promise<void> {
  const bill = await readBill();
  const names = shippedNames(await readFile(join(repository, 'docs/dependencies.md'), 'utf8'));
  const components = shippedComponents(bill, names);
  const folders = await packageFolders();
  const licences = await Promise.all(
    components.map((it) => licenceOf(it, folders.get(`${it.name}@${it.version}`))),
  );
  licences.push(await geoidLicence());
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'sbom.json'), JSON.stringify(bill));
  await writeFile(join(folder, 'licences.json'), JSON.stringify(licences));
}

/** What `package-lock.json` fixes, by the command of npm; it reads nothing else and needs no network. */
async function readBill(): Promise<BillOfMaterials> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...rooms.map((it) => `-w=${it}`)];
  const options = { cwd: repository, maxBuffer: maxBillBytes, shell: process.platform === 'win32' };
  const { stdout } = await promisify(execFile)('npm', args, options);
  const bill = JSON.parse(stdout) as BillOfMaterials;
  // npm takes the name of the folder
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name: 'platen' } },
  };
}

/** The installed packages by name and version. */
async function packageFolders(): Promise<ReadonlyMap<string, string>> {
  const lock = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  return new Map(
    Object.entries(lock.packages).flatMap(([path, { version }]): [string, string][] => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return path.includes('node_modules/') ? [[`${name}@${version}`, join(repository, path)]] : [];
    }),
  );
}

/** The grids of surveys, which are no package; their licences ask for the names of the surveys. */
async function geoidLicence(): Promise<PackageLicence> {
  const text = await readFile(join(repository, 'formats/geoid/grids/LICENCES.md'), 'utf8');
  const licence = 'CC-BY-4.0 AND CC0-1.0 AND BSD-2-Clause AND etalab-2.0';
  return { name: 'geoid grids', version, licence, texts: [text] };
}

/** Packages for other platforms are not installed, and have no text. */
async function licenceOf(
  { name, version, licenses = [] }: Component,
  folder: string | undefined,
): Promise<PackageLicence> {
  const ids = licenses.map(({ license }) => license?.id ?? license?.name).filter((id) => id !== undefined);
  const files = folder === undefined ? [] : await readdir(folder).catch(() => []);
  const texts = files.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).toSorted();
  return {
    name,
    version,
    licence: ids.join(' AND '),
    texts: await Promise.all(texts.map((file) => readFile(join(folder!, file), 'utf8').catch(() => ''))),
  };
}
