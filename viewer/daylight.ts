// Runs in the browser, as a part of start.ts: it is early afternoon wherever a visitor looks. The engines show 13:00 of
// the visitor's own time zone, at which it is night on the other side of the earth, and models there are black.

/** The part of engines 5.0 to 6.3 that is used. */
interface JulianDate {
  readonly constructor: unknown;
}
interface Widget {
  readonly clock: { currentTime: JulianDate };
  readonly camera: {
    /** In radians. */
    readonly positionCartographic: { readonly longitude: number; readonly latitude: number };
    readonly moveEnd: { addEventListener(listener: () => void): unknown };
  };
  readonly scene: { readonly shadowMap: { readonly enabled: boolean } };
}
export interface LitMap {
  getCesiumWidget?(): Widget | undefined;
}

const lit = new WeakSet<Widget>();

/** Lets the sun follow the camera, except while shadows are shown, whose time visitors choose. */
export function followDaylight(map: LitMap): void {
  const widget = map.getCesiumWidget?.();
  if (widget === undefined || lit.has(widget)) return;
  lit.add(widget);
  const { clock, camera, scene } = widget;
  const type = clock.currentTime.constructor as { fromDate(date: Date): JulianDate };
  const follow = (): void => {
    if (scene.shadowMap.enabled) return;
    const { longitude, latitude } = camera.positionCartographic;
    clock.currentTime = type.fromDate(afternoonAt(longitude, latitude));
  };
  follow();
  camera.moveEnd.addEventListener(follow);
}

const afternoon = 13;
const [january, july] = [0, 6];

/** 13:00 of solar time in the summer of a place in radians; the year does not matter. */
export function afternoonAt(longitude: number, latitude: number): Date {
  const hours = afternoon - (longitude / Math.PI) * 12;
  return new Date(Date.UTC(2026, latitude < 0 ? january : july, 20) + hours * 3_600_000);
}
