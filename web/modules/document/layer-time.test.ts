import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateAttributes, momentText, timeBy } from './layer-time.ts';

const texts = (name: string, ...values: string[]) =>
  ({ name, type: 'string', count: values.length, values }) as const;
const numbers = (name: string, ...values: number[]) =>
  ({
    name,
    type: 'number',
    count: values.length,
    values,
    min: Math.min(...values),
    max: Math.max(...values),
  }) as const;

test('dates, years and milliseconds are times, amounts and other texts are none', () => {
  const times = [
    texts('day', '2020-01-05', '2021-01-05'),
    texts('german', '5.1.2020', '5.1.2021', '5.2.2021', '6.2.2021', 'unknown'),
    numbers('year', 1850, 2024),
    numbers('ms', Date.UTC(2020, 0), Date.UTC(2021, 0)),
  ];
  const others = [
    texts('name', 'Oak', 'Elm'),
    texts('rarely', '2020-01-05', 'unknown'),
    numbers('height', 1.5, 200),
    numbers('count', 0, 12),
    numbers('area', 5, 1_000_000),
    texts('none'),
    { name: 'flag', type: 'boolean', count: 2, values: [true, false] } as const,
  ];
  assert.deepEqual(dateAttributes([...times, ...others]), times);
});

test('the slider spans all known values, by steps that suit them', () => {
  assert.deepEqual(timeBy(numbers('built', 1850, 1990), numbers('gone', 1900, 2024)), {
    attribute: 'built',
    until: 'gone',
    from: '1850',
    to: '2024',
    step: 'year',
  });
  assert.deepEqual(timeBy(texts('day', '2020-01-05', '2020-12-24')), {
    attribute: 'day',
    from: '2020-01',
    to: '2020-12',
    step: 'month',
  });
  const { from, to, step } = timeBy(texts('at', '2020-01-05T10:15:00Z', '2020-01-06T11:00:00Z'));
  assert.deepEqual([from, to, step], ['2020-01-05T10:15Z', '2020-01-06T11:00Z', 'hour']);
  assert.equal(momentText(Date.UTC(2020, 4, 1), 'day'), '2020-05-01');
  assert.equal(momentText(new Date(0).setUTCFullYear(-50), 'year'), '-50');
});
