// Runs in the browser, as a part of start.ts: base maps in PMTiles archives on any web server. The engine knows no archives;
// its layers of pictures and of vector tiles get their tiles from here.

import { compression, tileType } from '@platen/geo/pmtiles/header';
import { inflate, readArchive, type Archive } from '@platen/geo/pmtiles/read-archive';
import { archiveStyle } from './archive-style.ts';

type Config = Readonly<Record<string, unknown>>;
type TilePlace = readonly [zoom: number, x: number, y: number];

interface FlatTile {
  readonly tileCoord: TilePlace;
  getImage(): HTMLImageElement;
  setState(state: number): void;
}
interface FlatLayer {
  getSource(): { setTileLoadFunction(load: (tile: FlatTile) => void): void };
}
interface GlobeLayer {
  readonly imageryProvider: {
    requestImage(x: number, y: number, zoom: number): Promise<HTMLImageElement | HTMLCanvasElement>;
  };
}
interface TileProvider {
  url: string;
  loader: (this: TileProvider, x: number, y: number, zoom: number, headers: unknown) => Promise<object[]>;
}
interface WithUrl {
  readonly url: string;
}

/** The part of engines 5.0 to 6.3 that is used. */
export interface ArchiveCore {
  readonly WmtsOpenlayersImpl: { readonly prototype: { getOLLayer: (this: WithUrl) => FlatLayer } };
  readonly WmtsCesiumImpl: {
    readonly prototype: { getCesiumLayer: (this: WithUrl) => Promise<GlobeLayer> };
  };
  readonly MVTTileProvider: { readonly prototype: TileProvider };
}

/** Between the address of an archive and the place of a tile in it, see base-map-module.ts. */
const mark = '#pmtiles/';
const maxWaitMs = 10_000;
const maxTileBytes = 32 * 2 ** 20;
/** Of OpenLayers: a tile without a picture. */
const emptyTile = 4;

interface OpenArchive {
  readonly address: string;
  readonly archive: Archive;
}
const opened = new Map<string, Promise<OpenArchive>>();

/** The archive that an address of tiles names; undefined for other addresses. */
function archiveAt(url: unknown): Promise<OpenArchive> | undefined {
  const [address, place] = typeof url === 'string' ? url.split(mark) : [];
  if (address === undefined || place === undefined) return undefined;
  const known = opened.get(address);
  if (known !== undefined) return known;
  const opening = open(address);
  opened.set(address, opening);
  return opening;
}

async function open(address: string): Promise<OpenArchive> {
  const read = (offset: number, length: number) => readRange(address, offset, length);
  const known = new Map<number, ReturnType<Load>>();
  type Load = Parameters<Parameters<typeof readArchive>[1]['forArchive']>[0];
  const leaves = {
    forArchive: (load: Load) => (offset: number, length: number) => {
      const leaf = known.get(offset) ?? load(offset, length);
      known.set(offset, leaf);
      leaf.catch(() => known.delete(offset));
      return leaf;
    },
  };
  return { address, archive: await readArchive(read, leaves) };
}

