declare module 'solc' {
  /** What an import callback answers: the source, or why there is none. */
  type ImportAnswer = { readonly contents: string } | { readonly error: string };

  const solc: {
    version(): string;
    /** Compiles standard JSON input to standard JSON output. */
    compile(input: string, callbacks: { readonly import: (path: string) => ImportAnswer }): string;
  };
  export = solc;
}
