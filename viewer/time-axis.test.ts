import assert from 'node:assert/strict';
import test from 'node:test';
import type { LayerTime } from '@platen/contract/layer-time';
import { isThere, momentOf, periodsOf, periodText } from './time-axis.ts';

const day = (text: string) => Date.parse(text);

test('dates are read as they are usually written, and years and milliseconds, too', () => {
  for (const value of ['1990-05-01', '1.5.1990', '01.05.1990', day('1990-05-01'), new Date('1990-05-01')])
    assert.equal(momentOf(value), day('1990-05-01'), String(value));
  for (const value of [1990, '1990', ' 1990 ', '1990-01']) assert.equal(momentOf(value), day('1990-01-01'));
  assert.equal(momentOf('2026-01-01T12:00:00+02:00'), day('2026-01-01T10:00:00Z'));
  assert.equal(momentOf(79), day('0079-01-01'));
  for (const value of ['', 'spring', '99.99.99999', NaN, Infinity, 3.5, null, undefined, {}, 1e300])
    assert.equal(momentOf(value), undefined);
});

test('the slider moves by whole years, months, days and hours, and by larger ones over a long time', () => {
  const starts = (from: string, to: string, step: LayerTime['step']) =>
    periodsOf(day(from), day(to), step).map(({ start }) => new Date(start).toISOString().slice(0, 13));
  assert.deepEqual(starts('2019-03-05', '2021-01-01', 'year'), [
    '2019-01-01T00',
    '2020-01-01T00',
    '2021-01-01T00',
  ]);
  assert.deepEqual(starts('2020-01-31', '2020-03-01', 'month'), [
    '2020-01-01T00',
    '2020-02-01T00',
    '2020-03-01T00',
  ]);
  assert.deepEqual(starts('2020-02-28', '2020-03-01', 'day').length, 3);
  assert.deepEqual(starts('2020-01-01T22:30Z', '2020-01-02T00:10Z', 'hour'), [
    '2020-01-01T22',
    '2020-01-01T23',
    '2020-01-02T00',
  ]);
  assert.equal(periodsOf(day('1900-01-01'), day('2000-12-31'), 'hour').length, 101 * 12);
  assert.equal(periodsOf(day('0001-01-01'), day('9999-12-31'), 'hour').length, 2000);
  assert.deepEqual(periodsOf(5, 4 - 86_400_000, 'day'), []);
});

test('a feature is there from its beginning to its end, each of which may be missing', () => {
  const [period] = periodsOf(day('2000-01-01'), day('2000-06-01'), 'year');
  const seen = (time: Partial<LayerTime>, values: Record<string, unknown>) =>
    isThere({ attribute: 'built', from: '', to: '', step: 'year', ...time }, (name) => values[name], period!);
  assert.deepEqual(
    [1999, 2000, 2001, null, 'old'].map((built) => seen({}, { built })),
    [true, true, false, true, true],
  );
  const during = { shows: 'during' } as const;
  assert.deepEqual(
    [1999, '2000-12-31', 2001, null].map((built) => seen(during, { built })),
    [false, true, false, false],
  );
  const until = { until: 'gone' };
  assert.deepEqual(
    [
      { built: 1990, gone: 1999 },
      { built: 1990, gone: 2000 },
      { built: 1990 },
      { gone: '2000-05-01' },
      { built: 2001 },
    ].map((one) => seen(until, one)),
    [false, true, true, true, false],
  );
});

test('a period is called by its year, month, day or hour', () => {
  const text = (step: LayerTime['step'], locale: string) =>
    periodText(periodsOf(day('2000-03-01'), day('2000-03-01'), step)[0]!, locale);
  assert.deepEqual(
    [text('year', 'en'), text('month', 'de'), text('day', 'en-GB')],
    ['2000', 'März 2000', '1 March 2000'],
  );
});
