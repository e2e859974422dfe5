/** Characters that change the direction of the text around them (Unicode Standard Annex 9). */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces invisible and direction-changing characters by their names. */
export function shownText(text: string): string {
  return text.replace(TURNING, (character) => `\u27e8U+${codeOf(character)}\u27e9`);
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
