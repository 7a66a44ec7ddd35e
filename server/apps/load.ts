import type { Module } from '@platen/contract/modules';
import { weakTagOfParts } from '../http/content-tag.ts';
import type { Db } from '../base/database/database.ts';
import { mapInTurns } from '../base/map-in-turns.ts';
import { hasNames } from '../datasources/serving/interop/names.ts';
import { addressOf as uriOf } from '../datasources/address.ts';
import { findPinnedSources } from '../datasources/revisions/pinned-sources.ts';
import { compileModule, type AddressOf } from './compile.ts';
import { createDefaults } from './layer-defaults.ts';
import type { AppContent, MapContent } from './content.ts';
import { forViewer } from './for-viewer.ts';

interface Addressing {
  /** Replaces `/data` in addresses. */
  readonly root?: string;
  /** Whether addresses name the revision of the data, so that an open map keeps the data that it started with. */
  readonly isPinned?: boolean;
}

/** The configuration of an app for the map viewer, as JSON, and what it is made of. */
export interface ViewerConfig {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly modules: readonly Module[];
}

/** Makes the configuration of an app module by module, as all at once would hold the event loop for too long. */
export async function viewerConfig(
  db: Db,
  projectId: string,
  shown: MapContent,
  root?: string,
): Promise<ViewerConfig> {
  const modules = await viewerModules(db, projectId, shown, root);
  const parts = await mapInTurns([shown.world, ...modules].entries().toArray(), ([index, module]) =>
    Buffer.from(`${index === 0 ? '{"modules":[' : ','}${JSON.stringify(module)}`),
  );
  const all = [...parts, Buffer.from(']}')];
  return { bytes: Buffer.concat(all), etag: await weakTagOfParts(all), modules };
}

/** The modules of the configuration, without the base layer. */
export async function viewerModules(
  db: Db,
  projectId: string,
  shown: MapContent,
  root?: string,
): Promise<readonly Module[]> {
  const addressing = { isPinned: true, ...(root !== undefined && { root }) };
  return forViewer(db, await compileContent(db, projectId, shown, addressing), shown);
}

/** The modules with the addresses of the datasources of this project, as they are in the revisions of the content. */
export async function compileContent(
  db: Db,
  projectId: string,
  { modules, revisions }: AppContent,
  { root = '/data', isPinned = false }: Addressing = {},
): Promise<Module[]> {
  const sources = await findPinnedSources(db, projectId, revisions);
  const defaultsOf = createDefaults();
  const addressOf: AddressOf = (id) => {
    const source = sources.get(id);
    if (!source) return undefined;
    const uri = uriOf(source);
    const base = `/data/${id}`;
    const defaults = defaultsOf(source, uri);
    if (source.sourceProperties.type === 'external') return { base, servedAt: base, url: uri, defaults };
    const servedAt = `${root}/${id}${isPinned ? `/~${revisions.get(id)!}` : ''}`;
    const namesBy = (attribute: string) =>
      hasNames(source, attribute)
        ? `${servedAt}/names.json?attribute=${encodeURIComponent(attribute)}`
        : undefined;
    return { base, servedAt, url: servedAt + uri.slice(base.length), defaults, namesBy };
  };
  return mapInTurns(modules, (module) => compileModule(module, addressOf));
}
