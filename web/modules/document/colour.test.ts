import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colourExpression, formatColour, parseColour } from './colour.ts';

test('all colour formats of styles are read', () => {
  assert.deepEqual(parseColour('#F80'), { hex: '#ff8800', alpha: 1 });
  assert.deepEqual(parseColour('#0000ff80'), { hex: '#0000ff', alpha: 0.5 });
  assert.deepEqual(parseColour('rgba(255,0,16, 0.25)'), { hex: '#ff0010', alpha: 0.25 });
  assert.deepEqual(parseColour([1, 2, 3, 0.5]), { hex: '#010203', alpha: 0.5 });
  assert.deepEqual(parseColour("color('#cc2200', 0.4)"), { hex: '#cc2200', alpha: 0.4 });
  assert.deepEqual(parseColour("color('red')"), { hex: '#ff0000', alpha: 1 });
  assert.equal(parseColour('${height} > 3'), undefined);
  assert.equal(parseColour({}), undefined);
});

test('colours are written as the map viewer reads them', () => {
  assert.equal(formatColour({ hex: '#ff8800', alpha: 1 }), '#ff8800');
  assert.equal(formatColour({ hex: '#ff8800', alpha: 0.333 }), 'rgba(255, 136, 0, 0.33)');
  assert.equal(colourExpression({ hex: '#ff8800', alpha: 1 }), "color('#ff8800')");
  assert.equal(colourExpression({ hex: '#ff8800', alpha: 0.5 }), "color('#ff8800', 0.5)");
});
