/** The JSON text of a `T`: a method that has its result as text gives it as it stands. */
export class JsonText<T = unknown> {
  /** What the text shows; only for the type. */
  declare readonly shown?: T;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON text of what a method answers. */
export function textOfResult(result: unknown): string {
  return result instanceof JsonText ? result.text : JSON.stringify(result);
}
