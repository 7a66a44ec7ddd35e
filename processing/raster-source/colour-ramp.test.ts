import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseColour } from '@platen/geo/canvas/colour';
import { JobFailure } from '../job-type.ts';
import { colourWriter, legendOfRamp, namedRamp, type ColourRamp, type ColourStop } from './colour-ramp.ts';
import { readColours, type ColourOptions } from './colour-settings.ts';
import { rampNames } from './ramp-names.ts';

function colourAt(ramp: ColourRamp, value: number): number[] {
  const rgba = new Uint8Array(4);
  colourWriter(ramp)(value, rgba, 0);
  return [...rgba.subarray(0, 3)];
}

const rowsOf = (ramp: ColourRamp) =>
  legendOfRamp(ramp).flatMap(({ rows }) => rows.map(({ title, fill }) => [title, (fill as Fill).color]));
interface Fill {
  readonly color: string;
}

test('a named ramp goes from its first colour at the lowest value to its last at the highest', () => {
  for (const name of rampNames) {
    const ramp = namedRamp(name, [-5, 40], 1);
    const [first, last] = [ramp.stops[0]!, ramp.stops.at(-1)!];
    assert.deepEqual([first.value, last.value], [-5, 40], name);
    assert.deepEqual(colourAt(ramp, -Infinity), [...parseColour(first.colour)]);
    assert.deepEqual(colourAt(ramp, 1e9), [...parseColour(last.colour)]);
  }
  assert.deepEqual(colourAt(namedRamp('Grey', [0, 100], 1), 25), [64, 64, 64]);
  assert.deepEqual(
    colourAt(namedRamp('Viridis', [7, 7], 1), 7),
    colourAt(namedRamp('Viridis', [7, 7], 1), 90),
  );
});

test('a gamma moves the values of the colours, and the legend says so', () => {
  const ramp = namedRamp('Terrain', [0, 100], 2);
  assert.deepEqual(
    ramp.stops.map(({ value }) => value),
    [0, 6.25, 25, 56.25, 100],
  );
  assert.deepEqual(
    rowsOf(ramp).map(([title]) => title),
    ['0', '6', '25', '56', '100'],
  );
});

const stopsOf = (values: readonly number[], colours: readonly string[]): ColourStop[] =>
  values.map((value, i) => ({ value, colour: colours[i % colours.length]! }));
const ascending = fc
  .uniqueArray(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 40 })
  .map((values) => values.toSorted((a, b) => a - b));
const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const colours = fc.array(hex, { minLength: 1, maxLength: 40 });

test('every stop has its colour, and in between is what lies between or the colour of the class', () => {
  fc.assert(
    fc.property(
      ascending,
      colours,
      fc.boolean(),
      fc.double({ noNaN: true }),
      (values, list, isClassed, value) => {
        const stops = stopsOf(values, list);
        const ramp = { stops, isClassed };
        for (const stop of stops) assert.deepEqual(colourAt(ramp, stop.value), [...parseColour(stop.colour)]);
        const below = stops.findLast((stop) => stop.value <= value) ?? stops[0]!;
        const above = stops.find((stop) => stop.value > value) ?? stops.at(-1)!;
        const found = colourAt(ramp, value);
        const [from, to] = [parseColour(below.colour), parseColour(above.colour)];
        if (isClassed) assert.deepEqual(found, [...from]);
        else
          found.forEach((one, band) => {
            assert.ok(one >= Math.min(from[band]!, to[band]!) && one <= Math.max(from[band]!, to[band]!));
          });
      },
    ),
  );
});

test('the legend names values, classes, and what has a title', () => {
  const stops = stopsOf([0, 0.5, 12_345], ['#112233', '#445566']);
  assert.deepEqual(rowsOf({ stops, isClassed: true }), [
    ['0 – 0.5', '#112233'],
    ["0.5 – 12'345", '#445566'],
    ["≥ 12'345", '#112233'],
  ]);
  assert.deepEqual(rowsOf({ stops: [{ ...stops[0]!, title: 'Water' }, stops[1]!], isClassed: false }), [
    ['Water', '#112233'],
    ['0.5', '#445566'],
  ]);
});

test('options that contradict each other are refused with the option that does', () => {
  const stops = stopsOf([1, 2], ['#000000']);
  const wrong: [ColourOptions, RegExp][] = [
    [{ stops, ramp: 'Grey' }, /colour\.stops/],
    [{ stops, range: [0, 1] }, /colour\.range/],
    [{ stops, gamma: 2 }, /colour\.gamma/],
    [{ ramp: 'Grey', bands: [1, 2, 3] }, /colour\.bands/],
    [{ stops: [stops[1]!, stops[0]!] }, /1 follows 2/],
    [{ stops: [stops[0]!, stops[0]!] }, /1 follows 1/],
    [{ classed: true, ramp: 'Grey' }, /colour\.classed/],
  ];
  for (const [options, message] of wrong)
    assert.throws(
      () => readColours(options),
      (error) => error instanceof JobFailure && error.code === 'invalidOption' && message.test(error.message),
    );
});
