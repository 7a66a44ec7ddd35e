/** What a browser is shown in place of a map: one text for what does not exist and what is not for the visitor. */
export const missingPage = messagePage(
  'This map is not here',
  'It does not exist, or it is not public. If it was shared with you, <a href="/">sign in</a> first.',
);

export const engineMissingPage = messagePage(
  'This map cannot be shown right now',
  'The version of the map viewer that it was made for is not installed.',
);

export const tooLargePage = messagePage(
  'This map is too large',
  'Its modules are above 16 MiB together. Whoever made it can take some out, or put what is large in them into datasources.',
);

/** Nothing is loaded from anywhere. */
export const messagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'";

/** Both are ours, and may hold markup. */
function messagePage(heading: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${heading}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center; padding: 24px; box-sizing: border-box;
    background: #eef4f5; color: #10242a; font: 15px/1.5 ui-sans-serif, system-ui, sans-serif; }
  h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3; font-weight: 600; }
  a { color: #0b5f6b; }
  p { margin: 0; max-width: 40ch; color: #4b6068; }
  @media (prefers-color-scheme: dark) { body { background: #0b1316; color: #e8f0f1; } p { color: #a9bbc0; } a { color: #6fd2dd; } }
</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}
