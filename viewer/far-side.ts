// Runs in the browser, as a part of start.ts: points and labels on the ground are drawn over everything that is before
// them, so that mountains and houses do not cut them; the engine does so even where the whole globe is before them.

import { eachGlobe } from './each-globe.ts';

interface Drawn {
  /** In metres; nearer ones are drawn over everything. */
  disableDepthTestDistance?: number;
}
interface Collection {
  readonly prototype: { add: (this: object, options?: Drawn) => unknown };
}
/** The part of Cesium that is used. */
export interface FarSideCesium {
  readonly BillboardCollection: Collection;
  readonly LabelCollection: Collection;
}
interface Scene {
  /** For those that have no distance of their own. */
  minimumDisableDepthTestDistance: number;
  readonly camera: { readonly positionCartographic: { readonly height: number } };
  readonly preRender: { addEventListener(listener: () => void): unknown };
}
interface GlobeMap {
  readonly className: string;
  getScene?(): Scene | undefined;
}
export interface FarSideApp {
  readonly maps: {
    readonly mapActivated: { addEventListener(listener: (map: GlobeMap) => void): unknown };
  };
}

const earthRadius = 6_378_137;
/** Cameras may be below the ellipsoid. */
const minHeight = 1000;

/** Lets the globe hide what is beyond the horizon. */
export function hideFarSide({ maps }: FarSideApp, cesium: FarSideCesium): void {
  for (const { prototype } of [cesium.BillboardCollection, cesium.LabelCollection]) testDepth(prototype);
  eachGlobe(maps, (scene) => {
    scene.preRender.addEventListener(() => {
      scene.minimumDisableDepthTestDistance = horizonOf(scene.camera.positionCartographic.height);
    });
  });
}

/** What is drawn over everything however far it is follows the scene instead. */
function testDepth(prototype: Collection['prototype']): void {
  const { add } = prototype;
  prototype.add = function addTested(options) {
    const isAlways = options?.disableDepthTestDistance === Number.POSITIVE_INFINITY;
    return add.call(this, isAlways ? { ...options, disableDepthTestDistance: 0 } : options);
  };
}

/** @returns how far from a camera the ground can be that it sees, in metres */
export function horizonOf(cameraHeight: number): number {
  const height = Math.max(minHeight, cameraHeight);
  return Math.sqrt(height * (2 * earthRadius + height));
}
