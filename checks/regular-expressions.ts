import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor, type Argument, type Expression, type Program } from 'oxc-parser';
import { scriptsOf } from './source.ts';

/** A regular expression of the code, and where it stands. */
export interface FoundExpression {
  /** File and line. */
  readonly place: string;
  /** Undefined where it is made of what is not constant. */
  readonly expression: RegExp | undefined;
  /** As the code writes it. */
  readonly text: string;
}

/** All expressions of the files of these folders that are part of what runs: literals, `new RegExp` and schemas. */
export function expressionsOf(folders: readonly string[]): FoundExpression[] {
  const exclude = ['**/node_modules/**', '**/dist/**', '**/*.test.ts', '**/testing.ts', '**/testing-*.ts'];
  return globSync(`{${folders.join()}}/**/*.{ts,js,mjs,vue}`, { exclude })
    .toSorted()
    .flatMap((path) => expressionsIn(path, readFileSync(path, 'utf8')));
}

export function expressionsIn(path: string, text: string): FoundExpression[] {
  const [name, code] = path.endsWith('.vue') ? [`${path}.ts`, scriptsOf(text)] : [path, text];
  const { program, errors } = parseSync(name, code);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const constants = constantsOf(program);
  const found: FoundExpression[] = [];
  const add = ({ start, end }: { start: number; end: number }, source?: string, flags = '') => {
    const place = `${path}:${code.slice(0, start).split('\n').length}`;
    const expression = source === undefined ? undefined : new RegExp(source, flags);
    found.push({ place, expression, text: code.slice(start, end) });
  };
  const addMade = (node: { start: number; end: number; callee: Expression; arguments: Argument[] }) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
    const [source, flags] = node.arguments;
    add(node, valueOf(source, constants), (flags && valueOf(flags, constants)) ?? '');
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression: addMade,
    CallExpression: addMade,
    Property(node) {
      const { key, value } = node;
      if (key.type !== 'Identifier' || key.name !== 'pattern') return;
      const pattern = valueOf(value as Expression, constants);
      // ajv compiles the patterns of schemas with the flag u
      if (pattern !== undefined) add(node, pattern, 'u');
    },
  }).visit(program);
  return found;
}

type Constants = ReadonlyMap<string, Expression>;

function constantsOf(program: Program): Constants {
  const constants = new Map<string, Expression>();
  new Visitor({
    VariableDeclaration({ kind, declarations }) {
      if (kind !== 'const') return;
      for (const { id, init } of declarations)
        if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
  }).visit(program);
  return constants;
}

/** The text that an expression always has; undefined if it depends on anything. */
function valueOf(node: Argument | undefined, constants: Constants): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'Identifier')
    return constants.has(node.name) ? valueOf(constants.get(node.name), constants) : undefined;
  if (node?.type === 'BinaryExpression' && node.operator === '+')
    return joined([valueOf(node.left as Expression, constants), valueOf(node.right, constants)]);
  const isTagged = node?.type === 'TaggedTemplateExpression';
  const template = isTagged ? node.quasi : node;
  if (template?.type !== 'TemplateLiteral') return undefined;
  return joined(
    template.quasis.flatMap(({ value }, i) => [
      isTagged ? value.raw : (value.cooked ?? undefined),
      i < template.expressions.length ? valueOf(template.expressions[i], constants) : '',
    ]),
  );
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}
