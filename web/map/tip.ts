export interface PickedFeature {
  readonly id: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What is below the pointer, and where in the map that is. */
export interface Tip extends PickedFeature {
  readonly x: number;
  readonly y: number;
}
