import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MapStyle } from '@platen/contract/map-styles';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { readStyleFile } from './read-style-file.ts';
import { writeStyleFile } from './write-style-file.ts';
import { commonStyle, seen } from './testing-styles.ts';

/** QML has neither continuous colours nor sizes by an attribute that are read again. */
const kept = commonStyle().filter(
  ({ style, shape }) =>
    style.colour.type !== 'continuous' &&
    style.outline?.width !== 0 &&
    (style.size?.type ?? 'single') === 'single' &&
    shape !== 'mixed',
);

test('a style that was written as QML is read as one that looks the same', async () => {
  await fc.assert(
    fc.asyncProperty(kept, async ({ style, shape }) => {
      const { text } = writeStyleFile({ style, shape, name: 'Buildings' }, 'qml');
      const read = await readStyleFile(text);
      const [first] = read.styles;
      assert.equal(read.format, 'qml');
      assert.deepEqual([...Value.Errors(MapStyle, first!.style)], []);
      assert.deepEqual(seen(first as never), seen({ style, shape }), text);
      assert.deepEqual(
        first?.notes.filter(({ code }) => code !== 'breaks'),
        [],
      );
    }),
  );
});

test('the category of an empty text is a rule, as QGIS draws for it all that has no category', async () => {
  const style: MapStyle = {
    colour: {
      type: 'categories',
      attribute: 'use',
      categories: [
        { values: ['home'], colour: '#2a9d8f' },
        { values: ['', 'none'], colour: '#e76f51' },
      ],
    },
  };
  const { text } = writeStyleFile({ style, shape: 'area', name: 'Buildings' }, 'qml');
  assert.match(text, /<renderer-v2 type="RuleRenderer"/);
  const [read] = (await readStyleFile(text)).styles;
  assert.deepEqual(seen(read as never), seen({ style, shape: 'area' }));
});

const ofQgis = async (name: string) =>
  readStyleFile(await readFile(join(import.meta.dirname, 'qgis-files', `${name}.qml`), 'utf8'));

test('categories and labels of QGIS are read', async () => {
  const { styles } = await ofQgis('points-categorized');
  assert.deepEqual(styles, [
    {
      shape: 'point',
      style: {
        colour: {
          type: 'categories',
          attribute: 'kind',
          categories: [
            { values: ['oak'], colour: '#2a9d8f', title: 'Oak' },
            { values: ['elm', 'ash'], colour: '#e76f51', title: 'Elm & ash' },
          ],
          others: { colour: '#888888' },
        },
        opacity: 1,
        size: { type: 'single', size: 7.56 },
        outline: { colour: '#232323', width: 1 },
        label: { attribute: 'name', size: 12, isBold: true, colour: '#224466', haloColour: '#ffffee' },
      },
      notes: [],
    },
  ]);
});

test('graduated symbols of QGIS are classes, with what differs at their ends', async () => {
  const { styles } = await ofQgis('areas-graduated');
  const [{ style, notes }] = styles as [(typeof styles)[0]];
  assert.deepEqual(style.colour, {
    type: 'classes',
    attribute: 'height',
    method: 'own',
    breaks: [0, 10, 20, 50],
    colours: ['#ffffcc', '#41b6c4', '#253494'],
    titles: ['low', 'middle', 'high'],
  });
  assert.equal(style.opacity, 0.6);
  assert.deepEqual(
    notes.map(({ code }) => code),
    ['breaks', 'closedClasses'],
  );
});

test('rules of QGIS are read as far as they compare one attribute, and others are named', async () => {
  const { styles } = await ofQgis('lines-rules');
  const [{ style, notes }] = styles as [(typeof styles)[0]];
  assert.equal(style.colour.type === 'categories' && style.colour.categories[0]!.values.join(), 'side,path');
  assert.equal(style.colour.type === 'categories' && style.colour.others?.title, 'Rest');
  assert.deepEqual(
    notes.map(({ message }) => message),
    ['The rule “Main” is left out: its condition cannot be expressed by the values of one attribute.'],
  );
});

const symbols =
  '<symbols><symbol name="0" type="line"><layer class="SimpleLine"><prop k="line_color" v="1,2,3,255"/><prop k="line_width" v="1"/></layer></symbol></symbols>';
const qml = (renderer: string) =>
  `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis version="2.18.0">${renderer}</qgis>`;
const byRule = (filter: string) =>
  qml(
    `<renderer-v2 type="RuleRenderer"><rules><rule symbol="0" filter="${filter}"/></rules>${symbols}</renderer-v2>`,
  );

