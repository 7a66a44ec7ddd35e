import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sanitiserScript } from '@platen/viewer/start-script';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import { markup } from './testing-hostile-module.ts';
import { observePage, type Observations } from './testing-hostile-visit.ts';
import { sharedBrowser } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let browser: Browser;
before(async () => {
  if (executable !== undefined) browser = await sharedBrowser(executable);
});
afterFile(() => browser?.close());

/** A page without a policy. */
async function openPage(script: string): Promise<{ page: Page; seen: Observations }> {
  const context = await browser.newContext();
  const seen = await observePage(context);
  await context.route('http://page.test/**', (route) =>
    route.request().url() === 'http://page.test/'
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><head></head><body></body>' })
      : route.abort(),
  );
  const page = await context.newPage();
  await page.goto('http://page.test/');
  await page.addScriptTag({ content: script, type: 'module' });
  return { page, seen };
}

const run = '__ran(1)';
const hostile = [
  markup('all'),
  `</svg></template></table><img src="x" onerror="${run}">`,
  `<tr><td><img src="x" onerror="${run}"></td></tr>`,
  `<svg><style><img src="x" onerror="${run}"></style></svg>`,
  `<svg><a xlink:href="javascript:${run}"><text>a</text></a></svg>`,
  `<svg><script>${run}</script><foreignObject><iframe srcdoc="a"></iframe></foreignObject></svg>`,
  `<object data="javascript:${run}"></object><embed src="javascript:${run}">`,
  `<button formaction="javascript:${run}">a</button><input autofocus onfocus="${run}">`,
  `<details open ontoggle="${run}">a</details><body onload="${run}">`,
  `<template><img src="x" onerror="${run}"></template>`,
  `<a href="&#1;java&#10;script:${run}">a</a><iframe src=" JavaScript:${run}"></iframe>`,
];

/** Texts whose meaning changes when a sanitiser writes what it has read. */
const mutating = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
  `<form><math><mtext></form><form action="/x"><mglyph><style></math><img src="x" onerror="${run}">`,
];

/** Runs in the page: puts HTML into it by every way, and follows all links. */
function insertByAllWays(html: string): void {
  const make = (parent: Node = document.body) => parent.appendChild(document.createElement('div'));
  const svg = () => make().appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));
  make().innerHTML = html;
  make(make()).outerHTML = html;
  for (const place of ['beforebegin', 'afterbegin', 'beforeend', 'afterend'] as const)
    make().insertAdjacentHTML(place, html);
  make().setHTMLUnsafe(html);
  make().append(document.createRange().createContextualFragment(html));
  svg().innerHTML = html;
  svg().insertAdjacentHTML('beforeend', html);
  make().appendChild(document.createElement('table')).innerHTML = html;
  const template = make().appendChild(document.createElement('template'));
  template.innerHTML = html;
  document.body.append(template.content);
  for (const property of ['innerHTML', 'setHTMLUnsafe'] as const) {
    const shadow = make().attachShadow({ mode: 'open' });
    if (property === 'innerHTML') shadow.innerHTML = html;
    else shadow.setHTMLUnsafe(html);
    document.body.append(...shadow.childNodes);
  }
  for (const link of document.querySelectorAll('a')) link.dispatchEvent(new MouseEvent('click'));
}

/** Runs in the page: gives elements attributes and addresses by every way. */
function setAllAttributes(address: string): void {
  const make = <N extends keyof HTMLElementTagNameMap>(name: N) =>
    document.body.appendChild(document.createElement(name));
  make('a').href = address;
  make('area').href = address;
  make('iframe').src = address;
  make('iframe').srcdoc = '<p>a</p>';
  make('embed').src = address;
  make('object').data = address;
  make('form').action = address;
  make('button').formAction = address;
  make('input').formAction = address;
  make('a').setAttribute('HREF', address);
  make('iframe').setAttribute('src', address);
  make('iframe').setAttribute('srcdoc', '<p>a</p>');
  make('img').setAttribute('onError', '__ran(1)');
  make('img').setAttributeNS(null, 'onerror', '__ran(1)');
  make('img').src = '/none.png';
  const link = document.createElementNS('http://www.w3.org/2000/svg', 'a');
  link.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', address);
  document.body.append(link);
}

const settle = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));

test('nothing that runs gets into a page, by any way', { skip, timeout: 60_000 }, async () => {
  const { page, seen } = await openPage(sanitiserScript());
  for (const html of [...hostile, ...mutating]) {
    await page.evaluate(insertByAllWays, html);
    await settle(page);
    assert.deepEqual({ ran: seen.ran, inserted: seen.inserted }, { ran: [], inserted: [] }, html);
  }
  for (const address of [`javascript:${run}`, ` java\tscript:${run}`, `\u0001JAVASCRIPT:${run}`]) {
    await page.evaluate(setAllAttributes, address);
    await settle(page);
    assert.deepEqual({ ran: seen.ran, inserted: seen.inserted }, { ran: [], inserted: [] }, address);
  }
});

