import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axeCore from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What the rules of axe find on a page, with the elements concerned. The contents of frames belong to the map viewer.
 * @param within a selector of a part of the page, or what to leave out
 */
export async function violationsOf(
  page: Page,
  within?: string | { readonly exclude: readonly string[] },
): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await page.evaluate(axe);
  const { violations, passes } = (await page.evaluate(
    async (context) =>
      (globalThis as unknown as { axe: typeof axeCore }).axe.run((context ?? document) as string, {
        resultTypes: ['violations'],
        iframes: false,
        // no rule that looks at style sheets or media files applies here
        preload: false,
      }),
    within,
  )) as axeCore.AxeResults;
  if (passes.length === 0) throw new Error('No rule was applied.');
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html).join(' ¦ ')}`,
  );
}
