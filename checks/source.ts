import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseSync, Visitor, type Expression, type TemplateLiteral } from 'oxc-parser';

/** The facts about one source file that the architecture checks need. */
export interface Source {
  /** Path from the root, with `/`. */
  path: string;
  /** Everything imported, re-exported or resolved, types included: `geo/pmtiles/header.ts`, `typebox`, `node:fs`. */
  imports: string[];
  readsEnvironment: boolean;
}

/** The files of a folder that are part of what runs: neither tests nor what only tests use. */
export function sourcesOf(folder: string): Source[] {
  return globSync(`${folder}/**/*.{ts,js,mjs,vue}`, {
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/*.test.ts',
      '**/*.component.ts',
      '**/testing.ts',
      '**/testing-*.ts',
      '**/conformance.ts',
    ],
  })
    .map((path) => path.split(sep).join('/'))
    .toSorted()
    .map((path) => readSource(path, readFileSync(path, 'utf8')));
}

/** Without any of these, static imports are all that there is; reading the syntax tree takes most of the time. */
const mayHoldMore = /\bimport\s*[(/]|require|resolve|env|\bprocess\b|\\[ux]/;

/** Throws for what cannot be parsed: a file that is not understood must not pass for one without imports. */
export function readSource(path: string, text: string): Source {
  const [name, code] = path.endsWith('.vue') ? [`${path}.ts`, scriptsOf(text)] : [path, text];
  const parsed = parseSync(name, code);
  const { errors, module } = parsed;
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);

  const requests = [
    ...module.staticImports.map((it) => it.moduleRequest.value),
    ...module.staticExports.flatMap((it) => it.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ];
  const imports = () => requests.map((request) => pathOf(request, path));
  if (!mayHoldMore.test(code)) return { path, imports: imports(), readsEnvironment: false };
  const processNames = new Set(['process']);
  let readsEnvironment = false;
  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      if (source.value !== 'node:process' && source.value !== 'process') return;
      for (const it of specifiers) {
        if (it.type !== 'ImportSpecifier') processNames.add(it.local.name);
        else if (it.imported.type === 'Identifier' && it.imported.name === 'env') readsEnvironment = true;
      }
    },
    ImportExpression({ source }) {
      requests.push(requestOf(source));
    },
    TSImportType({ source }) {
      requests.push(source.value);
    },
    CallExpression({ callee, arguments: [first] }) {
      const isRequire = callee.type === 'Identifier' && callee.name === 'require';
      if (!isRequire && !isImportMetaResolve(callee)) return;
      if (first && first.type !== 'SpreadElement') requests.push(requestOf(first));
    },
    MemberExpression({ object, property, computed }) {
      const name = property.type === 'Identifier' && !computed ? property.name : textOf(property);
      if (name === 'env' && isProcess(object, processNames)) readsEnvironment = true;
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern' || !init || !isProcess(init, processNames)) return;
      // A rest element would take the environment along.
      readsEnvironment ||= id.properties.some(
        (it) => it.type === 'RestElement' || (it.key.type === 'Identifier' && it.key.name === 'env'),
      );
    },
  }).visit(parsed.program);

  return { path, imports: imports(), readsEnvironment };
}

/** A computed request counts by its fixed start, and as '(computed)' where it has none. */
function requestOf(node: Expression): string {
  return textOf(node) || '(computed)';
}

function textOf(node: { type: string }): string | undefined {
  if (node.type === 'Literal') return String((node as { value?: unknown }).value);
  if (node.type === 'TemplateLiteral') return (node as TemplateLiteral).quasis[0]?.value.raw;
  return undefined;
}

function isImportMetaResolve(callee: Expression): boolean {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'MetaProperty') return false;
  return callee.property.type === 'Identifier' && callee.property.name === 'resolve';
}

/** `process`, whatever it was imported as, and `globalThis.process`. */
function isProcess(node: Expression, names: ReadonlySet<string>): boolean {
  if (node.type === 'Identifier') return names.has(node.name);
  if (node.type !== 'MemberExpression') return false;
  return node.property.type === 'Identifier' && node.property.name === 'process';
}

function pathOf(request: string, from: string): string {
  if (request.startsWith('.'))
    return relative('.', join(dirname(from), request))
      .split(sep)
      .join('/');
  if (request.startsWith('@platen/')) return `${request.slice('@platen/'.length)}.ts`;
  return request;
}

/** The code of a component, without its template. */
export function scriptsOf(vue: string): string {
  return [...vue.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, code]) => code).join('\n');
}
