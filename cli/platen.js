#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must be able to read this far, to say one clear line.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Platen needs Node 24 or newer, and this is Node ${process.versions.node}. Start it with “npx platen”: npm brings Node 26.\n`,
  );
  process.exit(1);
}
await import('./main.ts');
