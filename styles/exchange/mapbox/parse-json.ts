import { StyleFileError } from '../read-error.ts';

/** @throws StyleFileError with the line and column of what is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const at = position === undefined ? placeOf(text, message) : Number(position);
    const lines = text.slice(0, at).split('\n');
    const reason = message.replace(/,? (?:in JSON at position|"|\.\.\.").*$/s, '');
    const place = `Line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
    throw new StyleFileError(`${place}: ${reason}.`, { cause: error });
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
