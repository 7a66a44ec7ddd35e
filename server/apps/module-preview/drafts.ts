import type { DatasourceType } from '@platen/contract/datasource-types';
import type { PreviewedModule } from '@platen/contract/module-preview';
import { moduleLists, moduleServiceSet, NewModule, type Module } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Caller } from '../../base/caller.ts';
import { otherTypes } from '../modules/datasource-types.ts';
import { mayReadModule } from '../modules/reader.ts';
import { datasourceReferences } from '../modules/references.ts';
import { validateModule, type KnownTypes } from '../modules/validate.ts';

/** One of the modules of a request, as far as it can be shown. */
export interface Draft {
  /** Its place in the request. */
  readonly index: number;
  /** The module without its invalid parts. */
  readonly module: Module;
  /** The module as it was sent. */
  readonly whole: Module;
}

export interface Finding {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface CheckedModule {
  /** undefined: nothing of it can be shown. */
  readonly draft: Draft | undefined;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

interface CheckContext {
  readonly caller: Caller;
  readonly stored: ReadonlyMap<string, Module>;
  /** The types of the project's datasources, of those that are named, by ID. */
  readonly datasourceTypes: ReadonlyMap<string, DatasourceType>;
  readonly known: KnownTypes;
}

const checkShape = Compile(Type.Partial(Type.Object(NewModule.properties)));
const maxContentBytes = 1_048_576;

/** Checks one module, and removes its invalid parts for the preview. */
export function checkModule(one: PreviewedModule, index: number, surroundings: CheckContext): CheckedModule {
  const { moduleId, module: unsaved } = one;
  const stored = moduleId === undefined ? undefined : surroundings.stored.get(moduleId);
  const mayRead = stored !== undefined && mayReadModule(surroundings.caller, stored.createdBy);
  if (unsaved !== undefined) {
    const _id = moduleId ?? `platen-unsaved-${index}`;
    return checkUnsavedModule({ ...unsaved, _id }, index, surroundings);
  }
  if (mayRead) return { draft: { index, module: stored, whole: stored }, errors: [], warnings: [] };
  const detail =
    stored === undefined
      ? 'There is no such module in this project.'
      : 'You need the permission getModule to see modules that others created.';
  return refused({ pointer: '', code: 'unusable_reference', detail });
}

function checkUnsavedModule(
  unsaved: FreeForm,
  index: number,
  { known, datasourceTypes }: CheckContext,
): CheckedModule {
  if (!checkShape.Check(unsaved)) {
    const [first] = checkShape.Errors(unsaved);
    return refused({
      pointer: first?.instancePath ?? '',
      code: 'type',
      detail: `It ${first?.message ?? 'is not valid'}.`,
    });
  }
  const content = Object.fromEntries(Object.entries(unsaved).filter(([key]) => !describing.has(key)));
  const { errors, warnings } = validateModule(content, known);
  const found: Finding[] = [...errors, ...unusableDatasources(content, datasourceTypes)];
  if (Buffer.byteLength(JSON.stringify(content)) > maxContentBytes) {
    const detail = 'The map configuration exceeds 1 MiB as JSON and cannot be saved.';
    found.push({ pointer: '', code: 'too_large', detail });
  }
  const lists = Object.fromEntries(moduleLists.map((list) => [list, []]));
  const whole = { name: `Module ${index + 1}`, properties: {}, ...lists, ...unsaved };
  const draft = { index, module: without(whole, found), whole } as unknown as Draft;
  return { draft, errors: found, warnings: [...warnings, ...otherTypes(content, datasourceTypes)] };
}

/** Keys that are not part of the map configuration. */
const describing = new Set(['name', 'description', 'properties', ...moduleServiceSet]);

const refused = (error: Finding): CheckedModule => ({ draft: undefined, errors: [error], warnings: [] });

function unusableDatasources(content: FreeForm, known: ReadonlyMap<string, unknown>): Finding[] {
  const detail = 'There is no such datasource in this project.';
  return datasourceReferences(content)
    .filter(({ datasourceId }) => typeof datasourceId === 'string' && !known.has(datasourceId))
    .slice(0, 100)
    .map(({ pointer }) => ({ pointer, code: 'unusable_reference', detail }));
}

/** The module without the items, or the settings, in which something is wrong. */
function without(module: FreeForm, errors: readonly Finding[]): FreeForm {
  const bad = new Map<string, Set<number>>();
  for (const { pointer } of errors) {
    const [, key = '', index = ''] = pointer.split('/');
    if (key === '') continue;
    if (!bad.has(key)) bad.set(key, new Set());
    bad.get(key)!.add(Number(index));
  }
  return Object.fromEntries(
    Object.entries(module).flatMap(([key, value]) => {
      const indexes = bad.get(key);
      if (indexes === undefined) return [[key, value]];
      return Array.isArray(value) ? [[key, value.filter((_, index) => !indexes.has(index))]] : [];
    }),
  );
}
