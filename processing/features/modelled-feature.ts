import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import type { AttributeValue } from '@platen/geo/mvt/attributes';

/** An attribute of a layer. Each attribute has exactly one object, so data about it can be kept by its index. */
export interface AttributeSlot {
  /** Counts from 0 within the layer, in the order of first appearance. */
  readonly index: number;
  readonly name: string;
}

/** A layer of the output. */
export interface ModelLayer {
  readonly name: string;
  /** Whether its features only say where the labels of others are. */
  readonly holdsLabels: boolean;
  /** By index. */
  readonly slots: readonly AttributeSlot[];
  /** Returns undefined if the layer has reached the maximum number of attributes. */
  slotOf(name: string): AttributeSlot | undefined;
}

/** A feature in one layer of the output. The same object is reused and overwritten for each feature. */
export interface ModelledFeature {
  readonly layer: ModelLayer;
  /** The lowest and highest zoom that contain the feature. */
  minZoom: number;
  readonly maxZoom: number;
  /** As it is in the file or in the id attribute. */
  id: unknown;
  /** Whether the id comes from the id attribute and is therefore present as an attribute already. */
  isIdAttribute: boolean;
  /** In longitude and latitude if the input geometry was. */
  geometry: GeometryBuffer;
  /** How many entries of `slots` and `values` belong to this feature. */
  attributeCount: number;
  readonly slots: AttributeSlot[];
  readonly values: AttributeValue[];
  /** Adds an attribute as though the file contained it, unless one of that name exists or the options exclude it. */
  add(name: string, value: AttributeValue): void;
}

/** The feature is only valid during the call. */
export type VisitModelled = (feature: ModelledFeature) => void;

/**
 * More attributes mean a transposed table or an attack; each costs memory in every thread and a line in the metadata.
 */
export const maxAttributes = 10_000;

export function createModelLayer(name: string, holdsLabels = false): ModelLayer {
  const slots: AttributeSlot[] = [];
  const byName = new Map<string, AttributeSlot>();
  return {
    name,
    holdsLabels,
    slots,
    slotOf(attribute) {
      let slot = byName.get(attribute);
      if (slot === undefined && slots.length < maxAttributes) {
        slot = { index: slots.length, name: attribute };
        byName.set(attribute, slot);
        slots.push(slot);
      }
      return slot;
    },
  };
}
