import type { Difference, ModuleDifference, ReleaseDiff } from '@platen/contract/releases';
import type { Module } from '@platen/contract/modules';

/** One difference: the kind of thing, its name, and the place within it. */
export interface DiffLine {
  readonly change: Difference['change'];
  /** The list that holds it, such as `layers`; or `field` for the module or app itself. */
  readonly kind: string;
  /** The list item's name, if it has one. */
  readonly name?: string;
  /** The path within it, such as `style.fillColor`; empty for the whole item. */
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
}

/** Only items of a module's lists have a name. */
const itemName = (item: unknown): string | undefined => {
  const { name, id } = (item ?? {}) as { name?: unknown; id?: unknown };
  const found = name ?? id;
  return typeof found === 'string' ? found : undefined;
};

const partsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Describes a difference; `module` is the state after the change, into which the pointers lead. */
export function describeDifference(
  { pointer, change, name, before, after }: Difference,
  module: Readonly<Record<string, unknown>> | undefined,
): DiffLine {
  const [key = '', index, ...rest] = partsOf(pointer);
  const list = module?.[key];
  const isItem = index !== undefined && /^\d+$/.test(index) && (Array.isArray(list) || list === undefined);
  const shown = {
    change,
    ...(before !== undefined && change !== 'moved' && { before }),
    ...(after !== undefined && change !== 'moved' && { after }),
  };
  if (!isItem) return { ...shown, kind: 'field', what: partsOf(pointer).join('.') };
  const isWhole = rest.length === 0 && change !== 'changed';
  const found = isWhole ? name : itemName((list as unknown[] | undefined)?.[Number(index)]);
  const nested = rest.join('.') + (!isWhole && name !== undefined && rest.length > 0 ? ` “${name}”` : '');
  return { ...shown, kind: key, ...(found !== undefined && { name: found }), what: isWhole ? '' : nested };
}

/** Places within items that have a name, by the beginning of their path. */
const placeNames: readonly (readonly [path: string, name: string])[] = [
  ['activeOnStartup', 'visible'],
  ['datasourceId', 'datasource'],
  ['properties.featureInfo', 'card'],
  ['properties.title', 'title'],
  ['style', 'style'],
  ['tileProvider', 'tiles'],
  ['title', 'title'],
  ['zIndex', 'order'],
];

/** The name of a place within an item, and the path below it; undefined for places that experts know only. */
export function placeOf(what: string): { name: string; rest: string } | undefined {
  const found = placeNames.find(([path]) => what === path || what.startsWith(`${path}.`));
  return found && { name: found[1], rest: what.slice(found[0].length + 1) };
}

export interface ModuleLines {
  readonly module: ModuleDifference;
  readonly lines: readonly DiffLine[];
}

/** The differences per module, with the names of changed items. */
export const describeModules = ({ modules }: ReleaseDiff, after: readonly Module[]): readonly ModuleLines[] =>
  modules.map((module) => {
    const now = after.find(({ _id }) => _id === module.moduleId);
    return { module, lines: module.differences.map((difference) => describeDifference(difference, now)) };
  });

/** The number of changes by kind. */
export function countsOf({ modules, datasources, app }: ReleaseDiff) {
  const having = (change: ModuleDifference['changes'][number]) =>
    modules.filter(({ changes }) => changes.includes(change)).length;
  return {
    added: having('added'),
    removed: having('removed'),
    changed: having('changed'),
    moved: having('moved'),
    data: datasources.length,
    engine: app.some(({ pointer }) => pointer === '/engineVersion') ? 1 : 0,
  };
}
