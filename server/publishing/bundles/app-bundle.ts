import type { FreeForm } from '@platen/contract/schema';
import type { ToolName } from '@platen/contract/tools';
import { worldFolders, worldMaxZoom } from '@platen/viewer/world-module';
import { nameLanguages, worldNamesPath, type NameLanguage } from '@platen/viewer/world-names-layers';
import { bundlePage, bundleScripts } from '@platen/viewer/bundle-page';
import { engineModules, engineStyles, findEngine } from '@platen/viewer/engines';
import { licencesOf } from '@platen/viewer/licences';
import { mapTypeface } from '@platen/viewer/font-file';
import { placesFile } from '@platen/viewer/places-file';
import type { PictureOrder } from '../../apps/app-pictures/drawn-picture.ts';
import { listEngineFiles } from '../../apps/app-pages/engine-files.ts';
import { foreignHosts } from '../../apps/app-pages/foreign-hosts.ts';
import { listToolFiles } from '../../apps/app-pages/tool-files.ts';
import { openWorldTiles } from '../../apps/app-pages/world-tiles.ts';
import { Failure } from '../../base/failure.ts';
import { dataParts } from './data-parts.ts';
import type { SourceContext } from './folder-part.ts';
import { digestOf, madeEntry, partOfFiles, type Bundle, type Entry, type Part } from './part.ts';
import { gone, plainTile } from './plain-bytes.ts';
import { placeModules } from './place-modules.ts';
import { readMe } from './readme.ts';
import type { BundleSource } from './sources.ts';
import { vectorType } from '../../datasources/serving/sources/tile-address.ts';

/** Everything in the bundle of an app, except the bytes of its data. */
export interface AppContents {
  readonly kind: 'app';
  readonly name: string;
  readonly description: string;
  readonly engineVersion: string;
  readonly world: FreeForm;
  /** Without stamps; not compiled. */
  readonly modules: readonly FreeForm[];
  readonly sources: readonly BundleSource[];
  readonly tools: readonly ToolName[];
  /** Files of plugins. */
  readonly files: readonly StoredFile[];
  /** The picture that lies over the map until that is drawn: the uploaded one, or how to draw it. Absent in bundles of earlier versions. */
  readonly poster?: StoredFile | PictureOrder;
}

/** A file in the object store that is not data. */
export interface StoredFile {
  readonly path: string;
  readonly blobId: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
}

/** The app with its data and the map viewer. A changed file gets another name, except the page, which is last. */
export async function appBundle(sourceContext: SourceContext, contents: AppContents): Promise<Bundle> {
  const { name, sources, modules, world } = contents;
  const placed = placeModules(modules, sources, world);
  const config = JSON.stringify({ modules: placed.modules, addresses: placed.addresses });
  const configPath = `app-${digestOf(config).slice(0, 16)}.json`;
  const hosts = await foreignHosts(placed.modules);
  const poster = await posterOf(sourceContext, contents);
  const page = pageOf(contents, { configPath, hosts, ...(poster && { posterPath: poster.path }) });
  const readme = readMe({ title: name, about, sources, notes: placed.notes, hosts });
  return {
    name,
    parts: [
      partOfFiles(await engineEntries(contents)),
      ...(await partsOfWorld(placed.modules)),
      partOfFiles([...contents.files.map(storedEntry(sourceContext)), ...(poster ? [poster] : [])]),
      ...(await dataParts(sourceContext, sources, placed)),
      partOfFiles([
        madeEntry(configPath, config, 'application/json; charset=utf-8'),
        madeEntry(
          'licences.txt',
          licencesOf(requireEngine(contents.engineVersion), contents.tools),
          'text/plain; charset=utf-8',
        ),
        readme,
        { ...madeEntry('index.html', page, 'text/html; charset=utf-8'), isEntry: true },
      ]),
    ],
  };
}

const about = [
  'This folder contains a map for web browsers, with its data and everything needed to show it. Put the folder on any ' +
    'web server, at any address, and open index.html there.',
  'On your own computer, start “python3 -m http.server” in this folder and open http://localhost:8000/. Browsers do not ' +
    'show the map when index.html is opened as a file, without a web server.',
  'The server answers requests for missing tiles with 404. This is not an error. The map viewer is VC Map (@vcmap/ui, MIT license); licences.txt has its license and those of the tools.',
];

