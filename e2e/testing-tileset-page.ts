import type { Page } from 'playwright-core';
import { startTimeoutMs } from './testing-engines.ts';

/** A feature of a tile as the engine has it. */
export interface ShownFeature {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isShown: boolean;
  readonly colour: string;
}

export interface ShownTile {
  readonly path: string;
  readonly isLeaf: boolean;
  readonly features: readonly ShownFeature[];
}

interface Content {
  readonly featuresLength: number;
  readonly url?: string;
  getFeature(index: number): {
    readonly show: boolean;
    readonly color: { toCssHexString(): string };
    getPropertyIds(): string[];
    getProperty(name: string): unknown;
  };
}
interface Tile {
  readonly children: readonly Tile[];
  readonly contentReady: boolean;
  readonly hasEmptyContent: boolean;
  readonly hasTilesetContent: boolean;
  readonly content: Content | undefined;
}
interface Tileset {
  readonly root?: Tile;
  readonly tilesLoaded: boolean;
  maximumScreenSpaceError: number;
}
interface Primitives {
  readonly length: number;
  get(index: number): Partial<Primitives & Tileset>;
}
interface EngineGlobals {
  readonly vcs: {
    getFirstApp(): {
      readonly maps: { readonly activeMap: { getScene(): { readonly primitives: Primitives } } };
      readonly layers: {
        readonly globalHider: { hideObjects(ids: string[]): void; showObjects(ids: string[]): void };
        getByKey(name: string): {
          setStyle(style: object): void;
          readonly featureVisibility: { highlight(styles: Readonly<Record<string, object>>): void };
        };
      };
    };
  };
}

/** The tiles of the only tileset on the globe, once all of them are loaded. */
export async function loadedTiles(page: Page): Promise<ShownTile[]> {
  await page.waitForFunction(loadsAll, undefined, { timeout: startTimeoutMs, polling: 250 });
  return page.evaluate(tilesOf);
}

/** Runs in the page: asks for the finest tiles. @returns whether all tiles are loaded */
function loadsAll(): boolean {
  const tilesetIn = (primitives: Primitives): Tileset | undefined => {
    for (let i = 0; i < primitives.length; i++) {
      const one = primitives.get(i);
      const found = one.root ? (one as Tileset) : one.get && tilesetIn(one as Primitives);
      if (found) return found;
    }
    return undefined;
  };
  const { vcs } = globalThis as unknown as EngineGlobals;
  const tileset = tilesetIn(vcs.getFirstApp().maps.activeMap.getScene().primitives);
  if (!tileset?.root) return false;
  Object.assign(globalThis, { shownTileset: tileset });
  tileset.maximumScreenSpaceError = 0.001;
  const isLoaded = (tile: Tile): boolean =>
    (tile.hasEmptyContent || tile.contentReady) && tile.children.every(isLoaded);
  return isLoaded(tileset.root);
}

/** Runs in the page, after the other. */
function tilesOf(): ShownTile[] {
  const tiles: ShownTile[] = [];
  const visit = (tile: Tile): void => {
    const { content } = tile;
    if (content !== undefined && !tile.hasEmptyContent && !tile.hasTilesetContent)
      tiles.push({
        path: content.url ?? '',
        isLeaf: tile.children.length === 0,
        features: Array.from({ length: content.featuresLength }, (_, i) => {
          const feature = content.getFeature(i);
          return {
            attributes: Object.fromEntries(
              feature.getPropertyIds().map((id) => [id, feature.getProperty(id)]),
            ),
            isShown: feature.show,
            colour: feature.color.toCssHexString(),
          };
        }),
      });
    tile.children.forEach(visit);
  };
  visit((globalThis as unknown as { readonly shownTileset: Tileset }).shownTileset.root!);
  return tiles;
}

/** Runs in the page: hides an object by its id. */
export function hide(id: string): void {
  (globalThis as unknown as EngineGlobals).vcs.getFirstApp().layers.globalHider.hideObjects([id]);
}

/** Runs in the page: shows an object that was hidden. */
export function showAgain(id: string): void {
  (globalThis as unknown as EngineGlobals).vcs.getFirstApp().layers.globalHider.showObjects([id]);
}

/** Runs in the page: highlights an object in green. */
export async function highlight(id: string): Promise<void> {
  const core = (await import(new URL('assets/core.js', document.baseURI).href)) as {
    VectorStyleItem: new (options: object) => object;
  };
  const style = new core.VectorStyleItem({ fill: { color: '#00ff00' } });
  const { vcs } = globalThis as unknown as EngineGlobals;
  vcs
    .getFirstApp()
    .layers.getByKey('city')
    .featureVisibility.highlight({ [id]: style });
}

/** Runs in the page: styles the layer `city`. */
export async function setStyle(declarativeStyle: object): Promise<void> {
  const core = (await import(new URL('assets/core.js', document.baseURI).href)) as {
    DeclarativeStyleItem: new (options: object) => object;
  };
  const { vcs } = globalThis as unknown as EngineGlobals;
  vcs.getFirstApp().layers.getByKey('city').setStyle(new core.DeclarativeStyleItem({ declarativeStyle }));
}
