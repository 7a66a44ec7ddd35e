// Runs in the browser, as a part of start.ts: the picture of the app, or a plain colour, lies over the map until that has
// something to show.

interface PosterMap {
  readonly className: string;
  getScene?(): Scene | undefined;
  readonly olMap?: { once(event: 'rendercomplete', listener: () => void): void; render(): void };
}
interface Scene {
  readonly globe: { readonly tilesLoaded: boolean };
  readonly primitives: Primitives;
}
interface Primitives {
  readonly length: number;
  get(index: number): Primitive;
}
/** What may lie in a scene, as far as it tells whether it is drawn. */
interface Primitive extends Partial<Primitives> {
  readonly show?: boolean;
  /** Of shapes that workers prepare. */
  readonly ready?: boolean;
  /** Of tilesets. */
  readonly tilesLoaded?: boolean;
  /** Of vector tiles, whose quadtree has no public state. */
  readonly _levelZeroTiles?: unknown;
  readonly _tileLoadQueueHigh?: readonly unknown[];
  readonly _tileLoadQueueMedium?: readonly unknown[];
  readonly _tileLoadQueueLow?: readonly unknown[];
}
export interface PosterApp {
  readonly layers: Iterable<{ readonly loading: boolean }>;
  readonly maps: {
    readonly target: HTMLElement | null;
    readonly activeMap: PosterMap | null;
    readonly mapActivated: { addEventListener(listener: (map: PosterMap) => void): () => void };
  };
}
export interface Poster {
  remove(): void;
  /** To be called when all layers have been added. */
  removeWhenDrawn(): void;
}

/** Without a graphics card a globe takes longer; what it has by then is better than a picture, and much better than none. */
const maxMs = { picture: 20_000, colour: 8000 };
const pollMs = 200;
const fadeMs = 400;

/** Puts the page's poster over the map. */
export function coverMap({ layers, maps }: PosterApp): Poster {
  const poster = document.querySelector<HTMLElement>('#poster') ?? document.createElement('div');
  poster.id = 'poster';
  maps.target?.append(poster);
  const remove = () => {
    poster.style.opacity = '0';
    setTimeout(() => poster.remove(), fadeMs);
  };
  for (const type of ['pointerdown', 'wheel', 'keydown'])
    window.addEventListener(type, remove, { capture: true, passive: true, once: true });
  maps.mapActivated.addEventListener((map) => {
    poster.classList.toggle('flat', map.olMap !== undefined);
  });
  const removeWhenDrawn = () => {
    const isDone = () => [...layers].every(({ loading }) => !loading) && isDrawn(maps.activeMap);
    const until = performance.now() + (poster.hasChildNodes() ? maxMs.picture : maxMs.colour);
    const timer = setInterval(() => {
      if (performance.now() < until && !isDone()) return;
      clearInterval(timer);
      const flat = maps.activeMap?.olMap;
      if (flat === undefined || performance.now() >= until) {
        remove();
        return;
      }
      setTimeout(remove, until - performance.now());
      flat.once('rendercomplete', remove);
      flat.render();
    }, pollMs);
  };
  return { remove, removeWhenDrawn };
}

/** Whether a globe shows all that its view needs. */
export function isDrawn(map: PosterMap | null): boolean {
  const scene = map?.className === 'CesiumMap' ? map.getScene?.() : undefined;
  return scene === undefined || (scene.globe.tilesLoaded && isEachDrawn(scene.primitives));
}

function isEachDrawn(primitives: Primitives): boolean {
  for (let index = 0; index < primitives.length; index++)
    if (!isPrimitiveDrawn(primitives.get(index))) return false;
  return true;
}

function isPrimitiveDrawn(primitive: Primitive): boolean {
  if (primitive.show === false) return true;
  const { _tileLoadQueueHigh: high, _tileLoadQueueMedium: medium, _tileLoadQueueLow: low } = primitive;
  if (high !== undefined)
    return primitive._levelZeroTiles !== undefined && [high, medium, low].every((queue) => !queue?.length);
  if (primitive.ready === false || primitive.tilesLoaded === false) return false;
  return primitive.get === undefined || isEachDrawn(primitive as Primitives);
}
