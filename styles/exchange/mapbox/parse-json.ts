import { StyleFileError } from '../read-error.ts';

const maxDepth = 64;

/** @throws StyleFileError with the line and column of what is not JSON, or nested more than 64 deep */
export function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    checkDepth(text);
    return json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message } = error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const at = position === undefined ? placeOf(text, message) : Number(position);
    const reason = message.replace(/,? (?:in JSON at position|"|\.\.\.").*$/s, '');
    throw new StyleFileError(`${placeAt(text, at)}: ${reason}.`, { cause: error });
  }
}

function placeAt(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `Line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}

/** @param text is JSON */
function checkDepth(text: string): void {
  let depth = 0;
  let isInText = false;
  for (const { 0: token, index } of text.matchAll(/\\.|["[\]{}]/g)) {
    if (token === '"') isInText = !isInText;
    else if (!isInText) depth += token === '[' || token === '{' ? 1 : -1;
    if (depth > maxDepth)
      throw new StyleFileError(`${placeAt(text, index)}: Values are nested more than ${maxDepth} deep.`);
  }
}

/**
 * Index of an unexpected token, which the engine does not tell: the first one up to which the text is only incomplete.
 * Otherwise the text is incomplete itself.
 */
function placeOf(text: string, message: string): number {
  const unexpected = 'Unexpected token';
  if (!message.startsWith(unexpected)) return text.length;
  let whole = 0;
  let broken = text.length;
  while (broken - whole > 1) {
    const middle = Math.floor((whole + broken) / 2);
    if (faultOf(text.slice(0, middle)).startsWith(unexpected)) broken = middle;
    else whole = middle;
  }
  return whole;
}

function faultOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as SyntaxError).message;
  }
}