/** @throws Error unless the server sends just this part */
async function readRange(address: string, offset: number, length: number): Promise<Uint8Array> {
  const headers = { range: `bytes=${offset}-${offset + length - 1}` };
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(maxWaitMs) });
  const { status, body } = response;
  if (status !== 206) {
    await body?.cancel();
    throw new Error(`${address} answers ${status} to a request for a part.`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** @returns undefined where the archive has none */
async function readTile({ address, archive }: OpenArchive, place: TilePlace): Promise<Blob | undefined> {
  const range = await archive.findTile(...place);
  if (range === undefined) return undefined;
  const bytes = await readRange(address, range.offset, range.length);
  const { tileCompression: kind } = archive.header;
  const tile = kind === compression.unknown ? bytes : await inflate(bytes, kind, maxTileBytes);
  return new Blob([tile as Uint8Array<ArrayBuffer>]);
}

/**
 * Replaces each layer of an archive by one that fits its tiles, with their zooms unless it has others.
 * @param report is called with the title of an archive that does not answer or is none: its layer stays empty
 */
export function openArchives(modules: readonly Config[], report: (title: string) => void): Promise<Config[]> {
  const prepare = async (layer: Config): Promise<Config> => {
    const opening = archiveAt(layer['url']);
    if (opening === undefined) return layer;
    try {
      return layerOf(layer, (await opening).archive);
    } catch {
      const { title } = (layer['properties'] ?? {}) as { title?: unknown };
      report(String(title ?? layer['name']));
      return layer;
    }
  };
  return Promise.all(
    modules.map(async (module) => {
      const { layers } = module;
      if (!Array.isArray(layers)) return module;
      return { ...module, layers: await Promise.all((layers as Config[]).map(prepare)) };
    }),
  );
}

function layerOf(layer: Config, { header }: Archive): Config {
  const { minZoom, maxZoom } = header;
  const whole = { minLevel: minZoom, maxLevel: maxZoom, ...layer };
  if (header.tileType !== tileType.mvt) return whole;
  const { minLevel, maxLevel, url, ...rest } = whole as Config & typeof whole;
  const baseLevels = Array.from({ length: maxLevel - minLevel + 1 }, (_, index) => minLevel + index);
  return {
    ...rest,
    type: 'VectorTileLayer',
    tileProvider: { type: 'MVTTileProvider', url, baseLevels },
    minLevel,
    style: archiveStyle(),
  };
}

/** Before the first layer is made. */
export function readArchiveTiles(core: ArchiveCore): void {
  drawFlat(core.WmtsOpenlayersImpl.prototype);
  drawOnGlobe(core.WmtsCesiumImpl.prototype);
  loadVectors(core.MVTTileProvider.prototype);
}

function drawFlat(prototype: ArchiveCore['WmtsOpenlayersImpl']['prototype']): void {
  const makeLayer = prototype.getOLLayer;
  prototype.getOLLayer = function makeArchiveLayer() {
    const layer = makeLayer.call(this);
    const opening = archiveAt(this.url);
    if (opening === undefined) return layer;
    layer.getSource().setTileLoadFunction((tile) => {
      const load = async () => {
        const picture = await readTile(await opening, tile.tileCoord);
        if (picture === undefined) tile.setState(emptyTile);
        else show(tile.getImage(), picture);
      };
      load().catch(() => tile.setState(emptyTile));
    });
    return layer;
  };
}

function drawOnGlobe(prototype: ArchiveCore['WmtsCesiumImpl']['prototype']): void {
  const makeLayer = prototype.getCesiumLayer;
  prototype.getCesiumLayer = async function makeArchiveLayer() {
    const layer = await makeLayer.call(this);
    const opening = archiveAt(this.url);
    if (opening === undefined) return layer;
    const nothing = document.createElement('canvas');
    layer.imageryProvider.requestImage = async (x, y, zoom) => {
      const picture = await readTile(await opening, [zoom, x, y]);
      if (picture === undefined) return nothing;
      const image = new Image();
      show(image, picture);
      await image.decode();
      return image;
    };
    return layer;
  };
}

function show(image: HTMLImageElement, picture: Blob): void {
  image.src = URL.createObjectURL(picture);
  image.addEventListener('load', () => URL.revokeObjectURL(image.src), { once: true });
}

/** The engine reads its address before it first waits. */
function loadVectors(prototype: TileProvider): void {
  const load = prototype.loader;
  prototype.loader = async function loadOfArchive(x, y, zoom, headers) {
    const opening = archiveAt(this.url);
    if (opening === undefined) return load.call(this, x, y, zoom, headers);
    const tile = await readTile(await opening, [zoom, x, y]);
    if (tile === undefined) return [];
    const { url } = this;
    const address = URL.createObjectURL(tile);
    this.url = address;
    const loading = load.call(this, x, y, zoom, headers);
    this.url = url;
    return loading.finally(() => URL.revokeObjectURL(address));
  };
}
