/** A fenced block of a Markdown file, such as ` ```ts file=contract/notes.ts`. */
export interface CodeBlock {
  readonly language: string;
  /** The attributes behind the language: `file` in the example. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

export function codeBlocksOf(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^( *)```(\w+)([^\n]*)\n([^]*?)^ *```$/gm)].map((match) => {
    const [, indent = '', language = '', rest = '', code = ''] = match;
    const attributes = Object.fromEntries(
      [...rest.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const line = markdown.slice(0, match.index).split('\n').length;
    return { language, attributes, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), line };
  });
}
