import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CardDesign } from '@platen/contract/cards';
import { cardContent } from './card-content.ts';
import { cardDesignOf, cardView } from './card-view.ts';

const design: CardDesign = {
  place: 'balloon',
  title: 'name',
  subtitle: 'kind',
  rows: [
    { type: 'text', attribute: 'area', title: 'Area', unit: 'm²' },
    { type: 'date', attribute: 'built', title: 'Built' },
    { type: 'link', attribute: 'site', title: 'Website', text: 'Open' },
    { type: 'picture', attribute: 'photo', prefix: 'https://example.org/photos/' },
  ],
};

test('a card is a view of VC Map with the same attributes, and can be edited until its options are changed by hand', () => {
  const view = cardView(design, { name: 'trees', type: 'TableFeatureInfoView', properties: { own: 1 } });
  assert.deepEqual(view, {
    name: 'trees',
    type: 'BalloonFeatureInfoView',
    attributeKeys: ['area', 'built', 'site', 'photo', 'name', 'kind'],
    keyMapping: { area: 'Area (m²)', built: 'Built', site: 'Website', photo: 'photo' },
    removeNoDataAttributes: true,
    tags: {
      site: { tag: 'a', href: '${value}', target: '_blank', rel: 'noopener noreferrer' },
      photo: { tag: 'img', src: 'https://example.org/photos/${value}', alt: 'photo' },
    },
    balloonTitle: 'name',
    balloonSubtitle: 'kind',
    properties: { own: 1, card: design },
  });
  const stored = JSON.parse(JSON.stringify(view)) as Record<string, unknown>;
  assert.deepEqual(cardDesignOf(stored), design);
  assert.equal(cardDesignOf({ ...stored, attributeKeys: ['area'] }), undefined);
  assert.equal(cardDesignOf({ ...stored, valueMapping: { area: 'x' } }), undefined);
  assert.equal(cardDesignOf({ properties: { card: { place: 'panel', rows: 7 } } }), undefined);
  const panel = cardView({ ...design, place: 'panel' }, stored);
  assert.equal(panel['balloonTitle'], undefined);
  assert.deepEqual(panel['window'], { state: { headerTitle: '{{["get","name"]}}' } });
});

test('titles stay different from each other and from other attributes, and end no template', () => {
  const { keyMapping } = cardView({
    place: 'balloon',
    rows: [
      { type: 'text', attribute: 'a', title: 'b' },
      { type: 'text', attribute: 'b', title: 'Same' },
      { type: 'text', attribute: 'c', title: 'Same' },
      { type: 'text', attribute: 'constructor' },
    ],
  });
  assert.deepEqual(keyMapping, { a: 'b (a)', b: 'Same', c: 'Same (c)', constructor: 'constructor' });
  const { window } = cardView({ place: 'panel', title: 'a}}b', rows: [] });
  assert.equal(JSON.stringify(window).includes('a}'), false);
});

const entriesOf = (rows: CardDesign['rows'], attributes: object, locale = 'en', showsEmpty = false) =>
  cardContent({ place: 'balloon', rows, showsEmpty }, { ...attributes }, locale).entries;

test('numbers, dates and yes or no are written as in the language of the map', () => {
  const rows: CardDesign['rows'] = [
    { type: 'text', attribute: 'area', unit: 'm²' },
    { type: 'text', attribute: 'share', digits: 2 },
    { type: 'text', attribute: 'year' },
    { type: 'text', attribute: 'open' },
    { type: 'date', attribute: 'built' },
    { type: 'date', attribute: 'seen', precision: 'year' },
    { type: 'date', attribute: 'old', precision: 'month' },
  ];
  const attributes = {
    area: 12345.678,
    share: 0.5,
    year: 1987,
    open: true,
    built: '2026-03-01',
    seen: '2024-12-31T12:00:00Z',
    old: '4.7.1776',
  };
  const textsIn = (locale: string) => entriesOf(rows, attributes, locale).map(({ text }) => text);
  assert.deepEqual(textsIn('en'), [
    '12,346\u00a0m²',
    '0.50',
    '1987',
    'yes',
    'March 1, 2026',
    '2024',
    'July 1776',
  ]);
  assert.deepEqual(textsIn('de'), [
    '12.346\u00a0m²',
    '0,50',
    '1987',
    'ja',
    '1. März 2026',
    '2024',
    'Juli 1776',
  ]);
});

test('values that are missing have no row, or a dash, and no title', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((attribute) => ({ type: 'text' as const, attribute }));
  const attributes = { a: null, b: '  ', c: Number.NaN, d: 0 };
  assert.deepEqual(entriesOf(rows, attributes), [{ title: 'd', text: '0' }]);
  assert.deepEqual(
    entriesOf(rows, attributes, 'en', true).map(({ text }) => text),
    ['–', '–', '–', '0', '–'],
  );
  const { title } = cardContent({ place: 'panel', title: 'a', rows: [] }, attributes, 'en');
  assert.equal(title, undefined);
});

test('names with dots lead into objects unless there is such an attribute, lists are joined, long texts end', () => {
  const rows = ['a.b', 'c.d', '__proto__', 'toString', 'list', 'long'].map((attribute) => ({
    type: 'text' as const,
    attribute,
  }));
  const attributes = { 'a.b': 'plain', c: { d: 'inner' }, list: ['x', null, 2], long: 'y'.repeat(100_000) };
  const entries = entriesOf(rows, attributes);
  assert.deepEqual(
    entries.slice(0, 3).map(({ text }) => text),
    ['plain', 'inner', 'x, 2'],
  );
  assert.equal(entries[3]!.text.length, 5002);
});

test('only addresses that are safe to follow become links and pictures', () => {
  const hrefOf = (value: unknown, prefix = '') =>
    entriesOf([{ type: 'link', attribute: 'a', prefix }], { a: value })[0]!.href;
  assert.equal(hrefOf('https://example.org/a b'), 'https://example.org/a%20b');
  assert.equal(hrefOf('www.example.org'), 'https://www.example.org/');
  assert.equal(hrefOf('info@example.org'), 'mailto:info@example.org');
  assert.equal(hrefOf(17, 'https://example.org/'), 'https://example.org/17');
  assert.equal(hrefOf('/data/plan.pdf'), '/data/plan.pdf');
  for (const value of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example',
    '/\\evil.example',
    'unknown',
  ])
    assert.equal(hrefOf(value), undefined, value);
  const [picture] = entriesOf([{ type: 'picture', attribute: 'a' }], { a: 'mailto:a@b.c' });
  assert.equal(picture!.src, undefined);
});
