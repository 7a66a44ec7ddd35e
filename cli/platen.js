#!/usr/bin/env node
// Plain JavaScript, so that an old Node can print this message instead of a syntax error.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Platen needs Node 24 or newer, and this is Node ${process.versions.node}. Start it with “npx platen”: npm brings Node 26.\n`,
  );
  process.exit(1);
}
await import('./main.ts');
