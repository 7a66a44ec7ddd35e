import { moduleContentKeys } from '@platen/contract/modules';
import type { KnownNames, SupportedTypes } from '@platen/viewer/engine-names';
import { knownNames, supportsProjection } from '@platen/viewer/known-names';
import { callbacksOf, nameFinder, nameReferences } from '@platen/viewer/name-references';
import { supportedTypes } from '@platen/viewer/supported-types';
import { isObject } from '../../base/is-object.ts';
import { mapInTurns } from '../../base/map-in-turns.ts';
import {
  brief,
  collectFindings,
  itemsOf,
  maxFindings,
  type Content,
  type Findings,
  type Report,
  type Reports,
} from './findings.ts';
import { itemRules, type ItemRule } from './item-rules.ts';
import { spellingCheck } from './spelling.ts';
import { checkSwapped } from './places.ts';
import { detailOfUnknown, projectionsOf } from './projections.ts';
import { escapePointer } from '../../base/pointer.ts';
import { datasourceReferences } from './references.ts';
import { checkStory } from './story.ts';
import { checkStyles } from './styles.ts';
import { checkLinks } from './unsafe-links.ts';

/** The types and names that the map viewer knows, by their place in a module. */
export interface KnownTypes extends SupportedTypes, KnownNames {
  readonly knowsProjection: (code: number) => boolean;
}

/** The types and names that an installed version of the map viewer knows. */
export function knownBy(version: string): KnownTypes {
  return {
    ...supportedTypes(version),
    ...knownNames(version),
    knowsProjection: (code) => supportsProjection(version, code),
  };
}

/**
 * Finds what the map viewer would drop or ignore without a word. Takes the top-level keys of a map configuration whose
 * lists are arrays of objects already; changes nothing.
 */
export function validateModule(content: Content, known: KnownTypes): Findings {
  const { findings, checks } = checksOf(content, known);
  for (const check of checks) check();
  return findings;
}

/** As `validateModule`; lets the event loop turn between the checks, as all of them take 50 ms for a module of 1 MiB. */
export async function validateInTurns(content: Content, known: KnownTypes): Promise<Findings> {
  const { findings, checks } = checksOf(content, known);
  await mapInTurns(checks, (check) => check());
  return findings;
}

function checksOf(content: Content, known: KnownTypes) {
  const { findings, reports } = collectFindings();
  const names = [() => checkKeys(content, reports), () => checkNames(content, reports)];
  const others = [
    ...Object.entries(itemRules).map(
      ([list, rule]) =>
        () =>
          checkItems(content, list, rule, reports),
    ),
    () => checkStyles(content, reports),
    () => checkStory(content, reports),
    () => checkFallbacks(content, reports),
    () => checkTypes(content, known, reports.warning),
    () => checkProjections(content, known, reports),
    () => checkSwapped(content, reports),
    () => checkReferences(content, reports),
    () => checkLinks(content, reports),
    () => checkDatasources(content, reports),
  ];
  const unlessFull = (check: () => void) => () => {
    if (findings.errors.length < maxFindings) check();
  };
  return { findings, checks: [...names, ...others.map(unlessFull)] };
}

function checkItems(content: Content, list: string, rule: ItemRule, reports: Reports): void {
  const checkSpelling = spellingCheck(reports.warning);
  for (const [index, item] of itemsOf(content, list).entries()) {
    const pointer = `/${list}/${index}`;
    rule(item, pointer, reports);
    checkSpelling(item, pointer);
  }
}

function checkDatasources(content: Content, { error }: Reports): void {
  for (const { pointer, datasourceId } of datasourceReferences(content)) {
    if (typeof datasourceId !== 'string') error(pointer, 'type', 'It must be the id of a datasource.');
  }
}

function checkKeys(content: Content, reports: Reports): void {
  for (const key of Object.keys(content)) {
    if (!moduleContentKeys.includes(key))
      reports.warning(
        `/${escapePointer(key)}`,
        'unknownKey',
        'The key is kept, but the map viewer does not know it.',
      );
  }
}

/** Lists whose items override each other by name; `categories` are appended to instead. */
const named = [
  'layers',
  'maps',
  'styles',
  'viewpoints',
  'contentTree',
  'obliqueCollections',
  'plugins',
  'featureInfo',
  'i18n',
  'uiConfig',
  'flights',
  'vectorClusterGroups',
  'clippingPolygons',
  'categories',
];
const typed = ['layers', 'maps', 'styles', 'contentTree', 'featureInfo'] as const;

