import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import type { AttributeValue } from '@platen/geo/mvt/attributes';

/** An attribute of a layer. There is one object for each, so that what is known of it can be kept by its index. */
export interface AttributeSlot {
  /** From 0 within the layer, in the order in which they were first seen. */
  readonly index: number;
  readonly name: string;
}

/** A layer that is made. */
export interface ModelLayer {
  readonly name: string;
  /** By index. */
  readonly slots: readonly AttributeSlot[];
  /** Undefined where the layer has as many attributes as it may have. */
  slotOf(name: string): AttributeSlot | undefined;
}

/** What has become of a feature in one layer. The same object is used for all of them, overwritten by the next. */
export interface ModelledFeature {
  readonly layer: ModelLayer;
  /** The lowest and highest zoom that has the feature. */
  minZoom: number;
  readonly maxZoom: number;
  /** As the file or the id attribute has it. */
  id: unknown;
  /** Whether it comes from the id attribute, so that it is there twice. */
  isIdAttribute: boolean;
  /** Longitude and latitude, where the feature's was. */
  geometry: GeometryBuffer;
  /** How many of `slots` and `values` are this feature's. */
  attributeCount: number;
  readonly slots: AttributeSlot[];
  readonly values: AttributeValue[];
  /** Adds an attribute as though the file had it, unless there is one of that name or the options leave it out. */
  add(name: string, value: AttributeValue): void;
}

/** The feature is only valid during the call. */
export type VisitModelled = (feature: ModelledFeature) => void;

/** More are a table turned on its side, or an attack; each costs memory in every thread and a line in the metadata. */
export const mostAttributes = 10_000;

export function createModelLayer(name: string): ModelLayer {
  const slots: AttributeSlot[] = [];
  const byName = new Map<string, AttributeSlot>();
  return {
    name,
    slots,
    slotOf(attribute) {
      let slot = byName.get(attribute);
      if (slot === undefined && slots.length < mostAttributes) {
        slot = { index: slots.length, name: attribute };
        byName.set(attribute, slot);
        slots.push(slot);
      }
      return slot;
    },
  };
}
