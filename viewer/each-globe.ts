// Runs in the browser, as a part of start.ts: what follows the scene of a globe begins when its map is first shown.

interface ViewMap<Scene> {
  readonly className: string;
  getScene?(): Scene | undefined;
}
interface Maps<Scene> {
  readonly mapActivated: { addEventListener(listener: (map: ViewMap<Scene>) => void): unknown };
}

/** Calls once for each globe, with its scene. */
export function eachGlobe<Scene extends object>(
  { mapActivated }: Maps<Scene>,
  use: (scene: Scene) => void,
): void {
  const known = new WeakSet<Scene>();
  mapActivated.addEventListener((map) => {
    const scene = map.className === 'CesiumMap' ? map.getScene?.() : undefined;
    if (scene === undefined || known.has(scene)) return;
    known.add(scene);
    use(scene);
  });
}
