// biome-ignore-all lint/suspicious/noExplicitAny: the types of the packages are there where they are installed
/** The used parts of packages, for type checks without installed packages. */
declare module 'vitepress' {
  export function build(root: string, options: { base: string }): Promise<void>;
}
declare module 'vitepress/theme-without-fonts' {
  const theme: any;
  export default theme;
}
declare module 'htmlparser2' {
  export class Parser {
    constructor(handler: { onopentag(name: string, attributes: Record<string, string>): void });
    end(text: string): void;
  }
}
declare module '*.vue' {
  const component: any;
  export default component;
}
