import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { SourceError } from '../source/source.ts';
import { readXml, type ReadXmlOptions, type XmlHandler } from './read-xml.ts';
import { mutateText } from './testing.ts';
import { cpuTime } from '../testing-cpu-time.ts';

type Event = readonly [kind: 'start' | 'end' | 'text', value: string];

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const attributeNames = ['a', 'b', 'id'];

async function eventsOf(
  text: string | Uint8Array,
  size = 1 << 16,
  options: Partial<ReadXmlOptions> = {},
): Promise<Event[]> {
  const events: Event[] = [];
  const handler: XmlHandler = {
    start(xml) {
      const attributes = attributeNames
        .map((name) => xml.attribute(name))
        .filter((value) => value !== undefined);
      events.push(['start', [xml.name.qualified, ...attributes].join('|')]);
    },
    end: (xml) => void events.push(['end', xml.name.qualified]),
    text: (xml) => void events.push(['text', xml.text()]),
  };
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  await readXml(chunked(bytes, size), handler, { maxBytes: 1 << 24, ...options });
  return events;
}

/** The same by another parser; undefined if it finds the text wrong. */
function eventsOfSaxes(text: string): Event[] | undefined {
  const events: Event[] = [];
  const parser = new SaxesParser();
  let run = '';
  let failed = false;
  const flush = (): void => {
    if (run.trim() !== '') events.push(['text', run.trim()]);
    run = '';
  };
  parser.on('error', () => {
    failed = true;
  });
  parser.on('doctype', () => {
    failed = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    flush();
    const values = attributeNames.map((key) => attributes[key]).filter((value) => value !== undefined);
    events.push(['start', [name, ...values].join('|')]);
  });
  parser.on('closetag', ({ name }) => {
    flush();
    events.push(['end', name]);
  });
  parser.on('text', (part) => {
    run += part;
  });
  parser.on('cdata', (part) => {
    run += part;
  });
  parser.write(text).close();
  return failed ? undefined : events;
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#x3e;').replaceAll('"', '&quot;');
const plainText = fc.string({
  unit: fc.constantFrom('a', '1', ' ', '&', '<', '>', '"', "'", 'é', '😀', '\n', ']'),
});
const name = fc.constantFrom('a', 'b', 'gml:pos', 'été', 'x-y.z');
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .record({
      name,
      attributes: fc.uniqueArray(fc.tuple(fc.constantFrom(...attributeNames), plainText), {
        selector: ([key]) => key,
      }),
      content: tie('content'),
      quote: fc.constantFrom('"', "'"),
      space: fc.constantFrom('', ' ', '\n'),
    })
    .map(({ name: tag, attributes, content, quote, space }) => {
      const written = attributes.map(
        ([key, value]) =>
          ` ${key}${space}=${space}${quote}${escape(value.replaceAll('\n', ' ')).replaceAll("'", '&apos;')}${quote}`,
      );
      return content === ''
        ? `<${tag}${written.join('')}${space}/>`
        : `<${tag}${written.join('')}${space}>${content}</${tag}${space}>`;
    }),
  content: fc
    .array(
      fc.oneof(
        { depthSize: 'small', maxDepth: 5 },
        plainText.map(escape),
        plainText.map((text) => `<![CDATA[${text.replaceAll(']', '')}]]>`),
        plainText.map((text) => `<!-- ${text.replaceAll('-', '')} -->`),
        fc.constant('<?pi <b> ?>'),
        tie('element'),
      ),
      { maxLength: 4 },
    )
    .map((pieces) => pieces.join('')),
}));

test('the reader agrees with another parser, however the text is divided into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(element, fc.integer({ min: 1, max: 50 }), async (root, size) => {
      const text = `\ufeff<?xml version="1.0"?>\n<!-- <a> -->${root}\n<!-- end -->`;
      assert.deepEqual(await eventsOf(text, size), eventsOfSaxes(text.slice(1)));
    }),
    { numRuns: 500 },
  );
});

test('damaged texts that another parser accepts are read equally', async () => {
  const text =
    '<?xml version="1.0"?><r a="1"><!-- c --><b id=\'x\'>t &amp; u<a/><![CDATA[<x>]]></b ><b>2</b>&#233;</r>';
  // CI makes 3,000
  const mutants = 30 * Number(process.env['PLATEN_MUTANTS'] ?? 40);
  let accepted = 0;
  for (let seed = 0; seed < mutants; seed++) {
    const damaged = Buffer.from(mutateText(Buffer.from(text), seed)).toString();
    const expected = eventsOfSaxes(damaged);
    if (expected === undefined) {
      await eventsOf(damaged, 5).catch((error: unknown) =>
        assert.ok(error instanceof SourceError, String(error)),
      );
      continue;
    }
    accepted++;
    assert.deepEqual(await eventsOf(damaged, 5), expected, JSON.stringify(damaged));
  }
  assert.ok(accepted > mutants / 30, `${accepted}`);
});

