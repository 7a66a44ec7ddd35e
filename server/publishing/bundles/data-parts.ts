import { partOfSource } from './datasource-part.ts';
import type { SourceContext } from './folder-part.ts';
import { namesEntry } from './names.ts';
import { partOfFiles, within, type Part } from './part.ts';
import { folderOfSource, isHeld, type PlacedModules } from './place-modules.ts';
import type { BundleSource } from './sources.ts';

/** The files of all datasources that are ours, each in the folder of its revision, and the names to search by. */
export async function dataParts(
  sourceContext: SourceContext,
  sources: readonly BundleSource[],
  { names }: PlacedModules,
): Promise<Part[]> {
  const entries = [...names].map(([path, searched]) => namesEntry(sourceContext, searched, path));
  return [
    ...sources
      .filter(isHeld)
      .map((source) => within(folderOfSource(source), partOfSource(sourceContext, source))),
    partOfFiles(await Promise.all(entries)),
  ];
}
