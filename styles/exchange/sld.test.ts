import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MapStyle } from '@platen/contract/map-styles';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { readStyleFile } from './read-style-file.ts';
import { writeStyleFile } from './write-style-file.ts';
import { commonStyle, seen } from './testing-styles.ts';

for (const format of ['sld-1.0', 'sld-1.1'] as const)
  test(`a style that was written as ${format} is read as one that looks the same`, async () => {
    await fc.assert(
      fc.asyncProperty(commonStyle(), async ({ style, shape }) => {
        const { text } = writeStyleFile({ style, shape, name: 'Buildings' }, format);
        const read = await readStyleFile(text);
        const [first] = read.styles;
        assert.equal(read.format, format);
        assert.equal(first?.name, 'Buildings');
        assert.deepEqual([...Value.Errors(MapStyle, first!.style)], []);
        assert.deepEqual(seen(first as never), seen({ style, shape }), text);
        assert.deepEqual(first?.notes, []);
      }),
    );
  });