function pageOf(
  { name: title, description, engineVersion }: AppContents,
  rest: Pick<Parameters<typeof bundlePage>[0], 'configPath' | 'hosts' | 'posterPath'>,
): string {
  const engine = requireEngine(engineVersion);
  const preload = [...engineModules(engine), ...engineStyles(engine)];
  return bundlePage({ title, description, engineVersion, preload, ...rest });
}

function requireEngine(version: string) {
  const engine = findEngine(version);
  if (engine) return engine;
  throw new Failure('unusable_reference', `Map viewer ${version} is no longer installed.`);
}

const storedEntry =
  ({ context: { store } }: SourceContext) =>
  ({ path, blobId, size, sha256, contentType }: StoredFile): Entry => ({
    path,
    size,
    version: sha256.slice(0, 32),
    contentType,
    async open() {
      const bytes = await store.stream(blobId);
      if (!bytes) throw gone();
      return bytes;
    },
  });

async function posterOf(
  sourceContext: SourceContext,
  { name, poster }: AppContents,
): Promise<Entry | undefined> {
  if (poster === undefined || 'blobId' in poster) return poster && storedEntry(sourceContext)(poster);
  const { draw, context } = sourceContext;
  const png = await draw(poster, (error) => {
    context.log.warn({ err: error, app: name }, 'the map of a bundled app could not be painted');
  });
  return madeEntry('preview.png', png, 'image/png');
}

async function engineEntries({ engineVersion, tools }: AppContents): Promise<Entry[]> {
  const used = await listToolFiles(engineVersion, tools);
  const files = [...(await listEngineFiles(engineVersion)), ...used].map(([path, file]): Entry => {
    const { type: contentType, bytes: size, id } = file;
    return { path: path.slice(1), size, version: id.slice(0, 32), contentType, open: () => file.read() };
  });
  const scripts = bundleScripts().map(({ path, body }) =>
    madeEntry(path, body, 'text/javascript; charset=utf-8'),
  );
  const { style, font, licence } = mapTypeface();
  const own = [
    ...files,
    ...scripts,
    madeEntry(style.path.slice(1), style.body, 'text/css; charset=utf-8'),
    madeEntry(font.path.slice(1), font.body, 'font/woff2'),
    madeEntry('engines/platen/geist-licence.txt', licence, 'text/plain; charset=utf-8'),
  ];
  if (!tools.includes('search')) return own;
  const { path, body } = placesFile();
  return [...own, madeEntry(path.slice(1), body, 'application/json; charset=utf-8')];
}

const worldParts = new Map<WorldFolder, Promise<Part>>();

/** The tiles of the world maps that the modules name: some hundred small tiles each, the same for all. */
function partsOfWorld(modules: readonly FreeForm[]): Promise<Part[]> {
  const text = JSON.stringify(modules.filter(({ _id }) => String(_id).startsWith('platen-')));
  const known: readonly WorldFolder[] = [...Object.values(worldFolders), 'world-detail'];
  const used = known.filter((folder) => text.includes(`"basemap/${folder}/{`));
  const named = text.includes(`"${worldNamesPath.slice(1)}`) ? nameLanguages : [];
  return Promise.all(
    [...used, ...named.map((language) => `world-names-${language}` as const)].map(worldPart),
  );
}

function worldPart(folder: WorldFolder): Promise<Part> {
  const known = worldParts.get(folder);
  if (known) return known;
  const part = readWorld(folder);
  worldParts.set(folder, part);
  part.catch(() => worldParts.delete(folder));
  return part;
}

type WorldFolder =
  | (typeof worldFolders)[keyof typeof worldFolders]
  | 'world-detail'
  | `world-names-${NameLanguage}`;

async function readWorld(folder: WorldFolder): Promise<Part> {
  const findTile = openWorldTiles(folder);
  const entries: Entry[] = [];
  for (let z = 0; z <= worldMaxZoom; z++)
    for (let x = 0; x < 2 ** z; x++)
      for (let y = 0; y < 2 ** z; y++) {
        const tile = await findTile(z, x, y);
        if (!tile) continue;
        const path = `basemap/${folder}/${z}/${x}/${y}`;
        entries.push(
          folder === 'world-detail' || folder.startsWith('world-names-')
            ? madeEntry(`${path}.mvt`, await plainTile(tile.bytes, true), vectorType)
            : madeEntry(`${path}.png`, tile.bytes, 'image/png'),
        );
      }
  return partOfFiles(entries);
}
