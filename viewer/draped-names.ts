// Runs in the browser, as a part of start.ts: globes of engine 5 show no names of the world. It drapes vector tiles over the
// globe as pictures, which cut names off at their edges and show them in any size and direction.

interface Layer {
  readonly name: string;
  readonly active: boolean;
  activate(): Promise<void>;
  deactivate(): void;
}
interface ViewMap {
  readonly className: string;
}
export interface DrapedApp {
  readonly layers: Iterable<Layer>;
  readonly maps: {
    readonly mapActivated: { addEventListener(listener: (map: ViewMap) => void): unknown };
  };
}

/** See base-map-module.ts. */
const ofNames = 'platen-base-maps-world-names';

/** Only for engine 5. */
export function hideDrapedNames({ layers, maps }: DrapedApp): void {
  const hidden = new Set<Layer>();
  maps.mapActivated.addEventListener(({ className }) => {
    for (const layer of layers) {
      if (!layer.name.startsWith(ofNames)) continue;
      if (className === 'CesiumMap' && layer.active) {
        hidden.add(layer);
        layer.deactivate();
      } else if (className !== 'CesiumMap' && hidden.delete(layer)) void layer.activate();
    }
  });
}
