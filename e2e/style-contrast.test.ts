import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrastOf, parseColour, type Colour } from '@platen/geo/canvas/colour';
import { outlineOf } from '@platen/styles/outline-colour';
import { paletteColours, palettes } from '@platen/styles/palettes';
import { styleDefaults } from '@platen/styles/style-defaults';
import { worldColours } from '@platen/viewer/world-colours';

/** What WCAG 2.2 asks of graphics (1.4.11) and of texts (1.4.3). */
const [minContrast, minTextContrast] = [3, 4.5];
const contrast = (one: string, other: string) => contrastOf(parseColour(one), parseColour(other));
const white: Colour = [255, 255, 255];

test('points and areas of every palette stand out from the light base maps by their outline', () => {
  for (const { name } of palettes)
    for (const colour of paletteColours(name, 9)!)
      for (const look of ['light', 'grey'] as const)
        for (const ground of [worldColours[look].land, worldColours[look].water]) {
          const best = Math.max(contrast(outlineOf(colour), ground), contrast(colour, ground));
          assert.ok(best >= minContrast, `${colour} of ${name} on the ${look} map: ${best.toFixed(2)}`);
        }
});

test('the colour of new styles stands out from the light base maps as a line, too', () => {
  for (const look of ['light', 'grey'] as const)
    for (const ground of [worldColours[look].land, worldColours[look].water])
      assert.ok(contrast('#0e6b78', ground) >= minContrast);
});

test('labels can be read on their halo, and the halo on every base map', () => {
  assert.ok(contrast(styleDefaults.labelColour, styleDefaults.haloColour) >= minTextContrast);
  assert.equal(contrastOf(white, white), 1);
  for (const { land, water } of Object.values(worldColours))
    for (const ground of [land, water])
      assert.ok(
        Math.max(contrast(styleDefaults.labelColour, ground), contrast(styleDefaults.haloColour, ground)) >=
          minTextContrast,
      );
});
