// Runs in the browser, as a part of start.ts: labels of layers do not overlap. Flat maps of the engine keep only those of vector
// tiles apart, and globes none.

import { eachGlobe } from './each-globe.ts';
import { horizonOf } from './far-side.ts';
import { rankOf, rankOfStyle, type RankedStyle } from './label-rank.ts';

interface Style extends RankedStyle {
  /** Of a style by attributes. */
  readonly cesiumStyle?: { readonly labelText?: unknown };
}
interface Feature {
  /** OpenLayers draws features without an order by it. */
  readonly ol_uid?: string;
  get(attribute: string): unknown;
}
type FeatureOrder = (one: Feature, other: Feature) => number;
/** Of flat maps: layers of one group keep their labels apart, and the first ones stay. */
interface FlatLayer {
  getDeclutter(): string | undefined;
  getRenderOrder(): FeatureOrder | null | undefined;
}
interface FlatVectors {
  readonly style: Style;
  getOLLayer: (this: FlatVectors) => FlatLayer;
}
/** The part of engines 5.0 to 6.3 that is used. */
export interface LabelCore {
  /** The key under which collections of primitives name their layer. */
  readonly vcsLayerName: symbol;
  readonly VectorOpenlayersImpl: { readonly prototype: FlatVectors };
}

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Label {
  show: boolean;
  readonly position: Vector;
  /** Unless its layer takes no clicks. */
  readonly olFeature?: Feature;
  readonly distanceDisplayCondition?: { readonly near: number; readonly far: number };
  computeScreenSpacePosition(scene: Scene): Vector | undefined;
}
interface LabelList {
  readonly length: number;
  get(index: number): Label;
}
interface Primitives {
  readonly [layerName: symbol]: string | undefined;
  readonly length: number;
  readonly show: boolean;
  get(index: number): object;
}
type Class<Instance> = new (...options: never[]) => Instance;
/** The part of Cesium that is used. */
export interface LabelCesium {
  readonly Label: { getScreenSpaceBoundingBox(label: Label, position: Vector): Box };
  readonly LabelCollection: Class<LabelList>;
  readonly PrimitiveCollection: Class<Primitives>;
}
interface Scene {
  readonly primitives: Primitives;
  readonly canvas: { readonly clientWidth: number; readonly clientHeight: number };
  readonly camera: {
    readonly positionWC: Vector;
    readonly positionCartographic: { readonly height: number };
  };
  readonly postRender: { addEventListener(listener: () => void): unknown };
  requestRender(): void;
}
interface ViewMap {
  readonly className: string;
  getScene?(): Scene | undefined;
}
export interface LabelApp {
  readonly layers: { getByKey(name: string): { readonly style?: Style } | undefined };
  readonly maps: {
    readonly mapActivated: { addEventListener(listener: (map: ViewMap) => void): unknown };
  };
}

const isLabelled = ({ cesiumStyle }: Style): boolean => cesiumStyle?.labelText !== undefined;

/**
 * Leaves out labels of styles by attributes that would overlap labels of layers above them, or those of their layer that
 * come first by their rank, or else by the order of features.
 */
export function declutterLabels(core: LabelCore, cesium: LabelCesium, app: LabelApp): void {
  declutterFlat(core.VectorOpenlayersImpl.prototype);
  declutterGlobes(core, cesium, app);
}

function declutterFlat(prototype: FlatVectors): void {
  const make = prototype.getOLLayer;
  prototype.getOLLayer = function makeDecluttered(this: FlatVectors) {
    const layer = make.call(this);
    // the group of vector tiles
    layer.getDeclutter = () => (isLabelled(this.style) ? 'true' : undefined);
    const usual = layer.getRenderOrder();
    layer.getRenderOrder = () => orderOf(this.style) ?? usual;
    return layer;
  };
}

/** OpenLayers draws all features again if their order is another function. */
const orders = new WeakMap<Style, FeatureOrder>();

function orderOf(style: Style): FeatureOrder | undefined {
  const rank = rankOfStyle(style);
  if (!rank) return undefined;
  const known = orders.get(style);
  if (known) return known;
  const order: FeatureOrder = (one, other) =>
    compare(rankOf(rank, other), rankOf(rank, one)) || Number(one.ol_uid) - Number(other.ol_uid);
  orders.set(style, order);
  return order;
}

const compare = (one: number, other: number): number => (one === other ? 0 : one - other);

/** Labels need not follow every frame of a flight. */
const intervalMs = 200;

