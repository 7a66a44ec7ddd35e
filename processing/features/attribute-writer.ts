import type { Feature } from '@platen/formats/feature/feature';
import type { AttributeValue } from '@platen/geo/mvt/attributes';
import { attributeValueOf } from './attribute-value.ts';
import { coerce, type AttributeType } from './coerce.ts';
import type { FeatureWarnings } from './feature-warnings.ts';
import {
  maxAttributes,
  type AttributeSlot,
  type ModelLayer,
  type ModelledFeature,
} from './modelled-feature.ts';

/**
 * How attributes are selected and renamed. Names are those in the file, except in `types`, which uses those in the
 * layer.
 */
export interface AttributeRules {
  /** Undefined: all attributes. */
  readonly include: ReadonlySet<string> | undefined;
  readonly exclude: ReadonlySet<string>;
  readonly rename: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, AttributeType>;
  /** Names of computed attributes in the layer; attributes of the file with these names are dropped. */
  readonly computed: ReadonlySet<string>;
}

/** Writes the attributes of features into one layer. */
export interface AttributeWriter {
  /** Writes all attributes that the file has for the feature. */
  copy(feature: Feature, into: ModelledFeature): void;
  /** Writes an attribute as though the file contained it, unless one of that name exists. */
  add(name: string, value: AttributeValue, into: ModelledFeature): void;
  /** Writes a computed attribute, by its name in the layer. */
  put(name: string, value: unknown, into: ModelledFeature): void;
}

interface Plan {
  readonly slot: AttributeSlot;
  readonly type: AttributeType | undefined;
}

/** Names beyond this number are not cached, so a file with ever new names cannot fill the memory. */
const maxCachedNames = maxAttributes * 2;

export function createAttributeWriter(
  layer: ModelLayer,
  rules: AttributeRules,
  warnings: FeatureWarnings,
): AttributeWriter {
  /** By the name in the file: `excluded` attributes are not written, `overLimit` ones exceed the layer's maximum. */
  const known = new Map<string, Plan | typeof excluded | typeof overLimit>();
  const planFor = (name: string): Plan | typeof excluded | typeof overLimit => {
    const plan = makePlan(layer, rules, name);
    if (known.size < maxCachedNames) known.set(name, plan);
    return plan;
  };
  const push = (into: ModelledFeature, { slot, type }: Plan, given: unknown): void => {
    let value = attributeValueOf(given);
    if (value === undefined) return;
    if (type !== undefined) {
      const coerced = coerce(value, type);
      if (coerced === undefined) return warnings.typeMismatch(slot.name, type, given);
      value = coerced;
    }
    const at = into.attributeCount++;
    into.slots[at] = slot;
    into.values[at] = value;
  };
  return {
    copy({ properties }, into) {
      let tooMany = 0;
      let example = '';
      for (const name in properties) {
        const given = properties[name];
        if (given === null || given === undefined) continue;
        const plan = known.get(name) ?? planFor(name);
        if (typeof plan === 'object') push(into, plan, given);
        else if (plan === overLimit && tooMany++ === 0) example = name;
      }
      if (tooMany > 0) warnings.tooManyAttributes(tooMany, example);
    },
    add(name, value, into) {
      const plan = known.get(name) ?? planFor(name);
      if (plan === overLimit) warnings.tooManyAttributes(1, name);
      if (typeof plan === 'object' && !has(into, plan.slot)) push(into, plan, value);
    },
    put(name, value, into) {
      const slot = layer.slotOf(name);
      if (slot === undefined) warnings.tooManyAttributes(1, name);
      else push(into, { slot, type: rules.types.get(name) }, value);
    },
  };
}

const excluded = 1;
const overLimit = 2;

function has({ slots, attributeCount }: ModelledFeature, slot: AttributeSlot): boolean {
  const at = slots.indexOf(slot);
  return at >= 0 && at < attributeCount;
}

function makePlan(
  layer: ModelLayer,
  { include, exclude, rename, types, computed }: AttributeRules,
  name: string,
): Plan | typeof excluded | typeof overLimit {
  if (exclude.has(name) || (include !== undefined && !include.has(name))) return excluded;
  const renamed = rename.get(name);
  const inLayer = renamed ?? name;
  if (computed.has(inLayer)) return excluded;
  // An attribute that was renamed explicitly takes precedence over one that already has the new name.
  if (renamed === undefined && isTaken(rename, name)) return excluded;
  const slot = layer.slotOf(inLayer);
  return slot === undefined ? overLimit : { slot, type: types.get(inLayer) };
}

function isTaken(rename: ReadonlyMap<string, string>, name: string): boolean {
  for (const taken of rename.values()) if (taken === name) return true;
  return false;
}