function checkNames(content: Content, { error, warning }: Reports): void {
  for (const list of named) {
    const seen = new Map<string, number>();
    for (const [index, { name }] of itemsOf(content, list).entries()) {
      const pointer = `/${list}/${index}/name`;
      if (typeof name !== 'string' || name === '') {
        const detail = 'It needs a name. Otherwise, the map viewer drops it or nothing can refer to it.';
        error(pointer, 'required', detail);
        continue;
      }
      const first = seen.get(name);
      if (first === undefined) seen.set(name, index);
      else if (list !== 'categories') error(pointer, 'duplicate', `/${list}/${first} also has this name.`);
    }
  }
  const ids = new Set<unknown>();
  for (const [index, { id }] of itemsOf(content, 'hiddenObjects').entries()) {
    if (ids.has(id)) warning(`/hiddenObjects/${index}/id`, 'duplicate', 'This object is hidden already.');
    ids.add(id);
  }
  for (const list of typed) {
    for (const [index, { type }] of itemsOf(content, list).entries()) {
      if (typeof type !== 'string' || type === '')
        error(`/${list}/${index}/type`, 'required', 'It needs a type. Otherwise, the map viewer drops it.');
    }
  }
}

/** A map that cannot show a place hands over to its fallback: a ring of them never ends. */
function checkFallbacks(content: Content, { error }: Reports): void {
  const maps = itemsOf(content, 'maps');
  const indexes = new Map(maps.map(({ name }, index) => [name, index]));
  const seenFrom = new Map<number, number>();
  for (const start of maps.keys()) {
    let at: number | undefined = start;
    let before = start;
    while (at !== undefined && !seenFrom.has(at)) {
      seenFrom.set(at, start);
      before = at;
      at = indexes.get(maps[at]!['fallbackMap']);
    }
    // reached again from the same map; the rule of the map itself reports a loop to itself
    if (at !== undefined && at !== before && seenFrom.get(at) === start)
      error(`/maps/${before}/fallbackMap`, 'cyclic', 'The map is its own fallback through other maps.');
  }
}

type TypePlace = Exclude<keyof KnownTypes, 'knowsProjection'>;

/** Types are kept whatever they are: a plugin, or another version of the viewer, may know them. */
export function checkTypes(content: Content, known: KnownTypes, warning: Report): void {
  const check = (type: unknown, place: TypePlace, pointer: string) => {
    if (typeof type === 'string' && type !== '' && !known[place].includes(type))
      warning(`${pointer}/type`, 'unknownType', `The map viewer does not know the type ${brief(type)}.`);
  };
  for (const list of typed) {
    for (const [index, { type }] of itemsOf(content, list).entries()) check(type, list, `/${list}/${index}`);
  }
  for (const [index, layer] of itemsOf(content, 'layers').entries()) {
    for (const [key, place] of partsOfLayers) {
      const part = layer[key];
      if (isObject(part)) check(part['type'], place, `/layers/${index}/${key}`);
    }
  }
  for (const [index, item] of itemsOf(content, 'contentTree').entries()) {
    for (const { callback, pointer } of callbacksOf(item, `/contentTree/${index}`))
      check(callback['type'], 'callbacks', pointer);
  }
}

const partsOfLayers = [
  ['tileProvider', 'tileProviders'],
  ['style', 'styles'],
  ['highlightStyle', 'styles'],
  ['featureProvider', 'featureProviders'],
  ['attributeProvider', 'featureProviders'],
] as const;

/** Another module may define the projections named here, so only the check of the app reports unknown ones. */
function checkProjections(content: Content, known: KnownTypes, reports: Reports): void {
  const { defined, named: projections } = projectionsOf(content, reports);
  for (const projection of projections) {
    const { pointer, code } = projection;
    if (known.knowsProjection(code)) continue;
    // the module's own projection is read first, before any definition in the module
    if (pointer !== '/projection/epsg' && defined.has(code)) continue;
    const detail = `${detailOfUnknown(projection)} A module listed before this one may define it.`;
    reports.warning(pointer, 'unknownProjection', detail);
  }
}

/** Another module of the app may contain the named item, so only the check of the app reports missing ones. */
function checkReferences(content: Content, { warning }: Reports): void {
  const has = nameFinder(content);
  for (const { pointer, list, name } of nameReferences(content)) {
    if (!has(list, name)) {
      const detail = `This module has no “${brief(name)}” in /${list}. Another module of the app must provide it.`;
      warning(pointer, 'elsewhere', detail);
    }
  }
}
