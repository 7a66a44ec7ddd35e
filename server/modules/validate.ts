import type { ProblemDetail } from '@platen/contract/error';
import { moduleContentKeys } from '@platen/contract/modules';
import { itemRules } from './item-rules.ts';
import { datasourceReferences, escapePointer } from './references.ts';

/** The class names that the map viewer knows, by the place where they stand. */
export interface KnownTypes {
  readonly layers: readonly string[];
  readonly maps: readonly string[];
  readonly styles: readonly string[];
  readonly tileProviders: readonly string[];
  readonly contentTree: readonly string[];
  readonly featureInfo: readonly string[];
}

/** Errors are what cannot work, warnings what is merely odd; pointers are those of RFC 6901. */
export interface Findings {
  readonly errors: ProblemDetail[];
  readonly warnings: ProblemDetail[];
}

type Content = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, unknown>>;
export type Report = (pointer: string, code: string, detail: string) => void;
export interface Reports {
  readonly error: Report;
  readonly warning: Report;
}

/** A reply stays readable however much is wrong. */
const mostFindings = 100;

/**
 * Finds what the map viewer would drop or ignore without a word. Takes the top-level keys of a map configuration whose
 * lists are arrays of objects already; changes nothing.
 */
export function validateModule(content: Content, known: KnownTypes): Findings {
  const findings: Findings = { errors: [], warnings: [] };
  const into =
    (list: ProblemDetail[]): Report =>
    (pointer, code, detail) => {
      if (list.length < mostFindings) list.push({ pointer, code, detail });
    };
  const reports = { error: into(findings.errors), warning: into(findings.warnings) };
  checkKeys(content, reports);
  checkNames(content, reports);
  for (const [list, rule] of Object.entries(itemRules)) {
    for (const [index, item] of itemsOf(content, list).entries()) rule(item, `/${list}/${index}`, reports);
  }
  checkTypes(content, known, reports);
  checkReferences(content, reports);
  for (const { pointer, datasourceId } of datasourceReferences(content)) {
    if (typeof datasourceId !== 'string')
      reports.error(pointer, 'type', 'It must be the id of a datasource.');
  }
  return findings;
}

/** The items of one of a module's lists; none when it is absent. */
export function itemsOf(content: Content, list: string): readonly Item[] {
  const value = content[list];
  return Array.isArray(value) ? (value as Item[]) : [];
}

/** Tells whether a list of the module has an item of a name; each list is read once. */
export function nameFinder(content: Content): (list: string, name: string) => boolean {
  const names = new Map<string, ReadonlySet<unknown>>();
  return (list, name) => {
    let known = names.get(list);
    if (known === undefined) {
      known = new Set(itemsOf(content, list).map((item) => item['name']));
      names.set(list, known);
    }
    return known.has(name);
  };
}

function checkKeys(content: Content, { error, warning }: Reports): void {
  for (const key of Object.keys(content)) {
    if (!moduleContentKeys.includes(key))
      warning(`/${escapePointer(key)}`, 'unknownKey', 'Kept, but the map viewer does not know this key.');
  }
  const projection = content['projection'] as Item | undefined;
  if (projection !== undefined && !isCode(projection['epsg']))
    error('/projection/epsg', 'required', 'A projection needs `epsg`: a number, or text such as EPSG:25833.');
}

const isCode = (value: unknown) =>
  Number.isInteger(value) || (typeof value === 'string' && /^(epsg:)?\d+$/i.test(value));

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
const typed = ['layers', 'maps', 'styles', 'contentTree', 'featureInfo'];

function checkNames(content: Content, { error }: Reports): void {
  for (const list of named) {
    const seen = new Map<string, number>();
    for (const [index, { name }] of itemsOf(content, list).entries()) {
      const pointer = `/${list}/${index}/name`;
      if (typeof name !== 'string' || name === '') {
        error(
          pointer,
          'required',
          'It needs a name: the map viewer would drop it, or nothing could refer to it.',
        );
        continue;
      }
      const first = seen.get(name);
      if (first === undefined) seen.set(name, index);
      else if (list !== 'categories') error(pointer, 'duplicate', `/${list}/${first} has this name too.`);
    }
  }
  for (const list of typed) {
    for (const [index, { type }] of itemsOf(content, list).entries()) {
      if (typeof type !== 'string' || type === '')
        error(`/${list}/${index}/type`, 'required', 'It needs a type: the map viewer would drop it.');
    }
  }
}

/** Types are kept whatever they are: a plugin, or another version of the viewer, may know them. */
function checkTypes(content: Content, known: KnownTypes, { warning }: Reports): void {
  const check = (type: unknown, list: keyof KnownTypes, pointer: string) => {
    if (typeof type === 'string' && type !== '' && !known[list].includes(type))
      warning(pointer, 'unknownType', `The map viewer does not know the type ${type.slice(0, 100)}.`);
  };
  for (const list of ['layers', 'maps', 'styles', 'contentTree', 'featureInfo'] as const) {
    for (const [index, { type }] of itemsOf(content, list).entries())
      check(type, list, `/${list}/${index}/type`);
  }
  for (const [index, layer] of itemsOf(content, 'layers').entries()) {
    const provider = layer['tileProvider'] as Item | undefined;
    if (provider !== null && typeof provider === 'object')
      check(provider['type'], 'tileProviders', `/layers/${index}/tileProvider/type`);
  }
}

/** One reference by name from an item to an item of another list. */
export interface NameReference {
  readonly pointer: string;
  readonly list: string;
  readonly name: string;
}

const starts = [
  ['startingMapName', 'maps'],
  ['startingViewpointName', 'viewpoints'],
  ['startingObliqueCollectionName', 'obliqueCollections'],
] as const;

const treeReferences = [
  ['layerName', 'layers'],
  ['layerNames', 'layers'],
  ['viewpointName', 'viewpoints'],
  ['collectionName', 'obliqueCollections'],
  ['flightName', 'flights'],
] as const;

/** Everything in a module that names an item of the same or of another module of the app. */
export function nameReferences(content: Content): NameReference[] {
  const found: NameReference[] = [];
  const add = (pointer: string, list: string, name: unknown) => {
    if (typeof name === 'string') found.push({ pointer, list, name });
  };
  for (const [key, list] of starts) add(`/${key}`, list, content[key]);
  for (const [index, item] of itemsOf(content, 'contentTree').entries()) {
    for (const [key, list] of treeReferences) {
      const value = item[key];
      if (!Array.isArray(value)) add(`/contentTree/${index}/${key}`, list, value);
      else for (const [at, name] of value.entries()) add(`/contentTree/${index}/${key}/${at}`, list, name);
    }
  }
  for (const [index, layer] of itemsOf(content, 'layers').entries()) {
    for (const key of ['style', 'highlightStyle']) add(`/layers/${index}/${key}`, 'styles', layer[key]);
  }
  return found;
}

/** Another module of the app may have what is named, so this is for the app to judge. */
function checkReferences(content: Content, { warning }: Reports): void {
  const has = nameFinder(content);
  for (const { pointer, list, name } of nameReferences(content)) {
    if (!has(list, name)) {
      const detail = `There is no “${name.slice(0, 100)}” in /${list} of this module; another module of the app must bring it.`;
      warning(pointer, 'elsewhere', detail);
    }
  }
}
