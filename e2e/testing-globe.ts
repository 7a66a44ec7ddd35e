/**
 * Runs in the page: the globe, and the data of the layers whose names hold these lower-case words, have all that they asked
 * for.
 */
export function isComplete(names: readonly string[]): boolean {
  const { vcs } = globalThis as unknown as { vcs?: { getFirstApp?: () => EngineApp | undefined } };
  const app = vcs?.getFirstApp?.();
  const map = app?.maps.activeMap;
  if (!app || !map?.getScene?.()?.globe.tilesLoaded) return false;
  const layers = [...app.layers];
  return names.every((expected) => {
    const layer = layers.find(({ name, active }) => active && name.toLowerCase().includes(expected));
    if (!layer) return false;
    // an I3S service has a tileset for each of its layers
    const parts = [...(map.getVisualizationsForLayer(layer) ?? [])].flatMap(
      (part) => part.layers?.map(({ tileset }) => tileset) ?? part,
    );
    return parts.length > 0 && parts.every((part) => part && part.tilesLoaded !== false);
  });
}

interface EngineLayer {
  readonly name: string;
  readonly active: boolean;
  deactivate(): void;
}

/** The globe knows whether it has loaded all tiles of imagery. */
interface Tiles {
  readonly tilesLoaded?: boolean;
  readonly layers?: readonly { readonly tileset: Tiles | undefined }[];
}

interface EngineMap {
  getScene?: () => { globe: { tilesLoaded: boolean } } | undefined;
  getVisualizationsForLayer(layer: EngineLayer): Iterable<Tiles> | null;
}

export interface EngineApp {
  readonly maps: { readonly activeMap?: EngineMap };
  readonly layers: Iterable<EngineLayer>;
}
