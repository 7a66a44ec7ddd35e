/**
 * Without a window, a graphics card and anything of its own accord. A user without any rights needs no sandbox of the
 * browser, which containers often do not allow.
 * @param profile an empty folder that it may write to
 */
export const browserCommand = (executable: string, profile: string, hasOwnUser: boolean): string[] => [
  executable,
  '--headless',
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  '--disable-gpu',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-first-run',
  ...(hasOwnUser ? ['--no-sandbox'] : []),
];
