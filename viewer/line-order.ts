// Runs in the browser, as a part of start.ts: outlines of areas on the ground are drawn over the areas beside them. The
// engine draws one feature after the other, so that each area covers half of the outlines that its neighbours have.

interface Collection {
  readonly length: number;
  get(index: number): unknown;
}
type AddPrimitive = (this: Collection, primitive: object, index?: number) => unknown;

/** The part of Cesium that is used. */
export interface LineOrderCesium {
  readonly GroundPolylinePrimitive: abstract new (...args: never[]) => object;
  readonly PrimitiveCollection: { readonly prototype: { add: AddPrimitive } };
}

/** Keeps lines on the ground behind all else in each collection: what comes later is drawn over it. */
export function drawLinesLast({ GroundPolylinePrimitive, PrimitiveCollection }: LineOrderCesium): void {
  const { prototype } = PrimitiveCollection;
  const { add } = prototype;
  const isLine = (one: unknown) => one instanceof GroundPolylinePrimitive;
  prototype.add = function addInOrder(this: Collection, primitive: object, index = this.length) {
    const first = firstWhere(this, isLine);
    return add.call(this, primitive, isLine(primitive) ? Math.max(index, first) : Math.min(index, first));
  };
}

/** By bisection: those that are wanted come last. */
function firstWhere(collection: Collection, isWanted: (one: unknown) => boolean): number {
  let [from, to] = [0, collection.length];
  if (to === 0 || !isWanted(collection.get(to - 1))) return to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isWanted(collection.get(middle))) to = middle;
    else from = middle + 1;
  }
  return from;
}
