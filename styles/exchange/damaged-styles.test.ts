import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { maxStyleFileLength, StyleImport, styleFormats } from '@platen/contract/style-files';
import { Value } from 'typebox/value';
import { createRandom, mutate } from '../../e2e/tiles/testing-mutations.ts';
import { styleItem } from '../style-item.ts';
import { usedAttributes } from '../used-attributes.ts';
import { readStyleFile } from './read-style-file.ts';
import { StyleFileError } from './read-error.ts';
import { ruleWords } from './rules-of-style.ts';
import { writeStyleFile } from './write-style-file.ts';

/** For each file, always the same ones. */
const mutants = Number(process.env['PLATEN_MUTANTS'] ?? 40);

const style: MapStyle = {
  colour: {
    type: 'categories',
    attribute: 'Nutzung',
    categories: [
      { values: ['Wohnen', 'سكن'], colour: '#0e6b78', title: 'Wohnen' },
      { values: [7, true], colour: '#c2410c' },
    ],
    others: { colour: '#888888' },
  },
  size: { type: 'classes', attribute: 'height', breaks: [0, 5, 10], sizes: [4, 8] },
  outline: { colour: '#123456', width: 2 },
  label: { attribute: 'name' },
  filter: [{ attribute: 'height', operator: '>=', values: [3] }],
};

const qgisFolder = new URL('qgis-files/', import.meta.url);
const qgisFiles = (await readdir(qgisFolder)).filter((name) => name.endsWith('.qml'));
const files: readonly (readonly [name: string, text: string])[] = [
  ...styleFormats.map((format): readonly [string, string] => [
    format,
    writeStyleFile({ name: 'Homes', style, shape: 'point' }, format).text,
  ]),
  ...(await Promise.all(
    qgisFiles.map(async (name) => [name, await readFile(new URL(name, qgisFolder), 'utf8')] as const),
  )),
];

const oddValues = [
  '',
  'NaN',
  '-1',
  '1e999',
  'null',
  '#12',
  '#gggggg',
  'سكن',
  '%',
  '0,0,0,0',
  'x'.repeat(2000),
];

/** A file that can still be parsed, with a few values that nobody would write. */
function withOtherValue(text: string, seed: number): string {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let other = text;
  for (let left = 1 + below(3); left > 0; left--) {
    const values = [...other.matchAll(/(?<=>)[^<>\n]+(?=<)|(?<=")[^"\n]*(?=")|(?<=: )[\d.]+(?=,)/g)];
    const value = values[below(values.length)]!;
    const odd = oddValues[below(oddValues.length)]!;
    other = other.slice(0, value.index) + odd + other.slice(value.index + value[0].length);
  }
  return other;
}

/** What becomes of a file: its styles, which can be drawn and written, or the reason why there are none. */
async function outcomeOf(text: string): Promise<'read' | 'refused'> {
  let found;
  try {
    found = await readStyleFile(text);
  } catch (error) {
    if (!(error instanceof StyleFileError)) throw error;
    assert.match(error.message, /\S.*\.$/s);
    return 'refused';
  }
  assert.ok(
    Value.Check(StyleImport, found),
    JSON.stringify([...Value.Errors(StyleImport, found)].slice(0, 3)),
  );
  for (const { style: read, shape } of found.styles) {
    assert.equal(styleItem(read, shape, ruleWords)['type'] === undefined, false);
    assert.ok(usedAttributes(read).every((name) => name.length > 0));
    if (shape === 'mixed' || shape === 'object') continue;
    for (const format of styleFormats) writeOrSay({ name: 'Read', style: read, shape }, format);
  }
  return 'read';
}

function writeOrSay(...file: Parameters<typeof writeStyleFile>): void {
  try {
    assert.ok(writeStyleFile(...file).text.length <= maxStyleFileLength);
  } catch (error) {
    if (!(error instanceof StyleFileError)) throw error;
  }
}

for (const [name, text] of files) {
  test(`${mutants} damaged files of ${name} are read as styles that hold, or refused with a reason`, async (t) => {
    assert.equal(await outcomeOf(text), 'read', 'the file as it was');
    const counts = { read: 0, refused: 0 };
    for (let seed = 1; seed <= mutants; seed++) {
      const mutant = seed % 2 === 0 ? withOtherValue(text, seed) : mutate(Buffer.from(text), seed).toString();
      try {
        counts[await outcomeOf(mutant)]++;
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    t.diagnostic(JSON.stringify(counts));
  });
}
