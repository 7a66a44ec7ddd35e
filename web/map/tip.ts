export interface PickedFeature {
  readonly id: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The feature under the pointer and its position in the map. */
export interface Tip extends PickedFeature {
  readonly x: number;
  readonly y: number;
}
