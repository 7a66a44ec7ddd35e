// Runs in the browser, as a part of start.ts: the picture of the app, or a plain colour, lies over the map until that has
// something to show.

interface PosterMap {
  readonly className: string;
  getScene?(): { readonly globe: Globe } | undefined;
  readonly olMap?: { once(event: 'rendercomplete', listener: () => void): void };
}
interface Globe {
  readonly tileLoadProgressEvent: { addEventListener(listener: (queued: number) => void): () => void };
}
export interface PosterApp {
  readonly maps: {
    readonly target: HTMLElement | null;
    readonly mapActivated: { addEventListener(listener: (map: PosterMap) => void): () => void };
  };
}

/** Without a graphics card a globe takes longer; what it has by then is better than a picture. */
const maxMs = 8000;
const fadeMs = 400;

/** Puts the page's poster over the map. @returns removes it */
export function coverMap({ maps }: PosterApp): () => void {
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
    setTimeout(remove, maxMs);
    whenDrawn(map, remove);
  });
  return remove;
}

/** Calls when all tiles that the first view needs have been drawn. */
function whenDrawn(map: PosterMap, call: () => void): void {
  const globe = map.className === 'CesiumMap' ? map.getScene?.()?.globe : undefined;
  if (globe === undefined) {
    if (map.olMap === undefined) call();
    else map.olMap.once('rendercomplete', call);
    return;
  }
  let hasBegun = false;
  const stop = globe.tileLoadProgressEvent.addEventListener((queued) => {
    if (queued > 0) hasBegun = true;
    if (!hasBegun || queued > 0) return;
    stop();
    call();
  });
}