test('files of QGIS 2 are read, sizes in millimetres', async () => {
  const { styles } = await readStyleFile(qml(`<renderer-v2 type="singleSymbol">${symbols}</renderer-v2>`));
  assert.deepEqual(styles[0]!.style, {
    colour: { type: 'single', colour: '#010203' },
    opacity: 1,
    size: { type: 'single', size: 3.78 },
  });
});

test('expressions that say more than comparisons are left out', async () => {
  const filterOf = async (filter: string) => (await readStyleFile(byRule(filter))).styles[0]?.style.filter;
  assert.deepEqual(await filterOf('NOT (&quot;a&quot; &lt; 5) and b is not null'), [
    { attribute: 'a', operator: '>=', values: [5] },
    { attribute: 'b', operator: 'exists' },
  ]);
  for (const filter of [
    'length(name) > 3',
    '&quot;a&quot; = &quot;b&quot;',
    "a LIKE 'x%'",
    'a = 1 OR b = 2',
    '((',
    "'",
  ])
    await assert.rejects(readStyleFile(byRule(filter)), /no symbol that can be read/, filter);
  await assert.rejects(readStyleFile(byRule(`${'('.repeat(60)}a = 1${')'.repeat(60)}`)), /no symbol/);
});

const graduated = (...limits: readonly (readonly [string, string])[]) => {
  const ranges = limits.map(
    ([lower, upper]) => `<range symbol="0" lower="${lower}" upper="${upper}" label="${lower} to ${upper}"/>`,
  );
  return qml(
    `<renderer-v2 type="graduatedSymbol" attr="h"><ranges>${ranges.join('')}</ranges>${symbols}</renderer-v2>`,
  );
};

test('classes of QGIS whose limits are reversed or no numbers are named and left out', async () => {
  const [read] = (
    await readStyleFile(graduated(['0', '10'], ['20', '10'], ['nan', 'nan'], ['', '5'], ['20', '30']))
  ).styles;
  const { colour } = read!.style;
  assert.deepEqual(colour.type === 'classes' && colour.breaks, [0, 20, 30]);
  assert.deepEqual(
    read!.notes.filter(({ code }) => code === 'emptyClass').map(({ values }) => values['rule']),
    ['20 to 10', 'nan to nan', ' to 5'],
  );
  await assert.rejects(
    readStyleFile(graduated(['10', '0'])),
    /no symbol that can be read. The class “10 to 0” is left out: no number is from 10 to 0/,
  );
});

test('classes of QGIS may have no ends, or both at one number', async () => {
  const open = (await readStyleFile(graduated(['-inf', '0'], ['0', 'inf']))).styles[0]!.style.colour;
  assert.deepEqual(open.type === 'classes' && [open.breaks[1], open.colours.length], [0, 2]);
  const values = (await readStyleFile(graduated(['1', '1'], ['5', '5']))).styles[0]!.style.colour;
  assert.deepEqual(values.type === 'categories' && values.categories.map((one) => one.values), [[1], [5]]);
});

test('a name of an attribute that is longer than styles permit is named', async () => {
  const by = (attribute: string) =>
    readStyleFile(
      qml(
        `<renderer-v2 type="categorizedSymbol" attr="${attribute}"><categories><category symbol="0" value="a" label="A"/></categories>${symbols}</renderer-v2>`,
      ),
    );
  for (const name of [
    'a'.repeat(300),
    `&quot;${'a'.repeat(300)}&quot;`,
    `&quot;${'&quot;'.repeat(602)}&quot;`,
  ])
    await assert.rejects(by(name), /The rule “.+” is left out/);
  assert.equal((await by('&quot;'.repeat(300))).styles.length, 1);
});

test('files without symbols of vectors are refused', async () => {
  await assert.rejects(readStyleFile(qml('<pipe/>')), /styles of rasters/);
  await assert.rejects(
    readStyleFile(qml('<renderer-v2 type="heatmapRenderer"/>')),
    /“heatmapRenderer” cannot be read/,
  );
});

test('continuous colours become classes, and sizes by an attribute expressions', () => {
  const style: MapStyle = {
    colour: {
      type: 'continuous',
      attribute: 'm',
      stops: [
        { value: 0, colour: '#000000' },
        { value: 12, colour: '#ffffff' },
      ],
    },
    size: { type: 'classes', attribute: 'm', breaks: [0, 6, 12], sizes: [3, 9] },
  };
  const { text, notes } = writeStyleFile({ style, shape: 'point', name: 'A' }, 'qml');
  assert.equal(text.match(/<range /g)!.length, 12);
  assert.match(
    text,
    /CASE WHEN &quot;m&quot; IS NULL THEN 3 WHEN to_real\(&quot;m&quot;\) &lt; 6 THEN 3 ELSE 9 END/,
  );
  assert.deepEqual(
    notes.map(({ code }) => code),
    ['steps', 'upperBreaks'],
  );
});