test('malformed XML fails with its position', async () => {
  for (const [text, code, message, line] of [
    ['', 'brokenXml', /no XML element/, 1],
    ['hello', 'brokenXml', /outside/, 1],
    ['<a>\n<b></a>', 'brokenXml', /<\/a> is in the place of <\/b>/, 2],
    ['<a/></a>', 'brokenXml', /closes nothing/, 1],
    ['<a/><b/>', 'brokenXml', /second/, 1],
    ['<a>\n\n< b/></a>', 'brokenXml', /name/, 3],
    ['<a b=c/>', 'brokenXml', /quotes/, 1],
    ['<a b/>', 'brokenXml', /no value/, 1],
    ['<a b="<"/>', 'brokenXml', /"<"/, 1],
    ['<a b="1"c="2"/>', 'brokenXml', /white space/, 1],
    ['<a>\n&nbsp;</a>', 'brokenXml', /&nbsp;/, 2],
    ['<a>&#0;</a>', 'brokenXml', /&#0;/, 1],
    ['<a><!ELEMENT x></a>', 'brokenXml', /neither/, 1],
    ['<a>\n<b>x', 'truncatedFile', /inside of <b>/, 2],
    ['<a>\n<b', 'truncatedFile', /inside of <a>/, 2],
    ['<a/><!-- ', 'truncatedFile', /ends/, 1],
  ] as const) {
    await assert.rejects(eventsOf(text, 3), (error) => {
      assert.ok(error instanceof SourceError, text);
      assert.equal(error.code, code, text);
      assert.match(error.message, message, text);
      assert.equal(error.place.line, line, text);
      return true;
    });
  }
});

test('a text is cut off at any byte without harm', async () => {
  const text = '<r a="ä"><!-- c --><b>t &amp; u<a/><![CDATA[<x>]]></b ><?pi x?></r>';
  for (let length = 0; length < Buffer.byteLength(text); length++)
    await assert.rejects(eventsOf(Buffer.from(text).subarray(0, length), 4), SourceError, `${length}`);
});

test('a DOCTYPE is refused before any of its entities is', async () => {
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
    '',
  );
  const text = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${laughs}]><l>&l9;</l>`;
  await assert.rejects(eventsOf(text), { code: 'unsupported', message: /DOCTYPE/ });
});

test('XML nested too deep, too long or with too many attributes is refused, in little memory', async () => {
  await assert.rejects(eventsOf('<a>'.repeat(10_000)), { code: 'unsupported', message: /nested/ });
  const attributes = Array.from({ length: 2000 }, (_, i) => `a${i}="1"`).join(' ');
  await assert.rejects(eventsOf(`<a ${attributes}/>`), { code: 'unsupported', message: /attributes/ });
  async function* endless(start: string, filler: string): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from(start);
    const chunk = Buffer.from(filler.repeat(Math.ceil((1 << 16) / filler.length)));
    for (let bytes = 0; bytes < 100e6; bytes += chunk.length) yield chunk;
  }
  const memory = process.memoryUsage().rss;
  const nothing: XmlHandler = { start() {}, end() {}, text() {} };
  for (const [start, filler] of [
    ['<a>', 'x'],
    ['<a b="', 'x'],
    ['<a>', '<!---->'],
    ['<a', ' '],
    ['<', 'x'],
    ['<a><!--', '-'],
    ['<a><![CDATA[', ']'],
    ['<a>', '&amp;'],
    ['', '<?x?'],
  ] as const) {
    const spentMs = cpuTime();
    await assert.rejects(
      readXml(endless(start, filler), nothing, { maxBytes: 8 << 20 }),
      { code: 'featureTooLarge' },
      start,
    );
    assert.ok(spentMs() < 2000, `${start}${filler}`);
  }
  assert.ok(process.memoryUsage().rss - memory < 256 * 2 ** 20);
});

test('an element can be skipped, and what follows is read as if it were empty', async () => {
  await fc.assert(
    fc.asyncProperty(element, fc.integer({ min: 1, max: 50 }), async (inner, size) => {
      const seen: string[] = [];
      const handler: XmlHandler = {
        start(xml) {
          seen.push(xml.name.qualified);
          if (xml.name.qualified === 'skip') xml.skip();
        },
        end: (xml) => void seen.push(`/${xml.name.qualified}`),
        text: (xml) => void seen.push(xml.text()),
      };
      const text = `<r><skip x="/>">${inner}</skip>t<skip/><b/></r>`;
      await readXml(chunked(Buffer.from(text), size), handler, { maxBytes: 1 << 20 });
      assert.deepEqual(seen, ['r', 'skip', '/skip', 't', 'skip', '/skip', 'b', '/b', '/r']);
    }),
  );
});
