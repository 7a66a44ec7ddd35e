import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import { nameFinder, nameReferences, validateModule, type KnownTypes } from '../modules/validate.ts';

const mostWarnings = 100;

/**
 * What is odd about these modules together, in their order, on an engine that knows these types. Pointers name the
 * module in the app, the details the place in the module.
 */
export function checkApp(modules: readonly Module[], known: KnownTypes): ProblemDetail[] {
  const warnings: ProblemDetail[] = [];
  if (!hasMaps(modules))
    warnings.push({
      pointer: '/moduleIds',
      code: 'noMaps',
      detail: 'No module has maps: there is nothing to show.',
    });
  const finders = modules.map(nameFinder);
  for (const [index, module] of modules.entries()) {
    const add = (code: string, detail: string) =>
      warnings.push({ pointer: `/moduleIds/${index}`, code, detail: `“${module.name}”: ${detail}` });
    for (const { pointer, list, name } of nameReferences(module)) {
      if (warnings.length >= mostWarnings) return warnings;
      if (finders[index]!(list, name)) continue;
      const first = finders.findIndex((has) => has(list, name));
      const text = `${pointer} names “${name.slice(0, 100)}”`;
      if (first < 0) add('unknownName', `${text}, which no module of the app has in its ${list}.`);
      // the map viewer adds modules one after the other, and draws a style it does not have yet as the default one
      else if (list === 'styles' && first > index)
        add('forwardReference', `${text}, a style of a later module: move that module before this one.`);
    }
    for (const { pointer, code, detail } of validateModule(contentOf(module), known).warnings) {
      if (code === 'unknownType') add('unsupportedType', `${pointer}: ${detail}`);
    }
  }
  return warnings.slice(0, mostWarnings);
}

export function hasMaps(modules: readonly Module[]): boolean {
  return modules.some(({ maps }) => maps.length > 0);
}

const contentOf = ({ layers, maps, styles, contentTree, featureInfo }: Module) => ({
  layers,
  maps,
  styles,
  contentTree,
  featureInfo,
});
