import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeAlongLines } from './line-labels.ts';

type Drawn = Readonly<Record<string, unknown>>;

/** As those of OpenLayers, of which each setter keeps its value. */
function keeping(values: Record<string, unknown>): Drawn & { readonly values: Drawn } {
  const setter = /^set(\w)(\w*)$/;
  return new Proxy(
    { values },
    {
      get(_, name) {
        if (name === 'values') return values;
        if (name === 'clone') return () => keeping({ ...values });
        const [, first, rest] = setter.exec(String(name))!;
        return (value: unknown) => void (values[first!.toLowerCase() + rest!] = value);
      },
    },
  ) as never;
}

interface Line {
  readonly properties: object;
  readonly className?: string;
  readonly label?: string;
  readonly lines?: readonly string[];
}

/** What is drawn of a line, red, by a style with a label, as the engine has it for points. */
function drawnOf({ properties, className = 'OpenlayersMap', label, lines }: Line): Drawn[] {
  const prototype = {
    _stylePoint: () => ({ getText: () => (label === undefined ? null : keeping({ label, offsetY: -15 })) }),
    _styleLineString: (_feature: object): unknown => keeping({ stroke: 'red' }),
  };
  writeAlongLines(
    { DeclarativeStyleItem: { prototype } } as unknown as Parameters<typeof writeAlongLines>[0],
    { maps: { activeMap: { className } } } as Parameters<typeof writeAlongLines>[1],
  );
  const feature = { getGeometry: () => ({ ...(lines && { getLineStrings: () => lines }) }) };
  const styles = [prototype._styleLineString.call({ properties } as never, feature)].flat();
  return styles.map((style) => valuesOf(style));
}

/** With those of the text. */
function valuesOf(style: unknown): Drawn {
  const { text, ...values } = (style as ReturnType<typeof keeping>).values;
  return text === undefined ? values : { ...values, text: valuesOf(text) };
}

const text = { label: '500 m', placement: 'line', textAlign: 'center', offsetY: 0, repeat: 200 };
const properties = { hasLineLabels: true };

test('labels are written along lines of flat maps, on each of several', () => {
  assert.deepEqual(drawnOf({ properties, label: '500 m' }), [{ stroke: 'red', text }]);
  assert.deepEqual(drawnOf({ properties, label: '500 m', lines: ['a', 'b'] }), [
    { stroke: 'red' },
    { stroke: null, geometry: 'a', text },
    { stroke: null, geometry: 'b', text },
  ]);
});

test('other styles, other maps and lines without a label stay as they are', () => {
  for (const line of [
    { properties: {}, label: '500 m' },
    { properties, label: '500 m', className: 'CesiumMap' },
    { properties },
  ])
    assert.deepEqual(drawnOf(line), [{ stroke: 'red' }]);
});
