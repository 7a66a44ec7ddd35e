import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledNames, fileOf, findBundle } from './packages.ts';

// Imported before all else in a process: it then loads the bundles of packages in place of their modules.
const folder = await findBundle();
if (folder !== undefined) {
  const modules = new Map(
    bundledNames.map((name) => {
      const url = pathToFileURL(join(folder, fileOf(name))).href;
      return [name, { url, format: 'module', shortCircuit: true }];
    }),
  );
  registerHooks({
    resolve: (specifier, context, next) => modules.get(specifier) ?? next(specifier, context),
  });
}
