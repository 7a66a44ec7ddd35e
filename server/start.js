// Plain JavaScript on purpose: an old Node must be able to read this far, to say one clear line.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Platen needs Node 24 or newer, and this is Node ${process.versions.node}. Start it with “npm start”: npm brings Node 26.\n`,
  );
  process.exit(1);
}
const say = (line) => process.stdout.write(`${line}\n`);
const { environment } = await import('./base/environment.ts'); // first: it removes secrets from process.env
const { dataFolderOf } = await import('./base/data-folder.ts');
const { keepCompiledCode } = await import('./base/compile-cache.ts');
await keepCompiledCode(dataFolderOf(environment), say);
const { buildIfStale } = await import('../web/build/build.ts');
await buildIfStale(say);
const { bundleIfMissing } = await import('./base/packages/packages.ts');
await bundleIfMissing();
await import('./base/packages/load.ts');
await import('./main.ts');
