import type { Feature } from '@platen/formats/feature/feature';
import type { AttributeValue } from '@platen/geo/mvt/attributes';
import { attributeValueOf } from './attribute-value.ts';
import { coerce, type AttributeType } from './coerce.ts';
import type { Troubles } from './troubles.ts';
import {
  mostAttributes,
  type AttributeSlot,
  type ModelLayer,
  type ModelledFeature,
} from './modelled-feature.ts';

/** What becomes of attributes; names are those of the file but in `types`, which has those of the layer. */
export interface AttributeRules {
  /** All of them, when undefined. */
  readonly include: ReadonlySet<string> | undefined;
  readonly exclude: ReadonlySet<string>;
  readonly rename: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, AttributeType>;
  /** Names in the layer that attributes of the file may not take, as they are computed. */
  readonly computed: ReadonlySet<string>;
}

/** Writes attributes of features into one layer. */
export interface AttributeWriter {
  /** All that the file has of the feature. */
  copy(feature: Feature, into: ModelledFeature): void;
  /** One more as though the file had it, unless there is one of that name. */
  add(name: string, value: AttributeValue, into: ModelledFeature): void;
  /** One that the file does not have, by its name in the layer. */
  put(name: string, value: unknown, into: ModelledFeature): void;
}

interface Plan {
  readonly slot: AttributeSlot;
  readonly type: AttributeType | undefined;
}

/** Names beyond these are looked at anew each time, so that a file of ever new names takes no memory. */
const mostKnown = mostAttributes * 2;

export function createAttributeWriter(
  layer: ModelLayer,
  rules: AttributeRules,
  troubles: Troubles,
): AttributeWriter {
  /** By the name in the file; `unwanted` are left out, `full` would be one too many. */
  const known = new Map<string, Plan | typeof unwanted | typeof full>();
  const planFor = (name: string): Plan | typeof unwanted | typeof full => {
    const plan = makePlan(layer, rules, name);
    if (known.size < mostKnown) known.set(name, plan);
    return plan;
  };
  const push = (into: ModelledFeature, { slot, type }: Plan, given: unknown): void => {
    let value = attributeValueOf(given);
    if (value === undefined) return;
    if (type !== undefined) {
      const wanted = coerce(value, type);
      if (wanted === undefined) return troubles.typeMismatch(slot.name, type, given);
      value = wanted;
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
        else if (plan === full && tooMany++ === 0) example = name;
      }
      if (tooMany > 0) troubles.tooManyAttributes(tooMany, example);
    },
    add(name, value, into) {
      const plan = known.get(name) ?? planFor(name);
      if (plan === full) troubles.tooManyAttributes(1, name);
      if (typeof plan === 'object' && !has(into, plan.slot)) push(into, plan, value);
    },
    put(name, value, into) {
      const slot = layer.slotOf(name);
      if (slot === undefined) troubles.tooManyAttributes(1, name);
      else push(into, { slot, type: rules.types.get(name) }, value);
    },
  };
}

const unwanted = 1;
const full = 2;

function has({ slots, attributeCount }: ModelledFeature, slot: AttributeSlot): boolean {
  const at = slots.indexOf(slot);
  return at >= 0 && at < attributeCount;
}

function makePlan(
  layer: ModelLayer,
  { include, exclude, rename, types, computed }: AttributeRules,
  name: string,
): Plan | typeof unwanted | typeof full {
  if (exclude.has(name) || (include !== undefined && !include.has(name))) return unwanted;
  const renamed = rename.get(name);
  const inLayer = renamed ?? name;
  if (computed.has(inLayer)) return unwanted;
  // What was renamed on purpose wins over what happens to have that name.
  if (renamed === undefined && isTaken(rename, name)) return unwanted;
  const slot = layer.slotOf(inLayer);
  return slot === undefined ? full : { slot, type: types.get(inLayer) };
}

function isTaken(rename: ReadonlyMap<string, string>, name: string): boolean {
  for (const taken of rename.values()) if (taken === name) return true;
  return false;
}
