import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coloursOf } from '@platen/processing/tile-style/colours';
import { contrastOf, parseColour, type Colour } from '@platen/geo/canvas/colour';
import { declarativeStyle } from '@platen/styles/declarative-style';
import { hatchColourOf, outlineOf } from '@platen/styles/outline-colour';
import { paletteColours, palettes } from '@platen/styles/palettes';
import { styleDefaults } from '@platen/styles/style-defaults';
import { worldColours } from '@platen/viewer/world-colours';

/** What WCAG 2.2 asks of graphics (1.4.11) and of texts (1.4.3). */
const [minContrast, minTextContrast] = [3, 4.5];
const contrast = (one: string, other: string) => contrastOf(parseColour(one), parseColour(other));
const white: Colour = [255, 255, 255];

/** Land and water of every look. */
const grounds = Object.entries(worldColours).flatMap(([look, { land, ice, water }]) =>
  [land, ice, water].map((ground) => ({ look, ground })),
);

function requireContrast(colour: string, what: string): void {
  for (const { look, ground } of grounds) {
    const found = contrast(colour, ground);
    assert.ok(found >= minContrast, `${what} on the ${look} map: ${found.toFixed(2)}`);
  }
}

test('the outline of every colour of every palette stands out from each base map', () => {
  for (const { name } of palettes)
    for (const colour of paletteColours(name, 9)!)
      requireContrast(outlineOf(colour), `the outline of ${colour} of ${name}`);
  for (const colour of [styleDefaults.colour, '#000000', '#ffffff', '#0000ff', '#ffff00'])
    requireContrast(outlineOf(colour), `the outline of ${colour}`);
});

test('hatches stand out from areas of every colour of every palette, and labels from those without them', () => {
  const { labelColour, haloColour } = styleDefaults;
  const colours = palettes.flatMap(({ name }) => paletteColours(name, 9)!);
  for (const colour of [...colours, styleDefaults.firstColour, '#000000', '#ffffff', '#c2410c', '#2b2b2b']) {
    const found = contrast(hatchColourOf(colour), colour);
    // as 8-bit numbers
    assert.ok(found > minContrast - 0.05, `the hatch of ${colour}: ${found.toFixed(2)}`);
    const ofLabel = Math.max(contrast(labelColour, colour), contrast(haloColour, colour));
    assert.ok(ofLabel >= minContrast, `the label or its halo on ${colour}: ${ofLabel.toFixed(2)}`);
  }
});

test('the colour of new styles stands out from each base map without an outline, too', () => {
  requireContrast(styleDefaults.firstColour, 'the first colour');
  requireContrast('#c2410c', 'a line of data without a style');
});

test('the colours that jobs give to layers stand out from each base map', () => {
  const expected = ['water', 'forest', 'buildings', 'roads'];
  const others = [...Array(8).keys()].map(String);
  for (const colour of coloursOf([...expected, ...others])) requireContrast(colour, colour);
});

test('points, lines and areas have their outline unless a style says otherwise', () => {
  const colour = { type: 'single', colour: '#ffff99' } as const;
  const outline = `color('${outlineOf(colour.colour)}')`;
  for (const shape of ['point', 'line'] as const) {
    const { pointOutlineColor, pointOutlineWidth } = declarativeStyle({ colour }, shape);
    assert.equal(pointOutlineColor, outline);
    assert.ok(Number(pointOutlineWidth) >= 1);
  }
  assert.equal(declarativeStyle({ colour }, 'area')['strokeColor'], outline);
  assert.equal(declarativeStyle({ colour, outline: null }, 'line')['pointOutlineColor'], undefined);
});

test('names of the world can be read on their map, and on the others by their halo', () => {
  for (const { land, water, names } of Object.values(worldColours)) {
    for (const ground of [land, names.halo])
      for (const text of [names.town, names.country])
        assert.ok(contrast(text, ground) >= minTextContrast, `${text} on ${ground}`);
    assert.ok(contrast(names.town, water) >= minTextContrast);
  }
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
