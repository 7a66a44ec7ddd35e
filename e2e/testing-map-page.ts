import type { Page } from 'playwright-core';

/** The part of window.vcs that tests use. */
export interface EngineApp {
  readonly maps: { readonly activeMap: EngineMap | null; setActiveMap(name: string): Promise<void> };
  readonly layers: Iterable<EngineLayer> & { getByKey(name: string): EngineLayer | undefined };
  readonly modules: readonly { readonly _id: string }[];
  readonly viewpoints: Iterable<{ readonly name: string }>;
  readonly styles: { getByKey(name: string): { toJSON(): object } | undefined };
  readonly uiConfig: { readonly config: Readonly<Record<string, unknown>> };
  readonly contentTree: { getByKey(name: string): TreeItem | undefined } & Iterable<TreeItem>;
  readonly vueI18n: { t(key: string): string };
  readonly featureInfo: {
    selectFeature(feature: object, position?: number[], windowPosition?: number[]): Promise<void>;
    clear(): void;
  };
  readonly search: {
    add(implementation: SearchImplementation, owner: string): void;
    readonly size: number;
    search(query: string): Promise<object[]>;
    readonly currentResults: { readonly value: readonly object[] };
  };
  readonly windowManager: { has(id: string): boolean };
  getState(forUrl: boolean): Promise<object>;
}

interface SearchImplementation {
  readonly name: string;
  search(query: string): Promise<{ readonly title: string; clicked(): Promise<void> }[]>;
  abort(): void;
  destroy(): void;
}

interface EngineMap {
  readonly name: string;
  readonly className: string;
  gotoViewpoint(viewpoint: object): Promise<void>;
  getViewpoint(): Promise<{ readonly groundPosition: number[] | null; readonly distance: number }>;
}

interface EngineLayer {
  readonly name: string;
  readonly zIndex: number;
  readonly active: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly style?: { readonly name: string };
  readonly extent: { readonly projection: { readonly epsg: string }; readonly extent: number[] } | null;
  readonly projection?: { readonly epsg: string };
  activate(): Promise<void>;
  deactivate(): void;
  getFeatures(): object[];
}

interface TreeItem {
  readonly name: string;
  readonly title: string;
  readonly _children: { readonly value: readonly TreeItem[] };
}

export interface EngineGlobals {
  readonly vcs: { getFirstApp(): EngineApp };
}

/** Opens the page of an app and waits for its map, and for the last of its modules. */
export async function openMap(page: Page, address: string): Promise<void> {
  const answer = await page.goto(address);
  if (answer?.status() !== 200) throw new Error(`${address} answered ${answer?.status()}.`);
  await untilStarted(page, await modulesOf(page));
}

async function modulesOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const path = document.querySelector<HTMLMetaElement>('meta[name="platen:config"]')!.content;
    const config = (await (await fetch(path)).json()) as { modules: unknown[] };
    return config.modules.length;
  });
}

/** The engine brings one module of its own, and the page one with its title. */
async function untilStarted(page: Page, modules: number): Promise<void> {
  await page.waitForFunction(
    (count) => {
      const { vcs } = globalThis as { vcs?: { getFirstApp?(): EngineApp | undefined } };
      const app = vcs?.getFirstApp?.();
      return (
        app !== undefined &&
        app.modules.length >= count + 2 &&
        (app.maps.activeMap ?? undefined) !== undefined
      );
    },
    modules,
    { timeout: 60_000, polling: 50 },
  );
}