test('each of these texts and addresses is hostile', { skip, timeout: 60_000 }, async () => {
  const { page, seen } = await openPage('export {};');
  const requireHostile = async (text: string, insert: (text: string) => void) => {
    seen.inserted.length = 0;
    await page.evaluate(insert, text);
    await settle(page);
    assert.ok(seen.inserted.length > 0, text);
  };
  for (const html of hostile) await requireHostile(html, insertByAllWays);
  await requireHostile(`javascript:${run}`, setAllAttributes);
  assert.ok(seen.ran.length > 0);
});

/** What the map viewers write, and have to find again. */
const harmless = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" class="v-icon"><g fill="none" transform="rotate(4)"><path d="M0 0h8v8H0z" stroke="#fff"></path></g></svg>',
  '<div class="a b" style="left: 12px; width: calc(100% - 2px);" data-v-06193506="" id="row" aria-label="Row" role="row" title="a &lt; b">a</div>',
  '<a href="https://example.org/?a=1&amp;b=2#c" target="_blank" rel="noopener">a</a><a href="../b">b</a><a href="mailto:a@example.org">c</a>',
  '<img src="data:image/png;base64,iVBORw0KGgo=" alt="a" width="4"><img src="/data/a.png">',
  '<table><thead><tr><th colspan="2">a</th></tr></thead><tbody><tr><td>b</td><td>c</td></tr></tbody></table>',
  '<ul><li><input disabled="" type="checkbox"> a</li></ul><pre><code class="language-js">a &amp;&amp; b</code></pre>',
  ' <style>.a > .b { color: red }</style><template><p>a</p></template>',
  '<h1>a</h1><p>b<br>c <strong>d</strong> <em>e</em></p><blockquote>f</blockquote><hr>',
];

test('what map viewers write stays as it is', { skip, timeout: 60_000 }, async () => {
  const { page, seen } = await openPage(sanitiserScript());
  const written = await page.evaluate((texts) => {
    const host = document.body.appendChild(document.createElement('div'));
    return texts.map((text) => {
      host.innerHTML = text;
      return host.innerHTML;
    });
  }, harmless);
  assert.deepEqual(written, harmless);
  assert.deepEqual(
    await page.evaluate(() => {
      const host = document.body.appendChild(document.createElement('div'));
      const sheet = document.head.appendChild(document.createElement('style'));
      sheet.innerHTML = 'a > b { color: red } /* <b> */';
      const decoder = document.createElement('textarea');
      decoder.innerHTML = '&lt;b&gt; &amp; c <i>';
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.innerHTML = '<g><path d="M0 0"/></g>';
      const rows = document.createElement('template');
      rows.innerHTML = '<tr><td>1</td></tr><tr><td>2</td></tr>';
      const table = document.createElement('table');
      table.innerHTML = '<tr><td>1</td></tr>';
      table.insertAdjacentHTML('beforeend', '<tfoot><tr><td>2</td></tr></tfoot>');
      host.innerHTML = '&nbsp;&#8203;';
      const text = host.textContent;
      (host as { innerHTML: string | null }).innerHTML = null;
      const empty = host.innerHTML;
      host.innerHTML = '<b>1</b>';
      host.firstElementChild!.outerHTML = '<i>2</i><i>3</i>';
      host.insertAdjacentHTML('afterbegin', '<b>1</b>');
      host.lastElementChild!.insertAdjacentHTML('AFTEREND' as InsertPosition, '<b>4</b>');
      const link = document.createElement('a');
      link.href = 'https://example.org/';
      link.setAttribute('on-icon', 'kept');
      return {
        sheet: [sheet.textContent, sheet.sheet?.cssRules.length],
        decoder: decoder.value,
        path: svg.querySelector('path') instanceof SVGPathElement,
        rows: rows.innerHTML,
        table: table.outerHTML,
        text,
        empty,
        order: host.textContent,
        link: link.outerHTML,
        leftover: 'DOMPurify' in globalThis,
      };
    }),
    {
      sheet: ['a > b { color: red } /* <b> */', 1],
      decoder: '<b> & c <i>',
      path: true,
      rows: '<tr><td>1</td></tr><tr><td>2</td></tr>',
      table: '<table><tr><td>1</td></tr><tfoot><tr><td>2</td></tr></tfoot></table>',
      text: '\u00A0\u200B',
      empty: '',
      order: '1234',
      link: '<a href="https://example.org/" on-icon="kept"></a>',
      leftover: false,
    },
  );
  assert.deepEqual(seen.inserted, []);
});
