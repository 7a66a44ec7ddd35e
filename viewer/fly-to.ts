// Runs in the browser, as a part of start.ts: flights of the map.

interface FlyingMap {
  gotoViewpoint(viewpoint: object): Promise<void>;
  /** Of maps that are flat. */
  readonly olMap?: { getView(): { cancelAnimations(): void } } | null;
}
/** The part of engines 5.0 to 6.3 that is used. */
export interface FlightApp {
  readonly maps: { readonly activeMap?: FlyingMap | null };
}
export interface FlightCore {
  readonly Viewpoint: new (options: object) => { isValid(): boolean };
}

/**
 * Flies to a viewpoint, and ends the flight that is under way: flat maps would go on with both, and where one frame
 * completes both, stay where the earlier one led.
 */
export async function flyTo({ maps }: FlightApp, { Viewpoint }: FlightCore, options: object): Promise<void> {
  const { activeMap } = maps;
  const target = new Viewpoint({ animate: true, ...options });
  if (activeMap === null || activeMap === undefined || !target.isValid()) return;
  activeMap.olMap?.getView().cancelAnimations();
  await activeMap.gotoViewpoint(target);
}

/** A viewpoint above a place, from north up. @param distance in metres */
export function viewAbove([longitude, latitude]: readonly [number, number], distance: number): object {
  return { groundPosition: [longitude, latitude, 0], distance, heading: 0, pitch: -90, roll: 0 };
}
