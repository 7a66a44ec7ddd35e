import type { Page } from 'playwright-core';
import type { RunningService } from '../processes.ts';
import { openInterface, type Interface } from './testing-interface.ts';
import { makeProject } from './testing-project.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';

/** Windows of a browser on one project of the shared service. */
export interface ProjectWindows {
  readonly service: RunningService;
  readonly made: Awaited<ReturnType<typeof makeProject>>;
  /** Address of a page of the project. */
  addressOf(place: string): string;
  /** Opens a window of its own, closes it after `act`, and fails if it logged an error. */
  inWindow(act: (shown: Interface) => Promise<void>, options?: Window): Promise<void>;
  close(): Promise<void>;
}

interface Window {
  readonly width?: number;
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly url?: string;
}

export async function openProjectWindows(executable: string): Promise<ProjectWindows> {
  const service = await sharedService();
  const browser = await sharedBrowser(executable, { map: true });
  const made = await makeProject(service);
  return {
    service,
    made,
    addressOf: (place) => `${service.url}/p/${made.projectId}/${place}`,
    async inWindow(act, { width = 1280, credentials, url = service.url } = {}) {
      const shown = await openInterface(browser, { url }, { width, height: 800 }, credentials);
      shown.page.setDefaultTimeout(60_000);
      shown.expect(/GPU stall due to ReadPixels/); // there is no GPU here
      await act(shown);
      shown.assertQuiet();
      await shown.context.close();
    },
    close: () => browser.close(),
  };
}

export async function untilShown(page: Page): Promise<void> {
  await page.locator('h1, [role=dialog] h2').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.animate-pulse') === null);
}
