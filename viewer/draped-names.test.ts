import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideDrapedNames } from './draped-names.ts';

test('names are on for flat maps, and off for globes; other layers stay as they are', () => {
  const log: string[] = [];
  const layer = (name: string) => ({
    name,
    activate: async () => void log.push(`${name} on`),
    deactivate: () => void log.push(`${name} off`),
  });
  let activated: (map: { className: string }) => void = () => {};
  const mapActivated = { addEventListener: (listener: typeof activated) => (activated = listener) };
  const names = 'platen-base-maps-world-names-1';
  hideDrapedNames({ layers: [layer('data'), layer(names)], maps: { mapActivated } });
  activated({ className: 'CesiumMap' });
  activated({ className: 'OpenlayersMap' });
  assert.deepEqual(log, [`${names} off`, `${names} on`]);
});
