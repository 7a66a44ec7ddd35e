import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import { readStyleFile } from '@platen/styles/exchange/read-style-file';
import { writeStyleFile } from '@platen/styles/exchange/write-style-file';

const run = promisify(execFile);
/** Where Debian's python3-qgis is installed. */
const ofDebian = existsSync('/usr/lib/python3/dist-packages/qgis') ? '/usr/bin/python3' : undefined;
/** A Python with the modules of QGIS. */
const python = process.env['QGIS_PYTHON'] || ofDebian;
const skip =
  python === undefined &&
  'SKIPPED: QGIS is not installed: apt-get install python3-qgis, or name a Python by QGIS_PYTHON';

/** Prints the colours of symbols for features of a kind and a height, and saves the style again. */
const script = `
import json, os, sys
os.environ['QT_QPA_PLATFORM'] = 'offscreen'
from qgis.core import *
app = QgsApplication([], False)
app.initQgis()
request = json.load(open(sys.argv[1]))
layer = QgsVectorLayer(request['geometry'] + '?field=kind:string&field=height:double', 'l', 'memory')
message, loaded = layer.loadNamedStyle(request['file'])
renderer = layer.renderer()
context = QgsRenderContext()
context.setExpressionContext(QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer)))
renderer.startRender(context, layer.fields())
drawn = []
for kind, height in request['features']:
    feature = QgsFeature(layer.fields())
    feature.setAttributes([kind, height])
    context.expressionContext().setFeature(feature)
    symbols = renderer.symbolsForFeature(feature, context)
    drawn.append([symbol.color().name() for symbol in symbols])
renderer.stopRender(context)
layer.saveNamedStyle(request['saved'])
label = layer.labeling().settings().fieldName if layer.labelsEnabled() else None
print(json.dumps({'loaded': loaded, 'type': renderer.type(), 'drawn': drawn, 'label': label}))
`;

type Feature = readonly [kind: string | null, height: number | null];
const features: readonly Feature[] = [
  ['oak', 5],
  ['elm', 15],
  ["o'ak", -3],
  ['x', null],
  [null, 99],
];

const [red, green, blue, grey] = ['#ff0000', '#00ff00', '#0000ff', '#808080'];
const classes = { type: 'classes', attribute: 'height', breaks: [0, 10, 20], colours: [red, green] } as const;
const kinds = {
  type: 'categories',
  attribute: 'kind',
  categories: [
    { values: ['oak'], colour: red },
    { values: ['elm', "o'ak"], colour: green },
  ],
} as const;

const cases: readonly [name: string, MapStyle, StyledShape, string, type: string, drawn: string[][]][] = [
  [
    'one colour',
    { colour: { type: 'single', colour: red }, label: { attribute: 'kind' } },
    'area',
    'Polygon',
    'singleSymbol',
    features.map(() => [red]),
  ],
  [
    'categories',
    { colour: { ...kinds, others: { colour: blue } } as never },
    'point',
    'Point',
    'categorizedSymbol',
    [[red], [green], [green], [blue], [blue]],
  ],
  [
    'classes',
    { colour: classes as never },
    'area',
    'Polygon',
    'graduatedSymbol',
    [[red], [green], [red], [], [green]],
  ],
  [
    'conditions, and no value',
    {
      colour: { ...classes, noValue: { colour: grey } } as never,
      filter: [{ attribute: 'kind', operator: 'in', values: ['oak', "o'ak", 'x'] }],
    },
    'line',
    'LineString',
    'RuleRenderer',
    [[red], [], [red], [grey], []],
  ],
];

for (const [name, style, shape, geometry, type, drawn] of cases)
  test(
    `QGIS draws a style with ${name} as it is meant, and what it saves is read as the same style`,
    { skip },
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'platen-qgis-'));
      t.after(() => rm(folder, { recursive: true }));
      const [file, saved, request, program] = ['style.qml', 'saved.qml', 'request.json', 'load.py'].map(
        (one) => join(folder, one),
      ) as [string, string, string, string];
      await writeFile(file, writeStyleFile({ style, shape, name }, 'qml').text);
      await writeFile(request, JSON.stringify({ file, saved, geometry, features }));
      await writeFile(program, script);
      const { stdout } = await run(python!, [program, request]);
      const seen = JSON.parse(stdout.trim().split('\n').at(-1)!) as object;
      assert.deepEqual(seen, { loaded: true, type, drawn, label: style.label?.attribute ?? null });
      const [ours, theirs] = await Promise.all(
        [file, saved].map(async (path) => readStyleFile(await readFile(path, 'utf8'))),
      );
      assert.deepEqual(theirs!.styles[0]!.style, ours!.styles[0]!.style);
    },
  );
