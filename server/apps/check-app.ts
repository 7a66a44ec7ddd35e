import type { Module } from '@platen/contract/modules';
import { mapsOfLayer } from '@platen/viewer/engine-names';
import { mapInTurns } from '../base/map-in-turns.ts';
import { nameFinder, nameReferences } from '@platen/viewer/name-references';
import {
  brief,
  isTexts,
  itemsOf,
  type FindingCode,
  type Item,
  type ModuleFinding,
} from './modules/findings.ts';
import { detailOfUnknown, projectionsOf } from './modules/projections.ts';
import { checkTypes, type KnownTypes } from './modules/validate.ts';

export const maxWarnings = 100;

/** Checks the modules of an app one after the other, in their order. */
type Check = (module: Module, index: number) => void;

type Add = (index: number, pointer: string, code: FindingCode, detail: string) => void;

/**
 * Finds problems of these modules in combination, in their order, on an engine that knows these types. The most
 * important come first.
 */
export async function checkApp(modules: readonly Module[], known: KnownTypes): Promise<ModuleFinding[]> {
  const warnings: ModuleFinding[] = [];
  if (!hasMaps(modules)) {
    const detail = 'No module has a map, so there is nothing to show.';
    warnings.push({ pointer: '', code: 'noMaps', detail });
  }
  const add: Add = (index, pointer, code, detail) => {
    if (warnings.length < maxWarnings) warnings.push({ index, pointer, code, detail });
  };
  const typeChecker: Check = (module, index) =>
    checkTypes(module, known, (pointer, _, detail) => add(index, pointer, 'unsupportedType', detail));
  for (const check of [projectionChecker(known, add), referenceChecker(modules, add), typeChecker])
    await mapInTurns([...modules.entries()], ([index, module]) => check(module, index));
  checkVisibleLayers(modules, known, add);
  return warnings;
}

export function hasMaps(modules: readonly Module[]): boolean {
  return modules.some(({ maps }) => maps.length > 0);
}

/** A projection is defined from its position on, for all modules that follow. */
function projectionChecker(known: KnownTypes, add: Add): Check {
  const defined = new Set<number>();
  const nowhere = { error: () => {}, warning: () => {} };
  return (module, index) => {
    const own = projectionsOf(module, nowhere);
    for (const projection of own.named) {
      const { pointer, code } = projection;
      const isDefined = defined.has(code) || (pointer !== '/projection/epsg' && own.defined.has(code));
      if (!isDefined && !known.knowsProjection(code))
        add(index, pointer, 'unknownProjection', detailOfUnknown(projection));
    }
    for (const code of own.defined) defined.add(code);
  };
}

function referenceChecker(modules: readonly Module[], add: Add): Check {
  const firstOf = firstFinder(modules);
  return (module, index) => {
    const has = nameFinder(module);
    for (const { pointer, list, name, isEarly } of nameReferences(module)) {
      if (has(list, name)) continue;
      const first = firstOf(list, name);
      const text = `It names “${brief(name)}”`;
      if (first === undefined)
        add(index, pointer, 'unknownName', `${text}, which no module of the app has in its ${list}.`);
      // the map viewer adds modules one after the other, and draws a style it does not have yet as the default one
      else if (isEarly && first > index)
        add(
          index,
          pointer,
          'forwardReference',
          `${text}, a style of a later module. Move that module before this one.`,
        );
    }
  };
}

/** The index of the first module that has an item of a name in a list; each list is read once. */
function firstFinder(modules: readonly Module[]): (list: string, name: string) => number | undefined {
  const firsts = new Map<string, Map<unknown, number>>();
  return (list, name) => {
    let known = firsts.get(list);
    if (known === undefined) {
      known = new Map();
      for (const [index, module] of modules.entries()) {
        for (const item of itemsOf(module, list)) {
          if (!known.has(item['name'])) known.set(item['name'], index);
        }
      }
      firsts.set(list, known);
    }
    return known.get(name);
  };
}

/** Warns of layers that no map of the app can show. */
function checkVisibleLayers(modules: readonly Module[], known: KnownTypes, add: Add): void {
  const typeOf = new Map(
    [...latest(modules, 'maps')].map(([name, { item }]) => [name, String(item['type'])]),
  );
  const types = new Set(typeOf.values());
  // only the plugin knows which layers its own type of map shows
  if (types.size === 0 || [...types].some((type) => !known.maps.includes(type))) return;
  for (const [name, { item: layer, index, position }] of latest(modules, 'layers')) {
    const { type, mapNames } = layer;
    const fitting =
      typeof type === 'string' && Object.hasOwn(mapsOfLayer, type) ? mapsOfLayer[type] : undefined;
    if (fitting === undefined) continue;
    const isShown =
      isTexts(mapNames) && mapNames.length > 0
        ? mapNames.some((map) => fitting.includes(typeOf.get(map) ?? ''))
        : fitting.some((map) => types.has(map));
    if (!isShown)
      add(
        index,
        `/layers/${position}`,
        'neverShown',
        `The layer “${brief(String(name))}” needs a map of one of these types: ${fitting.join(', ')}.`,
      );
  }
}

interface Latest {
  readonly item: Item;
  /** Index of the module. */
  readonly index: number;
  /** Position in its list. */
  readonly position: number;
}

/** The effective item by name: that of the last module that has one. */
function latest(modules: readonly Module[], list: string): Map<unknown, Latest> {
  const found = new Map<unknown, Latest>();
  for (const [index, module] of modules.entries()) {
    for (const [position, item] of itemsOf(module, list).entries())
      found.set(item['name'], { item, index, position });
  }
  return found;
}
