declare module 'solc' {
  /** The result of an import callback: the source, or the reason why there is none. */
  type ImportAnswer = { readonly contents: string } | { readonly error: string };

  const solc: {
    version(): string;
    /** Compiles standard JSON input to standard JSON output. */
    compile(input: string, callbacks: { readonly import: (path: string) => ImportAnswer }): string;
  };
  export = solc;
}