function declutterGlobes(core: LabelCore, cesium: LabelCesium, { layers, maps }: LabelApp): void {
  const hidden = new WeakSet<Label>();
  /** Labels of tools, such as measurements, stay. */
  const dispensableStyle = (layer: string): Style | undefined => {
    const style = layers.getByKey(layer)?.style;
    return style !== undefined && isLabelled(style) ? style : undefined;
  };

  function thin(scene: Scene): void {
    const placed = createPlacedBoxes();
    let hasChanged = false;
    for (const [layer, list] of labelsBelow(scene.primitives, core, cesium).toReversed()) {
      const style = dispensableStyle(layer);
      if (!style) continue;
      const labels = Array.from({ length: Math.min(list.length, maxLabels) }, (_, i) => list.get(i));
      const drawn = labels.filter((label) => label.show || hidden.has(label));
      for (const { label, box } of ranked(
        drawn.map((one) => boxed(one, scene, cesium)),
        style,
      )) {
        const isShown = box === undefined || placed.add(box);
        if (label.show === isShown) continue;
        hasChanged = true;
        label.show = isShown;
        if (isShown) hidden.delete(label);
        else hidden.add(label);
      }
    }
    if (hasChanged) scene.requestRender();
  }

  eachGlobe(maps, (scene) => {
    let last = Number.NEGATIVE_INFINITY;
    scene.postRender.addEventListener(() => {
      const now = performance.now();
      if (now - last < intervalMs) return;
      last = now;
      thin(scene);
    });
  });
}

interface BoxedLabel {
  readonly label: Label;
  /** Undefined if it takes no room on the screen. */
  readonly box: Box | undefined;
}

function boxed(label: Label, scene: Scene, cesium: LabelCesium): BoxedLabel {
  const position = isInSight(label, scene) ? label.computeScreenSpacePosition(scene) : undefined;
  const box = position && cesium.Label.getScreenSpaceBoundingBox(label, position);
  return { label, box: box && isOnScreen(box, scene) ? withMargin(box) : undefined };
}

/** In pixels: boxes of Cesium leave out halos, and parts of letters above and below. */
const margin = 3;
const withMargin = ({ x, y, width, height }: Box): Box => ({
  x: x - margin,
  y: y - margin,
  width: width + 2 * margin,
  height: height + 2 * margin,
});

/** Those that come first before others, else in the order of features. */
function ranked(labels: readonly BoxedLabel[], style: Style): readonly BoxedLabel[] {
  const rank = rankOfStyle(style);
  if (!rank) return labels;
  return labels
    .map((one) => ({ one, rank: one.box ? rankOf(rank, one.label.olFeature) : 0 }))
    .toSorted((first, second) => compare(second.rank, first.rank))
    .map(({ one }) => one);
}

/** The labels that are drawn, from the bottom to the top, with the names of their layers. */
function labelsBelow(
  primitives: Primitives,
  core: LabelCore,
  cesium: LabelCesium,
  layerAbove = '',
): (readonly [layer: string, LabelList])[] {
  if (!primitives.show) return [];
  const layer = primitives[core.vcsLayerName] ?? layerAbove;
  return Array.from({ length: primitives.length }, (_, i) => primitives.get(i)).flatMap((one) => {
    if (one instanceof cesium.LabelCollection) return [[layer, one] as const];
    return one instanceof cesium.PrimitiveCollection ? labelsBelow(one, core, cesium, layer) : [];
  });
}

/** Of a layer: no map has room for more. */
const maxLabels = 20_000;

function isInSight({ position, distanceDisplayCondition: limits }: Label, { camera }: Scene): boolean {
  const { x, y, z } = camera.positionWC;
  const distance = Math.hypot(position.x - x, position.y - y, position.z - z);
  if (limits && (distance < limits.near || distance > limits.far)) return false;
  return distance <= horizonOf(camera.positionCartographic.height);
}

const isOnScreen = ({ x, y, width, height }: Box, { canvas }: Scene): boolean =>
  x < canvas.clientWidth && y < canvas.clientHeight && x + width > 0 && y + height > 0;

/** In pixels; larger than most labels. */
const cellSize = 96;

/** Boxes that do not overlap. */
export function createPlacedBoxes(): { add(box: Box): boolean } {
  const cells = new Map<string, Box[]>();
  return {
    /** @returns false if the box would overlap one before it */
    add(box) {
      const touched = cellsOf(box);
      if (touched.some((cell) => cells.get(cell)?.some((other) => doOverlap(box, other)))) return false;
      for (const cell of touched) {
        const known = cells.get(cell);
        if (known) known.push(box);
        else cells.set(cell, [box]);
      }
      return true;
    },
  };
}

function cellsOf({ x, y, width, height }: Box): string[] {
  const cells: string[] = [];
  for (let column = Math.floor(x / cellSize); column <= (x + width) / cellSize; column++)
    for (let row = Math.floor(y / cellSize); row <= (y + height) / cellSize; row++)
      cells.push(`${column} ${row}`);
  return cells;
}

const doOverlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
