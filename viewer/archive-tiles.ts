// Runs in the browser, as a part of start.ts: base maps in PMTiles archives on any web server. The engine knows no archives;
// its layers of pictures and of vector tiles get their tiles from here.

import { compression, tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import type { LeafCache } from '@platen/geo/pmtiles/leaf-cache';
import { inflate, readArchive, type Archive, type ReadRange } from '@platen/geo/pmtiles/read-archive';
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
/** A map starts without the archives that take longer. */
const maxStartWaitMs = 2500;
const maxWaitMs = 10_000;
const maxTileBytes = 32 * 2 ** 20;
const maxLeaves = 64;
/** Of OpenLayers: a tile without a picture. */
const emptyTile = 4;

interface OpenArchive {
  readonly archive: Archive;
  readonly read: ReadRange;
}
interface Opening {
  readonly opened: Promise<OpenArchive>;
  /** Until when a map waits. */
  readonly limit: Promise<undefined>;
}
/** By their addresses. */
const openings = new Map<string, Opening>();
/** Addresses of archives that were replaced while the page was open: what the browser keeps of them may be old. */
const replaced = new Set<string>();

class ArchiveReplaced extends Error {}

/** The archive that an address of tiles names; undefined for other addresses. */
function archiveOf(url: unknown): string | undefined {
  return typeof url === 'string' && url.includes(mark) ? url.slice(0, url.indexOf(mark)) : undefined;
}

/** What failed is tried again when it is asked for again. */
function openingOf(address: string): Opening {
  const known = openings.get(address);
  if (known !== undefined) return known;
  const opened = open(address);
  const limit = new Promise<undefined>((resolve) => {
    setTimeout(resolve, maxStartWaitMs, undefined);
  });
  const opening = { opened, limit };
  openings.set(address, opening);
  opened.catch(() => openings.delete(address));
  return opening;
}

async function open(address: string): Promise<OpenArchive> {
  let first: string | undefined;
  const read = async (offset: number, length: number) => {
    const response = await fetchRange(address, offset, length);
    const version = versionOf(response);
    first ??= version;
    // answers of some servers lack it
    if (version !== undefined && version !== first) {
      await response.body?.cancel();
      throw new ArchiveReplaced(address);
    }
    return new Uint8Array(await response.arrayBuffer());
  };
  return { archive: await readArchive(read, lastLeaves()), read };
}

/** Pages of other origins see the time, but no tag unless the server allows it. Weak tags tell no bytes apart. */
function versionOf({ headers }: Response): string | undefined {
  const tag = headers.get('etag');
  return (tag?.startsWith('"') ? tag : headers.get('last-modified')) ?? undefined;
}

/** @throws Error unless the server sends just this part */
async function fetchRange(address: string, offset: number, length: number): Promise<Response> {
  const response = await fetch(address, {
    headers: { range: `bytes=${offset}-${offset + length - 1}` },
    signal: AbortSignal.timeout(maxWaitMs),
    cache: replaced.has(address) ? 'reload' : 'default',
  });
  const { status, body } = response;
  if (status === 206) return response;
  await body?.cancel();
  throw new Error(`${address} answers ${status} to a request for a part.`);
}

/** Keeps the leaf directories that were used last. */
export function lastLeaves(): LeafCache {
  const forArchive: LeafCache['forArchive'] = (load) => {
    const known = new Map<number, ReturnType<typeof load>>();
    return (offset, length) => {
      const leaf = known.get(offset) ?? load(offset, length);
      known.delete(offset);
      known.set(offset, leaf);
      const [oldest] = known.keys();
      if (known.size > maxLeaves) known.delete(oldest!);
      leaf.catch(() => known.delete(offset));
      return leaf;
    };
  };
  return { forArchive };
}

/** @returns undefined where the archive has none */
async function readTile(address: string, place: TilePlace): Promise<Blob | undefined> {
  const opening = openingOf(address);
  const opened = await opening.opened;
  try {
    return await tileOf(opened, place);
  } catch (error) {
    if (!(error instanceof ArchiveReplaced)) throw error;
    replaced.add(address);
    if (openings.get(address) === opening) openings.delete(address);
    return tileOf(await openingOf(address).opened, place);
  }
}

async function tileOf({ archive, read }: OpenArchive, place: TilePlace): Promise<Blob | undefined> {
  const range = await archive.findTile(...place);
  if (range === undefined) return undefined;
  const bytes = await read(range.offset, range.length);
  const { tileCompression: kind } = archive.header;
  const tile = kind === compression.unknown ? bytes : await inflate(bytes, kind, maxTileBytes);
  return new Blob([tile as Uint8Array<ArrayBuffer>]);
}

const reported = new Set<string>();

/**
 * Replaces each layer of an archive by one that fits its tiles, with their zooms. Waits for all of them no longer than a
 * start may take; the layers of archives that are late, or that cannot be shown, become empty ones.
 * @param report is called with the title of each of them, once per page
 */
export function openArchives(modules: readonly Config[], report: (title: string) => void): Promise<Config[]> {
  const prepare = async (layer: Config): Promise<Config> => {
    const address = archiveOf(layer['url']);
    if (address === undefined) return layer;
    const { opened, limit } = openingOf(address);
    const inTime = await Promise.race([opened, limit]).catch(() => undefined);
    const fitting = inTime && layerOf(layer, inTime.archive.header);
    if (fitting !== undefined) return fitting;
    const { title = layer['name'] } = (layer['properties'] ?? {}) as { title?: unknown };
    if (!reported.has(String(title))) report(String(title));
    reported.add(String(title));
    const { url: _url, minLevel: _min, maxLevel: _max, ...rest } = layer;
    return { ...rest, type: 'VectorLayer' };
  };
  return Promise.all(
    modules.map(async (module) => {
      const { layers } = module;
      if (!Array.isArray(layers)) return module;
      return { ...module, layers: await Promise.all((layers as Config[]).map(prepare)) };
    }),
  );
}

const readable = new Set<number>([compression.unknown, compression.none, compression.gzip]);
const { unknown: _unknown, ...known } = tileType;
const drawable = new Set<number>(Object.values(known));

/** @returns undefined if its tiles cannot be drawn, or it has none at these levels */
function layerOf(layer: Config, header: ArchiveHeader): Config | undefined {
  const levels = layer as { readonly minLevel?: number; readonly maxLevel?: number };
  const minLevel = Math.max(header.minZoom, levels.minLevel ?? 0);
  const maxLevel = Math.min(header.maxZoom, levels.maxLevel ?? Infinity);
  const isReadable = readable.has(header.tileCompression) && drawable.has(header.tileType);
  if (!isReadable || minLevel > maxLevel) return undefined;
  if (header.tileType !== tileType.mvt) return { ...layer, minLevel, maxLevel };
  const { url, maxLevel: _max, ...rest } = layer;
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
    const address = archiveOf(this.url);
    if (address === undefined) return layer;
    layer.getSource().setTileLoadFunction((tile) => {
      const load = async () => {
        const picture = await readTile(address, tile.tileCoord);
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
    const address = archiveOf(this.url);
    if (address === undefined) return layer;
    const nothing = document.createElement('canvas');
    layer.imageryProvider.requestImage = async (x, y, zoom) => {
      const picture = await readTile(address, [zoom, x, y]);
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
    const address = archiveOf(this.url);
    if (address === undefined) return load.call(this, x, y, zoom, headers);
    const tile = await readTile(address, [zoom, x, y]);
    if (tile === undefined) return [];
    const { url } = this;
    const tileAddress = URL.createObjectURL(tile);
    this.url = tileAddress;
    const loading = load.call(this, x, y, zoom, headers);
    this.url = url;
    return loading.finally(() => URL.revokeObjectURL(tileAddress));
  };
}
