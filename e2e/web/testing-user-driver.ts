import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { wordsOf } from './testing-words.ts';

export interface DroppedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Operates the interface as a person would, with mouse or keyboard. */
export interface UserDriver {
  /** Goes to a place of the project by the letter of its shortcut, or its link in the sidebar; not one of the acts. */
  goTo(letter: string, link: Locator): Promise<void>;
  press(target: Locator): Promise<void>;
  upload(file: DroppedFile): Promise<void>;
}

export function mouseDriver(page: Page): UserDriver {
  return {
    async goTo(_letter, link) {
      await link.click();
    },
    press: (target) => target.click(),
    upload: (file) => drop(page, [file]),
  };
}

/** Uses keys only: no pointer, and no focus set by the test. */
export function keyboardDriver(page: Page, upload: string): UserDriver {
  return {
    async goTo(letter, link) {
      await link.waitFor();
      const there = new URL((await link.getAttribute('href'))!, page.url()).pathname;
      const comes = () =>
        page
          .waitForURL(({ pathname }) => pathname === there, { timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
      // without a pause: keys that are far from each other are no shortcut
      do await Promise.all([page.keyboard.press('g'), page.keyboard.press(letter)]);
      while (!(await comes()));
    },
    async press(target) {
      await walkTo(page, target);
      const isTicked = await target.evaluate((element) => element.matches('input'));
      await page.keyboard.press(isTicked ? 'Space' : 'Enter');
    },
    async upload({ name, content }) {
      const chosen = page.waitForEvent('filechooser');
      // the shortcut works only once the permissions of the user are known
      await page.getByRole('button', { name: upload, exact: true }).first().waitFor();
      await page.keyboard.press('u');
      await (await chosen).setFiles({ name, mimeType: '', buffer: Buffer.from(content) });
    },
  };
}

const maxSteps = 120;

/** Moves the focus to the target with Tab, or with the arrow keys in a menu; the target must be enabled. */
export async function walkTo(page: Page, target: Locator): Promise<void> {
  await target.and(page.locator(':not(:disabled)')).waitFor();
  const isInMenu = (await target.getAttribute('role')) === 'menuitem';
  for (let step = 0; step <= maxSteps; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(isInMenu ? 'ArrowDown' : 'Tab');
  }
  assert.fail(`${maxSteps} keys do not lead to ${String(target)}`);
}

/** Drops files onto the page, as if they came from a folder of the machine. */
export async function drop(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const encoded = files.map(({ name, content }) => ({
    name,
    base64: Buffer.from(content).toString('base64'),
  }));
  await page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    for (const { name, base64 } of dropped) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name));
    }
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }),
      );
  }, encoded);
}

/**
 * Drops a folder of the machine onto the page, in English. As a person would, it is held until the page says that it may be
 * dropped: what is drawn anew in between would be dropped on, and gone.
 */
export async function dropFolder(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize()!;
  const place = { x: width / 2, y: height / 2 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...place, data });
  await send('dragEnter');
  await send('dragOver');
  await page.getByText(wordsOf('en')('uploads.drop'), { exact: true }).waitFor();
  await send('dragOver');
  await send('drop');
  await session.detach();
}
