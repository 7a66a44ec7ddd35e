import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolName } from '@platen/contract/tools';
import type { Engine } from './engines.ts';
import { toolsOf } from './tools.ts';

/** Its name in copies of packages. */
export const licenceFile = 'LICENSE.md';

/** The text of a package’s licence; empty if it has none. */
export function licenceText(folder: string): string {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8').trim();
}

/** Names and licences of the map viewer, the tools and the data of ours that a map is made of. */
export function licencesOf({ version, folder }: Engine, names: readonly ToolName[]): string {
  const tools = toolsOf(version).filter(({ name }) => names.includes(name));
  const sections = [
    `VC Map (@vcmap/ui) ${version}\n\n${licenceText(dirname(folder))}`,
    ...tools.map((tool) => `${tool.plugin} ${tool.version}, ${tool.license}\n\n${licenceText(tool.folder)}`),
    'Maps of the world: Natural Earth (https://www.naturalearthdata.com/), public domain.',
    'Names of towns: GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/).',
  ];
  return `${sections.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}
