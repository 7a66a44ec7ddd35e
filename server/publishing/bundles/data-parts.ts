import { partOfSource } from './datasource-part.ts';
import type { SourceContext } from './folder-part.ts';
import { within, type Part } from './part.ts';
import { folderOfSource, isHeld } from './place-modules.ts';
import type { BundleSource } from './sources.ts';

/** The files of all datasources that are ours, each in the folder of its revision. */
export function dataParts(sourceContext: SourceContext, sources: readonly BundleSource[]): Part[] {
  return sources
    .filter(isHeld)
    .map((source) => within(folderOfSource(source), partOfSource(sourceContext, source)));
}
