import type { Difference, ModuleDifference, ReleaseDiff } from '@platen/contract/releases';
import type { Module } from '@platen/contract/modules';

/** What is told of one difference: the kind of the thing, its name, and what of it. */
export interface DiffLine {
  readonly change: Difference['change'];
  /** The list it stands in, such as `layers`; or `field` of the module, or the app, itself. */
  readonly kind: string;
  /** Of the item of the list; absent where it has none. */
  readonly name?: string;
  /** What within it, such as `style.fillColor`; empty: the whole. */
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
}

/** Only what stands in the lists of a module is told of by name. */
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

/** `module` is what the pointers lead into: as it is after the change. */
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

export interface ModuleLines {
  readonly module: ModuleDifference;
  readonly lines: readonly DiffLine[];
}

/** What changed in each module, with the names of what it is about. */
export const describeModules = ({ modules }: ReleaseDiff, after: readonly Module[]): readonly ModuleLines[] =>
  modules.map((module) => {
    const now = after.find(({ _id }) => _id === module.moduleId);
    return { module, lines: module.differences.map((difference) => describeDifference(difference, now)) };
  });

/** How much it is, in four numbers. */
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
