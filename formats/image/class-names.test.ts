import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseClassColours, parseClassNames } from './class-names.ts';

const pam = (band: string): string =>
  `<PAMDataset><SRS>x</SRS><PAMRasterBand band="1">${band}</PAMRasterBand></PAMDataset>`;

test('category names count from 0, and empty ones are none', () => {
  const names = '<CategoryNames><Category/><Category>Water &amp; ice</Category><Category>Forest</Category>';
  assert.deepEqual(
    [...parseClassNames(pam(`<Description>b</Description>${names}</CategoryNames>`))],
    [
      [1, 'Water & ice'],
      [2, 'Forest'],
    ],
  );
});

test('an attribute table gives names by its columns of values and of names', () => {
  const column = (index: number, name: string, usage: number): string =>
    `<FieldDefn index="${index}"><Name>${name}</Name><Type>0</Type><Usage>${usage}</Usage></FieldDefn>`;
  const columns = column(0, 'Count', 1) + column(1, 'Value', 5) + column(2, 'Class_Name', 2);
  const rows =
    '<Row index="0"><F>9</F><F>11</F><F>Open Water</F></Row><Row index="1"><F/><F>21</F><F/></Row>';
  const table = `<GDALRasterAttributeTable tableType="thematic">${columns}${rows}</GDALRasterAttributeTable>`;
  assert.deepEqual([...parseClassNames(pam(table))], [[11, 'Open Water']]);
  assert.equal(parseClassNames(pam(table.replace('<Usage>5', '<Usage>0'))).size, 0);
});

test('a file that says nothing of classes, or is cut off, has no names', () => {
  assert.equal(parseClassNames('<PAMDataset></PAMDataset>').size, 0);
  assert.equal(parseClassNames('<PAMRasterBand band="1"><CategoryNames><Category>a').size, 0);
});

test('an attribute table gives colours by its columns of red, green and blue', () => {
  const columns = [5, 6, 7, 8].map((usage) => `<FieldDefn><Usage>${usage}</Usage></FieldDefn>`).join('');
  const rows = ['1 2 3 255', '2 0 256 0', '3 0 0', 'x 1 1 1'].map(
    (row) => `<Row>${row.replace(/(?<!\w)\w+/g, '<F>$&</F>')}</Row>`,
  );
  const table = `<GDALRasterAttributeTable>${columns}${rows.join('')}</GDALRasterAttributeTable>`;
  assert.deepEqual([...parseClassColours(pam(table))], [[1, [2, 3, 255]]]);
  assert.equal(parseClassColours(pam(table.replace('<Usage>7', '<Usage>0'))).size, 0);
});
