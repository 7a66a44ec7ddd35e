// Runs in the browser, as a part of start.ts: styles by attributes whose sizes change with the zoom, and whose labels are
// drawn up to a distance or from a zoom on. The engine's styles know neither.

import { eachGlobe } from './each-globe.ts';

interface Image {
  getScaleArray(): readonly number[];
  setScale(factor: number): void;
}
interface Stroke {
  getWidth(): number | undefined;
  setWidth(pixels: number): void;
}
interface Style {
  getImage(): Image | null;
  getStroke(): Stroke | null;
  setText(text: undefined): void;
}

/** As in `MapStyle` of contract/map-styles.ts. */
export interface ZoomSize {
  readonly far: number;
  readonly near: number;
  readonly share: number;
}
interface StyleItem {
  readonly properties?: {
    readonly mapStyle?: {
      readonly style?: {
        readonly zoomSize?: ZoomSize;
        readonly label?: { readonly maxDistance?: number; readonly minZoom?: number };
      };
    };
  };
  readonly cesiumStyle: { readonly scale?: unknown };
  _styleChanged(): void;
}
type Draw = (this: StyleItem, feature: object) => Style;
type DrawAny = (this: StyleItem, feature: object, resolution?: number) => unknown;

/** The part of engines 5.0 to 6.3 that is used. */
export interface ZoomCore {
  readonly DeclarativeStyleItem: {
    readonly prototype: { _stylePoint: Draw; _styleLineString: Draw; _styleFunction: DrawAny };
  };
}

interface Scene {
  readonly canvas: { readonly clientHeight: number };
  readonly camera: {
    readonly positionCartographic: { readonly height: number; readonly latitude: number };
    readonly frustum: { readonly fovy?: number };
    readonly moveEnd: { addEventListener(listener: () => void): unknown };
  };
}
interface ZoomMap {
  readonly className: string;
  getScene?(): Scene | undefined;
}
export interface ZoomApp {
  readonly maps: {
    readonly activeMap?: ZoomMap | null;
    readonly mapActivated: { addEventListener(listener: (map: ZoomMap) => void): unknown };
  };
}

/** Metres per pixel of Web Mercator at zoom 0, in tiles of 256 pixels. */
const worldResolution = 156_543.033_928;
/** A globe draws all features of a style again, so it follows in steps. */
const step = 0.5;

/** How large something is at a zoom, as a share of its size nearby. */
export function shareAt({ far, near, share }: ZoomSize, zoom: number): number {
  if (zoom >= near) return 1;
  return zoom <= far ? share : share + ((1 - share) * (zoom - far)) / (near - far);
}

/** The zoom at which a flat map shows the ground below a camera as large. */
export function zoomOfCamera({ canvas, camera }: Scene): number {
  const { height, latitude } = camera.positionCartographic;
  const fieldOfView = camera.frustum.fovy ?? Math.PI / 3;
  const metres = (2 * Math.max(1, height) * Math.tan(fieldOfView / 2)) / Math.max(1, canvas.clientHeight);
  return Math.log2((worldResolution * Math.cos(latitude)) / metres);
}

/** Before the first style is made. */
export function styleByZoom({ DeclarativeStyleItem: { prototype } }: ZoomCore, { maps }: ZoomApp): void {
  const followers = new Set<StyleItem>();
  let resolutionOfFeature: number | undefined;
  let drawnAt: number | undefined;
  const sceneNow = () =>
    maps.activeMap?.className === 'CesiumMap' ? maps.activeMap.getScene?.() : undefined;

  const { _styleFunction: drawAny, _stylePoint: drawPoint, _styleLineString: drawLine } = prototype;
  prototype._styleFunction = function drawAt(this: StyleItem, feature: object, resolution?: number) {
    resolutionOfFeature = resolution;
    return drawAny.call(this, feature, resolution);
  };
  prototype._stylePoint = function drawPointAt(this: StyleItem, feature: object) {
    const style = drawPoint.call(this, feature);
    const { zoomSize, label } = this.properties?.mapStyle?.style ?? {};
    const image = zoomSize && style.getImage();
    if (image) {
      // pictures are shared: without a size of their own, they keep the one that they were last given
      const own = this.cesiumStyle.scale === undefined ? 1 : image.getScaleArray()[0]!;
      image.setScale(own * shareNow(this, zoomSize));
    }
    if (label?.maxDistance !== undefined && isFarther(this, label.maxDistance)) style.setText(undefined);
    if (label?.minZoom !== undefined && (zoomNow(this) ?? label.minZoom) < label.minZoom)
      style.setText(undefined);
    return style;
  };
  prototype._styleLineString = function drawLineAt(this: StyleItem, feature: object) {
    const style = drawLine.call(this, feature);
    const zoomSize = this.properties?.mapStyle?.style?.zoomSize;
    const stroke = zoomSize && style.getStroke();
    if (stroke) stroke.setWidth((stroke.getWidth() ?? 1) * shareNow(this, zoomSize));
    return style;
  };

  function shareNow(item: StyleItem, zoomSize: ZoomSize): number {
    const zoom = zoomNow(item);
    return zoom === undefined ? 1 : shareAt(zoomSize, zoom);
  }

  /** Other maps than flat ones and globes have no zoom. */
  function zoomNow(item: StyleItem): number | undefined {
    const scene = sceneNow();
    if (scene) {
      followers.add(item);
      drawnAt ??= zoomOfCamera(scene);
      return drawnAt;
    }
    if (maps.activeMap?.className !== 'OpenlayersMap' || !resolutionOfFeature) return undefined;
    return Math.log2(worldResolution / resolutionOfFeature);
  }

  function isFarther(item: StyleItem, metres: number): boolean {
    const scene = sceneNow();
    if (!scene) return false;
    followers.add(item);
    return scene.camera.positionCartographic.height > metres;
  }

  maps.mapActivated.addEventListener(() => {
    drawnAt = undefined;
    redraw();
  });
  eachGlobe(maps, (scene) => {
    scene.camera.moveEnd.addEventListener(() => {
      const zoom = zoomOfCamera(scene);
      if (drawnAt !== undefined && Math.abs(zoom - drawnAt) < step) return;
      drawnAt = zoom;
      redraw();
    });
  });

  /** Those that are drawn follow again. */
  function redraw(): void {
    const items = [...followers];
    followers.clear();
    for (const item of items) item._styleChanged();
  }
}
