import type { FreeForm } from '@platen/contract/schema';
import { foreignHosts } from '../../apps/app-pages/foreign-hosts.ts';
import { dataParts } from './data-parts.ts';
import type { SourceContext } from './folder-part.ts';
import { madeEntry, partOfFiles, type Bundle } from './part.ts';
import { placeModules } from './place-modules.ts';
import { readMe } from './readme.ts';
import type { BundleSource } from './sources.ts';

/** Everything in the bundle of a scenario, except the bytes of its data. */
export interface ScenarioContents {
  readonly kind: 'scenario';
  readonly name: string;
  readonly description: string;
  /** Without stamps; not compiled. */
  readonly modules: readonly FreeForm[];
  readonly sources: readonly BundleSource[];
}

const about = [
  'scenario.json contains the modules of a scenario for VC Map. Their data is in this folder. Addresses in scenario.json ' +
    'are relative to this folder; “addresses” lists their JSON pointers.',
];

/** The modules with their data, for use in other maps. */
export async function scenarioBundle(
  sourceContext: SourceContext,
  contents: ScenarioContents,
): Promise<Bundle> {
  const { name, description, sources, modules } = contents;
  const placed = placeModules(modules, sources);
  const { addresses, notes } = placed;
  const text = JSON.stringify({ name, description, modules: placed.modules, addresses });
  const hosts = await foreignHosts(placed.modules);
  return {
    name,
    parts: [
      ...(await dataParts(sourceContext, sources, placed)),
      partOfFiles([
        readMe({ title: name, about, sources, notes, hosts }),
        { ...madeEntry('scenario.json', text, 'application/json; charset=utf-8'), isEntry: true },
      ]),
    ],
  };
}
