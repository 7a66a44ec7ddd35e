import { Failure } from '../../base/failure.ts';
import { layoutOf, partOfSource, startOf } from './datasource-part.ts';
import { filePart, type SourceContext } from './folder-part.ts';
import { followedBy, partOfFiles, type Bundle, type Part } from './part.ts';
import { readMe } from './readme.ts';
import type { BundleSource } from './sources.ts';

/** Everything in the bundle of a datasource, except its bytes. */
export interface DatasourceContents {
  readonly kind: 'datasource';
  readonly source: BundleSource;
}

/**
 * The files of a datasource under permanent names; the entry points of clients are last.
 * @throws Failure `unprocessable` if this service does not store its data
 */
export function datasourceBundle(sourceContext: SourceContext, { source }: DatasourceContents): Bundle {
  const { name, sourceProperties } = source;
  if (sourceProperties.type === 'external')
    throw new Failure('unprocessable', `The data of “${name}” is on another server: ${sourceProperties.url}`);
  const part =
    source.type === 'i3s' ? packagePart(sourceContext, source) : partOfSource(sourceContext, source);
  const entries = entriesOf(source);
  const about = [aboutFiles(source)];
  const readme = readMe({ title: name, about, sources: [source], notes: [] });
  const all = followedBy(part, async () => [readme]);
  return { name, parts: [without(all, entries), lastOf(all, entries)] };
}

/** Only a service can serve a scene layer, but other programs open a package of one. */
function packagePart(sourceContext: SourceContext, source: BundleSource): Part {
  if (source.servedFolder === null) return filePart(sourceContext, source);
  return partOfSource(sourceContext, source);
}

/** The files by which clients find all others. */
function entriesOf(source: BundleSource): readonly string[] {
  const { type, bucketKey, servedFolder } = source;
  const layout = layoutOf(source);
  if (layout === 'file') return [bucketKey!.slice(bucketKey!.lastIndexOf('/') + 1)];
  if (type === 'qmesh' || type === 'meshinmesh') return ['layer.json'];
  if (type === 'vectortiles' || layout === 'pmtiles' || layout === 'mbtiles')
    return ['tiles.json', 'style.json'];
  if (servedFolder !== null && type === 'i3s') return [];
  const start = startOf(source).split('?')[0]!;
  return start === '' || start.includes('{') ? [] : [decoded(start)];
}

/** Names in addresses are percent-encoded; text that users entered may not be valid encoding. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function aboutFiles(source: BundleSource): string {
  if (source.type === 'i3s')
    return 'A scene layer (I3S). It needs a service that answers its addresses; a static web server cannot serve it.';
  const start = startOf(source);
  const first = [...new Set([...(start.includes('{') ? [start] : []), ...entriesOf(source)])].join(', ');
  return `The files of a datasource (${source.type}), for any web server. Clients start with: ${first}`;
}

function without(part: Part, paths: readonly string[]): Part {
  return {
    async *list(from) {
      for await (const listed of part.list(from)) if (!paths.includes(listed.file.path)) yield listed;
    },
    find: async (path) => (paths.includes(path) ? undefined : part.find(path)),
  };
}

function lastOf(part: Part, paths: readonly string[]): Part {
  const entries = async () => {
    const files = await Promise.all(paths.map((path) => part.find(path)));
    return partOfFiles(
      files.flatMap((file) => (file ? [Object.assign({}, file, { isEntry: true as const })] : [])),
    );
  };
  return {
    async *list(from) {
      yield* (await entries()).list(from);
    },
    find: async (path) => (await entries()).find(path),
  };
}
