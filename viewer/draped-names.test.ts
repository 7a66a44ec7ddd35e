import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideDrapedNames } from './draped-names.ts';

test('names that are on are off for globes; other layers, and names that visitors have switched off, stay as they are', () => {
  const log: string[] = [];
  const layer = (name: string, active = true) => ({
    name,
    active,
    activate: async () => void log.push(`${name} on`),
    deactivate: () => void log.push(`${name} off`),
  });
  let activated: (map: { className: string }) => void = () => {};
  const mapActivated = { addEventListener: (listener: typeof activated) => (activated = listener) };
  const names = 'platen-base-maps-world-names-1';
  hideDrapedNames({
    layers: [layer('data'), layer(names), layer('platen-base-maps-world-names-2', false)],
    maps: { mapActivated },
  });
  activated({ className: 'CesiumMap' });
  activated({ className: 'OpenlayersMap' });
  assert.deepEqual(log, [`${names} off`, `${names} on`]);
});
