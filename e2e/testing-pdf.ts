/**
 * The texts of a PDF whose streams are not compressed, each decoded by all of its fonts: glyphs that a font does not map to
 * characters are left out.
 */
export function textsOfPdf(content: Buffer): string[] {
  const source = content.toString('latin1');
  const fonts = [...source.matchAll(/beginbfchar\n([^]*?)endbfchar/g)].map(
    ([, lines = '']) =>
      new Map(
        [...lines.matchAll(/<([\da-f]{4})><([\da-f]{4})>/g)].map(([, glyph = '', code = '']) => [
          glyph,
          String.fromCharCode(Number.parseInt(code, 16)),
        ]),
      ),
  );
  const texts = [...source.matchAll(/<((?:[\da-f]{4})+)> Tj/g)].map(([, glyphs = '']) => glyphs);
  return fonts.flatMap((font) =>
    texts.map((glyphs) => glyphs.replaceAll(/.{4}/g, (glyph) => font.get(glyph) ?? '')),
  );
}
