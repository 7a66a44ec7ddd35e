import { escapeHtml } from '@platen/viewer/escape-html';
import type { Language } from '@platen/viewer/page';
import { version } from '../../base/version.ts';
import type { PackageLicence } from './about-files.ts';

const texts = {
  en: {
    title: 'About Platen',
    version: `Version ${version}, licensed under Apache 2.0.`,
    packages: 'Packages',
    intro: (count: number) =>
      `Platen contains ${count} packages of others. <a href="/about/licences.txt">Licences and notices</a> · <a href="/about/sbom.json">Bill of materials (CycloneDX)</a>`,
    missing: 'The list of packages is made by <code>npm run build</code>, which did not run here.',
    name: 'Name',
    versionColumn: 'Version',
    licence: 'Licence',
  },
  de: {
    title: 'Über Platen',
    version: `Version ${version}, lizenziert unter Apache 2.0.`,
    packages: 'Pakete',
    intro: (count: number) =>
      `Platen enthält ${count} Pakete anderer. <a href="/about/licences.txt">Lizenzen und Hinweise</a> · <a href="/about/sbom.json">Stückliste (CycloneDX)</a>`,
    missing: 'Die Liste der Pakete erstellt <code>npm run build</code>, das hier nicht gelaufen ist.',
    name: 'Name',
    versionColumn: 'Version',
    licence: 'Lizenz',
  },
} as const;

/** The page at /about, which loads nothing. */
export function aboutPage(language: Language, licences: readonly PackageLicence[] | undefined): string {
  const t = texts[language];
  const rows = licences?.map(
    (it) =>
      `<tr><td>${escapeHtml(it.name)}</td><td>${escapeHtml(it.version)}</td><td>${escapeHtml(it.licence)}</td></tr>`,
  );
  const list = rows
    ? `<p>${t.intro(rows.length)}</p>
<table><thead><tr><th>${t.name}</th><th>${t.versionColumn}</th><th>${t.licence}</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`
    : `<p>${t.missing}</p>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${t.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>
  :root { color-scheme: light dark; }
  body { margin: 0 auto; max-width: 60rem; padding: 24px; font: 15px/1.5 ui-sans-serif, system-ui, sans-serif; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 2px 12px 2px 0; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>${t.title}</h1>
<p>${t.version}</p>
<h2>${t.packages}</h2>
${list}
</main>
</body>
</html>
`;
}

/** All licences and notices; packages with the same texts share them. */
export function licencesText(licences: readonly PackageLicence[]): string {
  const byText = new Map<string, string[]>();
  for (const { name, version: number, licence, texts: files } of licences) {
    const text = files.join('\n\n').trim();
    const owners = byText.getOrInsertComputed(text, () => []);
    owners.push(`${name} ${number} (${licence || 'no licence named'})`);
  }
  return [...byText]
    .map(([text, owners]) => `${owners.join('\n')}\n\n${text || '(The package contains no text.)'}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
